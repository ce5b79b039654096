#include <notify/browser_table.h>

const struct store_table browser_table = {
    .name = "push",
    .what = "a browser of a session",
    .number = 6,
    .size = sizeof(struct browser_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 7,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct browser_row, session)},
                {"key", STORE_NUMBER, STORE_MEMBER(struct browser_row, key)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct browser_row, since_ms)},
                {"point", STORE_BYTES, STORE_MEMBER(struct browser_row, point)},
                {"auth", STORE_BYTES, STORE_MEMBER(struct browser_row, auth)},
                {"endpoint", STORE_LENT, STORE_MEMBER(struct browser_row, endpoint),
                 .max = HUB_PUSH_ENDPOINT_MAX},
                {"pass", STORE_NUMBER, STORE_MEMBER(struct browser_row, pass),
                 .flags = STORE_LATER}},
    .order = "session, since_ms, key",
};
