#include "seated.h"

#include <hub/kernel.h>
#include <protocol/buffer.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <stdlib.h>
#include <string.h>

const char event_seated_letter[] = "events.seated";

void seated_tell(struct hub *hub, const struct held *held, unsigned round, unsigned table,
                 unsigned number, const char *room)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, EVENT_SEATED_TEXT);
    writer_init(&writer, &buffer);
    push_begin(&writer, "seated", room);
    writer_key_string(&writer, "event", held->row.event);
    writer_key_int(&writer, "round", round);
    writer_key_int(&writer, "table", table);
    push_end(&writer);
    const struct kernel_letter letter = {.addressee = held->durable.entrant[number - 1].account,
                                         .kind = event_seated_letter,
                                         .text = buffer_payload(&buffer),
                                         .text_len = buffer.len,
                                         .room_id = room};
    if (!buffer.failed)
        (void)kernel_send_letter(hub, &letter);
    buffer_release(&buffer);
}

/* ---- at home */

struct telling {
    struct kernel_change change;
    char room[PROTOCOL_ROOM_BYTES + 1];
    size_t len;
    char text[EVENT_SEATED_TEXT];
};

static void tell(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct telling *telling = (const struct telling *)(const void *)change;
    kernel_tell_session(hub, session, telling->room, telling->text, telling->len);
}

static void destroy_telling(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type telling_type = {.carry_out = tell,
                                                       .destroy = destroy_telling};

/* False: it is none of ours. */
static bool read_room(const struct store_letter *letter, char room[static PROTOCOL_ROOM_BYTES + 1])
{
    static const char start[] = "{\"push\":\"seated\",\"room\":\"";
    enum { START = sizeof start - 1 };
    if (letter->text_len <= START + PROTOCOL_ROOM_BYTES || letter->text_len > EVENT_SEATED_TEXT ||
        memcmp(letter->text, start, START) != 0)
        return false;
    memcpy(room, letter->text + START, PROTOCOL_ROOM_BYTES);
    room[PROTOCOL_ROOM_BYTES] = '\0';
    return room_id_valid(room, PROTOCOL_ROOM_BYTES);
}

enum letter_fate seated_apply(struct hub *hub, const struct store_letter *letter)
{
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct session *session = kernel_session_find(hub, letter->addressee);
    if (!read_room(letter, room))
        return LETTER_REFUSED;
    if (!session)
        return LETTER_APPLIED;
    struct telling *telling = kernel_session_is_changing(session) ? NULL : malloc(sizeof *telling);
    if (!telling)
        return LETTER_LATER;
    *telling = (struct telling){.change.type = &telling_type, .len = letter->text_len};
    memcpy(telling->room, room, sizeof telling->room);
    memcpy(telling->text, letter->text, letter->text_len);
    kernel_change_session(hub, session, &telling->change);
    return LETTER_APPLIED;
}
