#include "bot_table.h"

#include "refusal.h"
#include "seat.h"
#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

enum { RETRY_MS = 300, REFUSALS_MAX = 5 };

static const struct wire_room *room_of(const struct bot_table *table)
{
    return wire_client_room(table->bot->online->client, table->room);
}

static const json_t *state_of(const struct bot_table *table, int *seat)
{
    const struct wire_room *room = room_of(table);
    *seat = room ? room->seat : WIRE_NO_SEAT;
    return room ? room->state : NULL;
}

/* Whoever cannot play does not keep a seat in a lobby from others. */
static void stand_up(const struct bot_table *table)
{
    int seat;
    const json_t *state = state_of(table, &seat);
    if (state && seat != WIRE_NO_SEAT && state_is(state, "lobby"))
        wire_client_request(table->bot->online->client,
                            request_make("leave", table->room, NULL, NULL), NULL, NULL);
}

void bot_table_end(struct bot_table *table, int exit_code, const char *why)
{
    if (table->done)
        return;
    if (why) {
        online_say(table->bot->online, "Room %s: %s", table->room, why);
        online_print_local(table->bot->online, "ended",
                           json_pack("{s:s, s:s}", "room", table->room, "why", why));
    }
    if (exit_code != EXIT_OK)
        stand_up(table);
    table->done = true;
    bot_mind_cancel(&table->mind);
    bot_mind_end_engine(&table->mind);
    uv_timer_stop(&table->timer);
    table->bot->ended(table->bot, exit_code);
}

void bot_table_refused(struct bot_table *table, const json_t *error)
{
    char text[512];
    refusal_text(text, sizeof text, error);
    bot_table_end(table, EXIT_REFUSED, text);
}

/* ---- requests */

static void on_retry(uv_timer_t *timer)
{
    struct bot_table *table = timer->data;
    table->busy = false;
    bot_table_look(table);
}

/* The state has changed, or the server has a problem: tries again after a pause. */
static void retry_later(struct bot_table *table)
{
    if (table->done)
        return;
    table->busy = true;
    uv_timer_start(&table->timer, on_retry, RETRY_MS, 0);
}

static void on_settled(void *user, const json_t *ok, const json_t *error)
{
    struct bot_table *table = user;
    (void)ok;
    table->busy = false;
    if (error)
        retry_later(table);
    else
        bot_table_look(table);
}

static void send_request(struct bot_table *table, json_t *what, wire_reply_fn *reply)
{
    table->busy = true;
    if (wire_client_request(table->bot->online->client, what, reply, table) < 0)
        retry_later(table);
}

static void ask_of_room(struct bot_table *table, const char *op, wire_reply_fn *reply)
{
    send_request(table, request_make(op, table->room, NULL, NULL), reply);
}

/* ---- moves */

/* A server that refuses a move again and again will not take it the next time. */
static bool is_hopeless(struct bot_table *table, const json_t *error)
{
    static const char *const passing[] = {"slow_down", "part_away", "store_failing", "internal",
                                          "lost"};
    const struct wire_room *room = room_of(table);
    const char *code = json_string_value(json_object_get(error, "code"));
    for (size_t i = 0; code && i < sizeof passing / sizeof passing[0]; i++) {
        if (strcmp(code, passing[i]) == 0)
            return false;
    }
    if (!room || room->seq != table->moved_at)
        return false;
    return ++table->refusals >= REFUSALS_MAX;
}

static void on_moved(void *user, const json_t *ok, const json_t *error)
{
    struct bot_table *table = user;
    table->busy = false;
    if (ok) {
        bot_mind_played(&table->mind, json_integer_value(json_object_get(ok, "seq")));
        bot_table_look(table);
        return;
    }
    table->mind.plan.count = 0;
    if (is_hopeless(table, error))
        bot_table_refused(table, error);
    else
        retry_later(table);
}

static void send_move(struct bot_table *table, const char *move, bool confirm)
{
    json_t *what = request_make("move", table->room, "move", move);
    const struct wire_room *room = room_of(table);
    if (confirm)
        json_object_set_new(what, "confirm", json_true());
    if (room && room->seq != table->moved_at) {
        table->moved_at = room->seq;
        table->refusals = 0;
    }
    send_request(table, what, on_moved);
}

/* ---- any legal move */

/* Those that do not put their player out, unless all do. */
static size_t collect_moves(const json_t *ok, const char **moves, size_t max, bool *eliminating)
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
static const char *choose_move(struct rng *rng, const struct game *game,
                               const struct game_room *room, const char **moves, size_t count,
                               struct game_move *made)
{
    if (count > 0)
        return game->move_choose(rng, room->state, moves, count);
    return game->move_make && game->move_make(made, rng, room) ? made->text : NULL;
}

static void on_moves(void *user, const json_t *ok, const json_t *error)
{
    enum { MOVES_MAX = 8192 };
    static const char *moves[MOVES_MAX];
    struct bot_table *table = user;
    bool eliminating = false;
    size_t count = error ? 0 : collect_moves(ok, moves, MOVES_MAX, &eliminating);
    struct game_room room = {.legal = ok};
    struct game_move made;
    room.state = state_of(table, &room.seat);
    const struct game *game = games_find(state_text(room.state, "game"));
    const char *choice = choose_move(&table->rng, game, &room, moves, count, &made);
    if (error || !choice)
        retry_later(table);
    else
        send_move(table, choice, eliminating);
}

/* ---- moves at a level */

static void on_past(void *user, const json_t *ok, const json_t *error)
{
    struct bot_table *table = user;
    const json_t *push;
    size_t i;
    json_array_foreach(json_object_get(ok, "events"), i, push)
    {
        bot_mind_hear(&table->mind, push);
    }
    on_settled(table, ok, error);
}

static void catch_up(struct bot_table *table)
{
    json_t *what =
        request_make("past", table->room, "code", table->bot->online->invocation->online.code);
    json_object_set_new(what, "have", json_integer(table->mind.heard));
    send_request(table, what, on_past);
}

/* Goes on once it has thought and the time for an answer is over, whichever comes last. */
static void answer_when_due(struct bot_table *table)
{
    if (table->mind.thinking || uv_is_active((const uv_handle_t *)&table->timer))
        return;
    table->busy = false;
    if (!table->bot->online->stopped)
        bot_table_look(table);
}

static void on_thought(void *user)
{
    answer_when_due(user);
}

static void on_answer_due(uv_timer_t *timer)
{
    answer_when_due(timer->data);
}

static bool think_move(struct bot_table *table, const struct wire_room *room)
{
    const unsigned answer_ms = table->mind.thinker->answer_ms;
    if (!bot_mind_think(&table->mind, &table->bot->online->loop, room->state, room->seq, room->seat,
                        rng_next(&table->rng)))
        return false;
    if (answer_ms > 0)
        uv_timer_start(&table->timer, on_answer_due, answer_ms, 0);
    return true;
}

static void end_with_engine(struct bot_table *table)
{
    char why[GAME_PROBLEM + 32];
    (void)snprintf(why, sizeof why, "the engine is broken: %s.", table->mind.broken);
    bot_table_end(table, EXIT_DATA, why);
}

static void play_level(struct bot_table *table)
{
    static const char no_position[] =
        "the server's state is no position of the rules that this program knows.";
    const struct wire_room *room = room_of(table);
    const struct game_move *move = bot_mind_move(&table->mind, room->seq);
    if (*table->mind.broken)
        end_with_engine(table);
    else if (table->mind.heard != room->seq)
        catch_up(table);
    else if (move)
        send_move(table, move->text, move->confirm);
    else if (think_move(table, room))
        table->busy = true;
    else
        bot_table_end(table, EXIT_DIFFERS, no_position);
}

static void on_delay_over(uv_timer_t *timer)
{
    struct bot_table *table = timer->data;
    int seat;
    const json_t *state = state_of(table, &seat);
    table->busy = false;
    if (!table->mind.thinker)
        ask_of_room(table, "moves", on_moves);
    else if (state && seat != WIRE_NO_SEAT && state_acts(state, seat))
        play_level(table);
    else
        bot_table_look(table);
}

static void make_move(struct bot_table *table)
{
    const struct wire_room *room = room_of(table);
    if (table->mind.thinker &&
        (table->mind.heard != room->seq || bot_mind_move(&table->mind, room->seq))) {
        play_level(table); /* what comes before thinking, and what was thought of */
        return;
    }
    table->busy = true;
    uv_timer_start(&table->timer, on_delay_over, (uint64_t)table->bot->options->delay_ms, 0);
}

/* ---- before and after */

static void on_seated(void *user, const json_t *ok, const json_t *error)
{
    struct bot_table *table = user;
    const char *code = json_string_value(json_object_get(error, "code"));
    (void)ok;
    table->busy = false;
    if (!error) {
        bot_table_look(table);
    } else if (code && strcmp(code, "already_seated") == 0) {
        table->busy = true;
        seat_take(table->bot->online, table->room, SEAT_ANY, NULL, true, on_seated, table);
    } else {
        bot_table_refused(table, error);
    }
}

void bot_table_enter(struct bot_table *table, int seat, const char *colour)
{
    table->busy = true;
    seat_take(table->bot->online, table->room, seat, colour, false, on_seated, table);
}

static void in_lobby(struct bot_table *table, const json_t *state, int seat)
{
    if (!state_seat_is_ready(state, seat)) {
        table->busy = true;
        seat_ready(table->bot->online, table->room, on_settled, table);
    } else if (state_all_are_ready(state) && (table->bot->options->start || seat == 0)) {
        ask_of_room(table, "start", on_settled);
    }
}

/* Counts the match, and ends the table after the last one. */
static void match_over(struct bot_table *table)
{
    const struct wire_room *room = room_of(table);
    memcpy(table->finished, table->room, sizeof table->finished);
    online_print_local(table->bot->online, "over",
                       json_pack("{s:s, s:I, s:i, s:O}", "room", room->id, "seq",
                                 (json_int_t)room->seq, "seat", room->seat, "state", room->state));
    online_say(table->bot->online, "Match %s is over.", table->room);
    if (--table->games_left == 0)
        bot_table_end(table, EXIT_OK, NULL);
}

static void after_end(struct bot_table *table, const json_t *state)
{
    const char *to = json_string_value(json_object_get(state, "rematch"));
    if (strcmp(table->finished, table->room) != 0)
        match_over(table);
    if (table->done)
        return;
    if (!to) {
        ask_of_room(table, "rematch", on_settled);
        return;
    }
    wire_client_request(table->bot->online->client, request_make("leave", table->room, NULL, NULL),
                        NULL, NULL);
    snprintf(table->room, sizeof table->room, "%s", to);
    bot_mind_forget(&table->mind);
    bot_table_enter(table, SEAT_ANY, NULL);
}

/* ---- which level, or engine */

static void open_engine(struct bot_table *table, const struct game *game)
{
    const struct bot_options *options = table->bot->options;
    const struct engine_limits limits = {.simulations = options->simulations,
                                         .ms = options->time_ms};
    if (!game->engine)
        bot_table_end(table, EXIT_USAGE, "there are no engines of this game.");
    else if (!bot_mind_open_engine(&table->mind, game, options->engine, &limits,
                                   &table->bot->online->loop, on_thought, table))
        bot_table_end(table, EXIT_MEMORY, "the engine cannot be started.");
}

static void open_mind(struct bot_table *table, const struct game *game, const char *level)
{
    const unsigned number = game_level_of(game, level);
    const char *why = NULL;
    int code = EXIT_USAGE;
    if (!game->thinker) {
        why = "only a server has computer players of this game; its host seats them.";
    } else if (number == 0) {
        why = "this game has no such level.";
    } else if (!bot_mind_open(&table->mind, game->thinker, number, on_thought, table)) {
        why = "memory ran out.";
        code = EXIT_MEMORY;
    }
    if (why)
        bot_table_end(table, code, why);
}

/* Is all there to play this game? If not the table has ended. */
static bool prepare_game(struct bot_table *table, const json_t *state)
{
    const struct game *game = games_find(state_text(state, "game"));
    const char *level = table->bot->options->level;
    if (!game)
        bot_table_end(table, EXIT_USAGE, "this program does not know the game.");
    else if (level && !table->mind.thinker)
        open_mind(table, game, level);
    else if (table->bot->options->engine && !table->mind.thinker)
        open_engine(table, game);
    return !table->done;
}

/* As the server's computers do; once in each state, as the server may refuse it. False: not. */
static bool agree_to_offer(struct bot_table *table, const json_t *state, int seat)
{
    const struct wire_room *room = room_of(table);
    const char *what = state_offer_to(state, seat);
    if (!what || room->seq == table->agreed_at)
        return false;
    table->agreed_at = room->seq;
    send_request(table, request_make("offer", table->room, "what", what), on_settled);
    return true;
}

void bot_table_look(struct bot_table *table)
{
    int seat;
    const json_t *state = state_of(table, &seat);
    if (table->busy || table->done || !state || table->bot->leaving ||
        table->bot->online->stopped || !prepare_game(table, state))
        return;
    if (state_is(state, "over"))
        after_end(table, state);
    else if (seat == WIRE_NO_SEAT ||
             json_is_true(json_object_get(state_seat(state, seat), "replaced")))
        bot_table_enter(table, SEAT_ANY, NULL); /* takes our seat back from the stand-in */
    else if (state_is(state, "lobby"))
        in_lobby(table, state, seat);
    else if (agree_to_offer(table, state, seat))
        return;
    else if (state_is(state, "playing") && state_acts(state, seat))
        make_move(table);
}

void bot_table_hear(struct bot_table *table, const json_t *push)
{
    bot_mind_hear(&table->mind, push);
    if (table->mind.thinking)
        bot_mind_cancel(&table->mind); /* the state that it thinks about is no more */
    bot_table_look(table);
}
