#include "claims.h"

#include "text.h"
#include <sodium.h>
#include <string.h>

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

/* For this client, and whoever else is named with it. */
static bool is_for_client(const json_t *audience, const char *client)
{
    const size_t count = json_array_size(audience);
    bool found = false;
    if (json_is_string(audience))
        return is_text(audience, client);
    for (size_t at = 0; at < count; at++) {
        if (!json_is_string(json_array_get(audience, at)))
            return false;
        found = is_text(json_array_get(audience, at), client) || found;
    }
    return found && count <= OIDC_AUDIENCES_MAX;
}

/* Of several it must be said whom it was issued to; and if that is said it is this client. */
static bool is_issued_to(const json_t *claims, const char *client)
{
    const json_t *party = json_object_get(claims, "azp");
    return party ? is_text(party, client) : json_array_size(json_object_get(claims, "aud")) <= 1;
}

/* Seconds since 1970, which may have a fraction. */
static bool read_time(const json_t *claims, const char *name, int64_t *time_s)
{
    static const double MOST = 9007199254740992.0;
    const json_t *value = json_object_get(claims, name);
    const double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= 0 && number < MOST))
        return false;
    *time_s = (int64_t)number;
    return true;
}

static enum oidc_fault check_times(const json_t *claims, int64_t now_s)
{
    int64_t until_s, issued_s, from_s = 0;
    if (!read_time(claims, "exp", &until_s) || now_s >= until_s + OIDC_TOLERANCE_S)
        return OIDC_EXPIRED;
    if (!read_time(claims, "iat", &issued_s) || issued_s > now_s + OIDC_TOLERANCE_S ||
        issued_s < now_s - OIDC_AGE_MAX_S)
        return OIDC_BAD_TIME;
    if (json_object_get(claims, "nbf") &&
        (!read_time(claims, "nbf", &from_s) || from_s > now_s + OIDC_TOLERANCE_S))
        return OIDC_BAD_TIME;
    return OIDC_OK;
}

static bool is_nonce(const json_t *value, const char *nonce)
{
    const size_t len = strlen(nonce);
    return json_is_string(value) && json_string_length(value) == len &&
           sodium_memcmp(json_string_value(value), nonce, len) == 0;
}

static bool read_subject(const json_t *value, char subject[static OIDC_SUBJECT_MAX + 1])
{
    const char *text = json_string_value(value);
    const size_t len = json_string_length(value);
    if (!text || len == 0 || len > OIDC_SUBJECT_MAX)
        return false;
    for (size_t at = 0; at < len; at++) {
        if ((unsigned char)text[at] < 0x20 || text[at] == 0x7f)
            return false;
    }
    memcpy(subject, text, len + 1);
    return true;
}

enum oidc_fault claims_check(const json_t *claims, const struct oidc_wanted *wanted,
                             char subject[static OIDC_SUBJECT_MAX + 1])
{
    if (!is_text(json_object_get(claims, "iss"), wanted->issuer))
        return OIDC_OTHER_ISSUER;
    if (!is_for_client(json_object_get(claims, "aud"), wanted->client) ||
        !is_issued_to(claims, wanted->client))
        return OIDC_OTHER_AUDIENCE;
    const enum oidc_fault fault = check_times(claims, wanted->now_s);
    if (fault != OIDC_OK)
        return fault;
    if (!is_nonce(json_object_get(claims, "nonce"), wanted->nonce))
        return OIDC_OTHER_NONCE;
    return read_subject(json_object_get(claims, "sub"), subject) ? OIDC_OK : OIDC_BAD_SUBJECT;
}
