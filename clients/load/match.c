#include "match.h"

#include <assert.h>
#include <protocol/merge_patch.h>
#include <protocol/terms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct player_room room_ops;

static struct load_match *match_of(const struct player *player)
{
    return player->match;
}

static bool is_over(const struct load_match *match)
{
    return match->plan->game->acting(match->copy) == LOAD_GAME_OVER;
}

/* The match is not over. */
static unsigned seat_to_move(const struct load_match *match)
{
    const int seat = match->plan->game->acting(match->copy);
    assert(seat >= 0 && (unsigned)seat < match->seats);
    return (unsigned)seat;
}

/* A run of so many games does not wait for a match that has lost a client for good. */
static void fail_match(struct load_match *match, enum failure failure, const char *what)
{
    match->stats->failures[failure]++;
    match->plan->report(match, failure, what);
    if ((failure == FAILURE_CONNECT || failure == FAILURE_CUT) && match->plan->games != 0 &&
        !match->lost) {
        match->lost = true;
        match->plan->over(match);
    }
}

static unsigned count_views(const struct load_match *match)
{
    return match->plan->game->hides ? match->seats + 1 : 1;
}

bool load_match_init(struct load_match *match, const struct match_plan *plan,
                     const struct line_route *route, struct stats *stats, void *owner,
                     unsigned number, uint64_t seed)
{
    const unsigned seats = plan->game->players(plan->game_options, number);
    *match = (struct load_match){
        .plan = plan,
        .stats = stats,
        .owner = owner,
        .number = number,
        .rng = {seed ^ ((uint64_t)number << 32)},
        .options = plan->game->create_options(plan->game_options, number),
        .seats = seats,
        .n_clients = seats + plan->watchers,
        .in_place = plan->sample && number % MATCH_SAMPLE != 0,
        .copy = calloc(1, plan->game->copy_size),
    };
    match->clients = calloc(match->n_clients, sizeof *match->clients);
    match->views = calloc(count_views(match), sizeof *match->views);
    if (!told_init(&match->told, count_views(match), plan->game->copy_size) || !match->options ||
        !match->clients || !match->views || !match->copy)
        return false;
    for (unsigned i = 0; i < match->n_clients; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "load %u.%u", number, i);
        const int64_t first_id = (int64_t)(rng_next(&match->rng) >> 12);
        player_init(&match->clients[i], &room_ops, match, route, stats,
                    i < seats ? (uint8_t)i : PLAYER_WATCHES, name, first_id);
    }
    return true;
}

static void forget_views(struct load_match *match)
{
    for (unsigned i = 0; match->views && i < count_views(match); i++) {
        json_decref(match->views[i].state);
        match->views[i] = (struct match_view){.seq = 0};
    }
}

void load_match_release(struct load_match *match)
{
    for (unsigned i = 0; match->clients && i < match->n_clients; i++)
        player_release(&match->clients[i]);
    forget_views(match);
    told_release(&match->told);
    json_decref(match->options);
    free(match->views);
    free(match->clients);
    free(match->copy);
}

void load_match_connect(struct load_match *match)
{
    for (unsigned i = 0; i < match->n_clients; i++)
        player_connect(&match->clients[i]);
}

void load_match_stop(struct load_match *match)
{
    for (unsigned i = 0; i < match->n_clients; i++)
        player_cut(&match->clients[i], PLAYER_GONE);
}

/* ---- making a room */

static void enter_room(struct player *player, const char *room)
{
    struct request request;
    memcpy(player->room, room, sizeof player->room);
    const bool watches = player->seat == PLAYER_WATCHES;
    player_request(player, &request, watches ? REQUEST_WATCH : REQUEST_JOIN);
    if (!watches) {
        request.seat = player->seat;
        request.fields |= REQUEST_SEAT;
    }
    player->stage = PLAYER_ENTER;
    player->enter_id = player_ask(player, &request);
}

static void on_greeted(struct player *player)
{
    struct load_match *match = match_of(player);
    if (player == &match->clients[0]) {
        struct request request;
        player_request(player, &request, REQUEST_CREATE);
        request.options = json_incref(match->options);
        (void)snprintf(request.game, sizeof request.game, "%s", match->plan->game->name);
        request.fields |= REQUEST_OPTIONS | REQUEST_GAME;
        (void)player_ask(player, &request);
        request_release(&request);
    } else if (match->clients[0].stage == PLAYER_IN) {
        enter_room(player, match->clients[0].room);
    }
}

static void on_created(struct player *player, const char *room)
{
    if (!room || strlen(room) != PROTOCOL_ROOM_BYTES) {
        fail_match(match_of(player), FAILURE_MALFORMED, "no room in the answer to create");
        return;
    }
    enter_room(player, room);
}

static void get_ready(struct player *player, struct load_match *match)
{
    struct request request;
    player_request(player, &request, REQUEST_READY);
    request.ready = true;
    const unsigned long long low = rng_next(&match->rng), high = rng_next(&match->rng);
    (void)snprintf(request.nonce, sizeof request.nonce, "%016llx%016llx", high, low);
    request.fields |= REQUEST_IS_READY | REQUEST_NONCE;
    (void)player_ask(player, &request);
}

static void start_match(struct load_match *match)
{
    struct request request;
    player_request(&match->clients[0], &request, REQUEST_START);
    (void)player_ask(&match->clients[0], &request);
}

static void resend_move(struct load_match *match, const struct player *player);
static void see_over(struct load_match *match, struct player *player);

/* Which view a client shares, and the view's number. */
static unsigned view_number(const struct load_match *match, const struct player *player)
{
    if (match->told.views == 1)
        return 0;
    return player->seat == PLAYER_WATCHES ? match->seats : player->seat;
}

_Static_assert((int)PLAYER_WATCHES == (int)LOAD_WATCHER, "a player's seat is a viewer");

static void check_view(struct load_match *match, const void *copy, const struct player *player,
                       const struct match_view *view);

/* A view that has missed something while its only client was away. */
static void take_missed(struct load_match *match, const struct player *player,
                        struct match_view *view, json_t *state)
{
    const struct told_event *event = told_find(&match->told, player->seq);
    json_decref(view->state);
    view->state = json_incref(state);
    view->seq = player->seq;
    if (event && event->playing)
        check_view(match, event->copy, player, view);
}

/* A whole state must be the one that its pushes have led to. */
static void take_state(struct load_match *match, const struct player *player, json_t *state)
{
    struct match_view *view = &match->views[view_number(match, player)];
    if (match->in_place && match->playing)
        return;
    if (!view->state) {
        view->state = json_incref(state);
        view->seq = player->seq;
        match->seq = match->seq == 0 ? player->seq : match->seq;
    } else if (player->seq == view->seq && !json_equal(state, view->state)) {
        fail_match(match, FAILURE_DIFFERS, "a view of the state");
    } else if (player->seq > view->seq && match->told.views > 1) {
        take_missed(match, player, view, state);
    }
}

static void rejoin_match(struct load_match *match, struct player *player)
{
    resend_move(match, player);
    see_over(match, player);
}

static void on_entered(struct player *player, json_t *state)
{
    struct load_match *match = match_of(player);
    if (state)
        take_state(match, player, state);
    if (match->playing) {
        rejoin_match(match, player);
        return;
    }
    if (player == &match->clients[0]) {
        for (unsigned i = 1; i < match->n_clients; i++) {
            if (match->clients[i].stage == PLAYER_IDLE)
                enter_room(&match->clients[i], player->room);
        }
    }
    if (player->seat == PLAYER_WATCHES && match->plan->slow_watchers)
        line_read(&player->line, false);
    if (++match->n_in == match->n_clients) {
        for (unsigned i = 0; i < match->seats; i++)
            get_ready(&match->clients[i], match);
    }
}

/* ---- playing */

static struct match_note *note_of(struct load_match *match, int64_t seq)
{
    return &match->notes[(uint64_t)seq % MATCH_NOTES];
}

static void send_move(struct load_match *match, const struct match_note *note)
{
    struct player *player = &match->clients[note->mover];
    struct request request;
    player_request(player, &request, REQUEST_MOVE);
    request.id = note->id;
    memcpy(request.move, match->move.text, sizeof match->move.text);
    request.fields |= REQUEST_MOVE_TEXT;
    if (match->move.confirm) {
        request.confirm = true;
        request.fields |= REQUEST_CONFIRM;
    }
    (void)player_ask(player, &request);
}

/* Sends the next move if its sender is there, knows that it is its turn, and the move is due. */
static void send_next_move(struct load_match *match)
{
    if (!match->playing || match->moving || is_over(match) ||
        (match->plan->open_loop && match->due_count == 0))
        return;
    struct player *player = &match->clients[seat_to_move(match)];
    if (player->stage != PLAYER_IN || player->seq != match->seq)
        return;
    struct match_note *note = note_of(match, match->seq + 1);
    *note = (struct match_note){
        .seq = match->seq + 1,
        .id = player->next_id++,
        .due_us = match->plan->now_us(),
        .mover = seat_to_move(match),
    };
    if (match->plan->open_loop) {
        note->due_us = match->due_us[match->due_head];
        match->due_head = (match->due_head + 1) % MATCH_DUE_MAX;
        match->due_count--;
    }
    match->plan->game->choose(match->copy, &match->rng, &match->move);
    match->moving = true;
    match->stats->moves_sent++;
    send_move(match, note);
}

/* After a cut: what was sent may be lost, or its reply; the same id makes it harmless to say it
 * again. */
static void resend_move(struct load_match *match, const struct player *player)
{
    const struct match_note *note = note_of(match, match->seq + 1);
    if (match->moving && note->seq == match->seq + 1 && player == &match->clients[note->mover] &&
        player->seq == match->seq)
        send_move(match, note);
}

void load_match_due(struct load_match *match, uint64_t due_us)
{
    if (match->due_count == MATCH_DUE_MAX) {
        fail_match(match, FAILURE_OVERRUN, "more moves due than can be remembered");
        return;
    }
    match->due_us[(match->due_head + match->due_count++) % MATCH_DUE_MAX] = due_us;
    send_next_move(match);
}

static bool is_move_id(const struct load_match *match, const struct player *player, int64_t id)
{
    for (size_t i = 0; i < MATCH_NOTES; i++) {
        if (match->notes[i].id == id && &match->clients[match->notes[i].mover] == player)
            return true;
    }
    return false;
}

static void on_answered(struct player *player, int64_t id, int64_t seq)
{
    struct load_match *match = match_of(player);
    const struct match_note *note = note_of(match, seq);
    if (note->seq == seq && note->id == id) {
        match->stats->moves++;
        histogram_record(&match->stats->acknowledged, match->plan->now_us() - note->due_us);
    } else if (id < player->first_id || id >= player->next_id || is_move_id(match, player, id)) {
        fail_match(match, FAILURE_DIFFERS, "an answer to what was not asked");
    }
}

static bool same_word(const json_t *object, const char *key, const char *word)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, word) == 0;
}

static bool has_seat(const json_t *event, unsigned seat)
{
    const json_t *value = json_object_get(event, "seat");
    return json_is_integer(value) && json_integer_value(value) == (json_int_t)seat;
}

/* Applies an event that no client has received before to the match's own copy. */
static bool advance_copy(struct load_match *match, const struct match_view *view,
                         const json_t *event)
{
    if (same_word(event, "kind", "readied")) {
        if (++match->n_ready == match->seats)
            start_match(match);
        return true;
    }
    if (same_word(event, "kind", "started")) {
        match->stats->games_started++;
        match->playing = match->plan->game->begin(match->copy, view->state);
        return match->playing;
    }
    if (same_word(event, "kind", "move"))
        return match->moving && has_seat(event, seat_to_move(match)) &&
               match->plan->game->play(match->copy, &match->move, event, view->state);
    return !match->playing; /* lobby events; nothing else may happen in a match of ours */
}

/* What views that receive the event later are held against. */
static void keep_event(struct load_match *match, struct told_event *told, const json_t *event)
{
    told->is_move = same_word(event, "kind", "move");
    told->playing = match->playing;
    told->move = match->move;
    if (told->copy)
        memcpy(told->copy, match->copy, match->plan->game->copy_size);
}

static bool on_same(const struct player *player, const char *bytes, size_t len)
{
    struct load_match *match = match_of(player);
    const struct told_event *told = told_find(&match->told, player->seq + 1);
    return told && told_knows(told, view_number(match, player), bytes, len);
}

static void check_view(struct load_match *match, const void *copy, const struct player *player,
                       const struct match_view *view)
{
    const struct load_game *game = match->plan->game;
    const unsigned every = match->plan->check_every;
    const bool whole =
        game->acting(copy) == LOAD_GAME_OVER || (every != 0 && view->seq % every == 0);
    const char *difference = game->difference(copy, player->seat, view->state, whole);
    match->stats->states_checked += whole;
    if (difference)
        fail_match(match, FAILURE_DIFFERS, difference);
}

/* An event that no client of the view has received before. `told` is NULL if it is long ago. */
static bool learn_event(struct load_match *match, const struct player *player,
                        struct told_event *told, json_t *push, const char *bytes, size_t len)
{
    struct match_view *view = &match->views[view_number(match, player)];
    const json_t *event = json_object_get(push, "event");
    const bool first = player->seq == match->seq + 1;
    if (!merge_patch(&view->state, json_object_get(push, "patch")))
        return false;
    view->seq++;
    if (first) {
        match->seq++;
        if (!advance_copy(match, view, event))
            return false;
        keep_event(match, told, event);
    }
    if (!told)
        return true;
    told_add(&match->told, told, view_number(match, player), push, bytes, len);
    const void *copy = told->copy ? told->copy : match->copy;
    if (told->is_move && !match->plan->game->tells(copy, &told->move, player->seat, event))
        return false;
    if (told->playing)
        check_view(match, copy, player, view);
    return true;
}

static unsigned clients_that_read(const struct load_match *match)
{
    return match->plan->slow_watchers ? match->seats : match->n_clients;
}

static void finish_game(struct load_match *match)
{
    match->stats->games_over++;
    match->games_played++;
    match->playing = false;
    match->n_in = match->n_ready = match->n_seen_over = 0;
    told_clear(&match->told);
    forget_views(match);
    match->seq = 0;
    if (match->plan->games != 0 && match->games_played == match->plan->games) {
        if (!match->lost)
            match->plan->over(match);
        return;
    }
    for (unsigned i = 0; i < match->n_clients; i++) {
        match->clients[i].seen_over = false;
        player_leave_room(&match->clients[i]);
    }
    on_greeted(&match->clients[0]);
}

/* The game is over once everybody who reads knows it. */
static void see_over(struct load_match *match, struct player *player)
{
    if (!is_over(match) || player->seq != match->seq || player->seen_over)
        return;
    player->seen_over = true;
    if (++match->n_seen_over == clients_that_read(match))
        finish_game(match);
}

/* Those who were cut for a while and have missed enough by now. */
static void reconnect_due(struct load_match *match)
{
    for (unsigned i = 0; i < match->n_clients; i++) {
        struct player *player = &match->clients[i];
        if (!line_is_there(&player->line) && player->cut_on_purpose &&
            player->cut == PLAYER_AWHILE && (match->seq >= player->back_at || is_over(match)))
            player_connect(player);
    }
}

/* Who moved may move on; for all others the move has arrived. */
static void note_arrival(struct load_match *match, const struct player *player)
{
    const struct match_note *note = note_of(match, player->seq);
    if (note->seq != player->seq) {
        return; /* long ago */
    }
    if (player == &match->clients[note->mover])
        match->moving = false;
    else if (player->resume_until == 0)
        histogram_record(&match->stats->delivered, match->plan->now_us() - note->due_us);
}

/* From here on nothing is held against it. */
static void forget_state(struct load_match *match)
{
    told_clear(&match->told);
    forget_views(match);
    for (unsigned i = 0; i < match->n_clients; i++)
        match->clients[i].in_place = true;
}

static void on_pushed(struct player *player, json_t *push, const char *bytes, size_t len)
{
    struct load_match *match = match_of(player);
    const struct match_view *view = &match->views[view_number(match, player)];
    const bool first = player->seq == match->seq + 1;
    if (player->in_place) {
        fail_match(match, FAILURE_MALFORMED, "a push that is not spelled as our server does");
        return;
    }
    struct told_event *told =
        first ? told_begin(&match->told, player->seq) : told_find(&match->told, player->seq);
    if (player->seq == view->seq + 1) {
        json_t *read = push ? push : told_push(told, bytes, len);
        if (!learn_event(match, player, told, read, bytes, len)) {
            fail_match(match, FAILURE_DIFFERS, "an event that this match did not make");
            return;
        }
    } else if (push && told) {
        fail_match(match, FAILURE_DIFFERS, "a push unlike the one that another client was sent");
        return;
    }
    if (told && told->is_move) {
        histogram_record(&match->stats->push_size, len);
        note_arrival(match, player);
    }
    if (!match->playing)
        return;
    reconnect_due(match);
    see_over(match, player);
    if (first && told && !told->is_move) { /* started */
        if (match->in_place)
            forget_state(match);
        match->plan->playing(match);
    }
    send_next_move(match);
}

/* Of a room outside the sample: the first who hears of a move plays it, the others count. */
static void on_followed(struct player *player, const struct message_event *event, size_t len)
{
    struct load_match *match = match_of(player);
    if (!match->playing)
        return;
    if (player->seq == match->seq + 1) {
        match->seq++;
        if (!match->moving || is_over(match) || !event->is_move ||
            event->seat != (int64_t)seat_to_move(match) ||
            !match->plan->game->follow(match->copy, &match->move, event->move)) {
            fail_match(match, FAILURE_DIFFERS, "an event that this match did not make");
            return;
        }
    }
    if (event->is_move) {
        histogram_record(&match->stats->push_size, len);
        note_arrival(match, player);
    }
    reconnect_due(match);
    see_over(match, player);
    send_next_move(match);
}

/* ---- trouble */

void load_match_cut(struct load_match *match, unsigned client, unsigned away)
{
    assert(client < match->n_clients);
    struct player *player = &match->clients[client];
    if (player->stage == PLAYER_IN) {
        player->back_at = match->seq + away;
        player_cut(player, away > 0 ? PLAYER_AWHILE : PLAYER_BACK);
    }
}

static void on_failed(struct player *player, enum failure failure, const char *what)
{
    if (failure == FAILURE_CUT && player->seat == PLAYER_WATCHES &&
        match_of(player)->plan->slow_watchers) {
        player_connect(player); /* what a slow reader has to expect */
        return;
    }
    fail_match(match_of(player), failure, what);
}

static const struct player_room room_ops = {
    .greeted = on_greeted,
    .entered = on_entered,
    .created = on_created,
    .same = on_same,
    .pushed = on_pushed,
    .followed = on_followed,
    .answered = on_answered,
    .failed = on_failed,
};
