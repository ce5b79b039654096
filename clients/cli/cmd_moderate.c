#include "online.h"
#include "when.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From 1; 0: it is none. */
static int64_t read_count(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 16 && !text[digits] ? strtoll(text, NULL, 10) : 0;
}

static void print_text(const json_t *object, const char *key)
{
    glyph_print_text(state_text(object, key), stdout);
}

static int64_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* ---- who was reported */

/* "12  @bo-1 (Bo)  talk, 2 from 2 places, since 2026-11-20 18:00"; of an appeal "talk, appeals
 * against 13, 1 from ..." */
static void print_case(const json_t *one)
{
    char since[WHEN_MINUTE], appeal[48] = "";
    when_minute(since, number_of(one, "since"));
    if (json_object_get(one, "appeal"))
        (void)snprintf(appeal, sizeof appeal, "appeals against %" PRId64 ", ",
                       number_of(one, "appeal"));
    printf("%" PRId64 "  ", number_of(one, "report"));
    if (json_object_get(one, "handle"))
        putchar('@');
    print_text(one, json_object_get(one, "handle") ? "handle" : "session");
    fputs(" (", stdout);
    print_text(one, "name");
    printf(")  %s, %s%" PRId64 " from %" PRId64 " places, since %s\n", state_text(one, "why"),
           appeal, number_of(one, "reports"), number_of(one, "sources"), since);
}

/* Of the lobby with its number. */
static void print_line(const json_t *line)
{
    fputs("    ", stdout);
    if (json_object_get(line, "line"))
        printf("%" PRId64 "  ", number_of(line, "line"));
    print_text(line, "name");
    fputs(": ", stdout);
    print_text(line, "text");
    putchar('\n');
}

static void print_seat(const json_t *seat)
{
    printf("    seat %" PRId64 ": ", number_of(seat, "seat"));
    print_text(seat, "name");
    if (json_object_get(seat, "handle"))
        fputs(" @", stdout);
    print_text(seat, "handle");
    putchar('\n');
}

static void print_report(const json_t *report)
{
    const json_t *one;
    size_t at;
    char when[WHEN_MINUTE];
    when_minute(when, number_of(report, "at"));
    printf("%s, %s", when, state_text(report, "why"));
    if (json_object_get(report, "room"))
        printf(", room %s", state_text(report, "room"));
    if (json_object_get(report, "lobby"))
        printf(", about line %" PRId64 " of the lobby", number_of(report, "line"));
    if (json_object_get(report, "seat"))
        printf(", about seat %" PRId64, number_of(report, "seat"));
    if (json_object_get(report, "gave_up"))
        printf(", gave up early in %" PRId64 " of the last %" PRId64 " rated matches",
               number_of(report, "gave_up"), number_of(report, "of"));
    if (json_object_get(report, "appeal"))
        printf(", an appeal against %" PRId64, number_of(report, "appeal"));
    putchar('\n');
    if (json_object_get(report, "text")) {
        fputs("  says: ", stdout);
        print_text(report, "text");
        putchar('\n');
    }
    json_array_foreach(json_object_get(report, "seats"), at, one) print_seat(one);
    json_array_foreach(json_object_get(report, "talk"), at, one) print_line(one);
}

static void print_reports(const json_t *of)
{
    const json_t *report;
    size_t at;
    json_array_foreach(json_object_get(of, "reports"), at, report) print_report(report);
}

static void print_decided(const json_t *judgement, const char *what)
{
    char until[WHEN_MINUTE];
    if (!judgement)
        return;
    printf("%s: %s, %s", what, state_text(judgement, "verdict"), state_text(judgement, "why"));
    if (json_object_get(judgement, "until")) {
        when_minute(until, number_of(judgement, "until"));
        printf(", until %s", until);
    }
    fputs(json_object_get(judgement, "text") ? ": " : "", stdout);
    print_text(judgement, "text");
    putchar('\n');
}

static void on_case(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *against = json_object_get(ok, "against");
    if (error) {
        online_refused(online, error);
        return;
    }
    if (online->invocation->online.json) {
        online_stop(online, EXIT_OK);
        return;
    }
    print_reports(ok);
    print_decided(against, "It is against");
    print_reports(against);
    print_decided(json_object_get(ok, "judgement"), "Decided");
    online_stop(online, EXIT_OK);
}

static void on_cases(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *one;
    size_t at;
    if (error) {
        online_refused(online, error);
        return;
    }
    json_array_foreach(json_object_get(ok, "reports"), at, one)
    {
        if (!online->invocation->online.json)
            print_case(one);
    }
    if (json_array_size(json_object_get(ok, "reports")) == 0)
        online_say(online, "Nobody waits for a judgement.");
    online_stop(online, EXIT_OK);
}

static void ask_cases(struct online *online)
{
    const struct invocation *invocation = online->invocation;
    json_t *request = request_make("cases", NULL, NULL, NULL);
    const bool is_one = invocation->operand_count > 0;
    if (is_one)
        json_object_set_new(request, "case", json_integer(read_count(invocation->operands[0])));
    wire_client_request(online->client, request, is_one ? on_case : on_cases, online);
}

static int run_cases(const struct invocation *invocation)
{
    static const struct online_app app = {.needs_session = true, .ready = ask_cases};
    if (invocation->operand_count > 0 && !read_count(invocation->operands[0]))
        return command_complain(invocation, "%s is no number of a case", invocation->operands[0]);
    return online_run(invocation, &app, NULL);
}

/* ---- deciding */

struct judge_options {
    const char *why, *text;
    int64_t hours;
};

enum { HOURS_MAX = 24 * 3650 };

static const struct option_row judge_rows[] = {
    {.name = "why",
     .kind = OPTION_TEXT,
     .value = "WORD",
     .help = "needed: talk, name, cheating, stalling or other",
     .offset = offsetof(struct judge_options, why)},
    {.name = "hours",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "for how long, of silence and ban",
     .offset = offsetof(struct judge_options, hours),
     .min = 0,
     .max = HOURS_MAX},
    {.name = "text",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "said to whoever it is about",
     .offset = offsetof(struct judge_options, text)},
    {.name = NULL},
};

static const char *const verdict_words[] = {"dismiss", "warn", "silence", "ban", "uphold", NULL};

static bool is_verdict(const char *word)
{
    size_t at = 0;
    while (verdict_words[at] && strcmp(verdict_words[at], word) != 0)
        at++;
    return verdict_words[at];
}

static void on_judged(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, "Decided, as judgement %" PRId64 ".", number_of(ok, "judgement"));
    online_stop(online, EXIT_OK);
}

static void ask_judge(struct online *online)
{
    const struct invocation *invocation = online->invocation;
    const struct judge_options *options = invocation->options;
    json_t *request = request_make("judge", NULL, "verdict", invocation->operands[1]);
    json_object_set_new(request, "case", json_integer(read_count(invocation->operands[0])));
    json_object_set_new(request, "why", json_string(options->why));
    if (options->hours)
        json_object_set_new(request, "for_s", json_integer(options->hours * 3600));
    if (options->text)
        json_object_set_new(request, "text", json_string(options->text));
    wire_client_request(online->client, request, on_judged, online);
}

static int run_judge(const struct invocation *invocation)
{
    static const struct online_app app = {.needs_session = true, .ready = ask_judge};
    const struct judge_options *options = invocation->options;
    const char *verdict = invocation->operands[1];
    const bool lasts = strcmp(verdict, "silence") == 0 || strcmp(verdict, "ban") == 0;
    if (!read_count(invocation->operands[0]))
        return command_complain(invocation, "%s is no number of a case", invocation->operands[0]);
    if (!is_verdict(verdict))
        return command_complain(invocation, "%s is no verdict", verdict);
    if (!options->why)
        return command_complain(invocation, "--why is missing");
    if (lasts != (options->hours > 0))
        return command_complain(invocation,
                                lasts ? "--hours is missing" : "--hours is of silence and ban");
    return online_run(invocation, &app, NULL);
}

/* ---- being judged */

static void on_appealed(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    (void)ok;
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, "They will look at it again, and you are told what comes of it.");
    online_stop(online, EXIT_OK);
}

static void ask_appeal(struct online *online)
{
    const struct invocation *invocation = online->invocation;
    json_t *request = request_make("appeal", NULL, "text", invocation->operands[1]);
    json_object_set_new(request, "judgement", json_integer(read_count(invocation->operands[0])));
    wire_client_request(online->client, request, on_appealed, online);
}

static int run_appeal(const struct invocation *invocation)
{
    static const struct online_app app = {
        .needs_session = true, .appeals = true, .ready = ask_appeal};
    if (!read_count(invocation->operands[0]))
        return command_complain(invocation, "%s is no number of a judgement",
                                invocation->operands[0]);
    return online_run(invocation, &app, NULL);
}

const struct command command_cases = {
    .name = "cases",
    .operands = "[CASE]",
    .summary = "For moderators: who was reported",
    .details =
        "For an account that looks after the server: who was reported at a table, and of whom\n"
        "nothing was decided yet, the gravest first; with a number all that was reported of that\n"
        "one, and what was said there. taluva judge decides.",
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_cases,
};

const struct command command_judge = {
    .name = "judge",
    .operands = "N WHAT",
    .summary = "For moderators: decide of somebody who was reported",
    .details =
        "N is the number of a case (taluva cases). WHAT is dismiss, warn, silence (they may\n"
        "play, not speak) or ban, these two for so many --hours; of an appeal also uphold, which\n"
        "leaves what it is against as it was. Whoever it is about is told, with --text, and may\n"
        "appeal once.",
    .operands_min = 2,
    .operands_max = 2,
    .online = true,
    .asks_once = true,
    .rows = judge_rows,
    .options_size = sizeof(struct judge_options),
    .run = run_judge,
};

const struct command command_appeal = {
    .name = "appeal",
    .operands = "N TEXT",
    .summary = "Say why what was decided about you is wrong",
    .details = "N is the number of what was decided, which is said with it. Once against each;\n"
               "somebody else decides of it where there is somebody, and you are told. Who is\n"
               "banned is let in for this.",
    .operands_min = 2,
    .operands_max = 2,
    .online = true,
    .asks_once = true,
    .run = run_appeal,
};
