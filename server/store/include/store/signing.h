/*
 * The file of the keys that finished records are signed with, beside the store:
 *
 *     DIR/signing-keys
 *
 *     taluva-signing-keys 1
 *     secret ID SEED FROM            in use; SEED makes the secret key
 *     public ID KEY FROM UNTIL       an earlier one, the latest first; its secret is gone
 *     sha256 HASH                    of all that is above
 *
 * IDs, seeds and keys are base64url, times are seconds since 1970-01-01 UTC. The file has mode 0600
 * and is refused if others may read it. It is never changed in place: the old or the new one is
 * there whole.
 */
#ifndef STORE_SIGNING_H
#define STORE_SIGNING_H

#include <hub/store.h>
#include <protocol/signature.h>
#include <stdbool.h>

#define SIGNING_FILE "signing-keys"

/*
 * Reads the file in `directory`; if there is none, makes one with a new key. *made: so it was. For
 * who holds the store's lock, or as one of several that start at once.
 *
 * STORE_CORRUPT: it is damaged. STORE_REFUSED: others may read it, or it is not a plain file.
 * STORE_FULL, STORE_FAILED: it cannot be read, or a new one cannot be written. `signer` holds
 * nothing then.
 */
enum store_result signing_open(const char *directory, int64_t now_s, struct record_signer *signer,
                               bool *made, char message[static STORE_MESSAGE_MAX]);

/* Where servers go on with the old key for a while, both are used meanwhile. */
struct key_change {
    int64_t from_s;  /* the new key is used */
    int64_t until_s; /* the old key may be: a match that ends later is not proven by it */
};

/*
 * Puts a new key in place of the one in use, which is kept without its secret. `signer` is then
 * what the file holds; `dropped` is the oldest key if there are more than KEYS_MAX, else its id is
 * "". STORE_FENCED: a server is using the store. Others as above; the file is then as it was, or
 * the new one if only its folder could not be synced.
 */
enum store_result signing_rotate(const char *directory, const struct key_change *change,
                                 struct record_signer *signer, struct public_key *dropped,
                                 char message[static STORE_MESSAGE_MAX]);

/* Also of one that cannot be read. */
bool signing_is_there(const char *directory);

/* The same in memory: a key that is drawn; and another in place of the one in use. */
void signing_make(struct record_signer *signer, int64_t now_s);
/* No key ends before it began, nor does one begin before the one that it replaces. */
void signing_next(struct record_signer *signer, const struct key_change *change,
                  struct public_key *dropped);

#endif
