/*
 * The check of a large store beside the game: a thread that asks the store whether its file is
 * sound, logs what is wrong, and ends. Play goes on whatever it finds.
 */
#ifndef NET_CHECKER_H
#define NET_CHECKER_H

#include <hub/store.h>

struct checker;

enum checker_finding {
    CHECKER_CHECKING,
    CHECKER_SOUND,
    CHECKER_DAMAGED,
    CHECKER_FAILED, /* it could not be found out */
};

/* The store is open. NULL: out of memory. */
struct checker *checker_create(struct store *store);
/* Stops the check, which says no more, and waits for its thread. Takes NULL. */
void checker_destroy(struct checker *checker);

enum checker_finding checker_finding(const struct checker *checker);

#endif
