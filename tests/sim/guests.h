/*
 * The guest book of the tests (support/guest_book.h) in a world: rows, a claim, letters from one
 * session to another, and pages of rows. It answers no request of clients here; the world has
 * sessions leave words, greet each other and ask for the page of all words.
 *
 * What is expected: a word that is durable stays with its session, a name is one row's alone and
 * refused to nobody else while it is free, each greeting becomes one word, in the batch in which
 * its letter ends (letters.h), and a page has each word that was there before it was asked for and
 * is still there, once, in its order.
 */
#ifndef SIM_GUESTS_H
#define SIM_GUESTS_H

#include "../support/guest_table.h"
#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feature;
struct hub;
struct letters;
struct model_store;
struct rng;

/* A world in so many has them: a draw would make another world of each. */
enum { GUESTS_EACH = 8, GUESTS_AT = 6 };

struct guest_row {
    uint64_t session;
    uint32_t id;
    uint64_t place;
    char name[GUEST_NAME_MAX + 1], words[GUEST_WORDS_MAX + 1];
    bool there; /* its session is */
};

struct guests {
    struct guest_row *rows; /* all that were ever durable */
    size_t count, size;
    uint64_t number; /* of words that were wanted: no two are the same */
    uint64_t ticket; /* of the page that is asked for; 0: none is */
    size_t known;    /* rows that were durable then */
};

/* All features, and the guest book. */
const struct feature *const *guests_features(void);

void guests_release(struct guests *guests);
/* What the batch says has become durable, or was not as another has it. NULL: all is well. */
const char *guests_apply(struct guests *guests, const struct store_batch *batch);

/* At the part of a site in which the session is at home: it leaves a word, or greets somebody. */
void guests_leave(struct guests *guests, struct rng *rng, struct hub *hub, uint64_t session);
void guests_greet(struct guests *guests, struct rng *rng, struct hub *hub, uint64_t session,
                  uint64_t whom);

extern const char guests_page[]; /* its path */
/* The page was asked for, and is not there yet; and: it is. NULL: all is well. */
void guests_asked(struct guests *guests, uint64_t ticket);
const char *guests_check_page(struct guests *guests, const void *body, size_t len);

/* How many words there are, and are in the store as they were written. */
size_t guests_expected(const struct guests *guests);
size_t guests_stored(const struct guests *guests, const struct model_store *store);

#endif
