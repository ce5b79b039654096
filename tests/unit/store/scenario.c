#include "scenario.h"

#include "row_ops.h"
#include <assert.h>
#include <identity/credential_table.h>
#include <notify/browser_table.h>
#include <stdio.h>
#include <string.h>

static const char *const room_ids[3] = {"room000a", "room000b", "room000c"};

void scenario_init(struct scenario *scenario)
{
    memset(scenario, 0, sizeof *scenario);
    scenario->batch.ops = scenario->ops;
}

static struct store_op *add(struct scenario *scenario, enum store_op_kind kind, int room)
{
    assert(scenario->batch.count < SCENARIO_OPS_MAX);
    struct store_op *op = &scenario->ops[scenario->batch.count++];
    *op = (struct store_op){.kind = kind};
    if (room >= 0)
        snprintf(op->room_id, sizeof op->room_id, "%s", room_ids[room]);
    return op;
}

static void put_session(struct scenario *scenario, uint64_t id, const char *name, int64_t seen_ms)
{
    struct store_session *session = &add(scenario, STORE_PUT_SESSION, -1)->u.session;
    session->id = id;
    snprintf(session->name, sizeof session->name, "%s", name);
    session->created_ms = 1790000000000;
    session->seen_ms = seen_ms;
}

static void put_room(struct scenario *scenario, int room)
{
    struct store_room *row = &add(scenario, STORE_PUT_ROOM, room)->u.room;
    snprintf(row->seed.id, sizeof row->seed.id, "%s", room_ids[room]);
    snprintf(row->seed.code, sizeof row->seed.code, "%s", room == 1 ? "0123456789abcdef" : "");
    memset(row->seed.secret, 0xa0 + room, sizeof row->seed.secret);
    row->seed.host = UINT64_MAX - (uint64_t)room;
    row->created_ms = 1790000000000 + room;
    scenario->seq[room] = 0;
}

static void let_in(struct scenario *scenario, int room, uint64_t session, uint64_t instead_of)
{
    add(scenario, STORE_LET_IN, room)->u.guest = (struct store_guest){session, instead_of};
}

static void put_pass(struct scenario *scenario, uint64_t session, uint32_t id, const char *name)
{
    struct credential_row pass = {.session = session, .id = id, .since_ms = 1, .name = name};
    memset(pass.secret_hash, (int)(session & 0xff) + (int)id, sizeof pass.secret_hash);
    *add(scenario, STORE_PUT_ROW, -1) = op_put_row(&credential_table, &pass);
}

static void put_push(struct scenario *scenario, uint64_t session, uint64_t key)
{
    const struct browser_row push = {
        session, key, 3, 1790000000000, {4, 1}, {2}, "https://push.example/1"};
    *add(scenario, STORE_PUT_ROW, -1) = op_put_row(&browser_table, &push);
}

static void put_game(struct scenario *scenario, uint64_t session, int room, uint8_t seat,
                     int64_t at_ms)
{
    struct game_row row = {
        .session = session, .at_ms = at_ms, .seat = seat, .text_len = 9, .text = "{\"a\":[1]}"};
    snprintf(row.room, sizeof row.room, "%s", room_ids[room]);
    *add(scenario, STORE_PUT_ROW, -1) = op_put_game(&row, 2);
}

static void append(struct scenario *scenario, int room, size_t text_len)
{
    size_t at = scenario->batch.count;
    struct room_event *event = &add(scenario, STORE_APPEND, room)->u.event;
    memset(scenario->texts[at], 'a' + room, text_len);
    *event = (struct room_event){
        .seq = ++scenario->seq[room],
        .at_ms = 1790000001000 + (int64_t)scenario->seq[room],
        .origin = {7 + (uint64_t)room, 9007199254740991 - (int64_t)scenario->seq[room],
                   scenario->seq[room]},
        .kind = scenario->seq[room] == 1 ? ROOM_CREATED : ROOM_MOVE,
        .seat = scenario->seq[room] == 1 ? ROOM_NO_SEAT : (uint8_t)(scenario->seq[room] % 2),
        .text_len = (uint16_t)text_len,
        .text = scenario->texts[at],
    };
}

const struct store_batch *scenario_batch(struct scenario *scenario, int number)
{
    scenario->batch.count = 0;
    switch (number) {
    case 0:
        put_session(scenario, 7, "Ana", 1);
        put_session(scenario, UINT64_MAX, "Bo", 1);
        put_pass(scenario, 7, 0, "");
        put_pass(scenario, UINT64_MAX, 0, "");
        put_room(scenario, 0);
        append(scenario, 0, 2);
        put_push(scenario, 7, 1);
        put_push(scenario, UINT64_MAX, 1);
        put_game(scenario, 7, 0, 0, 1790000000000);
        put_game(scenario, UINT64_MAX, 0, 2, 1790000000000);
        break;
    case 3:
        put_room(scenario, 1);
        append(scenario, 1, 0);
        let_in(scenario, 1, 7, 0);
        let_in(scenario, 0, 7, 0);
        add(scenario, STORE_DROP_SESSION, -1)->u.session_id = UINT64_MAX;
        put_push(scenario, 7, 2);
        put_pass(scenario, 7, 3, "Tablet");
        put_pass(scenario, 7, 4, "Phone");
        break;
    case 5:
        put_room(scenario, 2);
        for (int i = 0; i < 40; i++)
            append(scenario, 2, ROOM_EVENT_TEXT_MAX);
        append(scenario, 0, ROOM_EVENT_TEXT_MAX);
        let_in(scenario, 2, 7, 0);
        let_in(scenario, 0, 9, 7);
        put_game(scenario, 7, 2, 0, 1790000000001);
        break;
    case 7:
        put_session(scenario, 7, "Ana", 2);
        add(scenario, STORE_ARCHIVE_ROOM, 2);
        append(scenario, 0, 9);
        *add(scenario, STORE_DROP_ROW, -1) =
            op_drop_row(&browser_table, &(struct browser_row){.session = 7, .key = 1});
        put_pass(scenario, 7, 3, "My tablet");
        *add(scenario, STORE_DROP_ROW, -1) =
            op_drop_row(&credential_table, &(struct credential_row){.session = 7, .id = 4});
        break;
    case 9:
        add(scenario, STORE_DROP_ROOM, 1);
        put_session(scenario, 8, "Chi", 3);
        put_game(scenario, 7, 1, 0, 1790000000002);
        break;
    case 11:
        put_room(scenario, 1);
        append(scenario, 1, 100);
        add(scenario, STORE_DROP_ROOM, 2);
        break;
    case 12:
        break; /* a probe */
    default:
        for (int i = 0; i < number; i++)
            append(scenario, 0, (size_t)10 + (size_t)i);
        break;
    }
    return &scenario->batch;
}
