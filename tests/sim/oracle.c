#include "oracle.h"

#include "marks.h"
#include "oracle_rules.h"
#include "secrets.h"
#include "taluva_reference.h"
#include "totem_reference.h"
#include <assert.h>
#include <cards.h>
#include <match.h>
#include <pairing/places.h>
#include <protocol/encoding.h>
#include <room/hand.h>
#include <room/result.h>
#include <room_internal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem/game.h>
#include <totem_match.h>
#include <view.h>

/* ---- hashes */

static int feed(const char *bytes, size_t len, void *ctx)
{
    uint64_t *hash = ctx;
    for (size_t i = 0; i < len; i++)
        *hash = (*hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return 0;
}

uint64_t json_hash(const json_t *value)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    int dumped = json_dump_callback(value, feed, &hash, JSON_COMPACT | JSON_SORT_KEYS);
    assert(dumped == 0);
    return hash;
}

json_t *oracle_state(const struct room *room, unsigned audience)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    int written = room_write_state(room, audience, room_seq(room), &writer);
    assert(written == 0 && !buffer.failed);
    json_t *state = json_loadb(buffer_payload(&buffer), buffer.len, JSON_REJECT_DUPLICATES, NULL);
    assert(state);
    buffer_release(&buffer);
    return state;
}

/* ---- rooms */

void oracle_release(struct oracle *oracle)
{
    letters_release(&oracle->letters);
    handles_release(&oracle->handles);
    guests_release(&oracle->guests);
    rated_release(&oracle->rated);
    placed_release(&oracle->placed);
    behaved_release(&oracle->behaved);
    measured_release(&oracle->measured);
    for (size_t i = 0; i < oracle->count; i++) {
        room_destroy(oracle->rooms[i].room);
        reference_destroy(oracle->rooms[i].reference);
        totem_reference_destroy(oracle->rooms[i].totem);
        json_decref(oracle->rooms[i].state);
        free(oracle->rooms[i].facts);
    }
    free(oracle->rooms);
    *oracle = (struct oracle){0};
}

static struct truth *find(const struct oracle *oracle, const char *id)
{
    for (size_t i = 0; i < oracle->count; i++) {
        if (strcmp(oracle->rooms[i].id, id) == 0)
            return &oracle->rooms[i];
    }
    return NULL;
}

const struct truth *oracle_room(const struct oracle *oracle, const char *id)
{
    return find(oracle, id);
}

__attribute__((format(printf, 2, 3))) static void complain(struct oracle *oracle,
                                                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(oracle->complaint, sizeof oracle->complaint, format, args);
    va_end(args);
}

static void put_room(struct oracle *oracle, const struct store_room *row)
{
    if (oracle->count == oracle->size) {
        oracle->size = oracle->size ? oracle->size * 2 : 16;
        oracle->rooms = realloc(oracle->rooms, oracle->size * sizeof *oracle->rooms);
        assert(oracle->rooms);
    }
    struct truth *truth = &oracle->rooms[oracle->count++];
    *truth = (struct truth){.room = room_restore(test_games, &row->seed)};
    assert(truth->room);
    memcpy(truth->id, row->seed.id, sizeof truth->id);
    hex_encode(truth->secret, row->seed.secret, sizeof row->seed.secret);
}

static const json_t *of_seat(const json_t *object, unsigned seat)
{
    char key[12];
    (void)snprintf(key, sizeof key, "%u", seat);
    return json_object_get(object, key);
}

static const json_t *member_of_seat(const json_t *state, const char *member, unsigned seat)
{
    return of_seat(json_object_get(state, member), seat);
}

static bool seat_is(const json_t *state, unsigned seat, const char *what)
{
    return json_is_true(json_object_get(member_of_seat(state, "seats", seat), what));
}

/* Only a seat that may move, and for it only who may: its owner, or the computer. */
static void check_mover(struct oracle *oracle, const struct truth *truth,
                        const struct room_event *event)
{
    bool computer =
        seat_is(truth->state, event->seat, "bot") || seat_is(truth->state, event->seat, "replaced");
    bool may = state_acts(truth->state, event->seat);
    if (event->origin.session == 0) {
        mark(MARK_COMPUTER_MOVED);
        may &= computer;
    } else {
        may &= !computer && room_seat_session(truth->room, event->seat) == event->origin.session;
    }
    if (event->seat > 0 && state_acts(truth->state, event->seat - 1))
        mark(MARK_ACTED_AT_ONCE);
    if (!may)
        complain(oracle, "room %s seq %llu: seat %u was moved by session %llx", truth->id,
                 (unsigned long long)event->seq, event->seat,
                 (unsigned long long)event->origin.session);
}

static void check_once(struct oracle *oracle, const struct truth *truth,
                       const struct room_event *event)
{
    if (event->origin.session == 0 || event->origin.request_id == ROOM_NO_REQUEST)
        return;
    for (size_t i = 0; i < truth->count; i++) {
        if (truth->facts[i].session == event->origin.session &&
            truth->facts[i].request_id == event->origin.request_id)
            complain(oracle, "room %s: request %lld of %llx is there twice, seq %zu and %llu",
                     truth->id, (long long)event->origin.request_id,
                     (unsigned long long)event->origin.session, i + 1,
                     (unsigned long long)event->seq);
    }
}

static void note(const struct truth *truth, const struct room_event *event)
{
    bool secret = secrets_kept(truth->room);
    switch (event->kind) {
    case ROOM_TIMED_OUT:
        mark(MARK_FLAG_FELL);
        break;
    case ROOM_REPLACED:
        mark(MARK_REPLACED);
        break;
    case ROOM_RETURNED:
        mark(MARK_RETURNED);
        break;
    case ROOM_UNDONE:
        mark(secret ? MARK_SECRET_UNDONE : MARK_UNDONE);
        break;
    case ROOM_PAUSED:
        mark(MARK_PAUSED);
        break;
    case ROOM_REMATCHED:
        mark(MARK_REMATCH);
        break;
    case ROOM_RESUMED:
        if (event->text_len == 0)
            mark(MARK_CLOCK_HELD);
        break;
    case ROOM_CALLED_OFF:
        mark(memcmp(event->text, "abandoned", event->text_len) == 0 ? MARK_MATCH_ABANDONED
                                                                    : MARK_CALLED_OFF);
        break;
    case ROOM_HINTED:
        mark(MARK_HINTED);
        break;
    case ROOM_MOVE:
        if (secret)
            mark(MARK_SECRET_MOVE);
        break;
    case ROOM_CREATED:
    case ROOM_SAT:
    case ROOM_STOOD:
    case ROOM_READIED:
    case ROOM_STARTED:
    case ROOM_RESIGNED:
    case ROOM_OFFERED:
    case ROOM_WITHDREW:
        break;
    }
}

static const char *agreed_on(const struct room_event *event)
{
    if (event->text_len == 0)
        return NULL; /* not an agreement: clocks go on */
    switch ((int)event->kind) {
    case ROOM_PAUSED:
        return "pause";
    case ROOM_RESUMED:
        return "resume";
    case ROOM_CALLED_OFF:
        return event->text[1] == 'a' ? "call_off" : NULL; /* NULL: abandoned, or closed */
    default:
        return NULL;
    }
}

static bool has_clock(const json_t *state)
{
    const char *kind = json_string_value(json_object_get(json_object_get(state, "clock"), "kind"));
    return kind && strcmp(kind, "none") != 0;
}

/* Is a family of the seat in the game of Totem? */
static bool leads_family(const json_t *table, unsigned seat)
{
    const char *name;
    json_t *family;
    json_object_foreach(json_object_get(table, "families"), name, family)
    {
        if (json_integer_value(json_object_get(family, "seat")) == (json_int_t)seat &&
            !json_object_get(family, "out"))
            return true;
    }
    return false;
}

static bool plays(const json_t *table, unsigned seat)
{
    if (json_object_get(table, "families"))
        return leads_family(table, seat);
    const json_t *player = json_object_get(table, "players")
                               ? member_of_seat(table, "players", seat)
                               : of_seat(table, seat);
    return !json_object_get(player, "out") && !json_object_get(player, "done");
}

static bool is_asked(const json_t *state, unsigned seat)
{
    return plays(json_object_get(state, "table"), seat) && !seat_is(state, seat, "bot") &&
           !seat_is(state, seat, "replaced");
}

/* All have offered it, or the room went on without those who were not heard of. */
static void check_agreement(struct oracle *oracle, const struct truth *truth,
                            const struct room_event *event)
{
    const char *what = agreed_on(event);
    if (!what)
        return;
    const json_t *offers = json_object_get(json_object_get(truth->state, "offers"), what);
    bool resume = strcmp(what, "resume") == 0;
    bool call_off = strcmp(what, "call_off") == 0 && !has_clock(truth->state);
    bool without = event->seat == ROOM_NO_SEAT && (resume || call_off);
    for (unsigned i = 0; i < room_seats(truth->room); i++) {
        if (i == event->seat || !is_asked(truth->state, i) || of_seat(offers, i))
            continue;
        if (!without)
            complain(oracle, "room %s seq %llu: %s without seat %u", truth->id,
                     (unsigned long long)event->seq, what, i);
        mark(MARK_AGREED_WITHOUT);
    }
}

enum { ROOMS_EXCHANGED_IN = 8 }; /* of so many events: it is long work */

static void check_secrets(struct oracle *oracle, const struct truth *truth,
                          const struct match_space *before, const struct room_event *event)
{
    int audience = secrets_depend(truth->room, before, event);
    if (audience < 0 && event->seq % ROOMS_EXCHANGED_IN == 0)
        audience = secrets_room_depends(truth->room, truth->round_seq);
    if (audience >= 0)
        complain(oracle, "room %s seq %llu: what audience %d is told depends on what is hidden",
                 truth->id, (unsigned long long)event->seq, audience);
}

/* A hash of the push as the audience must be told it. */
static uint64_t push_of(const struct room *room, const struct match_space *before,
                        const struct room_event *event, unsigned audience)
{
    struct buffer buffer;
    buffer_init(&buffer, 0, 1 << 20);
    view_write_push(&room->setup, (const struct match *)(const void *)before->bytes, room->match,
                    event, view_viewer(&room->setup, audience), &buffer);
    assert(!buffer.failed);
    json_t *push = json_loadb(buffer_payload(&buffer), buffer.len, JSON_REJECT_DUPLICATES, NULL);
    uint64_t hash = json_hash(push);
    json_decref(push);
    buffer_release(&buffer);
    return hash;
}

static void put_pushes(const struct truth *truth, const struct match_space *before,
                       const struct room_event *event)
{
    struct fact *fact = &truth->facts[truth->count - 1];
    for (unsigned i = 0; i < room_audiences(truth->room); i++)
        fact->push_hash[i] = push_of(truth->room, before, event, i);
}

static void put_round(struct truth *truth, const struct match_space *before)
{
    const struct match *was = (const struct match *)(const void *)before->bytes;
    const struct totem_match *old = match_game_of(was), *now = match_game_of(truth->room->match);
    if (truth->room->setup.game == &game_type_totem && old->game.round != now->game.round)
        truth->round_seq = truth->room->match->seq;
}

static void put_fact(struct truth *truth, const struct room_event *event)
{
    struct fact *fact = &truth->facts[truth->count++];
    *fact = (struct fact){.session = event->origin.session,
                          .request_id = event->origin.request_id,
                          .kind = event->kind};
    for (unsigned i = room_audiences(truth->room); i-- > 0;) {
        json_decref(truth->state);
        truth->state = oracle_state(truth->room, i);
        fact->state_hash[i] = json_hash(truth->state);
    }
}

json_t *oracle_moves(const struct truth *truth, uint64_t session)
{
    const struct room_actor actor = {.session = session, .name = "Ana"};
    struct refusal refusal;
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    bool told = room_write_moves(truth->room, &actor, &writer, &refusal);
    writer_end(&writer);
    assert(!buffer.failed);
    json_t *answer =
        told ? json_loadb(buffer_payload(&buffer), buffer.len, JSON_REJECT_DUPLICATES, NULL) : NULL;
    buffer_release(&buffer);
    return answer;
}

/* ---- rules */

static void check_rules(struct oracle *oracle, struct truth *truth, const struct room_event *event)
{
    const char *broken = oracle_broken_rule(truth, event);
    if (broken)
        complain(oracle, "room %s seq %zu: by the rules, %s of seat %u (%.*s) %s", truth->id,
                 truth->count, room_event_name(event->kind), event->seat, (int)event->text_len,
                 event->text, broken);
}

static void hand_room(struct oracle *oracle, const char *id, const struct store_hand *hand)
{
    struct truth *truth = find(oracle, id);
    assert(truth);
    if (room_has_acted(truth->room, hand->to))
        complain(oracle, "room %s is handed to somebody who is there already", id);
    else
        room_hand(truth->room, hand->from, hand->to);
}

static void append(struct oracle *oracle, const char *id, const struct room_event *event)
{
    struct truth *truth = find(oracle, id);
    assert(truth && event->seq == truth->count + 1);
    if (event->kind == ROOM_MOVE)
        check_mover(oracle, truth, event);
    check_agreement(oracle, truth, event);
    check_once(oracle, truth, event);
    struct match_space before;
    bool secret = secrets_before(truth->room, &before);
    if (room_restore_event(truth->room, event) < 0) {
        complain(oracle, "room %s seq %zu cannot be replayed", id, truth->count + 1);
        return;
    }
    if (secret) {
        put_round(truth, &before);
        check_secrets(oracle, truth, &before, event);
    }
    if (truth->count == truth->size) {
        truth->size = truth->size ? truth->size * 2 : 64;
        truth->facts = realloc(truth->facts, truth->size * sizeof *truth->facts);
        assert(truth->facts);
    }
    put_fact(truth, event);
    if (secret)
        put_pushes(truth, &before, event);
    check_rules(oracle, truth, event);
    note(truth, event);
    if (event->kind == ROOM_MOVE && room_phase(truth->room) == PROTOCOL_PHASE_OVER)
        mark(MARK_MATCH_OVER);
}

/* What its players see says whether it is rated. */
const char *oracle_check_rated(const struct oracle *oracle)
{
    const char *wrong = rated_check_end(&oracle->rated);
    for (size_t i = 0; i < oracle->count && !wrong; i++) {
        const struct truth *truth = &oracle->rooms[i];
        const json_t *result = json_object_get(truth->state, "result");
        const bool is_rated =
            json_object_get(truth->state, "rated") && result && !json_object_get(result, "unrated");
        if (is_rated != rated_has(&oracle->rated, truth->id))
            wrong = is_rated ? "a rated match is not in the book" : "an unrated match is";
        else if (is_rated && !rated_has_sides(&oracle->rated, truth->id, truth->state))
            wrong = "a match is in the book with other sides or winners than its room has";
    }
    return wrong;
}

static bool plays_there(const struct oracle *oracle, const struct place_row *row)
{
    const struct truth *truth = oracle_room(oracle, row->room);
    const uint8_t seat = truth ? room_seat_of(truth->room, row->session) : ROOM_NO_SEAT;
    return seat != ROOM_NO_SEAT && !truth->dropped && room_in_play(truth->room) >> seat & 1;
}

const char *oracle_check_placed(const struct oracle *oracle, const struct model_store *store)
{
    const struct place_row *row;
    for (size_t at = 0; (row = placed_row(store, at)); at++) {
        if (!plays_there(oracle, row))
            return "somebody plays, as the desk has it, and does not";
    }
    return NULL;
}

void oracle_apply(struct oracle *oracle, const struct store_batch *batch)
{
    const char *wrong = letters_apply(&oracle->letters, batch);
    if (!wrong)
        wrong = handles_apply(&oracle->handles, batch);
    if (!wrong)
        wrong = guests_apply(&oracle->guests, batch);
    if (!wrong)
        wrong = rated_apply(&oracle->rated, batch);
    if (!wrong)
        wrong = placed_apply(&oracle->placed, batch);
    if (!wrong)
        wrong = behaved_apply(&oracle->behaved, &oracle->letters, batch);
    if (!wrong)
        wrong = measured_apply(&oracle->measured, batch);
    if (wrong && !oracle->complaint[0])
        (void)snprintf(oracle->complaint, sizeof oracle->complaint, "%s", wrong);
    for (size_t i = 0; i < batch->count; i++) {
        const struct store_op *op = &batch->ops[i];
        if (batch->results[i] != STORE_OK)
            continue;
        switch (op->kind) {
        case STORE_PUT_ROOM:
            put_room(oracle, &op->u.room);
            break;
        case STORE_APPEND:
            append(oracle, op->room_id, &op->u.event);
            break;
        case STORE_HAND_ROOM:
            hand_room(oracle, op->room_id, &op->u.hand);
            break;
        case STORE_DROP_ROOM:
            mark(MARK_LOBBY_DROPPED);
            if (find(oracle, op->room_id))
                find(oracle, op->room_id)->dropped = true;
            break;
        case STORE_ARCHIVE_ROOM:
            mark(MARK_ARCHIVED);
            break;
        case STORE_DROP_SESSION:
            mark(MARK_SESSION_DROPPED);
            break;
        case STORE_ERASE_NAMES:
        case STORE_HAND_MATCHES:
        case STORE_PUT_SESSION:
        case STORE_LET_IN:
        case STORE_PUT_ROW:
        case STORE_DROP_ROW:
            break;
        }
    }
}
