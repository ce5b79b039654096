#include "erase_case.h"

#include "row_ops.h"
#include <stdio.h>
#include <string.h>

void erase_case_begin(const struct erase_case *c)
{
    const struct store_op ops[] = {
        {.kind = STORE_PUT_SESSION, .u.session = {.id = ERASED_SESSION, .name = "Ana Nym"}},
        {.kind = STORE_PUT_SESSION, .u.session = {.id = OTHER_SESSION, .name = "Bo"}}};
    c->commit(c->ctx, ops, 2);
}

static struct store_op about(enum store_op_kind kind, const char *room_id)
{
    struct store_op op = {.kind = kind};
    (void)snprintf(op.room_id, sizeof op.room_id, "%s", room_id);
    return op;
}

static struct store_op make_room(const char *room_id)
{
    struct store_op op = about(STORE_PUT_ROOM, room_id);
    memcpy(op.u.room.seed.id, op.room_id, sizeof op.room_id);
    return op;
}

struct said {
    enum room_event_kind kind;
    uint8_t seat;
    uint64_t session;
    const char *text;
};

static const struct said saids[] = {
    {ROOM_CREATED, ROOM_NO_SEAT, ERASED_SESSION, "rules=1 {}"},
    {ROOM_SAT, 0, ERASED_SESSION, "red human:ana Ana Nym"},
    {ROOM_SAT, 1, ERASED_SESSION, "white human Ana Nym"},
    {ROOM_SAT, 0, OTHER_SESSION, "red human Bo"},
    {ROOM_SAT, 2, ERASED_SESSION, "brown bot:easy Gecko"},
    {ROOM_STARTED, ROOM_NO_SEAT, OTHER_SESSION, ""},
    {ROOM_MOVE, 1, ERASED_SESSION, "human:ana Ana Nym"},
};
enum { SAIDS = sizeof saids / sizeof saids[0] };

static struct store_op say(const char *room_id, size_t at)
{
    const struct said *said = &saids[at];
    struct store_op op = about(STORE_APPEND, room_id);
    op.u.event = (struct room_event){.seq = at + 1,
                                     .at_ms = (int64_t)at,
                                     .origin = {said->session, ROOM_NO_REQUEST, 0},
                                     .kind = said->kind,
                                     .seat = said->seat,
                                     .text = said->text,
                                     .text_len = (uint16_t)strlen(said->text)};
    return op;
}

static struct store_op list(const char *room_id, uint64_t session, int64_t at_ms)
{
    static const char line[] =
        "{\"title\":\"\\\"seats\\\":{ of "
        "Bo\",\"seats\":{\"0\":{\"name\":\"Bo\",\"colour\":\"red\"},"
        "\"1\":{\"name\":\"Ana \\\"\\\\\",\"handle\":\"ana\",\"colour\":\"white\"},"
        "\"2\":{\"name\":\"Gecko\",\"colour\":\"brown\",\"bot\":true}},\"at\":5}";
    struct game_row row = {.session = session,
                           .at_ms = at_ms,
                           .seat = session == ERASED_SESSION,
                           .text = line,
                           .text_len = (uint16_t)strlen(line)};
    (void)snprintf(row.room, sizeof row.room, "%s", room_id);
    return op_put_game(&row, 1000);
}

void erase_case_put(const struct erase_case *c, const char *room_id, int64_t at_ms, bool archived)
{
    struct store_op ops[SAIDS + 4];
    size_t count = 0;
    ops[count++] = make_room(room_id);
    for (size_t at = 0; at < SAIDS; at++)
        ops[count++] = say(room_id, at);
    if (archived)
        ops[count++] = about(STORE_ARCHIVE_ROOM, room_id);
    ops[count++] = list(room_id, ERASED_SESSION, at_ms);
    ops[count++] = list(room_id, OTHER_SESSION, at_ms);
    c->commit(c->ctx, ops, count);
}

void erase_case_put_long(const struct erase_case *c, const char *room_id, int64_t at_ms)
{
    static const char begin[] = "{\"room\":\"", title[] = "\",\"title\":\"",
                      rest[] = "\",\"seats\":{\"1\":{\"name\":\"A\",\"colour\":\"white\"}}}";
    char line[GAME_TEXT_MAX + 1];
    struct store_op op = list(room_id, OTHER_SESSION, at_ms);
    struct game_row row = *(const struct game_row *)op_row(&op);
    const int len = snprintf(line, sizeof line, "%s%s%s", begin, room_id, title);
    memset(line + len, 't', sizeof line - (size_t)len - sizeof rest);
    memcpy(line + sizeof line - sizeof rest, rest, sizeof rest);
    row.text = line;
    row.text_len = GAME_TEXT_MAX;
    op = op_put_game(&row, 1000);
    c->commit(c->ctx, &op, 1);
}

void erase_case_erase(const struct erase_case *c)
{
    const struct store_op op = {.kind = STORE_ERASE_NAMES, .u.session_id = ERASED_SESSION};
    c->commit(c->ctx, &op, 1);
}
