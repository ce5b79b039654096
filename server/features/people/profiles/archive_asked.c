#include "archive_asked.h"

#include "tables/handle.h"
#include <errno.h>
#include <protocol/encoding.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MAX = 40 };

/* ---- values */

static bool read_word(char *to, size_t size, const char *value)
{
    const size_t len = strlen(value);
    if (len == 0 || len >= size || strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-") != len)
        return false;
    memcpy(to, value, len + 1);
    return true;
}

static bool read_number(int64_t *to, const char *value, char ends_with)
{
    char *end;
    if (value[0] < '0' || value[0] > '9')
        return false;
    errno = 0;
    *to = strtoll(value, &end, 10);
    return errno == 0 && *end == ends_with;
}

static bool read_game(struct archive_asked *asked, const char *value)
{
    return read_word(asked->row.game, sizeof asked->row.game, value);
}

static bool read_handle(struct archive_asked *asked, const char *value)
{
    if (!handle_valid(value, strlen(value)))
        return false;
    memcpy(asked->handle, value, strlen(value) + 1);
    return true;
}

static bool read_why(struct archive_asked *asked, const char *value)
{
    return read_word(asked->row.why, sizeof asked->row.why, value);
}

static bool read_level(struct archive_asked *asked, const char *value)
{
    return read_word(asked->row.level, sizeof asked->row.level, value);
}

static bool read_against(struct archive_asked *asked, const char *value)
{
    const bool people = strcmp(value, "people") == 0;
    asked->row.against = people ? TALLY_PEOPLE : TALLY_COMPUTERS;
    return people || strcmp(value, "computers") == 0;
}

static bool read_size(struct archive_asked *asked, const char *value)
{
    int64_t size;
    if (!read_number(&size, value, '\0') || size < 1 || size > PROTOCOL_SEATS)
        return false;
    asked->row.size = (uint8_t)size;
    return true;
}

static bool read_rules(struct archive_asked *asked, const char *value)
{
    uint8_t bytes[sizeof asked->row.rules];
    if (!hex_decode(bytes, sizeof bytes, value, strlen(value)))
        return false;
    for (size_t at = 0; at < sizeof bytes; at++)
        asked->row.rules = asked->row.rules << 8 | bytes[at];
    return asked->row.rules != 0;
}

static bool read_since(struct archive_asked *asked, const char *value)
{
    return read_number(&asked->since_ms, value, '\0');
}

static bool read_until(struct archive_asked *asked, const char *value)
{
    return asked->until_ms == INT64_MAX && read_number(&asked->until_ms, value, '\0');
}

/* "MOMENT.ROOM", as an answer has it. It goes on there, so there is no `until` beside it. */
static bool read_after(struct archive_asked *asked, const char *value)
{
    const char *room = strchr(value, '.');
    if (asked->until_ms != INT64_MAX || !room || !room_id_valid(room + 1, strlen(room + 1)) ||
        !read_number(&asked->until_ms, value, '.'))
        return false;
    memcpy(asked->after, room + 1, sizeof asked->after);
    return true;
}

/* ---- all of it */

static const struct {
    const char *key;
    bool (*read)(struct archive_asked *asked, const char *value);
} keys[] = {
    {"game", read_game},   {"handle", read_handle},   {"why", read_why},   {"rules", read_rules},
    {"level", read_level}, {"against", read_against}, {"size", read_size}, {"since", read_since},
    {"until", read_until}, {"after", read_after},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* Up to the next slash, which it takes. */
static bool take_part(const char **at, char part[static VALUE_MAX + 1])
{
    const size_t len = strcspn(*at, "/");
    if (len == 0 || len > VALUE_MAX)
        return false;
    memcpy(part, *at, len);
    part[len] = '\0';
    *at += len;
    *at += **at == '/';
    return true;
}

static bool read_pair(struct archive_asked *asked, const char **at, unsigned *seen)
{
    char key[VALUE_MAX + 1], value[VALUE_MAX + 1];
    size_t which = 0;
    if (!take_part(at, key) || !take_part(at, value))
        return false;
    while (which < KEYS && strcmp(keys[which].key, key) != 0)
        which++;
    if (which == KEYS || *seen & 1U << which)
        return false;
    *seen |= 1U << which;
    return keys[which].read(asked, value);
}

bool archive_asked_read(struct archive_asked *asked, const char *text)
{
    unsigned seen = 0;
    *asked = (struct archive_asked){.until_ms = INT64_MAX, .row.options = ""};
    while (*text) {
        if (!read_pair(asked, &text, &seen))
            return false;
    }
    return asked->row.game[0] || asked->handle[0];
}

static bool word_fits(const char *asked, const char *word)
{
    return !asked[0] || strcmp(asked, word) == 0;
}

bool archive_asked_fits(const struct archive_asked *asked, const struct archive_row *row)
{
    const struct archive_row *like = &asked->row;
    return word_fits(like->game, row->game) && word_fits(like->why, row->why) &&
           word_fits(like->level, row->level) && (!like->rules || like->rules == row->rules) &&
           (!like->against || like->against == row->against) &&
           (!like->size || like->size == row->size);
}
