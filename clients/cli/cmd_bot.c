#include "seat.h"
#include <cli/game.h>
#include <cli/state.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct bot_options {
    int64_t seed, games, delay_ms;
    bool start;
};

static const struct option_row rows[] = {
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "the same seed chooses the same moves from the same choices; else at random",
     .offset = offsetof(struct bot_options, seed),
     .min = 0,
     .max = INT64_MAX,
     .initial = -1},
    {.name = "games",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "play so many matches in a row, by rematch (1)",
     .offset = offsetof(struct bot_options, games),
     .min = 1,
     .max = 1000000,
     .initial = 1},
    {.name = "delay",
     .kind = OPTION_NUMBER,
     .value = "MS",
     .help = "think for so long before each move (0)",
     .offset = offsetof(struct bot_options, delay_ms),
     .min = 0,
     .max = 600000},
    {.name = "start",
     .kind = OPTION_FLAG,
     .help = "start the match once all are ready; else only the bot on the first seat does",
     .offset = offsetof(struct bot_options, start)},
    {.name = NULL},
};

struct bot {
    struct online *online;
    const struct bot_options *options;
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct rng rng;
    uv_timer_t timer;
    bool busy; /* a request is on its way or due */
    int64_t games_left;
    char finished[PROTOCOL_ROOM_BYTES + 1]; /* the last match that was counted */
};

enum { RETRY_MS = 300 };

static void think(struct bot *bot);

static const json_t *bot_state(const struct bot *bot, int *seat)
{
    const struct wire_room *room = wire_client_room(bot->online->client, bot->room);
    *seat = room ? room->seat : WIRE_NO_SEAT;
    return room ? room->state : NULL;
}

/* ---- choosing */

/* Those that do not put their player out, unless all do. */
static size_t collect(const json_t *ok, const char **moves, size_t max, bool *eliminating)
{
    const json_t *all = json_object_get(ok, "moves"), *bad = json_object_get(ok, "eliminating");
    size_t count = 0, i;
    json_t *move;
    *eliminating = json_array_size(bad) > 0 && json_array_size(bad) == json_array_size(all);
    json_array_foreach(all, i, move)
    {
        const char *text = json_string_value(move);
        if (text && count < max && (*eliminating || !json_array_has(bad, text)))
            moves[count++] = text;
    }
    return count;
}

/* NULL: no possible move is known. `made` holds the text of a move that the game makes itself. */
static const char *choose(struct rng *rng, const struct game *game, const struct game_room *room,
                          const char **moves, size_t count, struct game_move *made)
{
    if (count > 0)
        return game->move_choose(rng, room->state, moves, count);
    return game->move_make && game->move_make(made, rng, room) ? made->text : NULL;
}

/* ---- playing */

static void on_retry(uv_timer_t *timer)
{
    struct bot *bot = timer->data;
    bot->busy = false;
    think(bot);
}

/* The state has changed, or the server has a problem: tries again after a pause. */
static void retry(struct bot *bot)
{
    bot->busy = true;
    uv_timer_start(&bot->timer, on_retry, RETRY_MS, 0);
}

static void on_settled(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    struct bot *bot = online->user;
    (void)ok;
    bot->busy = false;
    if (error)
        retry(bot);
    else
        think(bot);
}

static void on_moves(void *user, const json_t *ok, const json_t *error)
{
    enum { MOVES_MAX = 8192 };
    static const char *moves[MOVES_MAX];
    struct online *online = user;
    struct bot *bot = online->user;
    bool eliminating = false;
    size_t count = error ? 0 : collect(ok, moves, MOVES_MAX, &eliminating);
    struct game_room room = {.legal = ok};
    struct game_move made;
    room.state = bot_state(bot, &room.seat);
    const struct game *game = games_find(state_text(room.state, "game"));
    if (!game) {
        online_say(online, "This program does not know the game '%s'.",
                   state_text(room.state, "game"));
        online_stop(online, EXIT_USAGE);
        return;
    }
    const char *choice = choose(&bot->rng, game, &room, moves, count, &made);
    if (error || !choice) {
        retry(bot);
        return;
    }
    json_t *request = request_make("move", bot->room, "move", choice);
    if (eliminating)
        json_object_set_new(request, "confirm", json_true());
    wire_client_request(online->client, request, on_settled, online);
}

static void on_delay_over(uv_timer_t *timer)
{
    struct bot *bot = timer->data;
    json_t *request = request_make("moves", bot->room, NULL, NULL);
    wire_client_request(bot->online->client, request, on_moves, bot->online);
}

static void move(struct bot *bot)
{
    bot->busy = true;
    uv_timer_start(&bot->timer, on_delay_over, (uint64_t)bot->options->delay_ms, 0);
}

/* ---- before and after */

static void on_seated(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    struct bot *bot = online->user;
    const char *code = json_string_value(json_object_get(error, "code"));
    (void)ok;
    bot->busy = false;
    if (!error) {
        think(bot);
    } else if (code && strcmp(code, "already_seated") == 0) {
        bot->busy = true;
        seat_take(online, bot->room, SEAT_ANY, NULL, true, on_seated, online);
    } else {
        online_refused(online, error);
    }
}

/* Goes to bot->room. */
static void enter(struct bot *bot, int seat, const char *colour)
{
    bot->busy = true;
    seat_take(bot->online, bot->room, seat, colour, false, on_seated, bot->online);
}

static void ask(struct bot *bot, const char *op)
{
    bot->busy = true;
    wire_client_request(bot->online->client, request_make(op, bot->room, NULL, NULL), on_settled,
                        bot->online);
}

static void in_lobby(struct bot *bot, const json_t *state, int seat)
{
    if (!state_seat_is_ready(state, seat)) {
        bot->busy = true;
        seat_ready(bot->online, bot->room, on_settled, bot->online);
    } else if (state_all_are_ready(state) && (bot->options->start || seat == 0)) {
        ask(bot, "start");
    }
}

/* Counts the match, and ends the run after the last one. */
static void match_over(struct bot *bot)
{
    const struct wire_room *room = wire_client_room(bot->online->client, bot->room);
    memcpy(bot->finished, bot->room, sizeof bot->finished);
    online_print_local(bot->online, "over",
                       json_pack("{s:s, s:I, s:i, s:O}", "room", room->id, "seq",
                                 (json_int_t)room->seq, "seat", room->seat, "state", room->state));
    online_say(bot->online, "Match %s is over.", bot->room);
    if (--bot->games_left == 0)
        online_stop(bot->online, EXIT_OK);
}

static void after_end(struct bot *bot, const json_t *state)
{
    const char *to = json_string_value(json_object_get(state, "rematch"));
    if (strcmp(bot->finished, bot->room) != 0)
        match_over(bot);
    if (bot->games_left == 0)
        return;
    if (!to) {
        ask(bot, "rematch");
        return;
    }
    wire_client_request(bot->online->client, request_make("leave", bot->room, NULL, NULL), NULL,
                        NULL);
    snprintf(bot->room, sizeof bot->room, "%s", to);
    enter(bot, SEAT_ANY, NULL);
}

static void think(struct bot *bot)
{
    int seat;
    const json_t *state = bot_state(bot, &seat);
    if (bot->busy || !state || bot->online->stopped)
        return;
    if (state_is(state, "over"))
        after_end(bot, state);
    else if (seat == WIRE_NO_SEAT ||
             json_is_true(json_object_get(state_seat(state, seat), "replaced")))
        enter(bot, SEAT_ANY, NULL); /* takes our seat back from the stand-in */
    else if (state_is(state, "lobby"))
        in_lobby(bot, state, seat);
    else if (state_is(state, "playing") && state_acts(state, seat))
        move(bot);
}

static void on_view(struct online *online, const struct wire_room *room)
{
    struct bot *bot = online->user;
    if (strcmp(room->id, bot->room) != 0)
        return;
    think(bot);
}

static void on_event(struct online *online, const struct wire_room *room, const json_t *push)
{
    struct bot *bot = online->user;
    (void)push;
    if (strcmp(room->id, bot->room) == 0)
        think(bot);
}

static void on_ready(struct online *online)
{
    struct bot *bot = online->user;
    bot->online = online;
    bot->options = online->invocation->options;
    bot->games_left = bot->options->games;
    bot->rng.state = (uint64_t)bot->options->seed;
    if (bot->options->seed < 0)
        bot->rng.state = randombytes_uniform(1U << 31);
    online_say(online, "Playing with seed %llu.", (unsigned long long)bot->rng.state);
    uv_timer_init(&online->loop, &bot->timer);
    bot->timer.data = bot;
    snprintf(bot->room, sizeof bot->room, "%s", online->invocation->operands[0]);
    const struct seat_options *where = &online->invocation->where;
    enter(bot, (int)where->seat, where->colour);
}

static void on_ended(struct online *online)
{
    struct bot *bot = online->user;
    if (bot->online)
        uv_close((uv_handle_t *)&bot->timer, NULL);
}

static int run(const struct invocation *invocation)
{
    static const struct online_app app = {
        .ready = on_ready, .view = on_view, .event = on_event, .ended = on_ended};
    struct bot bot = {0};
    if (strlen(invocation->operands[0]) > PROTOCOL_ROOM_BYTES) {
        fprintf(stderr, "taluva bot: that is no room\n");
        return EXIT_USAGE;
    }
    return online_run(invocation, &app, &bot);
}

const struct command command_bot = {
    .name = "bot",
    .operands = "ROOM",
    .summary = "Play random legal moves",
    .details =
        "Takes a seat, is ready, and plays a random legal move whenever it may, until the "
        "match\n"
        "is over; it leaves nothing to build for itself only if it must. Several bots need a\n"
        "--profile each. The bot on the first seat starts the match; if a person sits there, the\n"
        "person does.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .takes_seat = true,
    .rows = rows,
    .options_size = sizeof(struct bot_options),
    .run = run,
};
