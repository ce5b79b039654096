#include "external_table.h"

#include <hub/store.h>

const struct store_table external_table = {
    .name = "external",
    .what = "a sign-in elsewhere of an account",
    .number = 62,
    .size = sizeof(struct external_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 4,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct external_row, session)},
                {"subject", STORE_STRING, STORE_MEMBER(struct external_row, subject),
                 .flags = STORE_CLAIM},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct external_row, since_ms)},
                {"used_ms", STORE_NUMBER, STORE_MEMBER(struct external_row, used_ms)}},
    .indexes = {[EXTERNAL_BY_SUBJECT] = {"by_subject", .columns = {1}, .count = 1, .same = 1}},
};
