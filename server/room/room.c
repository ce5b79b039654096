#include "room_internal.h"
#include "view.h"
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/*
 * ---- creating and restoring
 * --------------------------------------------------------------------------
 */

struct room *room_restore(const struct game_type *const games[], const struct room_seed *seed)
{
    struct room *room = calloc(1, sizeof *room);
    if (!room)
        return NULL;
    setup_init(&room->setup, seed);
    room->games = games;
    log_init(&room->log);
    return room;
}

void room_destroy(struct room *room)
{
    if (!room)
        return;
    sodium_memzero(&room->setup.seed, sizeof room->setup.seed);
    log_release(&room->log);
    room_thought_release(room);
    free(room->checkpoint.match);
    free(room->match);
    free(room);
}

/* A game's value on the stack, before there is a match to hold it. */
struct value_space {
    _Alignas(max_align_t) unsigned char bytes[GAME_VALUE_MAX];
};

/* Makes the match that the first event describes, at seq 0. 0, -1, or -2 or -3 with *refusal. */
static int read_created(struct room *room, const struct room_event *event, struct refusal *refusal)
{
    struct value_space value;
    struct request create;
    int result = -2;
    unsigned rules_version;
    const char *text;
    size_t len;
    if (!setup_split(event, &rules_version, room->setup.rated, &text, &len))
        return -2;
    enum protocol_error error = request_decode_kept(&create, text, len);
    *refusal = (struct refusal){.error = error};
    if (error == PROTOCOL_INTERNAL)
        result = -1;
    else if (error == PROTOCOL_OK && create.op == REQUEST_CREATE &&
             setup_read(&room->setup, value.bytes, room->games, &create, rules_version, refusal))
        result = 0;
    else if (refusal->error == PROTOCOL_UNKNOWN_GAME)
        result = -3;
    request_release(&create);
    if (result < 0)
        return result;
    room->match = malloc(match_size(&room->setup));
    if (!room->match)
        return -1;
    match_init(&room->setup, room->match, value.bytes);
    return 0;
}

static void drop_checkpoint(struct room *room)
{
    free(room->checkpoint.match);
    room->checkpoint = (struct checkpoint){0};
}

/* The last event is in the log. Without memory there is no checkpoint. */
static void follow_checkpoint(struct room *room)
{
    enum protocol_phase phase = room->match->phase;
    if (phase == PROTOCOL_PHASE_OVER)
        drop_checkpoint(room);
    else if (phase != PROTOCOL_PHASE_LOBBY && !room->checkpoint.match)
        room->checkpoint.match = malloc(match_size(&room->setup));
    checkpoint_follow(&room->checkpoint, &room->setup, &room->log, room->match);
}

int room_restore_event(struct room *room, const struct room_event *event)
{
    struct refusal refusal;
    if (event->text_len > ROOM_EVENT_TEXT_MAX)
        return -2;
    if (log_reserve(&room->log, event->text_len))
        return -1;
    if (!room->match) {
        int result = event->kind == ROOM_CREATED ? read_created(room, event, &refusal) : -2;
        if (result < 0)
            return result;
    }
    struct match_space space;
    match_copy(&room->setup, match_in(&space), room->match);
    if (!match_apply(&room->setup, &room->log, &room->checkpoint, match_in(&space), event))
        return -2;
    match_copy(&room->setup, room->match, match_in(&space));
    log_append(&room->log, event);
    follow_checkpoint(room);
    return 0;
}

static void clear_presence(struct room *room, int64_t now_ms)
{
    room->present = room->came_back = 0;
    room->presence_ms = now_ms;
    for (unsigned i = 0; i < PROTOCOL_SEATS; i++)
        room->away_ms[i] = now_ms;
}

void room_restored(struct room *room, int64_t now_ms)
{
    drop_checkpoint(room); /* many rooms are restored, and few are played on */
    room->durable = true;
    room->durable_ms = room->match->at_ms;
    clear_presence(room, now_ms);
    if (room->match->phase == PROTOCOL_PHASE_OVER)
        log_trim(&room->log);
}

/* The first event out of a setup that has been read. Its text is in `text`. */
static bool make_created(const struct setup *setup, const void *value, int64_t now_ms,
                         struct room_event *event, char text[ROOM_EVENT_TEXT_MAX])
{
    size_t len = setup_write(setup, value, text);
    *event = (struct room_event){
        .seq = 1,
        .at_ms = now_ms,
        .origin = {.session = setup->seed.host, .request_id = ROOM_NO_REQUEST},
        .kind = ROOM_CREATED,
        .seat = ROOM_NO_SEAT,
        .text = text,
        .text_len = (uint16_t)len,
    };
    return len > 0;
}

static struct room *create_from(const struct game_type *const games[], const struct room_seed *seed,
                                const struct room_event *created, struct refusal *refusal)
{
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    struct room *room = room_restore(games, seed);
    if (room && room_restore_event(room, created) == 0) {
        clear_presence(room, created->at_ms);
        return room;
    }
    room_destroy(room);
    return NULL;
}

struct room *room_create(const struct game_type *const games[], const struct room_seed *seed,
                         const struct request *create, const char *rated, int64_t now_ms,
                         struct refusal *refusal)
{
    struct setup setup;
    struct value_space value;
    struct room_event event;
    char text[ROOM_EVENT_TEXT_MAX];
    setup_init(&setup, seed);
    if (!setup_read(&setup, value.bytes, games, create, SETUP_CURRENT_RULES, refusal))
        return NULL;
    if (!request_has(create, REQUEST_HINTS))
        setup_choose_hints(&setup);
    assert(strlen(rated) <= PROTOCOL_RATED_BYTES);
    memcpy(setup.rated, rated, strlen(rated) + 1);
    assert(setup.access != PROTOCOL_ACCESS_CODE || seed->code[0]);
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    if (!make_created(&setup, value.bytes, now_ms, &event, text))
        return NULL;
    event.origin.request_id = create->id;
    event.origin.digest = create->id == ROOM_NO_REQUEST ? 0 : request_digest(create);
    return create_from(games, seed, &event, refusal);
}

/* ---- changing */

/* A player who takes a seat is present; one who changes seats stays present. */
static void follow_presence(struct room *room, const struct match *after,
                            const struct room_event *event)
{
    if (event->seat == ROOM_NO_SEAT)
        return;
    uint32_t bit = UINT32_C(1) << event->seat;
    if (event->kind == ROOM_RETURNED)
        room->came_back &= ~bit;
    if (event->kind == ROOM_STOOD || event->kind == ROOM_SAT)
        room->present &= ~bit;
    uint64_t session = after->seats[event->seat].session;
    if (event->kind != ROOM_SAT || session == 0)
        return;
    uint8_t old = room_seat_of(room, session);
    if (old != ROOM_NO_SEAT)
        room->present &= ~(UINT32_C(1) << old);
    room->away_ms[event->seat] = event->at_ms;
    if (event->origin.request_id != ROOM_NO_REQUEST)
        room->present |= bit;
}

_Static_assert(sizeof(struct match_space) <= ROOM_DRAFT_BYTES, "a draft has place for any match");

bool room_try(const struct room *room, struct room_event *event, bool confirm,
              struct room_draft *draft, struct refusal *refusal)
{
    struct match *after = (struct match *)(void *)draft->match;
    match_copy(&room->setup, after, room->match);
    if (!match_try(&room->setup, &room->log, &room->checkpoint, after, event, confirm, refusal))
        return false;
    draft->room = room;
    draft->changes = room->changes;
    draft->event = *event;
    event->draft = draft;
    return true;
}

/* All that changes a match; an origin counts for seats only, which are never drafted. */
static bool does_the_same(const struct room_event *a, const struct room_event *b)
{
    return a->seq == b->seq && a->at_ms == b->at_ms && a->held_ms == b->held_ms &&
           a->kind == b->kind && a->seat == b->seat && a->text_len == b->text_len &&
           memcmp(a->text, b->text, a->text_len) == 0;
}

/* The match after the event: the event's draft, if it is of this very event, or made in `space`. */
static const struct match *match_after(const struct room *room, const struct room_event *event,
                                       struct match_space *space)
{
    const struct room_draft *draft = event->draft;
    if (draft && draft->room == room && draft->changes == room->changes &&
        does_the_same(&draft->event, event))
        return (const struct match *)(const void *)draft->match;
    match_copy(&room->setup, match_in(space), room->match);
    bool applied = match_apply(&room->setup, &room->log, &room->checkpoint, match_in(space), event);
    assert(applied);
    return match_in(space);
}

int room_apply(struct room *room, const struct room_event *event, struct buffer *const push[])
{
    const struct setup *setup = &room->setup;
    struct match_space space;
    if (log_reserve(&room->log, event->text_len))
        return -1;
    const struct match *after = match_after(room, event, &space);
    for (unsigned i = 0; push && i < room_audiences(room); i++) {
        view_write_push(setup, room->match, after, event, view_viewer(setup, i), push[i]);
        if (push[i]->failed)
            return -1;
    }
    follow_presence(room, after, event);
    match_copy(setup, room->match, after);
    room->changes++;
    room_thought_follow(room, event);
    log_append(&room->log, event);
    follow_checkpoint(room);
    room->durable = false;
    if (after->phase == PROTOCOL_PHASE_OVER)
        log_trim(&room->log);
    return 0;
}

void room_set_durable(struct room *room, uint64_t seq, int64_t now_ms)
{
    if (seq != room->match->seq || room->durable)
        return;
    room->durable = true;
    room->durable_ms = now_ms;
}

/* One for a replay, which begins at the room's own. */
static void copy_checkpoint(const struct room *room, struct match_space *space,
                            struct checkpoint *checkpoint)
{
    *checkpoint = (struct checkpoint){match_in(space), room->checkpoint.valid};
    if (checkpoint->valid)
        match_copy(&room->setup, checkpoint->match, room->checkpoint.match);
}

void room_rewind(struct room *room, uint64_t seq)
{
    assert(seq >= 1 && seq <= room->match->seq);
    if (seq == room->match->seq)
        return;
    log_truncate(&room->log, seq);
    room->changes++;
    room->rewinds++;
    room_thought_release(room);
    struct match_space space;
    struct checkpoint checkpoint;
    copy_checkpoint(room, &space, &checkpoint);
    match_replay(&room->setup, &room->log, &checkpoint, room->match, room->match, seq);
    drop_checkpoint(room);
    room->durable = true;
    room->durable_ms = room->match->at_ms;
}

/*
 * ---- who is present ---------------------------------------------------------------------------
 */

static bool was_let_in(const struct room *room, uint64_t session)
{
    for (unsigned i = 0; i < LET_IN_MAX; i++) {
        if (room->let_in[i] == session)
            return true;
    }
    return false;
}

enum protocol_error room_admits(const struct room *room, uint64_t session, const char *code)
{
    const struct setup *setup = &room->setup;
    if (setup->access == PROTOCOL_ACCESS_OPEN || session == setup->seed.host ||
        room_seat_of(room, session) != ROOM_NO_SEAT || was_let_in(room, session))
        return PROTOCOL_OK;
    if (!code)
        return PROTOCOL_CODE_NEEDED;
    char given[PROTOCOL_CODE_BYTES + 1] = {0};
    size_t len = strlen(code);
    memcpy(given, code, len < PROTOCOL_CODE_BYTES ? len : PROTOCOL_CODE_BYTES);
    bool same = sodium_memcmp(given, setup->seed.code, PROTOCOL_CODE_BYTES) == 0;
    return same && len == PROTOCOL_CODE_BYTES ? PROTOCOL_OK : PROTOCOL_WRONG_CODE;
}

bool room_let_in(struct room *room, uint64_t session, uint64_t *instead_of)
{
    *instead_of = 0;
    if (room->setup.access == PROTOCOL_ACCESS_OPEN || was_let_in(room, session))
        return false;
    *instead_of = room->let_in[room->let_in_next];
    room->let_in[room->let_in_next] = session;
    room->let_in_next = (room->let_in_next + 1) % LET_IN_MAX;
    return true;
}

void room_present(struct room *room, uint8_t seat, bool present, int64_t now_ms)
{
    if (seat >= room->setup.seats || room->match->seats[seat].session == 0)
        return;
    uint32_t bit = UINT32_C(1) << seat;
    bool was = (room->present & bit) != 0;
    if (was == present)
        return;
    room->present ^= bit;
    room->presence_ms = room->away_ms[seat] = now_ms;
    if (present && room->match->seats[seat].replaced)
        room->came_back |= bit;
    else
        room->came_back &= ~bit;
}

int64_t room_away_ms(const struct room *room, uint8_t seat)
{
    assert(seat < room->setup.seats);
    return room->away_ms[seat];
}

/* ---- looking */

const char *room_id(const struct room *room)
{
    return room->setup.seed.id;
}

const struct room_seed *room_seed(const struct room *room)
{
    return &room->setup.seed;
}

enum protocol_phase room_phase(const struct room *room)
{
    return room->match->phase;
}

enum protocol_access room_access(const struct room *room)
{
    return room->setup.access;
}

const char *room_title(const struct room *room)
{
    return room->setup.title;
}

const char *room_game(const struct room *room)
{
    return room->setup.game->name;
}

uint32_t room_waits_for(const struct room *room)
{
    return match_acting(&room->setup, room->match) & ~match_computers(&room->setup, room->match);
}

uint64_t room_host(const struct room *room)
{
    return room->setup.seed.host;
}

const char *room_rated(const struct room *room)
{
    return room->setup.rated;
}

unsigned room_seats(const struct room *room)
{
    return room->setup.seats;
}

uint8_t room_seat_of(const struct room *room, uint64_t session)
{
    return match_seat_of(&room->setup, room->match, session);
}

uint64_t room_seat_session(const struct room *room, uint8_t seat)
{
    assert(seat < room->setup.seats);
    return room->match->seats[seat].session;
}

bool room_seat_is_ready(const struct room *room, uint8_t seat)
{
    assert(seat < room->setup.seats);
    return room->match->seats[seat].ready;
}

const char *room_seat_name(const struct room *room, uint8_t seat)
{
    assert(seat < room->setup.seats);
    const struct seat *taken = &room->match->seats[seat];
    return taken->taken ? taken->name : "";
}

uint64_t room_seq(const struct room *room)
{
    return room->match->seq;
}

void room_event_at(const struct room *room, uint64_t seq, struct room_event *event)
{
    log_get(&room->log, seq, event);
}

const char *room_rematch(const struct room *room)
{
    return room->match->rematch;
}

size_t room_bytes(const struct room *room)
{
    size_t matches = room->checkpoint.match ? 2 : 1;
    size_t thought = (size_t)room->thought.len[0] + room->thought.len[1];
    return sizeof *room + matches * match_size(&room->setup) + log_bytes(&room->log) + thought;
}

unsigned room_audiences(const struct room *room)
{
    return room->setup.game->hidden ? room->setup.seats + 1 : 1;
}

unsigned room_audience(const struct room *room, uint8_t viewer)
{
    const struct setup *setup = &room->setup;
    if (!setup->game->hidden)
        return 0;
    if (viewer == ROOM_SERVER)
        return setup->seats + 1;
    return viewer < setup->seats ? viewer : setup->seats;
}

enum protocol_error room_may_view_as(const struct room *room, uint8_t seat, uint8_t viewer)
{
    bool known = viewer < room->setup.seats || viewer == ROOM_NO_SEAT || viewer == ROOM_SERVER;
    if (!known)
        return PROTOCOL_UNKNOWN_SEAT;
    if (viewer == seat || room->match->phase == PROTOCOL_PHASE_OVER)
        return PROTOCOL_OK;
    return PROTOCOL_NOT_OVER;
}

/* ---- views */

/* The state as of `seq`: the live one, or one replayed into `space`. */
static const struct match *match_at(const struct room *room, uint64_t seq,
                                    struct match_space *space)
{
    assert(seq >= 1 && seq <= room->match->seq);
    if (seq == room->match->seq)
        return room->match;
    struct match_space checkpoint_space;
    struct checkpoint checkpoint;
    copy_checkpoint(room, &checkpoint_space, &checkpoint);
    match_replay(&room->setup, &room->log, &checkpoint, match_in(space), room->match, seq);
    return match_in(space);
}

int room_write_state(const struct room *room, unsigned audience, uint64_t seq,
                     struct writer *writer)
{
    struct match_space space;
    const struct match *match = match_at(room, seq, &space);
    view_write_state(&room->setup, match, view_viewer(&room->setup, audience), writer);
    return writer->out->failed ? -1 : 0;
}

/* Far beyond any push: the largest are a few KiB. */
enum { PUSH_BYTES_MAX = 1 << 20 };

/* What room_write_missed carries from one push to the next. */
struct missed {
    const struct room *room;
    struct match_space spaces[3]; /* the state before an event, after it, and a checkpoint */
    struct checkpoint checkpoint;
    struct buffer buffer;
};

static int write_missed_one(struct missed *missed, unsigned audience, uint64_t seq)
{
    const struct setup *setup = &missed->room->setup;
    const struct log *log = &missed->room->log;
    struct match *before = match_in(&missed->spaces[0]), *after = match_in(&missed->spaces[1]);
    struct room_event event;
    log_get(log, seq, &event);
    match_copy(setup, after, before);
    bool applied = match_apply(setup, log, &missed->checkpoint, after, &event);
    assert(applied);
    checkpoint_follow(&missed->checkpoint, setup, log, after);
    buffer_clear(&missed->buffer);
    view_write_push(setup, seq > 1 ? before : NULL, after, &event, view_viewer(setup, audience),
                    &missed->buffer);
    match_copy(setup, before, after);
    return missed->buffer.failed ? -1 : 0;
}

int room_write_missed(const struct room *room, unsigned audience, uint64_t have, uint64_t upto,
                      int (*sink)(void *ctx, const char *bytes, size_t len), void *ctx)
{
    assert(have <= upto && upto <= room->match->seq);
    struct missed missed;
    missed.room = room;
    buffer_init(&missed.buffer, 0, PUSH_BYTES_MAX);
    copy_checkpoint(room, &missed.spaces[2], &missed.checkpoint);
    match_replay(&room->setup, &room->log, &missed.checkpoint, match_in(&missed.spaces[0]),
                 room->match, have);
    int result = 0;
    for (uint64_t seq = have + 1; seq <= upto && result == 0; seq++) {
        result = write_missed_one(&missed, audience, seq);
        if (result == 0)
            result = sink(ctx, buffer_payload(&missed.buffer), missed.buffer.len);
    }
    buffer_release(&missed.buffer);
    return result;
}

void room_write_summary(const struct room *room, uint8_t own_seat, struct writer *writer)
{
    view_write_summary(&room->setup, room->match, own_seat, room_all_away_ms(room), writer);
}

void room_write_ended(const struct room *room, struct writer *writer)
{
    assert(room_phase(room) == PROTOCOL_PHASE_OVER);
    view_write_ended(&room->setup, room->match, writer);
}

/* ---- a rematch */

struct room *room_create_rematch(const struct room *old, const struct room_seed *seed,
                                 int64_t now_ms, struct refusal *refusal)
{
    struct setup setup = old->setup;
    struct room_event event;
    char text[ROOM_EVENT_TEXT_MAX];
    setup.seed = *seed;
    setup.rated[0] = '\0';                           /* that is for who pairs people to decide */
    setup.rules_version = setup.game->rules_version; /* a new match goes by today's rules */
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    if (!make_created(&setup, match_game_of(old->match), now_ms, &event, text))
        return NULL;
    return create_from(old->games, seed, &event, refusal);
}

void room_fill_rematch(struct room_event *event, const char *new_id,
                       char scratch[ROOM_EVENT_TEXT_MAX])
{
    assert(event->kind == ROOM_REMATCHED && strlen(new_id) == PROTOCOL_ROOM_BYTES);
    memcpy(scratch, new_id, PROTOCOL_ROOM_BYTES);
    event->text = scratch;
    event->text_len = PROTOCOL_ROOM_BYTES;
}
