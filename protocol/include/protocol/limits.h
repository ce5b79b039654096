/*
 * The named limits of the protocol: what a message may hold at most. Servers and clients of this
 * tree size their buffers with them; protocol/README.md quotes them. Rates and counts of sessions,
 * rooms and connections are a server's own affair and are not here.
 *
 * `_CHARS` counts Unicode code points, `_BYTES` counts bytes without a terminating NUL.
 */
#ifndef PROTOCOL_LIMITS_H
#define PROTOCOL_LIMITS_H

#include <stdint.h>

#define PROTOCOL_SUBPROTOCOL "taluva.v1+json"

/* Every whole number that crosses the wire is exact in a double: ids, seqs, times. */
#define PROTOCOL_INTEGER_MAX INT64_C(9007199254740991) /* 2^53 - 1 */

enum {
    PROTOCOL_MESSAGE_BYTES = 4096, /* one request */
    PROTOCOL_DEPTH = 8,            /* objects and arrays within each other in a request */

    PROTOCOL_NAME_CHARS = 24,
    PROTOCOL_NAME_BYTES = 4 * PROTOCOL_NAME_CHARS,
    PROTOCOL_TITLE_CHARS = 40,
    PROTOCOL_TITLE_BYTES = 4 * PROTOCOL_TITLE_CHARS,
    PROTOCOL_SAY_CHARS = 280,
    PROTOCOL_SAY_BYTES = 4 * PROTOCOL_SAY_CHARS,
    PROTOCOL_CHAT_CHARS = 140, /* a line in the lobby */
    PROTOCOL_CHAT_BYTES = 4 * PROTOCOL_CHAT_CHARS,
    PROTOCOL_LANG_BYTES = 2, /* of a room of the lobby */

    PROTOCOL_SEATS = 16,     /* seats are 0..15, whatever the game; a game may have fewer */
    PROTOCOL_ROOM_BYTES = 8, /* a room's id: 40 bits in base 32 */
    PROTOCOL_HANDLE_BYTES_MIN = 3,
    PROTOCOL_HANDLE_BYTES = 20, /* of an account: ASCII */
    PROTOCOL_CODE_BYTES = 16,   /* an invitation code: 80 bits in base 32 */
    PROTOCOL_TOKEN_BYTES = 43,  /* a session's secret: 256 bits in base64url without padding */
    PROTOCOL_ACCESS_BYTES = 57, /* a token of a program: a word, 256 bits, and a check */
    PROTOCOL_PASS_BYTES = 28, /* a link's or a phrase's secret: 130 bits in base 32, and a check */
    /* Of a sign-in elsewhere: 104 bytes in base64url, a dot, and a secret as long as a token. */
    PROTOCOL_VOUCHER_BYTES = 183,
    PROTOCOL_DEVICE_BYTES = 8, /* hex digits */
    PROTOCOL_PURPOSE_BYTES = 8,
    PROTOCOL_WHY_BYTES = 8,
    PROTOCOL_VERDICT_BYTES = 8,
    PROTOCOL_JUDGED_S_MAX = 3650 * 24 * 3600, /* ten years */
    PROTOCOL_SCOPE_BYTES = 40,                /* what a program's token is for, all of it */
    PROTOCOL_TOKEN_DAYS_MAX = 365,            /* for which it is good */
    /* Of what a browser says about a passkey, in base64url; together they are within a message. */
    PROTOCOL_PASSKEY_ID_BYTES = 1364, /* a credential's id of 1023 bytes */
    PROTOCOL_PASSKEY_USER_BYTES = 22, /* whose it is, 16 bytes */
    PROTOCOL_NONCE_BYTES_MIN = 32,
    PROTOCOL_NONCE_BYTES = 64,     /* hex digits, given with `ready` */
    PROTOCOL_ENDPOINT_BYTES = 512, /* a browser's address at its push service */
    PROTOCOL_P256DH_BYTES = 87,    /* its public key, base64url without padding */
    PROTOCOL_AUTH_BYTES = 22,      /* its secret for messages, the same */
    PROTOCOL_MOVE_BYTES = 1024,    /* one move, printable ASCII; a game may allow fewer */
    PROTOCOL_GAME_BYTES = 16,      /* a game's name: a-z 0-9 - */
    PROTOCOL_RATED_BYTES = 24,     /* the class by which a match is rated: a-z . */
    PROTOCOL_COLOUR_BYTES = 16,    /* the word for a seat's colour: a-z */
    PROTOCOL_LEVELS = 16,          /* a game's computer players have levels 1..16 at most */
    PROTOCOL_LEVEL_BYTES = 16,     /* the word for such a level: a-z */
    PROTOCOL_CLIENT_CHARS = 40,    /* what a client calls itself in `hello` */
    PROTOCOL_CLIENT_BYTES = 4 * PROTOCOL_CLIENT_CHARS,
    PROTOCOL_FIELD_BYTES = 40, /* an offending field's name is quoted up to here */

    PROTOCOL_CLOCK_SECONDS_MAX = 7 * 24 * 3600, /* bank_s, move_s, period_s, increment_s */
    PROTOCOL_CLOCK_PERIODS_MAX = 99,
    PROTOCOL_CLOCK_DAYS_MAX = 30,
};

#endif
