#include "record_format.h"

#include "request_table.h"
#include <assert.h>
#include <protocol/encoding.h>
#include <protocol/text.h>
#include <string.h>

/* ---- what may stand in a record */

static bool made_of(const char *text, const char *allowed)
{
    return text[0] != '\0' && text[strspn(text, allowed)] == '\0';
}

#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

static bool word_valid(const char *word)
{
    return made_of(word, LOWER DIGITS "_") && strspn(word, LOWER) > 0 &&
           strlen(word) <= RECORD_WORD_BYTES;
}

static bool value_valid(const char *value)
{
    size_t len = strlen(value);
    const char *end = value + len;
    if (len > RECORD_VALUE_BYTES)
        return false;
    while (value < end) {
        uint32_t point = utf8_next(&value, end);
        if (point == UTF8_BAD || point < 0x20 || (point >= 0x7f && point <= 0x9f))
            return false;
    }
    return true;
}

/* Words of printable ASCII with one space between; braces would look like a time. */
static bool turn_valid(const char *text)
{
    size_t len = strlen(text);
    if (len == 0 || len > RECORD_TEXT_BYTES || text[0] == ' ' || text[len - 1] == ' ')
        return false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e || text[i] == '{' || text[i] == '}' ||
            (text[i] == ' ' && text[i + 1] == ' '))
            return false;
    }
    return true;
}

static bool hash_valid(const char *hex)
{
    return made_of(hex, DIGITS "abcdef") && strlen(hex) == 64;
}

static bool nonce_valid(const char *hex)
{
    return hex[0] == '\0' || (made_of(hex, DIGITS "abcdef") && strlen(hex) <= PROTOCOL_NONCE_BYTES);
}

static bool game_valid(const char *game)
{
    return made_of(game, LOWER DIGITS "-") && strlen(game) <= PROTOCOL_GAME_BYTES;
}

/* ---- pieces */

static void put_text(struct buffer *out, const char *text)
{
    buffer_append_string(out, text);
}

/* At least `width` digits. */
static void put_number(struct buffer *out, uint64_t number, size_t width)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0 || sizeof digits - at < width);
    buffer_append(out, digits + at, sizeof digits - at);
}

static void put_quoted(struct buffer *out, const char *value)
{
    put_text(out, " \"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            buffer_append_byte(out, '\\');
        buffer_append_byte(out, *value);
    }
    put_text(out, "\"]\n");
}

static void put_header(struct buffer *out, const char *name, const char *value)
{
    put_text(out, "[");
    put_text(out, name);
    put_quoted(out, value);
}

/* Days since 1970-01-01 to a date of the proleptic Gregorian calendar; years begin in March. */
static void put_date(struct buffer *out, int64_t days)
{
    int64_t shifted = days + 719468;
    int64_t era = shifted / 146097;
    int64_t day_of_era = shifted % 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t march_month = (5 * day_of_year + 2) / 153;
    int64_t day = day_of_year - (153 * march_month + 2) / 5 + 1;
    int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
    int64_t year = year_of_era + era * 400 + (month <= 2);
    put_number(out, (uint64_t)year, 4);
    put_text(out, "-");
    put_number(out, (uint64_t)month, 2);
    put_text(out, "-");
    put_number(out, (uint64_t)day, 2);
}

static const int64_t YEAR_10000_MS = INT64_C(253402300800000);

static const char *time_header(struct buffer *out, const char *name, int64_t time_ms)
{
    enum { DAY_MS = 86400000, HOUR_MS = 3600000, MINUTE_MS = 60000 };
    if (time_ms == RECORD_NO_TIME)
        return NULL;
    if (time_ms < 0 || time_ms >= YEAR_10000_MS)
        return "a time is out of range";
    uint64_t of_day = (uint64_t)(time_ms % DAY_MS);
    put_text(out, "[");
    put_text(out, name);
    put_text(out, " \"");
    put_date(out, time_ms / DAY_MS);
    put_text(out, "T");
    put_number(out, of_day / HOUR_MS, 2);
    put_text(out, ":");
    put_number(out, of_day / MINUTE_MS % 60, 2);
    put_text(out, ":");
    put_number(out, of_day / 1000 % 60, 2);
    put_text(out, ".");
    put_number(out, of_day % 1000, 3);
    put_text(out, "Z\"]\n");
    return NULL;
}

static const char *clock_header(struct buffer *out, const struct protocol_clock *clock)
{
    if ((unsigned)clock->kind >= PROTOCOL_CLOCK_KIND_COUNT ||
        (unsigned)clock->on_timeout >= PROTOCOL_TIMEOUT_COUNT)
        return "there is no such clock";
    put_text(out, "[Clock \"");
    put_text(out, protocol_clock_kind_name(clock->kind));
    for (size_t i = 0; i < CLOCK_ROWS; i++) {
        const struct clock_row *row = &clock_rows[i];
        if (!(row->kinds & 1U << clock->kind))
            continue;
        uint32_t number = *(const uint32_t *)member_of(clock, row->offset);
        if (number < row->min || number > row->max)
            return "a number of the clock is out of range";
        put_text(out, " ");
        put_text(out, row->name);
        put_text(out, "=");
        put_number(out, number, 1);
    }
    if (clock->kind != PROTOCOL_CLOCK_NONE) {
        put_text(out, " on_timeout=");
        put_text(out, protocol_timeout_name(clock->on_timeout));
    }
    put_text(out, "\"]\n");
    return NULL;
}

/* ---- parts */

static void rules_header(struct buffer *out, unsigned rules)
{
    put_text(out, "[Rules \"");
    put_number(out, rules, 1);
    put_text(out, "\"]\n");
}

static const char *format_place(struct buffer *out, const struct record *record)
{
    put_header(out, "Format", "taluva-record 1");
    if (!record->server || !value_valid(record->server))
        return "the header Server is missing or bad";
    put_header(out, "Server", record->server);
    if (!record->room || !room_id_valid(record->room, strlen(record->room)))
        return "the header Room is missing or bad";
    put_header(out, "Room", record->room);
    if (!record->game || !game_valid(record->game))
        return "the header Game is missing or bad";
    put_header(out, "Game", record->game);
    if (record->rules > RECORD_RULES_MAX)
        return "the version of the rules is out of range";
    if (record->rules > 0)
        rules_header(out, record->rules);
    if (record->title && !value_valid(record->title))
        return "the title is bad";
    if (record->title)
        put_header(out, "Title", record->title);
    return NULL;
}

static const char *format_time(struct buffer *out, const struct record *record)
{
    const char *why = time_header(out, "Start", record->start_ms);
    if (!why)
        why = time_header(out, "End", record->end_ms);
    return why ? why : clock_header(out, &record->clock);
}

static const char *format_pairs(struct buffer *out, const char *prefix,
                                const struct record_pair *pairs, size_t count)
{
    if (count > RECORD_PAIRS)
        return "too many headers";
    for (size_t i = 0; i < count; i++) {
        if (!word_valid(pairs[i].name) || record_find(pairs, i, pairs[i].name))
            return "a header's name is bad or was there before";
        if (!value_valid(pairs[i].value))
            return "a header's value is bad";
        put_text(out, "[");
        put_text(out, prefix);
        put_text(out, pairs[i].name);
        put_quoted(out, pairs[i].value);
    }
    return NULL;
}

static void seat_header(struct buffer *out, size_t seat, const char *name, const char *value)
{
    put_text(out, "[Seat.");
    put_number(out, seat, 1);
    put_text(out, ".");
    put_text(out, name);
    put_quoted(out, value);
}

static const char *format_seat(struct buffer *out, size_t number, const struct record_seat *seat)
{
    if (!seat->name)
        return seat->colour || seat->nonce || seat->bot || seat->level ? "a seat has no name"
                                                                       : NULL;
    if (!value_valid(seat->name))
        return "a seat's name is bad";
    seat_header(out, number, "name", seat->name);
    if (seat->colour && !word_valid(seat->colour))
        return "a seat's colour is bad";
    if (seat->colour)
        seat_header(out, number, "colour", seat->colour);
    if (seat->bot)
        seat_header(out, number, "bot", "yes");
    if (seat->level && (!seat->bot || !word_valid(seat->level)))
        return "a seat's level is bad";
    if (seat->level)
        seat_header(out, number, "level", seat->level);
    if (seat->nonce && !nonce_valid(seat->nonce))
        return "a seat's nonce is bad";
    if (seat->nonce)
        seat_header(out, number, "nonce", seat->nonce);
    return NULL;
}

static const char *format_seats(struct buffer *out, const struct record *record)
{
    const char *why = record->seat_count > PROTOCOL_SEATS ? "too many seats" : NULL;
    for (size_t i = 0; i < record->seat_count && !why; i++)
        why = format_seat(out, i, &record->seats[i]);
    return why;
}

static const char *format_fair(struct buffer *out, const struct record *record)
{
    if (!record->commitment || !hash_valid(record->commitment))
        return "the header Commitment is missing or bad";
    put_header(out, "Commitment", record->commitment);
    if (record->secret && !hash_valid(record->secret))
        return "the secret is bad";
    if (record->secret)
        put_header(out, "Secret", record->secret);
    return NULL;
}

static const char *format_turn(struct buffer *out, const struct record_line *line)
{
    if (line->seat >= PROTOCOL_SEATS)
        return "there is no such seat";
    if (!turn_valid(line->text))
        return "a turn's text is bad";
    put_number(out, line->number, 1);
    put_text(out, ". ");
    put_number(out, line->seat, 1);
    put_text(out, " ");
    put_text(out, line->text);
    if (line->spent_ms != RECORD_NO_TIME) {
        if (line->spent_ms < 0 || line->spent_ms > PROTOCOL_INTEGER_MAX)
            return "a time is out of range";
        put_text(out, " {");
        put_number(out, (uint64_t)line->spent_ms / 1000, 1);
        put_text(out, ".");
        put_number(out, (uint64_t)line->spent_ms % 1000, 3);
        put_text(out, "}");
    }
    put_text(out, "\n");
    return NULL;
}

static const char *format_aside(struct buffer *out, const struct record_line *line)
{
    if (line->seat >= PROTOCOL_SEATS && line->seat != RECORD_NO_SEAT)
        return "there is no such seat";
    if (!word_valid(line->text) || line->spent_ms != RECORD_NO_TIME)
        return "what happened out of turn is a word";
    put_text(out, "- ");
    if (line->seat != RECORD_NO_SEAT) {
        put_number(out, line->seat, 1);
        put_text(out, " ");
    }
    put_text(out, line->text);
    put_text(out, "\n");
    return NULL;
}

static const char *format_lines(struct buffer *out, const struct record *record)
{
    uint32_t turns = 0;
    if (record->line_count > RECORD_LINES)
        return "too many lines";
    for (size_t i = 0; i < record->line_count; i++) {
        const struct record_line *line = &record->lines[i];
        if (line->number != 0 && line->number != ++turns)
            return "turns are not numbered 1, 2, 3, ...";
        const char *why = line->number ? format_turn(out, line) : format_aside(out, line);
        if (why)
            return why;
    }
    return NULL;
}

const char *record_format(struct buffer *out, const struct record *record)
{
    const char *why = format_place(out, record);
    if (!why)
        why = format_time(out, record);
    if (!why)
        why = format_pairs(out, "Option.", record->options, record->option_count);
    if (!why)
        why = format_seats(out, record);
    if (!why)
        why = format_fair(out, record);
    if (!why)
        why = format_pairs(out, "Deal.", record->deal, record->deal_count);
    if (!why)
        why = format_pairs(out, "Result.", record->result, record->result_count);
    if (!why) {
        put_text(out, "\n");
        why = format_lines(out, record);
    }
    return why;
}

bool record_write(struct buffer *out, const struct record *record)
{
    size_t before = out->len;
    if (record_format(out, record) || out->len - before > RECORD_BYTES || out->failed) {
        out->len = before;
        return false;
    }
    return true;
}

const char *record_find(const struct record_pair *pairs, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(pairs[i].name, name) == 0)
            return pairs[i].value;
    }
    return NULL;
}
