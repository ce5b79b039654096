#include "kept.h"

#include "cases.h"
#include "chat/op_chat.h"
#include "report_table.h"
#include "state.h"
#include <jansson.h>
#include <protocol/json_writer.h>

/* Of the snapshot what they have said themselves, and where: what others have said there is not
 * theirs to have. */
static void write_said(const struct report_row *row, struct writer *writer)
{
    json_t *snapshot = json_loadb(row->text, row->text_len, 0, NULL);
    const char *room = json_string_value(json_object_get(snapshot, "room"));
    const char *text = json_string_value(json_object_get(snapshot, "text"));
    const json_t *seat = json_object_get(snapshot, "seat");
    if (room)
        writer_key_string(writer, "room", room);
    if (json_is_true(json_object_get(snapshot, "lobby")))
        writer_key_bool(writer, "lobby", true);
    if (json_is_integer(seat))
        writer_key_int(writer, "seat", json_integer_value(seat));
    if (text)
        writer_key_string(writer, "text", text);
    json_decref(snapshot);
}

static void write_report(const struct report_row *row, struct writer *writer)
{
    writer_object(writer);
    writer_key_int(writer, "at", row->at_ms);
    writer_key_string(writer, "why", why_word(row->why));
    write_said(row, writer);
    writer_key_bool(writer, "decided", row->judgement != 0);
    writer_end(writer);
}

/* An appeal is about who makes it, and told with the judgement. */
static bool is_own_report(const struct report_row *row, uint64_t session)
{
    return row->by == session && !report_is_appeal(row);
}

void moderation_write_kept(const struct hub *hub, uint64_t session, bool at_desk,
                           struct writer *writer)
{
    const struct cases *cases = &moderation_of(hub)->cases;
    size_t written = 0;
    if (!at_desk)
        return;
    writer_key_array(writer, "reports");
    for (size_t at = cases->count; at-- > 0 && written < KEPT_REPORTS_MAX;) {
        if (!is_own_report(&cases->items[at].row, session))
            continue;
        write_report(&cases->items[at].row, writer);
        written++;
    }
    writer_end(writer);
    chat_write_kept(hub, session, writer);
}
