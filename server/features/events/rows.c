#include "rows.h"

const struct store_table event_table = {
    .name = "contest",
    .what = "an event",
    .number = 91,
    .size = sizeof(struct event_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 4,
    .columns = {{"event", STORE_STRING, STORE_MEMBER(struct event_row, event)},
                {"going", STORE_NUMBER, STORE_MEMBER(struct event_row, going), .max = 1},
                {"made_ms", STORE_NUMBER, STORE_MEMBER(struct event_row, made_ms)},
                {"secret", STORE_BYTES, STORE_MEMBER(struct event_row, secret)}},
};

const struct store_table event_entry_table = {
    .name = "contest_entry",
    .what = "a line of the log of an event",
    .number = 92,
    .size = sizeof(struct event_entry_row),
    .owner = STORE_OF_DESK,
    .keys = 2,
    .count = 3,
    .columns = {{"event", STORE_STRING, STORE_MEMBER(struct event_entry_row, event)},
                {"n", STORE_NUMBER, STORE_MEMBER(struct event_entry_row, n)},
                {"text", STORE_TEXT, STORE_MEMBER(struct event_entry_row, text),
                 .len_at = offsetof(struct event_entry_row, text_len), .max = EVENT_LINE_MAX}},
    .indexes = {{"log", 2, 1, false, {0, 1}}},
};

const struct store_table event_entrant_table = {
    .name = "contest_entrant",
    .what = "how somebody is called in an event",
    .number = 93,
    .size = sizeof(struct event_entrant_row),
    .owner = STORE_OF_DESK,
    .keys = 2,
    .count = 6,
    .columns = {{"event", STORE_STRING, STORE_MEMBER(struct event_entrant_row, event)},
                {"number", STORE_NUMBER, STORE_MEMBER(struct event_entrant_row, number)},
                {"session", STORE_NUMBER, STORE_MEMBER(struct event_entrant_row, session)},
                {"kind", STORE_NUMBER, STORE_MEMBER(struct event_entrant_row, kind)},
                {"handle", STORE_STRING, STORE_MEMBER(struct event_entrant_row, handle)},
                {"name", STORE_STRING, STORE_MEMBER(struct event_entrant_row, name)}},
};

const struct store_table event_room_table = {
    .name = "contest_room",
    .what = "the room of a table of an event",
    .number = 94,
    .size = sizeof(struct event_room_row),
    .owner = STORE_OF_DESK,
    .keys = 3,
    .count = 4,
    .columns = {{"event", STORE_STRING, STORE_MEMBER(struct event_room_row, event)},
                {"round", STORE_NUMBER, STORE_MEMBER(struct event_room_row, round)},
                {"seat_table", STORE_NUMBER, STORE_MEMBER(struct event_room_row, table)},
                {"room", STORE_STRING, STORE_MEMBER(struct event_room_row, room)}},
};
