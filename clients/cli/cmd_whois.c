#include "online.h"
#include "when.h"
#include <base/program.h>
#include <cli/glyph.h>
#include <cli/state.h>
#include <protocol/account.h>
#include <string.h>

struct asked {
    struct online *online;
    const char *handle;
};

/* "taluva, 2 players: 61 won of 120, 118 finished" */
static void print_kind(const json_t *kind)
{
    const bool people = strcmp(state_text(kind, "against"), "people") == 0;
    glyph_print_text(state_text(kind, "game"), stdout);
    printf(", %d %s", state_number(kind, "size"), people ? "players" : "seats, against computers");
    printf(": won %d of %d, finished %d\n", state_number(kind, "won"),
           state_number(kind, "matches"), state_number(kind, "finished"));
}

/* "taluva, 2 seats, against strong: won 3 of 8" */
static void print_level(const json_t *sums)
{
    glyph_print_text(state_text(sums, "game"), stdout);
    printf(", %d seats, against ", state_number(sums, "size"));
    glyph_print_text(state_text(sums, "level"), stdout);
    printf(": won %d of %d\n", state_number(sums, "won"), state_number(sums, "matches"));
}

/* "taluva, two-kinds: won 12 of 30" */
static void print_end(const json_t *sums)
{
    glyph_print_text(state_text(sums, "game"), stdout);
    fputs(", ", stdout);
    glyph_print_text(state_text(sums, "why"), stdout);
    printf(": won %d of %d\n", state_number(sums, "won"), state_number(sums, "matches"));
}

static void print_recent(const json_t *recent)
{
    size_t at;
    const json_t *sums;
    if (state_number(recent, "of") == 0)
        return;
    printf("Of the last %d that anybody may open:\n", state_number(recent, "of"));
    json_array_foreach(json_object_get(recent, "ends"), at, sums) print_end(sums);
    json_array_foreach(json_object_get(recent, "levels"), at, sums) print_level(sums);
}

static void print_match(const json_t *match, int64_t now_ms)
{
    char ago[WHEN_AGO];
    when_ago(ago, now_ms - json_integer_value(json_object_get(match, "at")));
    printf("%-14s  ", ago);
    glyph_print_text(state_text(match, "room"), stdout);
    fputs("  ", stdout);
    glyph_print_text(state_text(match, "game"), stdout);
    puts(json_object_get(match, "won")    ? ", won"
         : json_object_get(match, "left") ? ", did not finish"
                                          : ", lost");
}

static void print_profile(const struct asked *asked, const json_t *ok)
{
    char day[WHEN_DAY];
    const int64_t now_ms = json_integer_value(json_object_get(asked->online->hello, "time"));
    size_t at;
    json_t *one;
    when_day(day, json_integer_value(json_object_get(ok, "since")));
    putchar('@');
    glyph_print_text(state_text(ok, "handle"), stdout);
    printf("%s, here since %s\n", json_object_get(ok, "bot") ? ", somebody's program" : "", day);
    json_array_foreach(json_object_get(ok, "matches"), at, one) print_kind(one);
    if (json_object_get(ok, "recent"))
        print_recent(json_object_get(ok, "recent"));
    json_array_foreach(json_object_get(ok, "last"), at, one) print_match(one, now_ms);
    program_flush_output();
}

static void on_profile(void *user, const json_t *ok, const json_t *error)
{
    const struct asked *asked = user;
    if (error) {
        online_refused(asked->online, error);
        return;
    }
    if (!asked->online->invocation->online.json)
        print_profile(asked, ok);
    if (json_object_get(ok, "hidden"))
        online_say(asked->online, "They show nothing of what they have played.");
    else if (json_array_size(json_object_get(ok, "last")) > 0)
        online_say(asked->online, "`taluva watch ROOM` shows such a match.");
    online_stop(asked->online, EXIT_OK);
}

static void on_ready(struct online *online)
{
    struct asked *asked = online->user;
    asked->online = online;
    wire_client_request(online->client, request_make("profile", NULL, "handle", asked->handle),
                        on_profile, asked);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready};
    struct asked asked = {.handle = invocation->operands[0]};
    asked.handle += *asked.handle == '@';
    if (!handle_valid(asked.handle, strlen(asked.handle)))
        return command_complain(invocation, "a handle has 3 to 20 letters and digits, a letter "
                                            "first, and single - or _ between them");
    return online_run(invocation, &app, &asked);
}

const struct command command_whois = {
    .name = "whois",
    .operands = "HANDLE",
    .summary = "Show who has a handle",
    .details =
        "What everybody may know of an account: since when it is there, what it has played, won\n"
        "and finished, against people and against computers, how the last of them ended, and\n"
        "those that anybody may open: all of them are in taluva archive HANDLE. A handle of\n"
        "before leads to it too. Whoever wants to show none of that hides it, in the page.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_command,
};
