#include "told.h"

#include "conduct.h"
#include "pool/pool.h"
#include "rows/rows.h"
#include "rows/state.h"
#include "waiting.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/prometheus.h>
#include <inttypes.h>
#include <protocol/buffer.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char told_letter[] = "ratings.told", refunded_letter[] = "ratings.refunded",
           challenged_letter[] = "ratings.challenged";

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

static void send_to(struct hub *hub, uint64_t session, const char *kind, const char *room_id,
                    const struct buffer *buffer)
{
    const struct kernel_letter letter = {.addressee = session,
                                         .kind = kind,
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
    send_to(hub, match->seat[seat].account, told_letter, NULL, &buffer);
    buffer_release(&buffer);
}

void told_refunded(struct hub *hub, const struct told_refund *refund)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, TOLD_TEXT);
    writer_init(&writer, &buffer);
    push_begin(&writer, "refunded", NULL);
    writer_key_string(&writer, "class", rating_class_at(refund->class)->name);
    writer_key_int(&writer, "before", told_points(refund->before));
    writer_key_int(&writer, "after", told_points(refund->after));
    writer_key_string(&writer, "reason", refund->reason);
    writer_key_int(&writer, "of", (int64_t)refund->of);
    writer_key_int(&writer, "n", (int64_t)refund->n);
    push_end(&writer);
    send_to(hub, refund->account, refunded_letter, NULL, &buffer);
    buffer_release(&buffer);
}

void told_found(struct hub *hub, uint64_t session, const struct told_table *table)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, TOLD_TEXT);
    writer_init(&writer, &buffer);
    push_begin(&writer, "found", table->room_id);
    writer_key_string(&writer, table->unrated ? "unrated" : "class",
                      table->unrated ? table->unrated : table->class);
    writer_key_int(&writer, "until", table->until_ms);
    push_end(&writer);
    send_to(hub, session, told_letter, table->room_id, &buffer);
    buffer_release(&buffer);
}

static const char *const seek_states[TOLD_STATES] = {"full", "crowd", "playing", "again", "ended"};

static void count_state(struct hub *hub, const char *state)
{
    for (size_t at = 0; at < TOLD_STATES; at++)
        desk_of(hub)->told[at] += strcmp(state, seek_states[at]) == 0;
}

void told_write_figures(const struct hub *hub, struct buffer *out)
{
    prometheus_head(out, "seeks_told_total", "counter",
                    "People who were told of their seek that it has no place (full, crowd), that "
                    "they play elsewhere, or that not all came to their table (again, ended).");
    for (size_t at = 0; at < TOLD_STATES; at++)
        prometheus_labelled(out, "seeks_told_total", "state", seek_states[at],
                            desk_of(hub)->told[at]);
}

void told_seeking(struct hub *hub, uint64_t session, const char *state)
{
    struct buffer buffer;
    struct writer writer;
    count_state(hub, state);
    buffer_init(&buffer, 0, TOLD_TEXT);
    writer_init(&writer, &buffer);
    push_begin(&writer, "seeking", NULL);
    writer_key_string(&writer, "state", state);
    push_end(&writer);
    send_to(hub, session, told_letter, NULL, &buffer);
    buffer_release(&buffer);
}

/* Of each class once: "taluva.table.live":[1500,325]. Short, as whoever passes it on takes no more
 * than TOLD_TEXT. */
static void write_windows(const struct ticket *ticket, struct writer *writer)
{
    const char *last = "";
    for (unsigned kind = 0; kind < POOL_KINDS; kind++) {
        const char *class = ticket->kinds >> kind & 1 ? waiting_class_of(kind) : last;
        if (strcmp(class, last) == 0)
            continue;
        writer_key_array(writer, class);
        writer_int(writer, told_points(ticket->rating[kind].strength));
        writer_int(writer, (int64_t)(pool_window(ticket, kind, ticket->since_ms) / 1000));
        writer_end(writer);
        last = class;
    }
}

void told_waiting(struct hub *hub, const struct ticket *ticket)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, TOLD_TEXT);
    writer_init(&writer, &buffer);
    push_begin(&writer, "seeking", NULL);
    writer_key_string(&writer, "state", "waiting");
    writer_key_int(&writer, "since", ticket->since_ms);
    writer_key_object(&writer, "windows");
    write_windows(ticket, &writer);
    writer_end(&writer);
    push_end(&writer);
    send_to(hub, ticket->session, told_letter, NULL, &buffer);
    buffer_release(&buffer);
}

/* "ID PUSH": who it is, so that whoever has blocked them is not told. */
static void write_challenged(const struct hub *hub, const struct seek_row *seek,
                             const struct wish_row *wish, struct writer *writer)
{
    push_begin(writer, "challenged", NULL);
    writer_key_string(writer, "handle", seek->handle);
    writer_key_string(writer, "game", waiting_game(seek->game));
    writer_key_array(writer, "clocks");
    for (unsigned clock = 0; clock < WAITING_CLOCKS; clock++) {
        if (wish->clocks >> clock & 1)
            writer_string(writer, waiting_clock_name((enum waiting_clock)clock));
    }
    writer_end(writer);
    if (seek->sizes == 1U << POOL_TEAMS)
        writer_key_bool(writer, "teams", true);
    writer_key_int(writer, "until", seek->said_ms + kernel_config(hub)->seek_ms);
    push_end(writer);
}

void told_challenged(struct hub *hub, const struct seek_row *seek, const struct wish_row *wish)
{
    struct buffer buffer;
    struct writer writer;
    char id[POOL_ID_DIGITS + 2];
    (void)snprintf(id, sizeof id, "%016" PRIx64 " ", seek->session);
    buffer_init(&buffer, 0, POOL_ID_DIGITS + 1 + TOLD_TEXT);
    buffer_append_string(&buffer, id);
    writer_init(&writer, &buffer);
    write_challenged(hub, seek, wish, &writer);
    send_to(hub, wish->with, challenged_letter, NULL, &buffer);
    buffer_release(&buffer);
}

struct telling {
    struct kernel_change change;
    char room[PROTOCOL_ROOM_BYTES + 1];
    bool finds;      /* a table for them */
    bool is_strange; /* it comes from somebody whom they do not follow */
    size_t len;
    char text[TOLD_TEXT];
};

static void tell_session(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct telling *telling = (const struct telling *)(const void *)change;
    if (telling->finds)
        conduct_knows(hub, session, telling->room);
    if (telling->is_strange)
        kernel_tell_unless_quiet(hub, session, telling->text, telling->len);
    else
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
    return begins_with(letter, "{\"push\":\"seeking\",\"state\":\"") ||
           /* as a letter of this kind, of a desk of the version before */
           begins_with(letter, "{\"push\":\"refunded\",\"class\":\"");
}

/* `room` "": about none. */
static enum letter_fate tell_later(struct hub *hub, struct session *session, const char *text,
                                   size_t len, const char room[static PROTOCOL_ROOM_BYTES + 1],
                                   bool is_strange)
{
    struct telling *telling = kernel_session_is_changing(session) ? NULL : malloc(sizeof *telling);
    if (!telling)
        return LETTER_LATER;
    telling->change.type = &telling_type;
    telling->finds =
        len > strlen(found_start) && memcmp(text, found_start, strlen(found_start)) == 0;
    telling->len = len;
    memcpy(telling->text, text, len);
    memcpy(telling->room, room, sizeof telling->room);
    telling->is_strange = is_strange;
    kernel_change_session(hub, session, &telling->change);
    return LETTER_APPLIED;
}

enum letter_fate told_apply(struct hub *hub, const struct store_letter *letter)
{
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct session *session = kernel_session_find(hub, letter->addressee);
    if (!read_room(letter, room))
        return LETTER_REFUSED;
    return session ? tell_later(hub, session, letter->text, letter->text_len, room, false)
                   : LETTER_APPLIED;
}

/* ---- somebody wants to play with them */

enum letter_fate challenged_apply(struct hub *hub, const struct store_letter *letter)
{
    enum { PUSH_AT = POOL_ID_DIGITS + 1 };
    static const char start[] = "{\"push\":\"challenged\",";
    const char none[PROTOCOL_ROOM_BYTES + 1] = "", *push = letter->text + PUSH_AT;
    struct session *session = kernel_session_find(hub, letter->addressee);
    uint64_t from;
    if (letter->text_len <= PUSH_AT + sizeof start || letter->text_len > PUSH_AT + TOLD_TEXT ||
        !pool_read_id(letter->text, &from) || memcmp(push, start, sizeof start - 1) != 0)
        return LETTER_REFUSED;
    if (!session || kernel_has_blocked(hub, session, from))
        return LETTER_APPLIED;
    const struct protocol_account *account = kernel_account(session);
    const bool is_strange = !kernel_follows(hub, session, from);
    if (is_strange && account && account->quiet)
        return LETTER_APPLIED;
    return tell_later(hub, session, push, letter->text_len - PUSH_AT, none, is_strange);
}
