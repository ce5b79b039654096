/* Commands that ask something about one handle, and say what has been done. */
#ifndef HANDLE_ASK_H
#define HANDLE_ASK_H

struct invocation;

struct handle_ask {
    const char *op;
    const char *said; /* of the handle, once it is done */
};

int handle_ask_run(const struct invocation *invocation, const struct handle_ask *ask);

#endif
