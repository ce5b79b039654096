#include <store/site_keys.h>

#include "key_text.h"
#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

static const char FIRST[] = "taluva-site-keys 1\n", SIGNING[] = "signing ", PUSH[] = "push ",
                  SEALED[] = "sealed ", END[] = "end\n";

enum {
    VERSION = 1,
    TAG_BYTES = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    PLAIN_MAX = SIGNING_TEXT_MAX + PUSH_TEXT_BYTES + 1,
    BOX_MAX = 1 + SITE_KEYS_NONCE_BYTES + PLAIN_MAX + TAG_BYTES,
    HEAD_MAX = 64 * (KEYS_MAX + 4),
    VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
};
static_assert((int)SITE_KEYS_NONCE_BYTES == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, "as is");
static_assert((int)SITE_KEY_BYTES == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "as is");
static_assert(HEAD_MAX + sodium_base64_ENCODED_LEN(BOX_MAX, VARIANT) + 16 < SITE_KEYS_TEXT_MAX,
              "all that there may be fits");

/* ---- the head */

/* The lines above what is sealed. */
static size_t write_lines(char text[static SITE_KEYS_TEXT_MAX], const struct site_keys_head *head)
{
    size_t len = sizeof FIRST - 1;
    memcpy(text, FIRST, sizeof FIRST);
    for (size_t at = 0; at < head->count; at++)
        len += (size_t)snprintf(text + len, HEAD_MAX - len, "%s%s\n", SIGNING, head->signing[at]);
    if (head->push[0])
        len += (size_t)snprintf(text + len, HEAD_MAX - len, "%s%s\n", PUSH, head->push);
    return len;
}

size_t site_keys_write(char text[static SITE_KEYS_TEXT_MAX], const struct site_keys_head *head)
{
    const size_t len = write_lines(text, head);
    memcpy(text + len, END, sizeof END);
    return len + sizeof END - 1;
}

static bool take_word(const char **at, const char *end, const char *word)
{
    const size_t len = strlen(word);
    if ((size_t)(end - *at) < len || memcmp(*at, word, len) != 0)
        return false;
    *at += len;
    return true;
}

/* The rest of the line, which is of that length. */
static bool take_value(const char **at, const char *end, char *value, size_t len)
{
    if ((size_t)(end - *at) <= len || (*at)[len] != '\n' || memchr(*at, '\n', len) ||
        memchr(*at, '\0', len))
        return false;
    memcpy(value, *at, len);
    value[len] = '\0';
    *at += len + 1;
    return true;
}

/* *at is behind the head then. */
static bool take_head(struct site_keys_head *head, const char **at, const char *end)
{
    bool good = take_word(at, end, FIRST);
    *head = (struct site_keys_head){.count = 0};
    while (good && take_word(at, end, SIGNING)) {
        good =
            head->count < KEYS_MAX && take_value(at, end, head->signing[head->count], KEY_ID_BYTES);
        head->count += good;
    }
    if (good && take_word(at, end, PUSH))
        good = take_value(at, end, head->push, SITE_KEYS_PRINT_BYTES);
    return good && head->count > 0;
}

bool site_keys_read(struct site_keys_head *head, const char *text, size_t len)
{
    const char *at = text, *const end = text + len;
    *head = (struct site_keys_head){.count = 0};
    if (len == 0)
        return true;
    bool good = len < SITE_KEYS_TEXT_MAX && take_head(head, &at, end);
    if (good && take_word(&at, end, SEALED)) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        head->sealed = good = line && line > at;
        at = good ? line + 1 : at;
    }
    return good && take_word(&at, end, END) && at == end;
}

/* The secret has 32 bytes of chance in it, and nobody finds it by trying. */
static void print_push(char print[static SITE_KEYS_PRINT_BYTES + 1], const struct site_keys *keys)
{
    static const char what[] = "taluva push key\n";
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const uint8_t *)what, sizeof what - 1);
    crypto_hash_sha256_update(&state, keys->push, sizeof keys->push);
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(print, SITE_KEYS_PRINT_BYTES + 1, hash, SITE_KEYS_PRINT_BYTES / 2);
}

void site_keys_head_of(struct site_keys_head *head, const struct site_keys *keys)
{
    *head = (struct site_keys_head){.count = keys->signer.keys.count};
    for (size_t at = 0; at < head->count; at++)
        memcpy(head->signing[at], keys->signer.keys.list[at].id, KEY_ID_BYTES + 1);
    if (keys->has_push)
        print_push(head->push, keys);
}

static bool has_key(const struct site_keys_head *head, const char *id)
{
    size_t at = 0;
    while (at < head->count && strcmp(head->signing[at], id) != 0)
        at++;
    return at < head->count;
}

enum site_keys_match site_keys_compare(const struct site_keys_head *own,
                                       const struct site_keys_head *document)
{
    if (strcmp(own->signing[0], document->signing[0]) == 0)
        return SITE_KEYS_SAME;
    if (has_key(own, document->signing[0]))
        return SITE_KEYS_NEWER;
    return has_key(document, own->signing[0]) ? SITE_KEYS_OLDER : SITE_KEYS_OTHER;
}

/* ---- what is sealed */

static size_t write_plain(char plain[static PLAIN_MAX], const struct site_keys *keys)
{
    size_t len = 1;
    plain[0] = keys->has_push ? '1' : '0';
    if (keys->has_push)
        push_key_write(plain + len, keys->push);
    len += keys->has_push ? PUSH_TEXT_BYTES : 0;
    return len + signing_write(plain + len, &keys->signer);
}

static bool read_plain(struct site_keys *keys, const char *plain, size_t len)
{
    const size_t push = len > 0 && plain[0] == '1' ? PUSH_TEXT_BYTES : 0;
    keys->has_push = push > 0;
    return len > 1 + push && (plain[0] == '0' || plain[0] == '1') &&
           (!push || push_key_read(plain + 1, push, keys->push)) &&
           signing_read(plain + 1 + push, len - 1 - push, &keys->signer);
}

size_t site_keys_seal(char text[static SITE_KEYS_TEXT_MAX], const struct site_keys *keys,
                      const uint8_t key[static SITE_KEY_BYTES],
                      const uint8_t nonce[static SITE_KEYS_NONCE_BYTES])
{
    struct site_keys_head head;
    char plain[PLAIN_MAX];
    uint8_t box[BOX_MAX] = {VERSION};
    unsigned long long sealed;
    site_keys_head_of(&head, keys);
    const size_t lines = write_lines(text, &head), plain_len = write_plain(plain, keys);
    memcpy(box + 1, nonce, SITE_KEYS_NONCE_BYTES);
    crypto_aead_xchacha20poly1305_ietf_encrypt(box + 1 + SITE_KEYS_NONCE_BYTES, &sealed,
                                               (const uint8_t *)plain, plain_len,
                                               (const uint8_t *)text, lines, NULL, nonce, key);
    sodium_memzero(plain, sizeof plain);
    char *at = text + lines;
    memcpy(at, SEALED, sizeof SEALED);
    at += sizeof SEALED - 1;
    sodium_bin2base64(at, SITE_KEYS_TEXT_MAX - (size_t)(at - text), box,
                      1 + SITE_KEYS_NONCE_BYTES + (size_t)sealed, VARIANT);
    at += strlen(at);
    *at++ = '\n';
    memcpy(at, END, sizeof END);
    return (size_t)(at - text) + sizeof END - 1;
}

/* The bytes of the sealed line; 0: there is none, or it is none of this version. */
static size_t read_box(uint8_t box[static BOX_MAX], const char *at, const char *end)
{
    const char *stop;
    size_t len;
    if (!take_word(&at, end, SEALED) ||
        sodium_base642bin(box, BOX_MAX, at, (size_t)(end - at), NULL, &len, &stop, VARIANT) != 0 ||
        *stop != '\n' || len <= 1 + SITE_KEYS_NONCE_BYTES + TAG_BYTES || box[0] != VERSION)
        return 0;
    return len;
}

static bool is_head_of(const struct site_keys_head *head, const struct site_keys *keys)
{
    char one[SITE_KEYS_TEXT_MAX], other[SITE_KEYS_TEXT_MAX];
    struct site_keys_head own;
    site_keys_head_of(&own, keys);
    const size_t len = site_keys_write(one, head);
    return site_keys_write(other, &own) == len && memcmp(one, other, len) == 0;
}

bool site_keys_unseal(struct site_keys *keys, const char *text, size_t len,
                      const uint8_t key[static SITE_KEY_BYTES])
{
    struct site_keys_head head;
    char plain[PLAIN_MAX];
    uint8_t box[BOX_MAX];
    unsigned long long plain_len = 0;
    const char *at = text;
    bool good =
        site_keys_read(&head, text, len) && head.sealed && take_head(&head, &at, text + len);
    const size_t box_len = good ? read_box(box, at, text + len) : 0;
    good = box_len > 0 &&
           crypto_aead_xchacha20poly1305_ietf_decrypt(
               (uint8_t *)plain, &plain_len, NULL, box + 1 + SITE_KEYS_NONCE_BYTES,
               box_len - 1 - SITE_KEYS_NONCE_BYTES, (const uint8_t *)text, (size_t)(at - text),
               box + 1, key) == 0 &&
           read_plain(keys, plain, (size_t)plain_len) && is_head_of(&head, keys);
    sodium_memzero(plain, sizeof plain);
    if (!good)
        sodium_memzero(keys, sizeof *keys);
    return good;
}

bool site_key_read(uint8_t key[static SITE_KEY_BYTES], const char *text, size_t len)
{
    size_t got = 0;
    const size_t digits = len > 0 && text[len - 1] == '\n' ? len - 1 : len;
    const bool good = digits == 2 * SITE_KEY_BYTES &&
                      sodium_hex2bin(key, SITE_KEY_BYTES, text, digits, NULL, &got, NULL) == 0 &&
                      got == SITE_KEY_BYTES;
    if (!good)
        sodium_memzero(key, SITE_KEY_BYTES);
    return good;
}
