#include <history/game_table.h>

#include <protocol/limits.h>

/* It was there before tables were described: so its name, its number and how it is hashed. */
const struct store_table game_table = {
    .name = "game",
    .what = "a finished match of a session",
    .number = 8,
    .size = sizeof(struct game_row),
    .owner = STORE_OF_SESSION,
    .unloaded = true,
    .room_at = GAME_ROOM,
    .bounded = true,
    .keys = 3,
    .count = 5,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct game_row, session)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct game_row, at_ms)},
                [GAME_ROOM] = {"room", STORE_STRING, STORE_MEMBER(struct game_row, room)},
                {"seat", STORE_NUMBER, STORE_MEMBER(struct game_row, seat),
                 .max = PROTOCOL_SEATS - 1},
                {"text", STORE_TEXT, STORE_MEMBER(struct game_row, text),
                 .len_at = offsetof(struct game_row, text_len), .max = GAME_TEXT_MAX,
                 .flags = STORE_DIGEST | STORE_LINE}},
    .indexes = {[GAMES_NEWEST] = {"newest", .columns = {0}, .count = 1, .same = 1,
                                  .descending = true}},
};
