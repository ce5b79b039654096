#include "tables.h"

#include "held.h"
#include "rows.h"
#include "seated.h"
#include "state.h"
#include <hub/hub.h>
#include <hub/kernel.h>
#include <jansson.h>
#include <protocol/account.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <room/result.h>
#include <room/room.h>
#include <stdlib.h>
#include <string.h>

const char event_result_letter[] = "events.result";

enum { AGAIN_MS = 1000 };

/* ---- what is played */

static void write_create(struct writer *writer, const struct event_rules *rules,
                         const json_t *options)
{
    writer_object(writer);
    writer_key_int(writer, "id", 0);
    writer_key_string(writer, "op", "create");
    writer_key_string(writer, "game", rules->game);
    writer_key(writer, "options");
    writer_json(writer, options);
    writer_key_raw(writer, "clock", rules->clock, strlen(rules->clock));
    writer_key_string(writer, "access", protocol_access_name(PROTOCOL_ACCESS_OPEN));
    writer_key_bool(writer, "hints", false);
    writer_key_string(writer, "title", rules->title);
    writer_end(writer);
}

/* What `create` would have for a table of so many, to be released: as a client would send it, so
 * that nothing is taken that is not taken of one. False: it would be refused. */
static bool make_create(const struct event_rules *rules, unsigned seats, struct request *create)
{
    json_t *options = json_loads(rules->options, 0, NULL);
    struct buffer buffer;
    struct writer writer;
    request_init(create, REQUEST_NO_ID, REQUEST_CREATE);
    if (!options || json_object_set_new(options, "players", json_integer((int)seats)) < 0) {
        json_decref(options);
        return false;
    }
    buffer_init(&buffer, 0, PROTOCOL_MESSAGE_BYTES);
    writer_init(&writer, &buffer);
    write_create(&writer, rules, options);
    json_decref(options);
    const bool good = !buffer.failed && request_decode_kept(create, buffer_payload(&buffer),
                                                            buffer.len) == PROTOCOL_OK;
    buffer_release(&buffer);
    return good;
}

bool tables_can_play(const struct hub *hub, const struct event_rules *rules, unsigned seats,
                     struct refusal *refusal)
{
    static const struct room_seed seed = {.id = "00000000"};
    struct request create;
    struct room *room = NULL;
    *refusal = (struct refusal){.error = PROTOCOL_BAD_FIELD, .field = "rules"};
    if (make_create(rules, seats, &create))
        room = room_create(kernel_env(hub)->games, &seed, &create, "", kernel_now_ms(hub), refusal);
    request_release(&create);
    room_destroy(room);
    return room;
}

/* ---- opening */

struct opening {
    struct kernel_change change;
    struct held *held;
    unsigned round, table; /* the table from 0 */
    char room[PROTOCOL_ROOM_BYTES + 1];
};

static struct held_room *room_of(const struct opening *opening)
{
    struct held *held = opening->held;
    return held->rooms_of == opening->round ? &held->rooms[opening->table] : NULL;
}

/* Without the room, which the store has refused alone, it is opened again. */
static void become_open(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct opening *opening = (const struct opening *)(const void *)change;
    struct held_room *room = room_of(opening);
    const struct hub_room *hub_room = kernel_room_find(hub, opening->room);
    (void)session;
    if (room) {
        room->opening = false;
        if (hub_room && kernel_room_is_durable(hub_room))
            memcpy(room->id, opening->room, sizeof room->id);
    }
    held_touch(hub, opening->held);
    held_settle(hub, opening->held, true);
}

static void stay_closed(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct opening *opening = (const struct opening *)(const void *)change;
    struct held_room *room = room_of(opening);
    (void)session;
    if (room)
        room->opening = false;
    held_settle(hub, opening->held, false);
}

static void destroy_opening(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type opening_type = {
    .carry_out = become_open, .undo = stay_closed, .destroy = destroy_opening};

static void plan_seats(const struct held *held, const struct event_table *table,
                       struct kernel_room_plan *plan,
                       struct protocol_account accounts[static EVENT_SEATS_MAX])
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        const unsigned number = table->seat[seat];
        const struct event_entrant_row *name =
            number < held->name_count ? &held->names[number] : NULL;
        const bool known = name && name->session != 0;
        accounts[seat] = (struct protocol_account){.kind = ACCOUNT_NONE};
        if (known && name->handle[0]) {
            accounts[seat].kind = (enum protocol_account_kind)name->kind;
            memcpy(accounts[seat].handle, name->handle, sizeof accounts[seat].handle);
        }
        plan->seat[seat] =
            (struct kernel_seat){.session = held->durable.entrant[number - 1].account,
                                 .name = known ? name->name : "",
                                 .account = accounts[seat].handle[0] ? &accounts[seat] : NULL};
    }
}

/* The director is its host; if they are gone, somebody who plays there. */
static bool open_room(struct hub *hub, const struct held *held, const struct event_table *table,
                      const struct request *create, char id[static PROTOCOL_ROOM_BYTES + 1])
{
    struct protocol_account accounts[EVENT_SEATS_MAX];
    struct kernel_room_plan plan = {.create = create, .host = held->durable.director};
    struct refusal refusal;
    plan_seats(held, table, &plan, accounts);
    bool opened = kernel_open_room(hub, &plan, id, &refusal);
    for (unsigned seat = 0;
         !opened && refusal.error == PROTOCOL_SEAT_REFUSED && seat < table->seats; seat++) {
        plan.host = plan.seat[seat].session;
        opened = kernel_open_room(hub, &plan, id, &refusal);
    }
    return opened;
}

static void put_room(struct hub *hub, const struct opening *opening)
{
    struct event_room_row row = {.round = (uint16_t)opening->round,
                                 .table = (uint16_t)(opening->table + 1)};
    memcpy(row.event, opening->held->row.event, sizeof row.event);
    memcpy(row.room, opening->room, sizeof row.room);
    kernel_put_row(hub, &event_room_table, &row);
}

/* False: not now. */
static bool open_table(struct hub *hub, struct held *held, unsigned at)
{
    enum { ROWS = 1 };
    const struct event_table *table = &held->durable.round[held->rooms_of - 1].table[at];
    struct request create;
    if (kernel_may_store(hub, KERNEL_ROOM_OPS + ROWS + table->seats) != PROTOCOL_OK ||
        kernel_reserve(hub, ROWS, 0) < 0)
        return false;
    struct opening *opening = calloc(1, sizeof *opening);
    const bool opened = opening && make_create(&held->durable.rules, table->seats, &create);
    if (!opened || !open_room(hub, held, table, &create, opening->room)) {
        if (opening)
            request_release(&create);
        free(opening);
        return false;
    }
    request_release(&create);
    opening->change.type = &opening_type;
    opening->held = held;
    opening->round = held->rooms_of;
    opening->table = at;
    put_room(hub, opening);
    for (unsigned seat = 0; seat < table->seats; seat++)
        seated_tell(hub, held, held->rooms_of, at + 1, table->seat[seat], opening->room);
    held->rooms[at].opening = true;
    held_wait(held);
    kernel_change_hub(hub, &opening->change);
    return true;
}

/* ---- who is missing */

/* What a room says of its table, where who was there did so well; of the others the place is 0. */
static void fill_outcome(const struct held *held, unsigned at, const char *room,
                         struct event_outcome *outcome)
{
    *outcome =
        (struct event_outcome){.round = (uint16_t)held->rooms_of, .table = (uint16_t)(at + 1)};
    outcome->seats = held->durable.round[held->rooms_of - 1].table[at].seats;
    memcpy(outcome->room, room, sizeof outcome->room);
}

static void fill_ready(const struct held *held, unsigned at, const struct room *room,
                       struct event_outcome *outcome)
{
    const struct event_table *table = &held->durable.round[held->rooms_of - 1].table[at];
    fill_outcome(held, at, room_id(room), outcome);
    for (unsigned i = 0; i < table->seats; i++) {
        const uint8_t seat = room_seat_of(room, held->durable.entrant[table->seat[i] - 1].account);
        outcome->place[i] = seat != ROOM_NO_SEAT && room_seat_is_ready(room, seat);
    }
}

/* The match has not begun in time. False: not now. */
static bool end_waiting(struct hub *hub, struct held *held, unsigned at, struct hub_room *hub_room)
{
    struct event_entry entry = held_next(hub, held, EVENT_RESULT, 0);
    enum event_fault fault;
    fill_ready(held, at, kernel_room(hub_room), &entry.u.outcome);
    if (!kernel_may_take_back_room(hub_room) || kernel_may_store(hub, HELD_OPS + 1) != PROTOCOL_OK)
        return false;
    if (held_enter(hub, held, &entry, NULL, NULL, NULL, &fault) != PROTOCOL_OK)
        return false;
    (void)kernel_take_back_room(hub, hub_room); /* else nobody counts what is played there */
    return true;
}

/* When to look again at a table that has a room. */
static int64_t look_at_room(struct hub *hub, struct held *held, unsigned at)
{
    const struct event_round *round = &held->durable.round[held->rooms_of - 1];
    const int64_t due_ms = round->paired_ms + 1000 * (int64_t)held->durable.rules.wait_s;
    const int64_t now_ms = kernel_now_ms(hub);
    struct held_room *room = &held->rooms[at];
    if (room->begun || now_ms < due_ms)
        return room->begun ? INT64_MAX : due_ms;
    struct hub_room *hub_room = kernel_room_find(hub, room->id);
    room->begun = !hub_room || room_phase(kernel_room(hub_room)) != PROTOCOL_PHASE_LOBBY;
    if (room->begun || end_waiting(hub, held, at, hub_room))
        return INT64_MAX;
    return now_ms + AGAIN_MS;
}

static int64_t look_at_table(struct hub *hub, struct held *held, unsigned at)
{
    if (held->rooms[at].opening)
        return INT64_MAX; /* it is looked at again when that is durable */
    if (held->rooms[at].id[0])
        return look_at_room(hub, held, at);
    return open_table(hub, held, at) ? INT64_MAX : kernel_now_ms(hub) + AGAIN_MS;
}

int64_t tables_look(struct hub *hub, struct held *held)
{
    const struct event_round *round = event_open_round(&held->durable);
    int64_t next_ms = INT64_MAX;
    if (!round || !held_is_whole(held) || !event_open_round(&held->ahead))
        return INT64_MAX;
    for (unsigned at = 0; at < round->tables; at++) {
        if (held->ahead.round[held->rooms_of - 1].table[at].over)
            continue;
        const int64_t table_ms = look_at_table(hub, held, at);
        next_ms = table_ms < next_ms ? table_ms : next_ms;
    }
    return next_ms;
}

/* ---- results */

struct found_table {
    struct held *held;
    unsigned at;
};

static bool find_table(const struct hub *hub, const char *room, struct found_table *found)
{
    const struct held_events *all = &events_of(hub)->held;
    for (size_t i = 0; i < all->count; i++) {
        struct held *held = all->items[i];
        const struct event_round *round = event_open_round(&held->durable);
        for (unsigned at = 0; round && at < round->tables; at++) {
            if (memcmp(held->rooms[at].id, room, PROTOCOL_ROOM_BYTES) == 0) {
                *found = (struct found_table){held, at};
                return true;
            }
        }
    }
    return false;
}

/* Where nothing was decided those who were in play to the end share the first place. */
static unsigned rank_of(const struct room_result *result, const struct room_result_seat *seat)
{
    if (result->decided && seat->rank > 0)
        return seat->rank;
    return (result->decided ? seat->won : seat->in_play) ? 1 : 2;
}

static const struct room_result_seat *find_seat(const struct room_result *result, uint64_t session)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (result->seat[seat].session == session)
            return &result->seat[seat];
    }
    return NULL;
}

/* As in a race, of those who sat there. */
static void fill_places(const struct held *held, unsigned at, const struct room_result *result,
                        struct event_outcome *outcome)
{
    const struct event_table *table = &held->durable.round[held->rooms_of - 1].table[at];
    unsigned rank[EVENT_SEATS_MAX] = {0};
    fill_outcome(held, at, result->room_id, outcome);
    for (unsigned i = 0; i < table->seats; i++) {
        const struct room_result_seat *seat =
            find_seat(result, held->durable.entrant[table->seat[i] - 1].account);
        rank[i] = seat ? rank_of(result, seat) : 0;
    }
    for (unsigned i = 0; i < table->seats; i++) {
        unsigned before = 0;
        for (unsigned j = 0; j < table->seats; j++)
            before += rank[j] > 0 && rank[j] < rank[i];
        outcome->place[i] = (uint8_t)(rank[i] > 0 ? before + 1 : 0);
    }
}

/* The id of the event, and the entry as it is known now; its number and time are those of when it
 * is entered. */
void tables_match_over(struct hub *hub, const struct room_result *result)
{
    char text[PROTOCOL_ROOM_BYTES + EVENT_LINE_MAX + 1];
    struct event_entry entry = {.kind = EVENT_RESULT};
    struct found_table found;
    if (!find_table(hub, result->room_id, &found))
        return;
    fill_places(found.held, found.at, result, &entry.u.outcome);
    memcpy(text, found.held->row.event, PROTOCOL_ROOM_BYTES);
    const size_t len = event_write(&entry, text + PROTOCOL_ROOM_BYTES);
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = event_result_letter,
                                         .text = text,
                                         .text_len = PROTOCOL_ROOM_BYTES + len,
                                         .room_id = result->room_id};
    (void)kernel_send_letter(hub, &letter);
}

enum letter_fate tables_apply(struct hub *hub, const struct store_letter *letter)
{
    char id[PROTOCOL_ROOM_BYTES + 1] = "";
    struct event_entry entry;
    if (letter->text_len <= PROTOCOL_ROOM_BYTES)
        return LETTER_REFUSED;
    memcpy(id, letter->text, PROTOCOL_ROOM_BYTES);
    const enum event_read read = event_read(&entry, letter->text + PROTOCOL_ROOM_BYTES,
                                            letter->text_len - PROTOCOL_ROOM_BYTES);
    if (read != EVENT_READ || entry.kind != EVENT_RESULT)
        return read == EVENT_READ_NO_MEMORY ? LETTER_LATER : LETTER_REFUSED;
    struct held *held = held_find(hub, id);
    if (!held)
        return LETTER_APPLIED;
    if (!held_is_whole(held) && !held_mend(held))
        return LETTER_LATER;
    const struct event_entry next = held_next(hub, held, EVENT_RESULT, 0);
    entry.n = next.n;
    entry.at_ms = next.at_ms;
    if (event_check(&held->ahead, &entry) != EVENT_FINE) /* it has a result */
        return LETTER_APPLIED;
    if (!held_put(hub, held, &entry))
        return LETTER_LATER;
    events_of(hub)->held.results++;
    return LETTER_APPLIED;
}
