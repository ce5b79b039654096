#include "passkey_table.h"

#include "base64url.h"
#include <protocol/encoding.h>
#include <sodium.h>

const struct store_table passkey_table = {
    .name = "passkey",
    .what = "a passkey of an account",
    .number = 30,
    .size = sizeof(struct passkey_row),
    .owner = STORE_OF_SESSION,
    .unloaded = true,
    .keys = 2,
    .count = 12,
    .columns =
        {{"session", STORE_NUMBER, STORE_MEMBER(struct passkey_row, session)},
         {"key", STORE_NUMBER, STORE_MEMBER(struct passkey_row, key)},
         {"id_hash", STORE_STRING, STORE_MEMBER(struct passkey_row, id_hash), .flags = STORE_CLAIM},
         {"id", STORE_LENT, STORE_MEMBER(struct passkey_row, id), .max = PROTOCOL_PASSKEY_ID_BYTES},
         {"cose", STORE_LENT, STORE_MEMBER(struct passkey_row, cose), .max = PASSKEY_COSE_TEXT_MAX},
         {"rp", STORE_LENT, STORE_MEMBER(struct passkey_row, rp), .max = PASSKEY_RP_MAX},
         {"user_id", STORE_BYTES, STORE_MEMBER(struct passkey_row, user_id)},
         {"counter", STORE_NUMBER, STORE_MEMBER(struct passkey_row, counter)},
         {"flags", STORE_NUMBER, STORE_MEMBER(struct passkey_row, flags)},
         {"name", STORE_LENT, STORE_MEMBER(struct passkey_row, name), .max = PROTOCOL_CLIENT_BYTES},
         {"since_ms", STORE_NUMBER, STORE_MEMBER(struct passkey_row, since_ms)},
         {"seen_ms", STORE_NUMBER, STORE_MEMBER(struct passkey_row, seen_ms)}},
    .indexes = {{"by_id", .columns = {2}, .count = 1, .same = 1},
                {"by_session", .columns = {0, 10}, .count = 2, .same = 1}},
};

void passkey_hash_id(const char *id, char hash[static PASSKEY_HASH_DIGITS + 1])
{
    uint8_t bytes[BASE64URL_BYTES_MAX], digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, bytes, base64url_decode(bytes, id));
    hex_encode(hash, digest, sizeof digest);
}
