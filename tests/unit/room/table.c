#include "table.h"

#include "totem_pushes.h"
#include "view.h"
#include <cards.h>
#include <protocol/encoding.h>
#include <protocol/merge_patch.h>
#include <protocol/state.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taluva/game.h>
#include <taluva_match.h>
#include <totem/game.h>
#include <totem_hidden.h>

enum { MOST_BYTES = 1 << 20 };

uint32_t test_random(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % n);
}

const char *table_name(uint64_t session)
{
    static const char *const names[] = {"Ana", "Bo", "Chi", "Dee", "Eva", "Fay"};
    ck_assert(session >= ANA);
    return session <= FAY ? names[session - ANA] : "Stranger";
}

/* ---- opening */

static void make_seed(struct room_seed *seed)
{
    memset(seed, 0, sizeof *seed);
    memcpy(seed->id, "k3m9x0aq", 9);
    memcpy(seed->code, "0123456789abcdef", 17);
    for (unsigned i = 0; i < sizeof seed->secret; i++)
        seed->secret[i] = (uint8_t)(7 * i + 3);
    seed->host = ANA;
}

static void refresh_states(struct table *table)
{
    for (unsigned i = 0; i < room_audiences(table->room); i++) {
        json_decref(table->state[i]);
        table->state[i] = table_state(table, i, room_seq(table->room));
    }
}

static void open_room(struct table *table, const struct game_type *const games[],
                      const char *create, const char *rated)
{
    char text[PROTOCOL_MESSAGE_BYTES];
    struct request request;
    struct room_seed seed;
    make_seed(&seed);
    *table = (struct table){.now_ms = INT64_C(1790000000000),
                            .next_id = 1,
                            .limits = {.abandoned_ms = 3600000, .paused_ms = 7200000},
                            .kept_at_once = true};
    (void)snprintf(text, sizeof text, "{\"id\":0,\"op\":\"create\"%s%s}", create[0] ? "," : "",
                   create);
    ck_assert_int_eq(request_decode(&request, text, strlen(text)), PROTOCOL_OK);
    table->room = room_create(games, &seed, &request, rated, table->now_ms, &table->refusal);
    request_release(&request);
    if (!table->room)
        return;
    room_set_durable(table->room, 1, table->now_ms);
    refresh_states(table);
}

void table_open_game(struct table *table, const struct game_type *const games[], const char *create)
{
    open_room(table, games, create, "");
}

void table_open_rated(struct table *table, const char *create, const char *rated)
{
    struct room_draft draft;
    struct room_event event;
    open_room(table, test_games, create, rated);
    for (unsigned seat = 0; seat < room_seats(table->room); seat++) {
        const struct room_actor actor = {.session = ANA + seat, .name = table_name(ANA + seat)};
        room_decide_given_seat(table->room, (uint8_t)seat, &actor, table->now_ms, &event,
                               draft.text);
        table_apply(table, &event);
    }
}

void table_open(struct table *table, const char *create)
{
    table_open_game(table, test_games, create);
}

void table_close(struct table *table)
{
    room_destroy(table->room);
    json_decref(table->event);
    for (unsigned i = 0; i < ROOM_AUDIENCES_MAX; i++)
        json_decref(table->state[i]);
}

/* ---- laws */

static json_t *parse(const struct buffer *buffer)
{
    json_error_t error;
    json_t *value = json_loadb(buffer_payload(buffer), buffer->len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value, "%s in %.*s", error.text, (int)buffer->len, buffer_payload(buffer));
    return value;
}

/* A fresh hash of everything the room's log and match say. */
uint64_t table_fingerprint(const struct room *room)
{
    uint64_t hash[2];
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, 16);
    crypto_generichash_update(&state, (const unsigned char *)room->match, match_size(&room->setup));
    crypto_generichash_update(&state, (const unsigned char *)room->log.entries,
                              room->log.count * sizeof *room->log.entries);
    crypto_generichash_update(&state, (const unsigned char *)room->log.text, room->log.text_len);
    crypto_generichash_final(&state, (unsigned char *)hash, sizeof hash);
    return hash[0];
}

static void expect_seats_in_order(const json_t *list)
{
    ck_assert_uint_gt(json_array_size(list), 0);
    for (size_t i = 0; i < json_array_size(list); i++) {
        ck_assert(json_is_integer(json_array_get(list, i)));
        ck_assert(i == 0 || json_integer_value(json_array_get(list, i)) >
                                json_integer_value(json_array_get(list, i - 1)));
    }
}

/* The lists of Totem, which a patch replaces whole. */
static bool is_list_of_game(const char *key, const json_t *value)
{
    static const char *const keys[] = {"acting", "hungry", "families"};
    const json_t *first = json_array_get(value, 0);
    bool found = json_is_array(value) && strcmp(key, "families") == 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        found |= strcmp(key, keys[i]) == 0 && (json_is_string(first) || json_is_object(first));
    return found;
}

/* No null, and of arrays only those that are named. */
static void expect_plain(const json_t *value)
{
    const char *key;
    json_t *member;
    ck_assert(!json_is_null(value) && !json_is_array(value));
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        if (is_list_of_game(key, member))
            continue;
        if (strcmp(key, "acting") == 0)
            expect_seats_in_order(member);
        else
            expect_plain(member);
    }
}

static bool holds(const struct buffer *buffer, const char *text)
{
    return memmem(buffer_payload(buffer), buffer->len, text, strlen(text)) != NULL;
}

/* The seed's secret and what follows from it must not be in these bytes. */
static void expect_no_secret(const struct table *table, unsigned audience,
                             const struct buffer *buffer)
{
    char hex[2 * DEAL_SECRET_BYTES + 1];
    const struct setup *setup = &table->room->setup;
    const struct match *match = table->room->match;
    ck_assert(!holds(buffer, setup->seed.code));
    if (match->phase == PROTOCOL_PHASE_OVER)
        return;
    if (setup->game == &cards_game && match->dealt)
        ck_assert(!cards_leak(match_game_of(match), view_viewer(setup, audience),
                              buffer_payload(buffer), buffer->len));
    hex_encode(hex, setup->seed.secret, DEAL_SECRET_BYTES);
    for (unsigned i = 0; i + 16 <= 2 * DEAL_SECRET_BYTES; i += 16) {
        char part[17] = {0};
        memcpy(part, hex + i, 16);
        ck_assert_msg(!holds(buffer, part), "the secret leaks in %.*s", (int)buffer->len,
                      buffer_payload(buffer));
    }
}

json_t *table_state(const struct table *table, unsigned audience, uint64_t seq)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, MOST_BYTES);
    writer_init(&writer, &buffer);
    ck_assert_int_eq(room_write_state(table->room, audience, seq, &writer), 0);
    ck_assert(writer_done(&writer));
    json_t *state = parse(&buffer);
    expect_plain(state);
    if (seq == room_seq(table->room))
        expect_no_secret(table, audience, &buffer);
    buffer_release(&buffer);
    return state;
}

/* Shuffles what of the stack has not been drawn. */
static void scramble_taluva(struct taluva_match *match, uint64_t seed)
{
    taluva_tile *left = match->deck + match->options.tiles - match->game.stack;
    for (unsigned i = 0; i + 1 < match->game.stack; i++) {
        unsigned pick = i + test_random(&seed, match->game.stack - i);
        taluva_tile tile = left[pick];
        left[pick] = left[i];
        left[i] = tile;
    }
}

/* The same places with other spells on them, what is written named otherwise, other births. */
static void scramble_totem(struct totem_match *match, unsigned viewer, uint64_t seed)
{
    unsigned audience = totem_match_audience(viewer);
    memset(match->key, (int)test_random(&seed, 256), sizeof match->key);
    for (unsigned i = 0; i < TOTEM_FAMILIES; i++) {
        struct totem_family *family = &match->game.families[i];
        if (totem_may_know(&match->options, audience, i))
            continue;
        for (unsigned n = 0; n < TOTEM_SPELLS; n++)
            totem_exchange(family, n, test_random(&seed, TOTEM_SPELLS));
        totem_exchange_people(family);
    }
}

/* What this viewer may not know comes out otherwise. */
static void scramble(const struct setup *setup, struct match *match, unsigned viewer)
{
    uint16_t pair[2];
    if (setup->game == &game_type_taluva)
        scramble_taluva(match_game(match), match->seq);
    else if (setup->game == &game_type_totem)
        scramble_totem(match_game(match), viewer, match->seq);
    else if (cards_hidden_pair(match_game(match), viewer, pair))
        cards_exchange(match_game(match), pair);
}

/* All that this viewer is shown and, if it may act, what it can do and what its computer plays. */
static void write_all(const struct setup *setup, const struct match *match, unsigned viewer,
                      struct buffer *out)
{
    struct writer writer;
    buffer_clear(out);
    writer_init(&writer, out);
    writer_array(&writer);
    view_write_state(setup, match, view_viewer(setup, viewer), &writer);
    if (viewer < setup->seats && (match_acting(setup, match) >> viewer) & 1) {
        char move[PROTOCOL_MOVE_BYTES];
        unsigned level = 1 + (unsigned)(match->seq % game_levels(setup->game));
        writer_object(&writer);
        setup->game->views->moves(match_game_of(match), viewer, &writer);
        writer_end(&writer);
        size_t len =
            game_choose(setup->game, match_game_of(match), viewer, level, match->seq, move);
        writer_string_n(&writer, move, len);
    }
    writer_end(&writer);
    ck_assert(!out->failed);
}

/* Whatever a viewer is shown, and its computer does, is the same whatever it may not know. */
static void expect_blind(const struct table *table)
{
    const struct setup *setup = &table->room->setup;
    const struct match *match = table->room->match;
    struct match_space space;
    struct buffer real, scrambled;
    buffer_init(&real, 0, MOST_BYTES);
    buffer_init(&scrambled, 0, MOST_BYTES);
    /* Behind the watchers comes who knows everything but the chance still to come. */
    for (unsigned viewer = 0; match->dealt && viewer <= setup->seats + 1; viewer++) {
        match_copy(setup, match_in(&space), match);
        scramble(setup, match_in(&space), view_viewer(setup, viewer));
        write_all(setup, match, viewer, &real);
        write_all(setup, match_in(&space), viewer, &scrambled);
        ck_assert_uint_eq(real.len, scrambled.len);
        ck_assert_msg(memcmp(buffer_payload(&real), buffer_payload(&scrambled), real.len) == 0,
                      "seat %u knows too much: %.*s", viewer, (int)real.len, buffer_payload(&real));
    }
    buffer_release(&real);
    buffer_release(&scrambled);
}

static void take_push(struct table *table, unsigned audience, const struct buffer *push)
{
    json_t *message = parse(push);
    expect_no_secret(table, audience, push);
    ck_assert_str_eq(json_string_value(json_object_get(message, "push")), "event");
    ck_assert_int_eq(json_integer_value(json_object_get(message, "seq")),
                     (json_int_t)room_seq(table->room));
    ck_assert(merge_patch(&table->state[audience], json_object_get(message, "patch")));
    json_t *state = table_state(table, audience, room_seq(table->room));
    if (!json_equal(state, table->state[audience])) {
        char *is = json_dumps(table->state[audience], JSON_SORT_KEYS);
        char *want = json_dumps(state, JSON_SORT_KEYS);
        ck_abort_msg("push %.*s\nleads to %s\ninstead of %s", (int)push->len, buffer_payload(push),
                     is, want);
    }
    json_decref(state);
    if (audience == 0) {
        json_decref(table->event);
        table->event = json_incref(json_object_get(message, "event"));
        table->push_bytes = push->len;
    }
    json_decref(message);
}

void table_apply(struct table *table, const struct room_event *event)
{
    struct buffer buffers[ROOM_AUDIENCES_MAX];
    struct buffer *push[ROOM_AUDIENCES_MAX];
    const struct setup *setup = &table->room->setup;
    struct match_space before;
    match_copy(setup, match_in(&before), table->room->match);
    unsigned audiences = room_audiences(table->room);
    for (unsigned i = 0; i < audiences; i++) {
        buffer_init(&buffers[i], 0, MOST_BYTES);
        push[i] = &buffers[i];
    }
    ck_assert_int_eq(room_apply(table->room, event, push), 0);
    ck_assert_uint_eq(room_seq(table->room), event->seq);
    if (table->kept_at_once)
        room_set_durable(table->room, event->seq, event->at_ms);
    for (unsigned i = 0; i < audiences; i++) {
        take_push(table, i, &buffers[i]);
        buffer_release(&buffers[i]);
    }
    expect_blind(table);
    if (setup->game == &game_type_totem)
        table->blind_pushes +=
            expect_blind_pushes(setup, match_in(&before), table->room->match, event);
}

/* ---- requests */

static void decode(struct request *request, const char *members, int64_t id, const char *op)
{
    char text[PROTOCOL_MESSAGE_BYTES];
    (void)snprintf(text, sizeof text, "{\"id\":%lld,\"op\":\"%s\",\"room\":\"k3m9x0aq\"%s%s}",
                   (long long)id, op, members[0] ? "," : "", members);
    ck_assert_msg(request_decode(request, text, strlen(text)) == PROTOCOL_OK, "%s: %s", text,
                  request->bad_field);
}

static const char *refusal_code(const struct refusal *refusal)
{
    return refusal->error != PROTOCOL_OK ? protocol_error_code(refusal->error) : refusal->code;
}

const char *table_decide(struct table *table, uint64_t session, int64_t id, const char *op,
                         const char *members, struct room_event *event, struct room_draft *draft)
{
    struct request request;
    struct room_actor actor = {session, table_name(session), table->account};
    uint64_t before = table_fingerprint(table->room);
    decode(&request, members, id, op);
    enum room_decision decision = room_decide(table->room, &actor, &request, table->now_ms, event,
                                              draft, &table->refusal, &table->seq);
    request_release(&request);
    ck_assert_uint_eq(table_fingerprint(table->room), before);
    if (decision == ROOM_REPEATED)
        return "repeat";
    if (decision == ROOM_REFUSED)
        return refusal_code(&table->refusal);
    table->seq = event->seq;
    return event->seq == 0 ? "same" : "ok";
}

const char *table_send_id(struct table *table, uint64_t session, int64_t id, const char *op,
                          const char *members)
{
    struct room_event event;
    struct room_draft draft;
    const char *answer = table_decide(table, session, id, op, members, &event, &draft);
    if (strcmp(answer, "ok") != 0)
        return answer;
    if (event.kind == ROOM_REMATCHED)
        room_fill_rematch(&event, "zzzzzzzz", draft.text);
    table_apply(table, &event);
    return "ok";
}

const char *table_send(struct table *table, uint64_t session, const char *op, const char *members)
{
    return table_send_id(table, session, table->next_id++, op, members);
}

const char *table_move(struct table *table, uint64_t session, const char *move)
{
    char members[PROTOCOL_MOVE_BYTES + 32];
    (void)snprintf(members, sizeof members, "\"move\":\"%s\"", move);
    return table_send(table, session, "move", members);
}

const char *table_check(struct table *table, uint64_t session, const char *move)
{
    char members[PROTOCOL_MOVE_BYTES + 32];
    struct request request;
    struct room_actor actor = {session, table_name(session), table->account};
    uint64_t before = table_fingerprint(table->room);
    (void)snprintf(members, sizeof members, "\"move\":\"%s\"", move);
    decode(&request, members, 0, "check");
    bool fine = room_check(table->room, &actor, &request, table->now_ms, &table->refusal);
    request_release(&request);
    ck_assert_uint_eq(table_fingerprint(table->room), before);
    return fine ? "ok" : refusal_code(&table->refusal);
}

/* ---- time */

unsigned table_due(struct table *table)
{
    struct room_event event;
    char scratch[ROOM_EVENT_TEXT_MAX];
    unsigned count = 0;
    while (room_decide_due(table->room, &table->limits, table->now_ms, &event, scratch)) {
        table_apply(table, &event);
        ck_assert_uint_lt(++count, 2000);
    }
    ck_assert_int_gt(room_deadline_ms(table->room, &table->limits), table->now_ms);
    return count;
}

void table_wait(struct table *table, int64_t ms)
{
    int64_t until = table->now_ms + ms;
    for (;;) {
        int64_t deadline = room_deadline_ms(table->room, &table->limits);
        if (deadline > until)
            break;
        if (deadline > table->now_ms)
            table->now_ms = deadline;
        table_due(table);
    }
    table->now_ms = until;
}

/* ---- playing */

void table_start_seated(struct table *table)
{
    for (unsigned i = 0; i < room_seats(table->room); i++) {
        char nonce[64];
        (void)snprintf(nonce, sizeof nonce, "\"ready\":true,\"nonce\":\"%032x\"", 0xabc0 + i);
        expect_ok(table_send(table, ANA + i, "ready", nonce));
    }
    expect_ok(table_send(table, ANA, "start", ""));
}

void table_start(struct table *table)
{
    for (unsigned i = 0; i < room_seats(table->room); i++)
        expect_ok(table_send(table, ANA + i, "join", ""));
    table_start_seated(table);
}

static const struct taluva_match *taluva_of(const struct table *table)
{
    return match_game_of(table->room->match);
}

uint64_t table_mover(const struct table *table)
{
    uint32_t acting = match_acting(&table->room->setup, table->room->match);
    if (acting == 0)
        return 0;
    return room_seat_session(table->room, taluva_of(table)->game.seat);
}

const char *table_any_move(const struct table *table, uint64_t seed)
{
    static char move[PROTOCOL_MOVE_BYTES + 1];
    const struct taluva_match *match = taluva_of(table);
    size_t len = game_choose(&game_type_taluva, match, match->game.seat, 2, seed, move);
    move[len] = '\0';
    return move;
}

void table_play(struct table *table, uint64_t seed, unsigned moves)
{
    char members[PROTOCOL_MOVE_BYTES + 64];
    while (moves-- > 0 && table_mover(table) != 0) {
        table->now_ms += 1000;
        (void)snprintf(members, sizeof members, "\"move\":\"%s\",\"confirm\":true",
                       table_any_move(table, test_random(&seed, UINT32_MAX)));
        expect_ok(table_send(table, table_mover(table), "move", members));
    }
}

/* ---- looking */

const json_t *table_look(const struct table *table, const char *path)
{
    const json_t *value = table->state[0];
    while (value && *path) {
        char key[64] = {0};
        size_t len = strcspn(path, ".");
        ck_assert_uint_lt(len, sizeof key);
        memcpy(key, path, len);
        value = json_object_get(value, key);
        path += path[len] == '.' ? len + 1 : len;
    }
    return value;
}

bool table_acts(const struct table *table, unsigned seat)
{
    return state_acts(table->state[0], (int)seat);
}

int64_t table_look_int(const struct table *table, const char *path)
{
    const json_t *value = table_look(table, path);
    ck_assert_msg(json_is_integer(value), "%s is no number", path);
    return json_integer_value(value);
}

const char *table_look_string(const struct table *table, const char *path)
{
    const json_t *value = table_look(table, path);
    ck_assert_msg(json_is_string(value), "%s is no string", path);
    return json_string_value(value);
}

/* ---- replay */

struct room *table_regrow(const struct table *table)
{
    struct room *room = room_restore(table->room->games, room_seed(table->room));
    ck_assert_ptr_nonnull(room);
    for (uint64_t seq = 1; seq <= room_seq(table->room); seq++) {
        struct room_event event;
        room_event_at(table->room, seq, &event);
        ck_assert_int_eq(room_restore_event(room, &event), 0);
    }
    room_restored(room, table->now_ms);
    return room;
}

struct missed_client {
    json_t *state;
    uint64_t seq;
    const struct table *table;
    unsigned audience;
};

static int take_missed(void *ctx, const char *bytes, size_t len)
{
    struct missed_client *client = ctx;
    json_t *message = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(message);
    ck_assert_int_eq(json_integer_value(json_object_get(message, "seq")),
                     (json_int_t)++client->seq);
    ck_assert(merge_patch(&client->state, json_object_get(message, "patch")));
    json_decref(message);
    json_t *state = table_state(client->table, client->audience, client->seq);
    ck_assert(json_equal(state, client->state));
    json_decref(state);
    return 0;
}

/* The last state that the missed pushes of the audience lead to; a new reference. */
static json_t *replayed_state(const struct table *table, unsigned audience)
{
    struct missed_client client = {.table = table, .audience = audience};
    uint64_t seq = room_seq(table->room);
    ck_assert_int_eq(room_write_missed(table->room, audience, 0, seq, take_missed, &client), 0);
    return client.state;
}

void table_check_replay(const struct table *table)
{
    struct room *again = table_regrow(table);
    ck_assert_uint_eq(table_fingerprint(again), table_fingerprint(table->room));
    room_destroy(again);
    for (unsigned i = 0; i < room_audiences(table->room); i++) {
        json_t *state = replayed_state(table, i);
        ck_assert(json_equal(state, table->state[i]));
        json_decref(state);
    }
    if (room_phase(table->room) == PROTOCOL_PHASE_OVER)
        json_decref(replayed_state(table, room_audience(table->room, ROOM_SERVER)));
}
