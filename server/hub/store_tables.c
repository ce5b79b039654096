/* What the hub itself keeps as described rows: what opens sessions, where their browsers take
 * messages, and letters. */
#include <hub/store_tables.h>

#include <hub/store.h>

const struct store_table store_pass_table = {
    .name = "pass",
    .what = "a pass of a session",
    .number = 7,
    .size = sizeof(struct store_pass),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 7,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct store_pass, session)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct store_pass, id)},
                {"kind", STORE_NUMBER, STORE_MEMBER(struct store_pass, kind),
                 .max = STORE_PASS_KINDS - 1},
                {"secret_hash", STORE_BYTES, STORE_MEMBER(struct store_pass, secret_hash),
                 .flags = STORE_SECRET},
                {"name", STORE_LENT, STORE_MEMBER(struct store_pass, name),
                 .max = STORE_PASS_NAME_MAX},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct store_pass, since_ms)},
                {"seen_ms", STORE_NUMBER, STORE_MEMBER(struct store_pass, seen_ms)}},
    .order = "session, since_ms, id",
};

const struct store_table store_push_table = {
    .name = "push",
    .what = "a browser of a session",
    .number = 6,
    .size = sizeof(struct store_push),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 7,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct store_push, session)},
                {"key", STORE_NUMBER, STORE_MEMBER(struct store_push, key)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct store_push, since_ms)},
                {"point", STORE_BYTES, STORE_MEMBER(struct store_push, point)},
                {"auth", STORE_BYTES, STORE_MEMBER(struct store_push, auth)},
                {"endpoint", STORE_LENT, STORE_MEMBER(struct store_push, endpoint),
                 .max = STORE_PUSH_ENDPOINT_MAX},
                {"pass", STORE_NUMBER, STORE_MEMBER(struct store_push, pass),
                 .flags = STORE_LATER}},
    .order = "session, since_ms, key",
};

const struct store_table store_letter_table = {
    .name = "letter",
    .what = "a letter",
    .number = 9,
    .size = sizeof(struct store_letter),
    .owner = STORE_ADDRESSED,
    .unloaded = true,
    .keys = 2,
    .count = 6,
    .columns = {{"addressee", STORE_NUMBER, STORE_MEMBER(struct store_letter, addressee)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct store_letter, id)},
                {"state", STORE_NUMBER, STORE_MEMBER(struct store_letter, state),
                 .max = STORE_LETTER_STATES - 1},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct store_letter, at_ms)},
                {"kind", STORE_STRING, STORE_MEMBER(struct store_letter, kind)},
                {"text", STORE_TEXT, STORE_MEMBER(struct store_letter, text),
                 .len_at = offsetof(struct store_letter, text_len), .max = STORE_LETTER_TEXT_MAX}},
    .indexes = {{"waiting", .columns = {2, 3}, .count = 2, .same = 1}},
};

static const struct store_table *const of_the_hub[] = {&store_pass_table, &store_push_table,
                                                       &store_letter_table, NULL};

const struct store_table *const *store_tables = of_the_hub;
