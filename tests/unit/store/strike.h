/*
 * A fault of one kind in the n-th place where it can strike: an allocation, ours or SQLite's; the
 * run of a statement; a change of a file; reading from one. Only between arm and disarm.
 *
 * The program needs -Wl,--wrap for malloc, calloc and realloc.
 */
#ifndef TESTS_UNIT_STORE_STRIKE_H
#define TESTS_UNIT_STORE_STRIKE_H

#include <stdbool.h>
#include <stddef.h>

enum strike { STRIKE_MEMORY, STRIKE_STATEMENT, STRIKE_FULL, STRIKE_WRITE, STRIKE_READ };
enum { STRIKES = STRIKE_READ + 1 };

/* Once, before SQLite is used. */
void strike_init(void);

/* The n-th place from now on is struck; 1 is the next. */
void strike_arm(enum strike kind, int nth);
/* Was it reached? */
bool strike_disarm(void);

/* What is held of SQLite's memory and of file descriptors, to be the same after as before. */
struct held {
    long long sqlite_bytes;
    int descriptors;
};
struct held held_now(void);

#endif
