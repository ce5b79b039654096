#include "enter_cookie.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };
enum {
    UNTIL_BYTES = 8,
    TEXT_BYTES = UNTIL_BYTES + 4 * ENTER_DRAWN_BYTES,
    NONCE_BYTES = crypto_secretbox_NONCEBYTES,
    SEALED_BYTES = NONCE_BYTES + crypto_secretbox_MACBYTES + TEXT_BYTES,
};

static_assert((SEALED_BYTES * 8 + 5) / 6 == ENTER_COOKIE_TEXT, "as long as it is");
static_assert(ENTER_KEY_BYTES == crypto_secretbox_KEYBYTES, "a key is a key");

const char enter_cookie_name[] = "taluva_enter";

static void write_kept(uint8_t bytes[static TEXT_BYTES], const struct enter_kept *kept)
{
    const uint8_t *const parts[] = {kept->state, kept->nonce, kept->verifier, kept->bound};
    for (int at = 0; at < UNTIL_BYTES; at++)
        bytes[at] = (uint8_t)((uint64_t)kept->until_ms >> (8 * (UNTIL_BYTES - 1 - at)));
    for (int part = 0; part < 4; part++)
        memcpy(bytes + UNTIL_BYTES + part * ENTER_DRAWN_BYTES, parts[part], ENTER_DRAWN_BYTES);
}

static void read_kept(struct enter_kept *kept, const uint8_t bytes[static TEXT_BYTES])
{
    uint8_t *const parts[] = {kept->state, kept->nonce, kept->verifier, kept->bound};
    uint64_t until_ms = 0;
    for (int at = 0; at < UNTIL_BYTES; at++)
        until_ms = until_ms << 8 | bytes[at];
    kept->until_ms = (int64_t)until_ms;
    for (int part = 0; part < 4; part++)
        memcpy(parts[part], bytes + UNTIL_BYTES + part * ENTER_DRAWN_BYTES, ENTER_DRAWN_BYTES);
}

void enter_cookie_write(char text[static ENTER_COOKIE_TEXT + 1], const struct enter_kept *kept,
                        const uint8_t key[static ENTER_KEY_BYTES])
{
    uint8_t plain[TEXT_BYTES], sealed[SEALED_BYTES];
    write_kept(plain, kept);
    randombytes_buf(sealed, NONCE_BYTES);
    (void)crypto_secretbox_easy(sealed + NONCE_BYTES, plain, sizeof plain, sealed, key);
    sodium_bin2base64(text, ENTER_COOKIE_TEXT + 1, sealed, sizeof sealed, VARIANT);
    sodium_memzero(plain, sizeof plain);
}

/* The value of ours among "a=b; c=d", of the only length that it has; NULL: it is not there. */
static const char *find_value(struct http_text cookies)
{
    const size_t name_len = strlen(enter_cookie_name);
    const char *at = cookies.at, *end = cookies.at + cookies.len;
    while (at && at < end) {
        const char *semicolon = memchr(at, ';', (size_t)(end - at));
        const char *stop = semicolon ? semicolon : end;
        if ((size_t)(stop - at) == name_len + 1 + ENTER_COOKIE_TEXT &&
            memcmp(at, enter_cookie_name, name_len) == 0 && at[name_len] == '=')
            return at + name_len + 1;
        for (at = stop; at < end && (*at == ';' || *at == ' ');)
            at++;
    }
    return NULL;
}

bool enter_cookie_read(struct enter_kept *kept, struct http_text cookies,
                       const uint8_t key[static ENTER_KEY_BYTES], int64_t now_ms)
{
    uint8_t plain[TEXT_BYTES], sealed[SEALED_BYTES];
    size_t len = 0;
    const char *value = find_value(cookies);
    if (!value ||
        sodium_base642bin(sealed, sizeof sealed, value, ENTER_COOKIE_TEXT, NULL, &len, NULL,
                          VARIANT) != 0 ||
        len != sizeof sealed ||
        crypto_secretbox_open_easy(plain, sealed + NONCE_BYTES, sizeof sealed - NONCE_BYTES, sealed,
                                   key) != 0)
        return false;
    read_kept(kept, plain);
    sodium_memzero(plain, sizeof plain);
    return now_ms < kept->until_ms;
}
