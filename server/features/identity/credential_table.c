#include <identity/credential_table.h>

const struct store_table credential_table = {
    .name = "pass",
    .what = "a credential of a session",
    .number = 7,
    .size = sizeof(struct credential_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 7,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct credential_row, session)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct credential_row, id)},
                {"kind", STORE_NUMBER, STORE_MEMBER(struct credential_row, kind),
                 .max = CREDENTIAL_KINDS - 1},
                {"secret_hash", STORE_BYTES, STORE_MEMBER(struct credential_row, secret_hash),
                 .flags = STORE_SECRET},
                {"name", STORE_LENT, STORE_MEMBER(struct credential_row, name),
                 .max = CREDENTIAL_NAME_MAX},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct credential_row, since_ms)},
                {"seen_ms", STORE_NUMBER, STORE_MEMBER(struct credential_row, seen_ms)}},
    .order = "session, since_ms, id",
};
