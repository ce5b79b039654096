#include "match.h"

#include <assert.h>
#include <protocol/merge_patch.h>
#include <protocol/terms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUSH_BYTES_MAX = 1 << 20 };

static const struct player_room room_ops;

static struct match *match_of(const struct player *player)
{
    return player->match;
}

static bool is_over(const struct match *match)
{
    return match->plan->game->acting(match->copy) == LOAD_GAME_OVER;
}

/* The match is not over. */
static unsigned seat_to_move(const struct match *match)
{
    const int seat = match->plan->game->acting(match->copy);
    assert(seat >= 0 && (unsigned)seat < match->plan->seats);
    return (unsigned)seat;
}

static void fail(struct match *match, enum failure failure, const char *what)
{
    match->stats->failures[failure]++;
    match->plan->report(match, failure, what);
}

bool match_init(struct match *match, const struct match_plan *plan,
                const struct player_route *route, struct stats *stats, void *owner, unsigned number,
                uint64_t seed)
{
    *match = (struct match){
        .plan = plan,
        .stats = stats,
        .owner = owner,
        .number = number,
        .rng = {seed ^ ((uint64_t)number << 32)},
        .n_clients = plan->seats + plan->watchers,
        .copy = calloc(1, plan->game->copy_size),
    };
    match->clients = calloc(match->n_clients, sizeof *match->clients);
    if (!match->clients || !match->copy)
        return false;
    for (unsigned i = 0; i < MATCH_PUSHES; i++)
        buffer_init(&match->pushes[i].bytes, 0, PUSH_BYTES_MAX);
    for (unsigned i = 0; i < match->n_clients; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "load %u.%u", number, i);
        const int64_t first_id = (int64_t)(rng_next(&match->rng) >> 12);
        player_init(&match->clients[i], &room_ops, match, route, stats,
                    i < plan->seats ? (uint8_t)i : PLAYER_WATCHES, name, first_id);
    }
    return true;
}

void match_release(struct match *match)
{
    for (unsigned i = 0; match->clients && i < match->n_clients; i++)
        player_release(&match->clients[i]);
    for (unsigned i = 0; i < MATCH_PUSHES; i++)
        buffer_release(&match->pushes[i].bytes);
    json_decref(match->state);
    free(match->clients);
    free(match->copy);
}

void match_connect(struct match *match)
{
    for (unsigned i = 0; i < match->n_clients; i++)
        player_connect(&match->clients[i]);
}

void match_stop(struct match *match)
{
    for (unsigned i = 0; i < match->n_clients; i++)
        player_cut(&match->clients[i], PLAYER_GONE);
}

/* ---- making a room */

static void enter(struct player *player, const char *room)
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
    struct match *match = match_of(player);
    if (player == &match->clients[0]) {
        struct request request;
        player_request(player, &request, REQUEST_CREATE);
        request.options = json_incref(match->plan->options);
        request.fields |= REQUEST_OPTIONS;
        (void)player_ask(player, &request);
        request_release(&request);
    } else if (match->clients[0].stage == PLAYER_IN) {
        enter(player, match->clients[0].room);
    }
}

static void on_created(struct player *player, const char *room)
{
    if (!room || strlen(room) != PROTOCOL_ROOM_BYTES) {
        fail(match_of(player), FAILURE_MALFORMED, "no room in the answer to create");
        return;
    }
    enter(player, room);
}

static void get_ready(struct player *player, struct match *match)
{
    struct request request;
    player_request(player, &request, REQUEST_READY);
    request.ready = true;
    (void)snprintf(request.nonce, sizeof request.nonce, "%016llx%016llx",
                   (unsigned long long)rng_next(&match->rng),
                   (unsigned long long)rng_next(&match->rng));
    request.fields |= REQUEST_IS_READY | REQUEST_NONCE;
    (void)player_ask(player, &request);
}

static void start(struct match *match)
{
    struct request request;
    player_request(&match->clients[0], &request, REQUEST_START);
    (void)player_ask(&match->clients[0], &request);
}

static void resend_move(struct match *match, const struct player *player);
static void see_over(struct match *match, struct player *player);

/* A whole state must be the one that its pushes have led to. */
static void take_state(struct match *match, const struct player *player, json_t *state)
{
    if (!match->state) {
        match->state = json_incref(state);
        match->seq = player->seq;
    } else if (player->seq == match->seq && !json_equal(state, match->state)) {
        fail(match, FAILURE_DIFFERS, "a view of the state");
    }
}

static void rejoin(struct match *match, struct player *player)
{
    resend_move(match, player);
    see_over(match, player);
}

static void on_entered(struct player *player, json_t *state)
{
    struct match *match = match_of(player);
    if (state)
        take_state(match, player, state);
    if (match->playing) {
        rejoin(match, player);
        return;
    }
    if (player == &match->clients[0]) {
        for (unsigned i = 1; i < match->n_clients; i++) {
            if (match->clients[i].stage == PLAYER_IDLE)
                enter(&match->clients[i], player->room);
        }
    }
    if (player->seat == PLAYER_WATCHES && match->plan->slow_watchers)
        wire_socket_read(player->socket, false);
    if (++match->n_in == match->n_clients) {
        for (unsigned i = 0; i < match->plan->seats; i++)
            get_ready(&match->clients[i], match);
    }
}

/* ---- playing */

static struct match_note *note_of(struct match *match, int64_t seq)
{
    return &match->notes[(uint64_t)seq % MATCH_NOTES];
}

static void send_move(struct match *match, const struct match_note *note)
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
static void send_next_move(struct match *match)
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
static void resend_move(struct match *match, const struct player *player)
{
    const struct match_note *note = note_of(match, match->seq + 1);
    if (match->moving && note->seq == match->seq + 1 && player == &match->clients[note->mover] &&
        player->seq == match->seq)
        send_move(match, note);
}

void match_due(struct match *match, uint64_t due_us)
{
    if (match->due_count == MATCH_DUE_MAX) {
        fail(match, FAILURE_OVERRUN, "more moves due than can be remembered");
        return;
    }
    match->due_us[(match->due_head + match->due_count++) % MATCH_DUE_MAX] = due_us;
    send_next_move(match);
}

static void on_answered(struct player *player, int64_t id, int64_t seq)
{
    struct match *match = match_of(player);
    const struct match_note *note = note_of(match, seq);
    if (note->seq == seq && note->id == id) {
        match->stats->moves++;
        histogram_record(&match->stats->acknowledged, match->plan->now_us() - note->due_us);
    }
}

static bool same_word(const json_t *object, const char *key, const char *word)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, word) == 0;
}

/* Applies an event that no client has received before to the match's own copy. */
static bool advance(struct match *match, const json_t *event)
{
    if (same_word(event, "kind", "readied")) {
        if (++match->n_ready == match->plan->seats)
            start(match);
        return true;
    }
    if (same_word(event, "kind", "started")) {
        match->stats->games_started++;
        match->playing = match->plan->game->begin(match->copy, match->state);
        return match->playing;
    }
    if (same_word(event, "kind", "move"))
        return match->moving && same_word(event, "move", match->move.text) &&
               match->plan->game->play(match->copy, &match->move, match->state);
    return !match->playing; /* lobby events; nothing else may happen in a match of ours */
}

static struct match_push *push_of(struct match *match, int64_t seq)
{
    return &match->pushes[(uint64_t)seq % MATCH_PUSHES];
}

static bool on_same(const struct player *player, const char *bytes, size_t len)
{
    struct match *match = match_of(player);
    const struct match_push *push = push_of(match, player->seq + 1);
    return push->seq == player->seq + 1 && push->bytes.len == len && !push->bytes.failed &&
           memcmp(buffer_payload(&push->bytes), bytes, len) == 0;
}

static void check(struct match *match)
{
    const bool over = is_over(match);
    const unsigned every = match->plan->check_every;
    const bool whole = over || (every != 0 && match->seq % every == 0);
    const char *difference = match->plan->game->difference(match->copy, match->state, whole);
    match->stats->states_checked += whole;
    if (difference)
        fail(match, FAILURE_DIFFERS, difference);
}

/* An event that is received for the first time. */
static bool learn(struct match *match, json_t *push, const char *bytes, size_t len)
{
    struct match_push *slot = push_of(match, ++match->seq);
    const json_t *event = json_object_get(push, "event");
    slot->seq = match->seq;
    slot->is_move = same_word(event, "kind", "move");
    buffer_clear(&slot->bytes);
    buffer_append(&slot->bytes, bytes, len);
    if (!merge_patch(&match->state, json_object_get(push, "patch")) || !advance(match, event))
        return false;
    if (match->playing)
        check(match);
    return true;
}

static unsigned clients_that_read(const struct match *match)
{
    return match->plan->slow_watchers ? match->plan->seats : match->n_clients;
}

static void finish_game(struct match *match)
{
    match->stats->games_over++;
    match->games_played++;
    match->playing = false;
    match->n_in = match->n_ready = match->n_seen_over = 0;
    for (unsigned i = 0; i < MATCH_PUSHES; i++)
        match->pushes[i].seq = 0;
    json_decref(match->state);
    match->state = NULL;
    match->seq = 0;
    if (match->plan->games != 0 && match->games_played == match->plan->games) {
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
static void see_over(struct match *match, struct player *player)
{
    if (!is_over(match) || player->seq != match->seq || player->seen_over)
        return;
    player->seen_over = true;
    if (++match->n_seen_over == clients_that_read(match))
        finish_game(match);
}

/* Those who were cut for a while and have missed enough by now. */
static void reconnect_due(struct match *match)
{
    for (unsigned i = 0; i < match->n_clients; i++) {
        struct player *player = &match->clients[i];
        if (!player->socket && player->back_at != 0 && player->cut == PLAYER_AWHILE &&
            (match->seq >= player->back_at || is_over(match))) {
            player->back_at = 0;
            player_connect(player);
        }
    }
}

/* Who moved may move on; for all others the move has arrived. */
static void note_arrival(struct match *match, const struct player *player)
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

static void on_pushed(struct player *player, json_t *push, const char *bytes, size_t len)
{
    struct match *match = match_of(player);
    const struct match_push *slot = push_of(match, player->seq);
    const bool first = player->seq == match->seq + 1;
    if (first && !learn(match, push, bytes, len)) {
        fail(match, FAILURE_DIFFERS, "an event that this match did not make");
        return;
    }
    if (!first && push && slot->seq == player->seq) {
        fail(match, FAILURE_DIFFERS, "a push unlike the one that another client was sent");
        return;
    }
    if (slot->seq == player->seq && slot->is_move) {
        histogram_record(&match->stats->push_size, len);
        note_arrival(match, player);
    }
    if (!match->playing)
        return;
    reconnect_due(match);
    see_over(match, player);
    if (first && !slot->is_move) { /* started */
        match->plan->playing(match);
    }
    send_next_move(match);
}

/* ---- trouble */

void match_cut(struct match *match, unsigned client, unsigned away)
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
    fail(match_of(player), failure, what);
}

static const struct player_room room_ops = {
    .greeted = on_greeted,
    .entered = on_entered,
    .created = on_created,
    .same = on_same,
    .pushed = on_pushed,
    .answered = on_answered,
    .failed = on_failed,
};
