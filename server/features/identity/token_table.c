#include "token_table.h"

#include <identity/credential_table.h>
#include <protocol/scope.h>

const struct store_table token_table = {
    .name = "token",
    .what = "a token of a program",
    .number = 61,
    .size = sizeof(struct token_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 8,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct token_row, session)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct token_row, id)},
                {"secret_hash", STORE_BYTES, STORE_MEMBER(struct token_row, secret_hash),
                 .flags = STORE_SECRET},
                {"scopes", STORE_NUMBER, STORE_MEMBER(struct token_row, scopes),
                 .max = SCOPE_GIVEN},
                {"name", STORE_LENT, STORE_MEMBER(struct token_row, name),
                 .max = CREDENTIAL_NAME_MAX},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct token_row, since_ms)},
                {"seen_ms", STORE_NUMBER, STORE_MEMBER(struct token_row, seen_ms)},
                {"until_ms", STORE_NUMBER, STORE_MEMBER(struct token_row, until_ms)}},
    .order = "session, since_ms, id",
};
