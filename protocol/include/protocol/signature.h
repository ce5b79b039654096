/*
 * A server's signature under the record of a match that is over: protocol/record.md, "The server's
 * signature".
 *
 *     [Result.signature "KEY-ID SIGNATURE"]
 *
 * It stands behind all results that the server has written. What is signed is the record as the
 * server wrote it: without that line, without results behind it, and without asides that are not
 * the server's. So what an analysis adds can be added to a signed record, and nothing else.
 */
#ifndef PROTOCOL_SIGNATURE_H
#define PROTOCOL_SIGNATURE_H

#include <protocol/keys.h>
#include <protocol/record.h>
#include <stdbool.h>
#include <stdint.h>

#define RECORD_SIGNATURE_NAME "signature" /* of the result */

enum {
    SIGNING_SEED_BYTES = 32,
    SIGNING_SECRET_BYTES = 64,
    SIGNATURE_TEXT_BYTES = 86, /* base64url */
    RECORD_SIGNATURE_BYTES = KEY_ID_BYTES + 1 + SIGNATURE_TEXT_BYTES,
};

/* What a server signs with. It holds a secret: keep it in one place, and wipe it at the end. */
struct record_signer {
    struct key_set keys; /* the first is the one of `secret` */
    uint8_t secret[SIGNING_SECRET_BYTES];
};

/* The key that follows from the seed, and no earlier ones. */
void record_signer_init(struct record_signer *signer, const uint8_t seed[SIGNING_SEED_BYTES],
                        int64_t from_s);

/*
 * The value of the line for a record that has none yet and could be written. False: out of memory.
 */
bool record_sign(const struct record *record, const struct record_signer *signer,
                 char out[RECORD_SIGNATURE_BYTES + 1]);

enum record_signature {
    RECORD_NOT_SIGNED,
    RECORD_SIGNED,           /* by the key that it names, which is one of these */
    RECORD_SIGNED_BY_OTHER,  /* these keys do not have the one that it names: nothing was checked */
    RECORD_SIGNED_TOO_LATE,  /* the match ended after the key was used for the last time */
    RECORD_SIGNATURE_FALSE,  /* or no signature at all; or of a match that is not over */
    RECORD_SIGNATURE_FAILED, /* out of memory */
};

/* `id`: of the key that the record names; "" if it names none. */
enum record_signature record_check_signature(const struct record *record,
                                             const struct key_set *keys, char id[KEY_ID_BYTES + 1]);

/*
 * The match whatever its people are called now: a hash of what is signed without server, title and
 * names, which may be others when it is written again. False: out of memory.
 */
enum { RECORD_CORE_BYTES = 32 };
bool record_core_hash(const struct record *record, uint8_t hash[static RECORD_CORE_BYTES]);

/* What a server writes beside the turns. */
struct record_aside {
    const char *word;
    bool has_seat;
};

/* NULL: a line of a turn, or another program's word. */
const struct record_aside *record_find_aside(const struct record_line *line);

#endif
