#include "client_data.h"

#include <assert.h>
#include <protocol/json_read.h>
#include <sodium.h>
#include <string.h>

enum { DEPTH_MAX = 4, VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

static_assert((int)WEBAUTHN_CLIENT_DATA_MAX <= (int)PROTOCOL_MESSAGE_BYTES, "json_read's bound");

/* NULL: there is no such string. */
static const struct json_member *find_string(const struct json_members *members, const char *name)
{
    const struct json_member *member = json_members_find(members, name);
    return member && member->type == JSON_STRING ? member : NULL;
}

static bool is_text(const struct json_member *member, const char *text)
{
    return strlen(text) == member->len && memcmp(member->text, text, member->len) == 0;
}

/* Bytes have one form in base64url without padding, if its last digit has no bits to spare: so the
 * texts are compared. */
static bool is_challenge(const struct json_member *member, struct webauthn_bytes challenge)
{
    char text[sodium_base64_ENCODED_LEN(WEBAUTHN_CHALLENGE_MAX, VARIANT)];
    if (challenge.len == 0 || challenge.len > WEBAUTHN_CHALLENGE_MAX)
        return false;
    sodium_bin2base64(text, sizeof text, challenge.at, challenge.len, VARIANT);
    return strlen(text) == member->len && sodium_memcmp(text, member->text, member->len) == 0;
}

static bool is_origin(const struct json_member *member, const char *const *origins)
{
    while (*origins && !is_text(member, *origins))
        origins++;
    return *origins != NULL;
}

/* False, or not said; and no page around it. */
static bool is_own_page(const struct json_members *members)
{
    const struct json_member *cross = json_members_find(members, "crossOrigin");
    return (!cross || cross->type == JSON_FALSE) && !json_members_find(members, "topOrigin");
}

static enum webauthn_fault check_members(const struct webauthn_party *party,
                                         const struct json_members *members, const char *type)
{
    const struct json_member *is = find_string(members, "type");
    const struct json_member *challenge = find_string(members, "challenge");
    const struct json_member *origin = find_string(members, "origin");
    if (!is || !challenge || !origin || members->count >= JSON_MEMBERS_MAX)
        return WEBAUTHN_BAD_CLIENT_DATA; /* of the last one not all may have been kept */
    if (!is_text(is, type))
        return WEBAUTHN_OTHER_TYPE;
    if (!is_challenge(challenge, party->challenge))
        return WEBAUTHN_OTHER_CHALLENGE;
    if (!is_origin(origin, party->origins))
        return WEBAUTHN_OTHER_ORIGIN;
    return is_own_page(members) ? WEBAUTHN_OK : WEBAUTHN_CROSS_ORIGIN;
}

enum webauthn_fault client_data_check(const struct webauthn_party *party,
                                      struct webauthn_bytes client_data, const char *type)
{
    struct json_members members;
    if (client_data.len > WEBAUTHN_CLIENT_DATA_MAX)
        return WEBAUTHN_BAD_CLIENT_DATA;
    const enum json_read read =
        json_read_members(&members, (const char *)client_data.at, client_data.len, DEPTH_MAX);
    if (read != JSON_READ_OK)
        return read == JSON_READ_NO_MEMORY ? WEBAUTHN_NO_MEMORY : WEBAUTHN_BAD_CLIENT_DATA;
    const enum webauthn_fault fault = check_members(party, &members, type);
    json_members_release(&members);
    return fault;
}
