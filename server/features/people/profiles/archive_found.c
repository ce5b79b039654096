#include "archive_found.h"

#include "profile.h"
#include "tally.h"
#include <hub/kernel_query.h>
#include <hub/store.h>
#include <protocol/json_writer.h>
#include <string.h>

enum { MATCH_BYTES = 4096 };

void found_init(struct archive_found *found)
{
    buffer_init(&found->text, 0, (size_t)ARCHIVE_MATCHES * MATCH_BYTES);
}

void found_release(struct archive_found *found)
{
    buffer_release(&found->text);
}

/* ---- what is found */

static void write_rules(const struct archive_row *row, struct writer *writer)
{
    if (!row->rules)
        return;
    writer_key_id(writer, "rules", row->rules);
    writer_key(writer, "options");
    writer_raw(writer, row->options, strlen(row->options));
}

/* Without the ends of its seats and of itself. */
static void write_match(const struct archive_row *row, struct writer *writer)
{
    writer_object(writer);
    writer_key_string(writer, "room", row->room);
    writer_key_string(writer, "game", row->game);
    writer_key_int(writer, "at", row->at_ms);
    if (row->why[0])
        writer_key_string(writer, "why", row->why);
    writer_key_string(writer, "against", row->against == TALLY_PEOPLE ? "people" : "computers");
    writer_key_int(writer, "size", row->size);
    if (row->level[0])
        writer_key_string(writer, "level", row->level);
    write_rules(row, writer);
    writer_key_array(writer, "seats");
}

void found_begin_match(struct archive_found *found, const struct archive_row *row)
{
    struct found_match *match = &found->match[found->matches++];
    struct writer writer;
    *match = (struct found_match){.at = (uint32_t)found->text.len, .first = found->seats};
    writer_init(&writer, &found->text);
    write_match(row, &writer);
    match->len = (uint32_t)found->text.len - match->at;
}

void found_add_seat(struct archive_found *found, const struct archive_row *row, const char *handle)
{
    struct writer writer;
    if (found->seats == FOUND_SEATS)
        return;
    struct found_seat *seat = &found->seat[found->seats++];
    *seat = (struct found_seat){.session = row->session, .at = (uint32_t)found->text.len};
    writer_init(&writer, &found->text);
    writer_object(&writer);
    writer_key_int(&writer, "seat", row->seat);
    writer_key_string(&writer, "handle", handle);
    if (row->result & ARCHIVE_WON)
        writer_key_bool(&writer, "won", true);
    if (!(row->result & ARCHIVE_FINISHED))
        writer_key_bool(&writer, "left", true);
    writer_end(&writer);
    seat->len = (uint32_t)found->text.len - seat->at;
    found->match[found->matches - 1].seats++;
}

/* ---- who hides */

/* Stores order sessions as numbers with a sign. */
static bool comes_before(uint64_t one, uint64_t other)
{
    return (int64_t)one < (int64_t)other;
}

bool found_ask_hidden(const struct archive_found *found, struct kernel_query *query, void *from)
{
    const struct found_seat *first = NULL;
    for (uint32_t at = 0; at < found->seats; at++) {
        const struct found_seat *seat = &found->seat[at];
        if (!seat->known && (!first || comes_before(seat->session, first->session)))
            first = seat;
    }
    if (first)
        profile_ask_from(first->session, query, from);
    return first;
}

static const struct profile_row *find_row(const struct store_query *done, uint64_t session)
{
    for (size_t at = 0; at < done->count; at++) {
        const struct profile_row *row = store_query_row(done, at);
        if (row->session == session)
            return row;
    }
    return NULL;
}

void found_note_hidden(struct archive_found *found, const struct store_query *done)
{
    const struct profile_row *last = done->more ? store_query_row(done, done->count - 1) : NULL;
    for (uint32_t at = 0; at < found->seats; at++) {
        struct found_seat *seat = &found->seat[at];
        if (seat->known || (last && comes_before(last->session, seat->session)))
            continue;
        const struct profile_row *row = find_row(done, seat->session);
        seat->known = true;
        seat->hidden = row && row->hidden;
    }
}

/* ---- all of it */

static void append_piece(const struct archive_found *found, uint32_t at, uint32_t len,
                         struct buffer *out)
{
    buffer_append(out, (const char *)buffer_payload(&found->text) + at, len);
}

/* Those that are shown; how many. */
static unsigned write_seats(const struct archive_found *found, const struct found_match *match,
                            struct buffer *out)
{
    unsigned shown = 0;
    for (uint32_t at = match->first; at < match->first + match->seats; at++) {
        const struct found_seat *seat = &found->seat[at];
        if (seat->hidden)
            continue;
        if (out && shown > 0)
            buffer_append_byte(out, ',');
        if (out)
            append_piece(found, seat->at, seat->len, out);
        shown++;
    }
    return shown;
}

void found_write(const struct archive_found *found, struct buffer *out)
{
    bool first = true;
    if (found->text.failed) {
        out->failed = true;
        return;
    }
    for (uint32_t at = 0; at < found->matches; at++) {
        const struct found_match *match = &found->match[at];
        if (write_seats(found, match, NULL) == 0)
            continue;
        if (!first)
            buffer_append_byte(out, ',');
        first = false;
        append_piece(found, match->at, match->len, out);
        (void)write_seats(found, match, out);
        buffer_append_string(out, "]}");
    }
}
