/*
 * The keys of a server: those that records are signed with, and the one by which push services know
 * it. They are files in its data folder. Servers of one site, in a PostgreSQL database, have the
 * same: a document there (store/site_keys.h) says which they are, and a server that has others does
 * not start. Where it is given the key that seals (--site-key-file), they are in the document.
 */
#ifndef SERVER_SITE_KEYS_H
#define SERVER_SITE_KEYS_H

#include "choose_store.h"
#include "options.h"
#include <store/site_keys.h>

/* In memory that is guarded and not swapped out, for sodium_free; NULL: there is none, and it was
 * said. */
struct site_keys *site_keys_create(void);

/* For who has the data folder. An exit status; what is wrong has been said. */
int site_keys_open(struct site_keys *keys, const struct options *options,
                   const struct store_choice *choice, int64_t now_s);

/* The same before a standby waits for its turn: nothing is made, and a site that has not begun is
 * left so. */
int site_keys_check(struct site_keys *keys, const struct options *options,
                    const struct store_choice *choice);

/* `taluvad rotate-key`: an exit status. */
int site_keys_rotate(const struct options *options);

#endif
