/*
 * What a browser is given that has signed in elsewhere, with a server that this one trusts: it says
 * who that server knows them as, and is good for a minute. It is signed by a key that all nodes of
 * a site have, and bound to a secret that only the browser has which began: so neither what stands
 * in somebody's log nor a link that somebody else sends enters anything.
 *
 * `net` makes it, the feature that knows who somebody is takes it. Nothing of it is kept.
 */
#ifndef HUB_VOUCHER_H
#define HUB_VOUCHER_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VOUCHER_KEY_BYTES = 32,
    VOUCHER_SUBJECT_BYTES = 32,
    VOUCHER_BOUND_BYTES = 32, /* SHA-256 of the secret's bytes */
    VOUCHER_SIGNED_TEXT = PROTOCOL_VOUCHER_BYTES - 1 - PROTOCOL_TOKEN_BYTES,
    VOUCHER_MS = 60000,
};

struct voucher {
    int64_t until_ms;
    uint8_t subject[VOUCHER_SUBJECT_BYTES];
    uint8_t bound[VOUCHER_BOUND_BYTES];
};

/* Who somebody is elsewhere: one hash of where that is and of what they are called there. */
void voucher_subject(uint8_t subject[static VOUCHER_SUBJECT_BYTES], const char *where,
                     const char *who);

/* Without the secret, which the server is never told before it is shown. */
void voucher_write(char text[static VOUCHER_SIGNED_TEXT + 1], const struct voucher *voucher,
                   const uint8_t key[static VOUCHER_KEY_BYTES]);
/* Of a text in the form of the protocol. False: it is not signed by the key, its secret is another
 * one, or its time is over. */
bool voucher_read(struct voucher *voucher, const char *text,
                  const uint8_t key[static VOUCHER_KEY_BYTES], int64_t now_ms);

#endif
