#include "rows.h"

#include <string.h>

bool session_of(const PGresult *rows, int row, int at, struct store_session *session)
{
    *session = (struct store_session){.id = (uint64_t)cell_number(rows, row, at),
                                      .created_ms = cell_number(rows, row, at + 2),
                                      .seen_ms = cell_number(rows, row, at + 3)};
    return cell_string(rows, row, at + 1, session->name, sizeof session->name);
}

bool event_of(const PGresult *rows, int row, int at, struct room_event *event)
{
    const int64_t kind = cell_number(rows, row, at + 6), seat = cell_number(rows, row, at + 7);
    if (kind < 0 || kind >= ROOM_EVENT_KINDS || seat < 0 || seat > ROOM_NO_SEAT)
        return false;
    *event = (struct room_event){
        .seq = (uint64_t)cell_number(rows, row, at),
        .at_ms = cell_number(rows, row, at + 1),
        .held_ms = cell_number(rows, row, at + 2),
        .origin = {(uint64_t)cell_number(rows, row, at + 3), cell_number(rows, row, at + 4),
                   (uint64_t)cell_number(rows, row, at + 5)},
        .kind = (enum room_event_kind)kind,
        .seat = (uint8_t)seat,
    };
    event->text = cell_text(rows, row, at + 8, ROOM_EVENT_TEXT_MAX, &event->text_len);
    return event->text != NULL;
}

bool event_is_newer(const PGresult *rows, int row, int at)
{
    return cell_number(rows, row, at + 6) >= ROOM_EVENT_KINDS;
}

bool room_of(const PGresult *rows, int row, int at, struct store_room *room)
{
    *room = (struct store_room){.seed.host = (uint64_t)cell_number(rows, row, at + 3),
                                .created_ms = cell_number(rows, row, at + 4)};
    return cell_string(rows, row, at, room->seed.id, sizeof room->seed.id) &&
           strlen(room->seed.id) == sizeof room->seed.id - 1 &&
           cell_string(rows, row, at + 1, room->seed.code, sizeof room->seed.code) &&
           cell_bytes(rows, row, at + 2, room->seed.secret, sizeof room->seed.secret);
}
