/*
 * An engine of anybody's that is asked one question after the other, each of which is waited for.
 * No table has it: there engine_process.h is what does not block.
 */
#ifndef CLI_ENGINE_ASKER_H
#define CLI_ENGINE_ASKER_H

#include "engine_process.h"

struct engine_asking {
    uv_loop_t loop;
    struct engine_process *process;
    const struct engine_listener *listener; /* NULL: nothing is asked */
    const char *why;                        /* it is broken: a phrase; else NULL */
    void (*pipe_before)(int);               /* what SIGPIPE did */
};

/* Starts it by the shell; `asker` asks it. False: memory ran out, or there is no shell. */
bool engine_asking_open(struct engine_asking *asking, const char *command,
                        struct engine_asker *asker);
/* Waits until it has ended, or kills it. */
void engine_asking_close(struct engine_asking *asking);

#endif
