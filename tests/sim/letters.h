/*
 * What is expected of letters: each that is durable is applied once, in the batch in which it ends,
 * and none is left when all is quiet. Letters here are of finished matches, for the list of a
 * session or for the tally of an account, of ratings and who seeks a match (rated.h), or greetings
 * (guests.h), but for those that nobody can apply: each is set aside, once, and stays there.
 */
#ifndef SIM_LETTERS_H
#define SIM_LETTERS_H

#include "../support/guest_table.h"
#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_store;

struct sent_letter {
    uint64_t addressee, id;
    char room_id[9];
    char greeting[GUEST_WORDS_MAX + 1]; /* into the guest book (guests.h); "": not there */
    bool counts, lists; /* into the tally, the list; else it is of ratings (rated.h) */
    bool applied;
    bool poison, aside; /* nobody can apply it; it has been set aside */
};

struct letters {
    struct sent_letter *sent;
    size_t count, size;
    size_t waiting;     /* durable, and not applied */
    uint64_t *sessions; /* that are durable */
    size_t session_count, session_size;
};

void letters_release(struct letters *letters);
/* What the batch says has become durable. NULL: all is well. */
const char *letters_apply(struct letters *letters, const struct store_batch *batch);
/* One that nobody can apply is in the store. */
/* Is that session there, as far as is durable? */
bool letters_know(const struct letters *letters, uint64_t session);
void letters_poisoned(struct letters *letters, const struct store_letter *letter);
/* The same of one that is of ratings, and can be applied. */
void letters_left(struct letters *letters, const struct store_letter *letter);
/* Those that were set aside are there. NULL: all is well. */
const char *letters_check_aside(const struct letters *letters, const struct model_store *store);
/* How many there should be, and how many the store has. */
size_t letters_aside(const struct letters *letters);
size_t letters_aside_in(const struct model_store *store);
/* Matches that have been counted for accounts: by letters, and as the store has it. */
uint64_t letters_counted(const struct letters *letters);
uint64_t letters_stored(const struct model_store *store);
/* Is the line of that room on its way to the session? */
bool letters_has(const struct letters *letters, const char *room_id, uint64_t session);

#endif
