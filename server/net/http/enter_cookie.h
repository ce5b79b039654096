/*
 * What a browser keeps of a sign-in that it has begun, until the provider sends it back: sealed, so
 * that the server need not keep it, whichever of several servers it comes back to.
 */
#ifndef NET_ENTER_COOKIE_H
#define NET_ENTER_COOKIE_H

#include "http_head.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    ENTER_KEY_BYTES = 32,
    ENTER_DRAWN_BYTES = 32,
    ENTER_KEPT_MS = 600000, /* somebody looks for their password */
    ENTER_COOKIE_TEXT = 235,
};

struct enter_kept {
    int64_t until_ms;
    uint8_t state[ENTER_DRAWN_BYTES], nonce[ENTER_DRAWN_BYTES], verifier[ENTER_DRAWN_BYTES];
    uint8_t bound[ENTER_DRAWN_BYTES]; /* see hub/voucher.h */
};

extern const char enter_cookie_name[];

void enter_cookie_write(char text[static ENTER_COOKIE_TEXT + 1], const struct enter_kept *kept,
                        const uint8_t key[static ENTER_KEY_BYTES]);
/* Of the field Cookie. False: it is not there, was not sealed by the key, or its time is over. */
bool enter_cookie_read(struct enter_kept *kept, struct http_text cookies,
                       const uint8_t key[static ENTER_KEY_BYTES], int64_t now_ms);

#endif
