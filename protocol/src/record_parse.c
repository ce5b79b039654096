/*
 * text -> a copy, cut into lines -> each line by its form -> struct record -> written again ==
 * text?
 *
 * One allocation holds everything; strings are unescaped and ended where they stand. The forms here
 * are no stricter than they need to be for that: whatever is out of order, out of range or spelt
 * another way shows when the record is written again.
 */
#include "record_format.h"
#include "request_table.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct storage {
    struct record_pair options[RECORD_PAIRS];
    struct record_pair deal[RECORD_PAIRS];
    struct record_pair result[RECORD_PAIRS];
    struct record_seat seats[PROTOCOL_SEATS];
    struct record_line lines[]; /* then the text */
};

static const char BAD_HEADER[] = "a header is [Name \"value\"]";
static const char BAD_LINE[] = "a line is a turn, \"1. 0 TEXT {SECONDS}\", or \"- 0 word\"";

/* ---- numbers and times */

/* Digits at `*at`, at most `most` of them, at least one. */
static bool take_number(char **at, size_t most, uint64_t *out)
{
    size_t len = strspn(*at, "0123456789");
    if (len == 0 || len > most)
        return false;
    *out = 0;
    for (size_t i = 0; i < len; i++)
        *out = *out * 10 + (uint64_t)(unsigned char)((*at)[i] - '0');
    *at += len;
    return true;
}

static bool take_text(char **at, const char *text)
{
    size_t len = strlen(text);
    if (strncmp(*at, text, len) != 0)
        return false;
    *at += len;
    return true;
}

/* The date's days since 1970-01-01; a day that does not exist comes out as another one. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t march_year = year - (month <= 2);
    int64_t era = march_year / 400;
    int64_t year_of_era = march_year % 400;
    int64_t march_month = month > 2 ? month - 3 : month + 9;
    int64_t day_of_year = (153 * march_month + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static bool parse_time(char *text, int64_t *out)
{
    uint64_t part[7]; /* year, month, day, hour, minute, second, millisecond */
    static const char *const AFTER[7] = {"-", "-", "T", ":", ":", ".", "Z"};
    for (size_t i = 0; i < 7; i++) {
        if (!take_number(&text, 4, &part[i]) || !take_text(&text, AFTER[i]))
            return false;
    }
    int64_t days = days_of((int64_t)part[0], (int64_t)part[1], (int64_t)part[2]);
    int64_t minutes = (days * 24 + (int64_t)part[3]) * 60 + (int64_t)part[4];
    *out = (minutes * 60 + (int64_t)part[5]) * 1000 + (int64_t)part[6];
    return *text == '\0' && *out >= 0;
}

static bool parse_seconds(char **at, int64_t *out_ms)
{
    uint64_t seconds, thousandths;
    if (!take_number(at, 14, &seconds) || !take_text(at, ".") || !take_number(at, 3, &thousandths))
        return false;
    *out_ms = (int64_t)(seconds * 1000 + thousandths);
    return true;
}

static bool parse_clock_number(struct protocol_clock *clock, char **at)
{
    for (size_t i = 0; i < CLOCK_ROWS; i++) {
        size_t len = strlen(clock_rows[i].name);
        uint64_t number;
        if (strncmp(*at, clock_rows[i].name, len) != 0 || (*at)[len] != '=')
            continue;
        *at += len + 1;
        if (!take_number(at, 9, &number))
            return false;
        *(uint32_t *)(void *)((char *)clock + clock_rows[i].offset) = (uint32_t)number;
        return true;
    }
    return false;
}

static bool parse_clock(char *text, struct protocol_clock *clock)
{
    size_t len = strcspn(text, " ");
    if (!protocol_clock_kind_find(&clock->kind, text, len))
        return false;
    for (text += len; take_text(&text, " ");) {
        if (take_text(&text, "on_timeout="))
            return protocol_timeout_find(&clock->on_timeout, text, strlen(text));
        if (!parse_clock_number(clock, &text))
            return false;
    }
    return *text == '\0';
}

/* ---- headers */

/* Ends the value of `"...value..."]` in place, without its backslashes. NULL if it is none. */
static char *take_value(char *at)
{
    if (*at++ != '"')
        return NULL;
    char *value = at, *to = at;
    while (*at != '"') {
        if (*at == '\\')
            at++;
        if (*at == '\0')
            return NULL;
        *to++ = *at++;
    }
    if (strcmp(at, "\"]") != 0)
        return NULL;
    *to = '\0';
    return value;
}

static const char *add_pair(struct record_pair *pairs, size_t *count, const char *name,
                            const char *value)
{
    if (*count == RECORD_PAIRS)
        return "too many headers";
    pairs[(*count)++] = (struct record_pair){name, value};
    return NULL;
}

static const char *parse_seat_header(struct record *record, struct storage *storage, char *name,
                                     const char *value)
{
    uint64_t number;
    if (!take_number(&name, 2, &number) || number >= PROTOCOL_SEATS || !take_text(&name, "."))
        return "there is no such seat";
    struct record_seat *seat = &storage->seats[number];
    if (strcmp(name, "name") == 0)
        seat->name = value;
    else if (strcmp(name, "colour") == 0)
        seat->colour = value;
    else if (strcmp(name, "nonce") == 0)
        seat->nonce = value;
    else if (strcmp(name, "bot") == 0)
        seat->bot = true;
    else if (strcmp(name, "level") == 0)
        seat->level = value;
    else
        return "there is no such header";
    if (number >= record->seat_count)
        record->seat_count = number + 1;
    return NULL;
}

/* The headers that stand alone and are text. */
static const char **text_header(struct record *record, const char *name)
{
    const struct {
        const char *name;
        const char **member;
    } HEADERS[] = {
        {"Server", &record->server},
        {"Room", &record->room},
        {"Game", &record->game},
        {"Title", &record->title},
        {"Commitment", &record->commitment},
        {"Secret", &record->secret},
    };
    for (size_t i = 0; i < sizeof HEADERS / sizeof HEADERS[0]; i++) {
        if (strcmp(HEADERS[i].name, name) == 0)
            return HEADERS[i].member;
    }
    return NULL;
}

static bool parse_rules(char *text, unsigned *rules)
{
    uint64_t number;
    if (!take_number(&text, 4, &number) || *text != '\0' || number == 0)
        return false;
    *rules = (unsigned)number;
    return true;
}

static const char *parse_plain_header(struct record *record, const char *name, char *value)
{
    const char **text = text_header(record, name);
    if (text) {
        *text = value;
        return NULL;
    }
    if (strcmp(name, "Format") == 0)
        return strcmp(value, "taluva-record 1") == 0 ? NULL : "this is not taluva-record 1";
    if (strcmp(name, "Rules") == 0)
        return parse_rules(value, &record->rules) ? NULL : "this is not a version of rules";
    if (strcmp(name, "Start") == 0)
        return parse_time(value, &record->start_ms) ? NULL : "this is not a time";
    if (strcmp(name, "End") == 0)
        return parse_time(value, &record->end_ms) ? NULL : "this is not a time";
    if (strcmp(name, "Clock") == 0)
        return parse_clock(value, &record->clock) ? NULL : "this is not a clock";
    return "there is no such header";
}

static const char *parse_header(struct record *record, struct storage *storage, char *line)
{
    char *name = line + 1;
    char *space = strchr(name, ' ');
    if (!space)
        return BAD_HEADER;
    *space = '\0';
    char *value = take_value(space + 1);
    if (!value)
        return BAD_HEADER;
    if (take_text(&name, "Option."))
        return add_pair(storage->options, &record->option_count, name, value);
    if (take_text(&name, "Deal."))
        return add_pair(storage->deal, &record->deal_count, name, value);
    if (take_text(&name, "Result."))
        return add_pair(storage->result, &record->result_count, name, value);
    if (take_text(&name, "Seat."))
        return parse_seat_header(record, storage, name, value);
    return parse_plain_header(record, name, value);
}

/* ---- lines */

/* " {12.345}" at the end of a turn: cut off and told. */
static bool cut_seconds(char *text, int64_t *out_ms)
{
    char *brace = strchr(text, '{');
    *out_ms = RECORD_NO_TIME;
    if (!brace)
        return true;
    if (brace == text || brace[-1] != ' ')
        return false;
    char *at = brace + 1;
    brace[-1] = '\0';
    return parse_seconds(&at, out_ms) && strcmp(at, "}") == 0;
}

static const char *parse_turn(struct record_line *line, char *text)
{
    uint64_t number, seat;
    if (!take_number(&text, 9, &number) || !take_text(&text, ". ") ||
        !take_number(&text, 2, &seat) || !take_text(&text, " ") ||
        !cut_seconds(text, &line->spent_ms))
        return BAD_LINE;
    if (number == 0)
        return "turns are not numbered 1, 2, 3, ...";
    line->number = (uint32_t)number;
    line->seat = (uint8_t)seat;
    line->text = text;
    return NULL;
}

static const char *parse_aside(struct record_line *line, char *text)
{
    uint64_t seat;
    *line = (struct record_line){.seat = RECORD_NO_SEAT, .spent_ms = RECORD_NO_TIME};
    if (!take_text(&text, "- "))
        return BAD_LINE;
    if (take_number(&text, 2, &seat)) {
        if (!take_text(&text, " "))
            return BAD_LINE;
        line->seat = (uint8_t)seat;
    }
    line->text = text;
    return NULL;
}

static const char *parse_line(struct record *record, struct storage *storage, char *text,
                              bool *in_body)
{
    if (!*in_body) {
        *in_body = text[0] == '\0';
        if (*in_body)
            return NULL;
        return text[0] == '[' ? parse_header(record, storage, text) : BAD_HEADER;
    }
    struct record_line *line = &storage->lines[record->line_count++];
    return text[0] == '-' ? parse_aside(line, text) : parse_turn(line, text);
}

/* ---- the whole */

static bool problem_at(struct record_problem *problem, size_t line, const char *message)
{
    *problem = (struct record_problem){line, message};
    return false;
}

/* Cuts `text` into lines and parses each. */
static bool parse_lines(struct record *record, struct storage *storage, char *text, size_t len,
                        struct record_problem *problem)
{
    bool in_body = false;
    size_t number = 1;
    for (char *at = text, *end = text + len; at < end; number++) {
        char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed)
            return problem_at(problem, number, "the last line is cut");
        if (memchr(at, '\0', (size_t)(feed - at)))
            return problem_at(problem, number, "there is a NUL in this line");
        *feed = '\0';
        const char *why = parse_line(record, storage, at, &in_body);
        if (why)
            return problem_at(problem, number, why);
        at = feed + 1;
    }
    return in_body || problem_at(problem, number, "the empty line after the headers is missing");
}

static size_t count_lines(const char *bytes, size_t len)
{
    size_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n';
    return lines;
}

/* Is this how the record is written? Else the first line that is not. */
static bool compare_text(const struct record *record, const char *bytes, size_t len,
                         struct record_problem *problem)
{
    /* padding numbers can make the text longer, but never that much: only memory can fail it */
    struct buffer again;
    buffer_init(&again, 0, (size_t)4 * RECORD_BYTES);
    const char *why = record_format(&again, record);
    const char *written = buffer_payload(&again);
    size_t same = 0;
    while (same < len && same < again.len && bytes[same] == written[same])
        same++;
    bool fine = !why && !again.failed && same == len && same == again.len;
    if (again.failed)
        problem_at(problem, 0, "out of memory");
    else if (!fine)
        problem_at(problem, count_lines(bytes, same) + 1,
                   why && same == again.len ? why : "a record is not written like this");
    buffer_release(&again);
    return fine;
}

bool record_parse(struct record *record, const char *bytes, size_t len,
                  struct record_problem *problem)
{
    *record = (struct record){.start_ms = RECORD_NO_TIME, .end_ms = RECORD_NO_TIME};
    *problem = (struct record_problem){0};
    size_t lines = count_lines(bytes, len);
    if (len > RECORD_BYTES || lines > RECORD_LINES + RECORD_HEADERS)
        return problem_at(problem, 0, "the record is too long");
    struct storage *storage =
        calloc(1, sizeof *storage + lines * sizeof storage->lines[0] + len + 1);
    if (!storage)
        return problem_at(problem, 0, "out of memory");
    char *text = (char *)&storage->lines[lines];
    memcpy(text, bytes, len);
    record->memory = storage;
    record->options = storage->options;
    record->deal = storage->deal;
    record->result = storage->result;
    record->seats = storage->seats;
    record->lines = storage->lines;
    if (parse_lines(record, storage, text, len, problem) &&
        compare_text(record, bytes, len, problem))
        return true;
    record_release(record);
    return false;
}

void record_release(struct record *record)
{
    free(record->memory);
    *record = (struct record){.start_ms = RECORD_NO_TIME, .end_ms = RECORD_NO_TIME};
}
