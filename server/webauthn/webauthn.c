#include <webauthn/webauthn.h>

#include "auth_data.h"
#include "cbor.h"
#include "client_data.h"
#include "cose.h"
#include <sodium.h>
#include <string.h>

enum { AUTHENTICATOR_MAX = 4096, HASH_BYTES = crypto_hash_sha256_BYTES, FLAGS_KEPT = 0x1d };

const char *webauthn_fault_name(enum webauthn_fault fault)
{
    static const char *const names[WEBAUTHN_FAULTS] = {
        [WEBAUTHN_OK] = "ok",
        [WEBAUTHN_NO_MEMORY] = "no_memory",
        [WEBAUTHN_OTHER_USER] = "other_user",
        [WEBAUTHN_BAD_CLIENT_DATA] = "bad_client_data",
        [WEBAUTHN_OTHER_TYPE] = "other_type",
        [WEBAUTHN_OTHER_CHALLENGE] = "other_challenge",
        [WEBAUTHN_OTHER_ORIGIN] = "other_origin",
        [WEBAUTHN_CROSS_ORIGIN] = "cross_origin",
        [WEBAUTHN_BAD_ATTESTATION] = "bad_attestation",
        [WEBAUTHN_BAD_AUTHENTICATOR] = "bad_authenticator",
        [WEBAUTHN_OTHER_RP] = "other_rp",
        [WEBAUTHN_NOBODY_PRESENT] = "nobody_present",
        [WEBAUTHN_BAD_BACKUP] = "bad_backup",
        [WEBAUTHN_BACKUP_CHANGED] = "backup_changed",
        [WEBAUTHN_BAD_KEY] = "bad_key",
        [WEBAUTHN_OTHER_ALGORITHM] = "other_algorithm",
        [WEBAUTHN_BAD_SIGNATURE] = "bad_signature",
    };
    return names[fault];
}

/* ---- a new credential */

/* Where the authenticator's data stands in it. How it attests itself is read as CBOR, and that is
 * all. */
static bool read_attestation(struct webauthn_bytes attestation, struct webauthn_bytes *data)
{
    struct cbor_map map;
    struct webauthn_bytes rest;
    if (!cbor_read_map(attestation, &map, &rest) || rest.len > 0)
        return false;
    const struct cbor_value *format = cbor_find_text(&map, "fmt");
    const struct cbor_value *statement = cbor_find_text(&map, "attStmt");
    const struct cbor_value *found = cbor_find_text(&map, "authData");
    if (!format || format->type != CBOR_TEXT || !statement || statement->type != CBOR_MAP ||
        !found || found->type != CBOR_BYTES)
        return false;
    *data = found->bytes;
    return true;
}

static enum webauthn_fault read_made(const char *rp_id, struct webauthn_bytes bytes,
                                     struct webauthn_made *made)
{
    struct auth_data data;
    if (!auth_data_read(bytes, true, &data))
        return WEBAUTHN_BAD_AUTHENTICATOR;
    const enum webauthn_fault fault = auth_data_check(&data, rp_id);
    made->counter = data.counter;
    made->flags = data.flags & FLAGS_KEPT;
    return fault != WEBAUTHN_OK ? fault : auth_data_credential(&data, made);
}

enum webauthn_fault webauthn_register(const struct webauthn_party *party,
                                      struct webauthn_bytes client_data,
                                      struct webauthn_bytes attestation, struct webauthn_made *made)
{
    struct webauthn_bytes data;
    struct webauthn_made found;
    enum webauthn_fault fault = client_data_check(party, client_data, "webauthn.create");
    if (fault == WEBAUTHN_OK && !read_attestation(attestation, &data))
        fault = WEBAUTHN_BAD_ATTESTATION;
    if (fault == WEBAUTHN_OK)
        fault = read_made(party->rp_id, data, &found);
    if (fault == WEBAUTHN_OK)
        *made = found;
    return fault;
}

/* ---- a proof */

/* Who is not named is whoever's credential it is. */
static bool is_user(const struct webauthn_known *known, struct webauthn_bytes user)
{
    return !user.at || (user.len == sizeof known->user &&
                        sodium_memcmp(user.at, known->user, sizeof known->user) == 0);
}

/* The authenticator has signed its own data and a hash of the browser's. */
static enum webauthn_fault verify_signature(struct webauthn_bytes key,
                                            const struct webauthn_assertion *assertion)
{
    uint8_t text[AUTHENTICATOR_MAX + HASH_BYTES];
    const size_t len = assertion->authenticator.len;
    memcpy(text, assertion->authenticator.at, len);
    crypto_hash_sha256(text + len, assertion->client_data.at, assertion->client_data.len);
    return cose_verify(key, (struct webauthn_bytes){text, len + HASH_BYTES}, assertion->signature);
}

static enum webauthn_fault check_data(const struct webauthn_party *party,
                                      const struct webauthn_known *known,
                                      struct webauthn_bytes bytes, struct auth_data *data)
{
    if (bytes.len > AUTHENTICATOR_MAX || !auth_data_read(bytes, false, data))
        return WEBAUTHN_BAD_AUTHENTICATOR;
    const enum webauthn_fault fault = auth_data_check(data, party->rp_id);
    if (fault != WEBAUTHN_OK)
        return fault;
    return ((data->flags ^ known->flags) & WEBAUTHN_CAN_BACK_UP) != 0 ? WEBAUTHN_BACKUP_CHANGED
                                                                      : WEBAUTHN_OK;
}

enum webauthn_fault webauthn_verify(const struct webauthn_party *party,
                                    const struct webauthn_known *known,
                                    const struct webauthn_assertion *assertion,
                                    struct webauthn_seen *seen)
{
    struct auth_data data;
    if (!is_user(known, assertion->user))
        return WEBAUTHN_OTHER_USER;
    enum webauthn_fault fault = client_data_check(party, assertion->client_data, "webauthn.get");
    if (fault == WEBAUTHN_OK)
        fault = check_data(party, known, assertion->authenticator, &data);
    if (fault == WEBAUTHN_OK)
        fault = verify_signature(known->key, assertion);
    if (fault == WEBAUTHN_OK)
        *seen = (struct webauthn_seen){
            .counter = data.counter,
            .flags = data.flags & FLAGS_KEPT,
            .counter_back = (data.counter | known->counter) != 0 && data.counter <= known->counter,
        };
    return fault;
}
