/*
 * Lines from the standard input on a libuv loop, whatever it is: terminal, pipe or file.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include <stdbool.h>
#include <uv.h>

enum { INPUT_LINE_MAX = 16384 }; /* a longer line is cut into several */

struct input;

struct input_events {
    void (*line)(void *user, const char *line); /* without its end */
    void (*end)(void *user);
};

/* NULL if memory ran out. Callbacks come from the loop. */
struct input *input_create(uv_loop_t *loop, const struct input_events *events, void *user);
/* Nothing is called any more; the loop frees it. From its own callback, too; NULL is allowed. */
void input_destroy(struct input *input);

/*
 * No line more for now, or go on: what comes next depends on the one before. To be held from its
 * own callback, too.
 */
void input_hold(struct input *input, bool on);

/*
 * Polls the standard input without making it non-blocking: a terminal's output is the same open
 * file, and what is printed must not be lost when the terminal is slow. False if it cannot be
 * polled.
 */
bool input_poll_init(uv_loop_t *loop, uv_poll_t *poll);

#endif
