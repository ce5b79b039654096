#include "games_people.h"
#include "online.h"
#include "when.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <string.h>

enum {
    GAMES_MAX = 1000, /* with --all, whatever a server keeps */
    AGO_COLUMNS = 14,
    GAME_COLUMNS = 8,
    AGAINST_COLUMNS = 30,
    RESULT_COLUMNS = 12,
    AGAINST_TEXT = 1024,
};

struct games_options {
    bool all, people;
};

static const struct option_row rows[] = {
    {.name = "all",
     .letter = 'a',
     .kind = OPTION_FLAG,
     .help = "also those that the first page has no room for, up to 1000",
     .offset = offsetof(struct games_options, all)},
    {.name = "people",
     .letter = 'p',
     .kind = OPTION_FLAG,
     .help = "instead of the matches, the accounts with whom you have played them",
     .offset = offsetof(struct games_options, people)},
    {.name = NULL},
};
_Static_assert(GAMES_MAX == 1000, "the text for --help says so");

struct listing {
    struct online *online;
    int64_t now_ms;
    json_t *games; /* all that have come, the newest first */
};

/* ---- the words of a line */

/* A whole column: what is too long ends with "...". */
static void print_column(const char *text, int columns)
{
    const bool fits = glyph_columns(text) <= columns;
    int left = fits ? columns : columns - 3;
    for (uint32_t code; (code = glyph_next(&text)) != 0 && glyph_width(code) <= left;) {
        glyph_print(code, stdout);
        left -= glyph_width(code);
    }
    printf("%*s%s  ", left, "", fits ? "" : "...");
}

/* Everybody who sat there but the one who asks. */
static void against_text(char text[AGAINST_TEXT], const json_t *game)
{
    const char *key;
    json_t *seat;
    size_t len = 0;
    *text = '\0';
    json_object_foreach(json_object_get(game, "seats"), key, seat)
    {
        if (state_seat_of_key(key) != state_number(game, "seat") && len < AGAINST_TEXT)
            len += (size_t)snprintf(text + len, AGAINST_TEXT - len, "%s%s", len > 0 ? ", " : "",
                                    state_text(seat, "name"));
    }
}

static bool has_teams(const json_t *game)
{
    return json_is_true(state_at(game, "options.teams"));
}

static bool has_won(const json_t *game)
{
    const int seat = state_number(game, "seat");
    return state_of_seat(game, "result.winners", has_teams(game) ? seat % 2 : seat);
}

/* Why a match has no result, by `why`; NULL: it was played to its end. */
static const char *unfinished_word(const char *why)
{
    if (strcmp(why, "called-off") == 0)
        return "called off";
    return strcmp(why, "abandoned") == 0 || strcmp(why, "closed") == 0 ? why : NULL;
}

/* How it ended for the one who asks. */
static void result_text(char text[WHEN_AGO], const json_t *game)
{
    const size_t winners = json_object_size(state_at(game, "result.winners"));
    const int size = state_number(game, "size"),
              rank = (int)json_integer_value(
                  state_of_seat(game, "result.ranks", state_number(game, "seat")));
    const char *unfinished = unfinished_word(state_text(game, "result.why"));
    if (has_won(game))
        (void)snprintf(text, WHEN_AGO, winners > 1 ? "shared win" : "won");
    else if (winners == 0)
        (void)snprintf(text, WHEN_AGO, "%s", unfinished ? unfinished : "nobody won");
    else if (rank > 0 && size > 2 && !has_teams(game))
        (void)snprintf(text, WHEN_AGO, "place %d of %d", rank, size);
    else
        (void)snprintf(text, WHEN_AGO, "lost");
}

/* ---- the table */

static void print_game(const json_t *game, int64_t now_ms)
{
    char ago[WHEN_AGO], result[WHEN_AGO], against[AGAINST_TEXT];
    when_ago(ago, now_ms - json_integer_value(json_object_get(game, "at")));
    against_text(against, game);
    result_text(result, game);
    print_column(ago, AGO_COLUMNS);
    print_column(state_text(game, "game"), GAME_COLUMNS);
    print_column(against, AGAINST_COLUMNS);
    print_column(result, RESULT_COLUMNS);
    glyph_print_text(state_text(game, "room"), stdout);
    putchar('\n');
}

static void print_table(const struct listing *listing)
{
    size_t i;
    json_t *game;
    if (listing->online->invocation->online.json)
        return; /* the replies were printed already */
    if (json_array_size(listing->games) > 0)
        printf("%-*s  %-*s  %-*s  %-*s  %s\n", AGO_COLUMNS, "Ended", GAME_COLUMNS, "Game",
               AGAINST_COLUMNS, "Against", RESULT_COLUMNS, "Result", "Room");
    json_array_foreach(listing->games, i, game) print_game(game, listing->now_ms);
}

static void say_next(const struct listing *listing, bool more)
{
    const struct games_options *options = listing->online->invocation->options;
    if (json_array_size(listing->games) == 0)
        online_say(listing->online, "You have no finished match here yet; `taluva create` makes a "
                                    "room.");
    else if (more && options->all)
        online_say(listing->online, "There are older ones, too many to list.");
    else if (more)
        online_say(listing->online, "There are older ones: `taluva games --all` lists them too.");
}

static void show_people(const struct listing *listing)
{
    if (listing->online->invocation->online.json)
        return;
    if (games_people_print(listing->games, listing->now_ms) > 0)
        online_say(listing->online, "To play again: taluva seek --with HANDLE.");
    else
        online_say(listing->online, "You have played with nobody here yet who has a handle.");
}

/* ---- asking */

static void ask_page(struct listing *listing, const char *after);

static void on_games(void *user, const json_t *ok, const json_t *error)
{
    struct listing *listing = user;
    const struct games_options *options = listing->online->invocation->options;
    json_t *page = json_object_get(ok, "games");
    const size_t count = json_array_size(page);
    const bool more = json_is_true(json_object_get(ok, "more"));
    if (error) {
        online_refused(listing->online, error);
        return;
    }
    json_array_extend(listing->games, page);
    if (options->all && more && count > 0 && json_array_size(listing->games) < GAMES_MAX) {
        ask_page(listing, state_text(json_array_get(page, count - 1), "room"));
        return;
    }
    if (options->people) {
        show_people(listing);
    } else {
        print_table(listing);
        say_next(listing, more);
    }
    online_stop(listing->online, EXIT_OK);
}

static void ask_page(struct listing *listing, const char *after)
{
    json_t *request = request_make("games", NULL, "after", after);
    wire_client_request(listing->online->client, request, on_games, listing);
}

static void on_ready(struct online *online)
{
    struct listing *listing = online->user;
    listing->online = online;
    listing->now_ms = json_integer_value(json_object_get(online->hello, "time"));
    ask_page(listing, NULL);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready};
    struct listing listing = {.games = json_array()};
    const int status = online_run(invocation, &app, &listing);
    json_decref(listing.games);
    return status;
}

const struct command command_games = {
    .name = "games",
    .operands = "",
    .summary = "List your finished matches",
    .details =
        "The newest first, on whichever of your devices you played them: how long ago each ended,\n"
        "the game, against whom (in a team game your partner is named too), how it ended for you,\n"
        "and its room. The server keeps as many as its operator has set.\n\n"
        "    taluva watch ROOM\n"
        "    taluva record ROOM\n\n"
        "show such a match again, and print its record for `replay`, `analyse` and `verify`.\n\n"
        "With --people the handles of those with whom you have played, whom you have met last\n"
        "first: `taluva seek --with HANDLE` plays with one of them again.",
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct games_options),
    .run = run_command,
};
