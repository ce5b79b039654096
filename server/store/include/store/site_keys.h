/*
 * The keys of a site that several servers share, as one of its documents (hub/store_document.h):
 *
 *     taluva-site-keys 1
 *     signing ID                     the key in use, then the earlier ones, the latest first
 *     push PRINT                     of the key for push services; left out if none is known
 *     sealed BYTES                   left out where each server has files of the keys
 *     end
 *
 * So each server sees at its start whether its keys are those of the others. What is sealed are the
 * keys themselves: a version, a nonce of 24 bytes, and what XChaCha20-Poly1305 makes of them with a
 * key that each server is given, bound to the lines above; base64url. (libsodium, as everything
 * here: its nonces are long enough to be drawn.)
 *
 * Whoever holds a struct site_keys wipes it.
 */
#ifndef STORE_SITE_KEYS_H
#define STORE_SITE_KEYS_H

#include <protocol/signature.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <store/push_key.h>

#define SITE_KEYS_DOCUMENT "keys"
enum {
    SITE_KEY_BYTES = 32, /* of the key that seals */
    SITE_KEYS_NONCE_BYTES = 24,
    SITE_KEYS_PRINT_BYTES = 32, /* in hexadecimal */
    SITE_KEYS_TEXT_MAX = 16384,
};

struct site_keys {
    struct record_signer signer;
    bool has_push;
    uint8_t push[PUSH_KEY_BYTES];
};

/* What the document says to everybody. */
struct site_keys_head {
    size_t count; /* 0: nobody has written it yet */
    char signing[KEYS_MAX][KEY_ID_BYTES + 1];
    char push[SITE_KEYS_PRINT_BYTES + 1]; /* "": none */
    bool sealed;
};

/* "" is a head of nothing. False: it is damaged. */
bool site_keys_read(struct site_keys_head *head, const char *text, size_t len);
/* Of these keys, not sealed. */
void site_keys_head_of(struct site_keys_head *head, const struct site_keys *keys);
/* The text of a head alone; its length. It ends with a NUL. */
size_t site_keys_write(char text[static SITE_KEYS_TEXT_MAX], const struct site_keys_head *head);

/* What a server's own signing keys are to those of the document. */
enum site_keys_match {
    SITE_KEYS_SAME,
    SITE_KEYS_NEWER, /* that one in use is an earlier one here: it was rotated here */
    SITE_KEYS_OLDER, /* the one in use here is an earlier one there */
    SITE_KEYS_OTHER,
};
enum site_keys_match site_keys_compare(const struct site_keys_head *own,
                                       const struct site_keys_head *document);

/* The text with the keys in it. The nonce is never used twice with a key: it is drawn. */
size_t site_keys_seal(char text[static SITE_KEYS_TEXT_MAX], const struct site_keys *keys,
                      const uint8_t key[static SITE_KEY_BYTES],
                      const uint8_t nonce[static SITE_KEYS_NONCE_BYTES]);
/* False: it was sealed with another key, or something was changed since; `keys` are wiped. */
bool site_keys_unseal(struct site_keys *keys, const char *text, size_t len,
                      const uint8_t key[static SITE_KEY_BYTES]);

/* A key that seals, as a file has it: 64 hexadecimal digits in one line. */
bool site_key_read(uint8_t key[static SITE_KEY_BYTES], const char *text, size_t len);

#endif
