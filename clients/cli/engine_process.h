/*
 * An engine of anybody's (protocol/engine.md) as a process of its own, on a libuv loop: it is
 * started by the shell, told positions, and answers with turns. Nothing that it does blocks.
 *
 * What it writes to its standard error is shown. It ends with this program, at the latest when its
 * input does; one that does not is killed. What it has started is killed when it has ended.
 */
#ifndef CLI_ENGINE_PROCESS_H
#define CLI_ENGINE_PROCESS_H

#include <cli/engine.h>
#include <stdbool.h>
#include <uv.h>

struct engine_events {
    /* What stands behind `line`, of each that comes before `best`. NULL: nobody wants to know. */
    void (*line)(void *user, const char *text);
    /* The turn behind `best`; from the loop, once for each engine_process_ask. */
    void (*best)(void *user, const char *turn);
    /* It can be asked nothing more: a phrase for people. Once, and nothing comes after it. */
    void (*failed)(void *user, const char *why);
};

struct engine_process;

/* NULL: memory ran out, or there is no shell. Questions wait until it is ready. */
struct engine_process *engine_process_start(uv_loop_t *loop, const char *command,
                                            const struct engine_events *events, void *user);
/* Nothing is called any more; the loop frees it. From its own callbacks, too; NULL is allowed. */
void engine_process_end(struct engine_process *engine);

void engine_process_new_match(struct engine_process *engine);
/* Not before the answer to the last one. */
void engine_process_ask(struct engine_process *engine, const struct engine_go *go);
/* Its answer is wanted now. */
void engine_process_stop(struct engine_process *engine);

#endif
