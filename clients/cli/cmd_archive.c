#include "pages.h"
#include "when.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/account.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/clean.h>

enum {
    MOST_DEFAULT = 20,
    MOST_MAX = 1000,
    ANSWERS_MAX = 200, /* that are looked through, with or without a match */
    PATH_BYTES = 240,
    GAME_COLUMNS = 8,
    WHY_COLUMNS = 14,
};

struct archive_options {
    const char *server, *ca;
    const char *game, *why, *level, *against, *rules, *since, *until;
    int64_t size, most;
    bool json;
};

static const char *const sides[] = {"people", "computers", NULL};

static const struct option_row rows[] = {
    PAGES_SERVER_ROW(archive_options),
    PAGES_CA_ROW(archive_options),
    {.name = "game",
     .letter = 'g',
     .kind = OPTION_NAME,
     .value = "NAME",
     .help = "of this game alone; needed without a handle",
     .offset = offsetof(struct archive_options, game)},
    {.name = "why",
     .kind = OPTION_NAME,
     .value = "WORD",
     .help = "that ended so, as two-kinds or last-standing: the word that a line has",
     .offset = offsetof(struct archive_options, why)},
    {.name = "size",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "with so many seats",
     .min = 0,
     .max = 16,
     .offset = offsetof(struct archive_options, size)},
    {.name = "against",
     .kind = OPTION_WORD,
     .value = "WHOM",
     .words = sides,
     .help = "people: two of them played; computers: one alone with computers",
     .offset = offsetof(struct archive_options, against)},
    {.name = "level",
     .kind = OPTION_NAME,
     .value = "WORD",
     .help = "whose strongest computer was of this level",
     .offset = offsetof(struct archive_options, level)},
    {.name = "rules",
     .kind = OPTION_NAME,
     .value = "ID",
     .help = "with the same options of its game: 16 digits, that --json shows",
     .offset = offsetof(struct archive_options, rules)},
    {.name = "since",
     .kind = OPTION_NAME,
     .value = "DAY",
     .help = "that ended on this day (UTC) or later, as 2026-11-27",
     .offset = offsetof(struct archive_options, since)},
    {.name = "until",
     .kind = OPTION_NAME,
     .value = "DAY",
     .help = "that ended before this day (UTC)",
     .offset = offsetof(struct archive_options, until)},
    {.name = "most",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "so many at most, 20 if nothing is said",
     .min = 1,
     .max = MOST_MAX,
     .initial = MOST_DEFAULT,
     .offset = offsetof(struct archive_options, most)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "for programs: one JSON object a line, all that the server hands out",
     .offset = offsetof(struct archive_options, json)},
    {.name = NULL},
};

/* ---- what is asked for */

struct asking {
    char path[PATH_BYTES];
    size_t len;
    bool failed;
};

static bool is_plain(const char *value)
{
    return value[strspn(
               value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

static void ask_for(struct asking *asking, const char *key, const char *value)
{
    const size_t left = sizeof asking->path - asking->len;
    if (!value)
        return;
    const int len =
        is_plain(value) ? snprintf(asking->path + asking->len, left, "/%s/%s", key, value) : -1;
    if (len < 0 || (size_t)len >= left)
        asking->failed = true;
    else
        asking->len += (size_t)len;
}

static void ask_for_number(struct asking *asking, const char *key, int64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, number);
    ask_for(asking, key, text);
}

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* "2026-11-27", from 1970 on; false: it is no day. */
static bool read_day(const char *text, int64_t *ms)
{
    char *end;
    int64_t days = 0;
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-' || strspn(text, "0123456789-") != 10)
        return false;
    const int year = (int)strtol(text, &end, 10);
    const int month = (int)strtol(text + 5, &end, 10);
    const int day = (int)strtol(text + 8, &end, 10);
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > days_of(year, month))
        return false;
    for (int before = 1970; before < year; before++)
        days += 365 + is_leap(before);
    for (int before = 1; before < month; before++)
        days += days_of(year, before);
    *ms = (days + day - 1) * INT64_C(86400000);
    return true;
}

static void ask_for_day(struct asking *asking, const char *key, const char *day)
{
    int64_t ms;
    if (!day)
        return;
    if (read_day(day, &ms))
        ask_for_number(asking, key, ms);
    else
        asking->failed = true;
}

static bool fill_path(struct asking *asking, const char *handle,
                      const struct archive_options *options)
{
    asking->len = (size_t)snprintf(asking->path, sizeof asking->path, "api/archive");
    ask_for(asking, "handle", handle);
    ask_for(asking, "game", options->game);
    ask_for(asking, "why", options->why);
    ask_for(asking, "against", options->against);
    ask_for(asking, "level", options->level);
    ask_for(asking, "rules", options->rules);
    if (options->size > 0)
        ask_for_number(asking, "size", options->size);
    ask_for_day(asking, "since", options->since);
    return !asking->failed;
}

/* ---- what is shown */

static void print_column(const char *text, int columns)
{
    glyph_print_text(text, stdout);
    for (int at = glyph_columns(text); at < columns; at++)
        putchar(' ');
    fputs("  ", stdout);
}

static void print_seat(const json_t *seat, bool first)
{
    printf("%s@", first ? "" : ", ");
    glyph_print_text(state_text(seat, "handle"), stdout);
    if (json_is_true(json_object_get(seat, "won")))
        fputs(" won", stdout);
}

static void print_match(const json_t *match)
{
    char day[WHEN_MINUTE];
    size_t at;
    const json_t *seat;
    when_minute(day, json_integer_value(json_object_get(match, "at")));
    printf("%s  ", day);
    print_column(state_text(match, "room"), 8);
    print_column(state_text(match, "game"), GAME_COLUMNS);
    printf("%2d  ", state_number(match, "size"));
    print_column(state_text(match, "why"), WHY_COLUMNS);
    json_array_foreach(json_object_get(match, "seats"), at, seat) print_seat(seat, at == 0);
    putchar('\n');
}

static bool show_matches(const json_t *answer, const struct archive_options *options, int64_t *left)
{
    size_t at;
    const json_t *match;
    bool fine = true;
    json_array_foreach(json_object_get(answer, "matches"), at, match)
    {
        if (*left == 0)
            return fine;
        --*left;
        if (options->json)
            fine = wire_print_object(match, stdout) && fine;
        else
            print_match(match);
    }
    return fine;
}

/* ---- one answer after the other */

static int say_none(void)
{
    fputs("taluva: nobody has this handle, or a search cannot be like that\n", stderr);
    return EXIT_REFUSED;
}

static json_t *read_answer(const struct pages *pages)
{
    json_t *answer =
        json_loadb(buffer_payload(&pages->body), pages->body.len, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_array(json_object_get(answer, "matches")))
        return answer;
    json_decref(answer);
    fputs("taluva: what the server has there cannot be read\n", stderr);
    return NULL;
}

/* Where the next one goes on; false: that was all. */
static bool go_on(struct asking *asking, const struct asking *first, const json_t *answer)
{
    const char *after = json_string_value(json_object_get(answer, "after"));
    if (!after)
        return false;
    *asking = *first;
    ask_for(asking, "after", after);
    return !asking->failed;
}

static int show_all(struct pages *pages, const struct asking *first,
                    const struct archive_options *options)
{
    struct asking asking = *first;
    int64_t left = options->most;
    bool goes_on = true;
    ask_for_day(&asking, "until", options->until);
    for (int answers = 0; goes_on && left > 0 && answers < ANSWERS_MAX; answers++) {
        bool there;
        const int result = pages_fetch(pages, asking.path, &there);
        if (result != EXIT_OK || !there)
            return result != EXIT_OK ? result : say_none();
        json_t *answer = read_answer(pages);
        if (!answer)
            return EXIT_DATA;
        if (json_is_true(json_object_get(answer, "hidden")) && !options->json)
            puts("They show nothing of what they have played.");
        goes_on = show_matches(answer, options, &left) && go_on(&asking, first, answer);
        json_decref(answer);
    }
    if (left == options->most && !options->json)
        puts(goes_on ? "there is no such match among the latest: --until goes further back"
                     : "there is no such match");
    return EXIT_OK;
}

static int run_command(const struct invocation *invocation)
{
    const struct archive_options *options = invocation->options;
    const char *handle = invocation->operand_count > 0 ? invocation->operands[0] : NULL;
    struct asking asking = {.len = 0};
    struct pages pages;
    int64_t day;
    if (handle && *handle == '@')
        handle++;
    if (!handle && !options->game)
        return command_complain(invocation, "whose matches, or of which --game?");
    if (handle && !handle_valid(handle, strlen(handle)))
        return command_complain(invocation, "that is no handle");
    if (!fill_path(&asking, handle, options) || (options->until && !read_day(options->until, &day)))
        return command_complain(invocation, "a search has plain words, and days as 2026-11-27");
    int result = pages_begin(&pages, invocation, options->server, options->ca);
    if (result != EXIT_OK)
        return result;
    result = show_all(&pages, &asking, options);
    pages_end(&pages);
    return result;
}

const struct command command_archive = {
    .name = "archive",
    .operands = "[HANDLE]",
    .summary = "Search matches that are over",
    .details =
        "Those that anybody may open, were decided, and in which somebody with a handle sat: of\n"
        "HANDLE, or of a game, the newest first. `taluva watch ROOM` shows one, `taluva record\n"
        "ROOM` fetches it. Whoever shows nothing of what they have played is not found by their\n"
        "handle.",
    .operands_min = 0,
    .operands_max = 1,
    .rows = rows,
    .options_size = sizeof(struct archive_options),
    .run = run_command,
};
