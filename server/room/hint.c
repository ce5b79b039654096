#include <room/hint.h>

#include "room_internal.h"
#include <assert.h>
#include <stdlib.h>

static bool changes_position(enum room_event_kind kind)
{
    switch (kind) {
    case ROOM_STARTED:
    case ROOM_MOVE:
    case ROOM_UNDONE:
    case ROOM_RESIGNED:
    case ROOM_TIMED_OUT:
        return true;
    case ROOM_CREATED:
    case ROOM_SAT:
    case ROOM_STOOD:
    case ROOM_READIED:
    case ROOM_REPLACED:
    case ROOM_RETURNED:
    case ROOM_OFFERED:
    case ROOM_WITHDREW:
    case ROOM_PAUSED:
    case ROOM_RESUMED:
    case ROOM_CALLED_OFF:
    case ROOM_REMATCHED:
    case ROOM_HINTED:
        return false;
    }
    assert(false && "no such kind");
    return true;
}

uint64_t room_position(const struct room *room)
{
    uint32_t seq = room->log.count;
    while (seq > 1 && !changes_position((enum room_event_kind)room->log.entries[seq - 1].kind))
        seq--;
    return seq;
}

static bool may_act(const struct room *room, uint8_t seat)
{
    return (match_acting(&room->setup, room->match) >> seat) & 1;
}

struct room_hint *room_ask_hint(const struct room *room, uint8_t seat)
{
    const struct game_type *game = room->setup.game;
    assert(room->setup.hints && may_act(room, seat));
    struct room_hint *hint = malloc(sizeof *hint + game->size);
    if (!hint)
        return NULL;
    hint->game = game;
    hint->seq = room->match->seq;
    hint->position = room_position(room);
    hint->rewinds = room->rewinds;
    hint->seat = seat;
    hint->seats = (uint8_t)room->setup.seats;
    game->computer->know(match_game_of(room->match), seat, hint->known);
    return hint;
}

bool room_hint_make(struct room_hint *hint, struct game_thinking *thinking)
{
    const struct game_computer *computer = hint->game->computer;
    assert(!thinking || thinking->memory_bytes >= computer->hint_bytes);
    hint->count = computer->hint(hint->known, hint->seat, thinking, hint->turns);
    assert(hint->count <= GAME_HINT_TURNS && (hint->count > 0 || thinking));
    return hint->count > 0;
}

uint64_t room_hint_event(const struct room *room, uint64_t session, int64_t request_id)
{
    const uint64_t seq = log_find(&room->log, session, request_id);
    return seq > 0 && room->log.entries[seq - 1].kind == ROOM_HINTED ? seq : 0;
}

bool room_hint_lasts(const struct room *room, uint64_t seq)
{
    const struct log_entry *entry = &room->log.entries[seq - 1];
    assert(entry->kind == ROOM_HINTED);
    return seq > room_position(room) && may_act(room, entry->seat);
}

bool room_hint_holds(const struct room *room, const struct room_hint *hint)
{
    return hint->rewinds == room->rewinds && hint->position == room_position(room) &&
           may_act(room, hint->seat);
}

static void write_turn(const struct room_hint *hint, const struct game_hint_turn *turn,
                       struct writer *writer)
{
    writer_object(writer);
    writer_key_array(writer, "moves");
    for (unsigned i = 0; i < turn->count; i++)
        writer_string(writer, turn->moves[i]);
    writer_end(writer);
    writer_key_array(writer, "chances");
    for (unsigned i = 0; i < hint->seats; i++)
        writer_int(writer, turn->chances[i]);
    writer_end(writer);
    writer_end(writer);
}

void room_hint_write(const struct room_hint *hint, struct writer *writer)
{
    writer_key_int(writer, "seq", (int64_t)hint->seq);
    writer_key_array(writer, "turns");
    for (size_t i = 0; i < hint->count; i++)
        write_turn(hint, &hint->turns[i], writer);
    writer_end(writer);
}
