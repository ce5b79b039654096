#include "told.h"

#include "conduct.h"
#include "rows.h"
#include <assert.h>
#include <hub/kernel.h>
#include <inttypes.h>
#include <protocol/buffer.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char told_letter[] = "ratings.told";

int64_t told_points(uint32_t thousandths)
{
    return (thousandths + 500) / 1000;
}

/* The push itself, which waits for nothing but its way. */
static void write_told(uint64_t n, const struct book_match *match, unsigned seat,
                       struct writer *writer)
{
    const struct book_seat *own = &match->seat[seat];
    push_begin(writer, "rated", match->room);
    writer_key_string(writer, "class", rating_class_at(match->class)->name);
    writer_key_int(writer, "before", told_points(own->before.strength));
    writer_key_int(writer, "after", told_points(own->after.strength));
    writer_key_int(writer, "deviation", told_points(own->after.deviation));
    if (own->after.deviation > RATING_PROVISIONAL_DEVIATION)
        writer_key_bool(writer, "provisional", true);
    writer_key_int(writer, "n", (int64_t)n);
    push_end(writer);
}

static void send_to(struct hub *hub, uint64_t session, const char *room_id,
                    const struct buffer *buffer)
{
    const struct kernel_letter letter = {.addressee = session,
                                         .kind = told_letter,
                                         .text = buffer_payload(buffer),
                                         .text_len = buffer->len,
                                         .room_id = room_id};
    if (!buffer->failed) /* else that one is not told */
        (void)kernel_send_letter(hub, &letter);
}

void told_send(struct hub *hub, uint64_t n, const struct book_match *match, unsigned seat)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, TOLD_TEXT);
    writer_init(&writer, &buffer);
    write_told(n, match, seat, &writer);
    send_to(hub, match->seat[seat].account, NULL, &buffer);
    buffer_release(&buffer);
}

void told_found(struct hub *hub, uint64_t session, const char *room_id, const char *class)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, TOLD_TEXT);
    writer_init(&writer, &buffer);
    push_begin(&writer, "found", room_id);
    writer_key_string(&writer, "class", class);
    push_end(&writer);
    send_to(hub, session, room_id, &buffer);
    buffer_release(&buffer);
}

void told_seeking(struct hub *hub, uint64_t session, const char *state)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, TOLD_TEXT);
    writer_init(&writer, &buffer);
    push_begin(&writer, "seeking", NULL);
    writer_key_string(&writer, "state", state);
    push_end(&writer);
    send_to(hub, session, NULL, &buffer);
    buffer_release(&buffer);
}

struct telling {
    struct kernel_change change;
    char room[PROTOCOL_ROOM_BYTES + 1];
    bool finds; /* a table for them */
    size_t len;
    char text[TOLD_TEXT];
};

static void tell_session(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct telling *telling = (const struct telling *)(const void *)change;
    if (telling->finds)
        conduct_knows(hub, session, telling->room);
    kernel_tell_session(hub, session, telling->room[0] ? telling->room : NULL, telling->text,
                        telling->len);
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type telling_type = {.carry_out = tell_session,
                                                       .destroy = destroy_change};

static const char found_start[] = "{\"push\":\"found\",\"room\":\"";

static bool begins_with(const struct store_letter *letter, const char *start)
{
    const size_t len = strlen(start);
    return letter->text_len > len && memcmp(letter->text, start, len) == 0;
}

/* Which room it is about, "": none. False: it is none of ours. */
static bool read_room(const struct store_letter *letter, char room[static PROTOCOL_ROOM_BYTES + 1])
{
    static const char *const starts[] = {"{\"push\":\"rated\",\"room\":\"", found_start};
    room[0] = '\0';
    if (letter->text_len > TOLD_TEXT)
        return false;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const size_t len = strlen(starts[i]);
        if (!begins_with(letter, starts[i]) || letter->text_len <= len + PROTOCOL_ROOM_BYTES ||
            !room_id_valid(letter->text + len, PROTOCOL_ROOM_BYTES))
            continue;
        memcpy(room, letter->text + len, PROTOCOL_ROOM_BYTES);
        room[PROTOCOL_ROOM_BYTES] = '\0';
        return true;
    }
    return begins_with(letter, "{\"push\":\"seeking\",\"state\":\"");
}

enum letter_fate told_apply(struct hub *hub, const struct store_letter *letter)
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
    telling->change.type = &telling_type;
    telling->finds = begins_with(letter, found_start);
    telling->len = letter->text_len;
    memcpy(telling->text, letter->text, letter->text_len);
    memcpy(telling->room, room, sizeof room);
    kernel_change_session(hub, session, &telling->change);
    return LETTER_APPLIED;
}
