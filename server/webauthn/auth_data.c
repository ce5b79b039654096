#include "auth_data.h"

#include "cbor.h"
#include "cose.h"
#include <sodium.h>
#include <string.h>

enum {
    RP_HASH_BYTES = 32,
    HEAD_BYTES = RP_HASH_BYTES + 1 + 4,
    AAGUID_BYTES = 16,
    CREDENTIAL_HEAD_BYTES = AAGUID_BYTES + 2,
    FLAG_CREDENTIAL = 1 << 6,
    FLAG_EXTENSIONS = 1 << 7,
};

static struct webauthn_bytes skip_bytes(struct webauthn_bytes bytes, size_t count)
{
    return (struct webauthn_bytes){bytes.at + count, bytes.len - count};
}

/* Extensions were not asked for; what is there is one map, and nothing stands behind it. */
static bool is_end(uint8_t flags, struct webauthn_bytes rest)
{
    struct cbor_map extensions;
    if ((flags & FLAG_EXTENSIONS) != 0 && !cbor_read_map(rest, &extensions, &rest))
        return false;
    return rest.len == 0;
}

bool auth_data_read(struct webauthn_bytes bytes, bool of_new, struct auth_data *data)
{
    if (bytes.len < HEAD_BYTES)
        return false;
    const uint8_t *counter = bytes.at + RP_HASH_BYTES + 1;
    *data = (struct auth_data){.rp_hash = bytes.at, .flags = bytes.at[RP_HASH_BYTES]};
    data->counter = (uint32_t)counter[0] << 24 | (uint32_t)counter[1] << 16 |
                    (uint32_t)counter[2] << 8 | counter[3];
    const struct webauthn_bytes rest = skip_bytes(bytes, HEAD_BYTES);
    if (of_new)
        data->credential = rest;
    return of_new == ((data->flags & FLAG_CREDENTIAL) != 0) &&
           (of_new || is_end(data->flags, rest));
}

enum webauthn_fault auth_data_credential(const struct auth_data *data, struct webauthn_made *made)
{
    struct webauthn_bytes rest = data->credential;
    if (rest.len < CREDENTIAL_HEAD_BYTES)
        return WEBAUTHN_BAD_AUTHENTICATOR;
    const size_t id_len = (size_t)rest.at[AAGUID_BYTES] << 8 | rest.at[AAGUID_BYTES + 1];
    rest = skip_bytes(rest, CREDENTIAL_HEAD_BYTES);
    if (id_len == 0 || id_len > WEBAUTHN_ID_MAX || id_len > rest.len)
        return WEBAUTHN_BAD_AUTHENTICATOR;
    made->id = (struct webauthn_bytes){rest.at, id_len};
    made->key = skip_bytes(rest, id_len);
    const enum webauthn_fault fault = cose_read(made->key, &made->algorithm, &rest);
    if (fault != WEBAUTHN_OK)
        return fault;
    made->key.len -= rest.len;
    if (made->key.len > WEBAUTHN_KEY_MAX)
        return WEBAUTHN_BAD_KEY;
    return is_end(data->flags, rest) ? WEBAUTHN_OK : WEBAUTHN_BAD_AUTHENTICATOR;
}

enum webauthn_fault auth_data_check(const struct auth_data *data, const char *rp_id)
{
    uint8_t hash[RP_HASH_BYTES];
    crypto_hash_sha256(hash, (const uint8_t *)rp_id, strlen(rp_id));
    if (sodium_memcmp(hash, data->rp_hash, sizeof hash) != 0)
        return WEBAUTHN_OTHER_RP;
    if ((data->flags & WEBAUTHN_PRESENT) == 0)
        return WEBAUTHN_NOBODY_PRESENT;
    if ((data->flags & WEBAUTHN_BACKED_UP) != 0 && (data->flags & WEBAUTHN_CAN_BACK_UP) == 0)
        return WEBAUTHN_BAD_BACKUP;
    return WEBAUTHN_OK;
}
