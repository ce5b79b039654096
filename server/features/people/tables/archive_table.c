#include "archive_table.h"

#include <sodium.h>
#include <string.h>

const struct store_table archive_table = {
    .name = "archive",
    .what = "a match of an account that anybody may look up",
    .number = 81,
    .size = sizeof(struct archive_row),
    .owner = STORE_OF_SESSION,
    .unloaded = true,
    .room_at = 1,
    .keys = 2,
    .count = 13,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct archive_row, session)},
                {"room", STORE_STRING, STORE_MEMBER(struct archive_row, room)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct archive_row, at_ms)},
                {"game", STORE_STRING, STORE_MEMBER(struct archive_row, game)},
                {"why", STORE_STRING, STORE_MEMBER(struct archive_row, why)},
                {"rules", STORE_NUMBER, STORE_MEMBER(struct archive_row, rules)},
                {"against", STORE_NUMBER, STORE_MEMBER(struct archive_row, against),
                 .max = TALLY_COMPUTERS},
                {"size", STORE_NUMBER, STORE_MEMBER(struct archive_row, size),
                 .max = PROTOCOL_SEATS},
                {"seat", STORE_NUMBER, STORE_MEMBER(struct archive_row, seat),
                 .max = PROTOCOL_SEATS},
                {"result", STORE_NUMBER, STORE_MEMBER(struct archive_row, result),
                 .max = ARCHIVE_WON | ARCHIVE_FINISHED},
                {"level", STORE_STRING, STORE_MEMBER(struct archive_row, level)},
                {"handle", STORE_STRING, STORE_MEMBER(struct archive_row, handle)},
                {"options", STORE_LENT, STORE_MEMBER(struct archive_row, options),
                 .max = ARCHIVE_OPTIONS_MAX}},
    .indexes = {{"by_session", .columns = {0, 2}, .count = 2, .same = 1, .descending = true},
                {"by_game", .columns = {3, 2, 1}, .count = 3, .same = 1, .descending = true},
                {"by_why", .columns = {3, 4, 2, 1}, .count = 4, .same = 2, .descending = true},
                {"by_rules", .columns = {3, 5, 2, 1}, .count = 4, .same = 2, .descending = true}},
};

uint64_t archive_rules(const char *options)
{
    static const unsigned char key[crypto_shorthash_KEYBYTES] = "rules of a game";
    unsigned char hash[crypto_shorthash_BYTES];
    uint64_t rules = 0;
    if (!options[0])
        return 0;
    crypto_shorthash(hash, (const unsigned char *)options, strlen(options), key);
    for (size_t at = 0; at < sizeof hash; at++)
        rules = rules << 8 | hash[at];
    return rules != 0 ? rules : 1;
}
