/*
 * What makes the hub of a part ready to serve: it is made, and gets what its store holds. Nothing
 * is said but what is damaged: `message` is for whoever asked.
 */
#ifndef SERVER_HUB_MAKER_H
#define SERVER_HUB_MAKER_H

#include "options.h"
#include <hub/hub.h>
#include <net/clock.h>

/* All of it is borrowed, and not changed while hubs are made: by any thread. */
struct hub_maker {
    const struct options *options;
    const struct game_type *const *games;
    const struct record_signer *signer;
    const struct hub_push *push;          /* NULL: none */
    const char *reserved_handles;         /* NULL: none */
    const struct name_patterns *patterns; /* NULL: none; between two calls of hubs it may change */
    const struct hub_passkeys *passkeys;  /* NULL: none are taken */
    const struct hub_external *external;  /* of such accounts; its key may come later */
    int64_t sign_of_life_ms;
    struct net_clock *clock;
};

/* NULL: out of memory. */
struct hub *hub_maker_create(const struct hub_maker *maker, unsigned part, unsigned parts);

/* The store is open. Its time begins at what the clock of the loop has said last, or with what is
 * known, if that is later. */
enum store_result hub_maker_restore(const struct hub_maker *maker, struct hub *hub,
                                    char message[static STORE_MESSAGE_MAX]);

/* Is it a text of that document? False as well: no memory. */
bool hub_maker_reads(const char *name, const char *text, size_t len);

#endif
