#include "appeal.h"

#include "appeal_table.h"
#include "cases.h"
#include "judged.h"
#include "judgements.h"
#include "state.h"
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <inttypes.h>
#include <protocol/json_writer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char appeal_letter[] = "moderation.appeal";

/* "SOURCE " and an object, which becomes the report's. */
enum {
    SOURCE_DIGITS = 5,
    OBJECT_AT = SOURCE_DIGITS + 1,
    LETTER_BYTES = OBJECT_AT + 2 * PROTOCOL_SAY_BYTES + 128
};

static struct appeals *appeals_of(const struct hub *hub)
{
    return &moderation_of(hub)->appeals;
}

/* ---- where they are at home */

struct appealing {
    struct kernel_change change;
    struct appeal_row row;
    uint64_t gone; /* that it takes the place of; 0: of none */
};

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct appealing *appealing = (const struct appealing *)(const void *)change;
    struct appeals *appeals = appeals_of(hub);
    (void)session;
    appeals->prepared--;
    appeals_drop(appeals, appealing->row.session, appealing->gone);
    appeals_put(appeals, &appealing->row);
}

static void give_up(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    appeals_of(hub)->prepared--;
}

static void destroy_appealing(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type appealing_type = {
    .carry_out = become_durable, .undo = give_up, .destroy = destroy_appealing};

static size_t write_object(const struct call *call, char *text, size_t size)
{
    struct buffer buffer;
    struct writer writer;
    size_t len = 0;
    buffer_init(&buffer, 0, size);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_int(&writer, "at", kernel_now_ms(call->hub));
    writer_key_int(&writer, "appeal", call->request->judgement);
    writer_key_string(&writer, "text", call->request->text);
    writer_end(&writer);
    if (!buffer.failed) {
        len = buffer.len;
        memcpy(text, buffer_payload(&buffer), len);
    }
    buffer_release(&buffer);
    return len;
}

/* False: no memory. */
static bool send_letter(const struct call *call)
{
    char text[LETTER_BYTES];
    (void)snprintf(text, sizeof text, "%05u ", kernel_source_share(call));
    const size_t len = write_object(call, text + OBJECT_AT, sizeof text - OBJECT_AT);
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = appeal_letter,
                                         .text = text,
                                         .text_len = OBJECT_AT + len,
                                         .session = kernel_session_id(call->session)};
    return len > 0 && kernel_send_letter(call->hub, &letter) == 0;
}

static struct appealing *make_appealing(const struct call *call)
{
    struct appealing *appealing = calloc(1, sizeof *appealing);
    const uint64_t session = kernel_session_id(call->session);
    const struct appeal_row *gone = appeal_surplus(appeals_of(call->hub), session);
    if (!appealing)
        return NULL;
    *appealing = (struct appealing){
        {&appealing_type},
        {session, (uint64_t)call->request->judgement, kernel_now_ms(call->hub), 0},
        gone ? gone->id : 0};
    return appealing;
}

/* Memory has been reserved. */
static void put_rows(struct hub *hub, const struct appealing *appealing)
{
    const struct appeal_row gone = {.session = appealing->row.session, .id = appealing->gone};
    kernel_put_row(hub, &appeal_table, &appealing->row);
    if (gone.id)
        kernel_drop_row(hub, &appeal_table, &gone);
    appeals_of(hub)->prepared++;
}

static enum protocol_error make_appeal(const struct call *call)
{
    enum protocol_error error = kernel_may_store(call->hub, 3);
    struct reply reply;
    if (error == PROTOCOL_OK && kernel_session_is_changing(call->session))
        error = PROTOCOL_SLOW_DOWN;
    if (error != PROTOCOL_OK)
        return error;
    const struct kernel_mark mark = kernel_mark(call->hub);
    struct appealing *appealing = make_appealing(call);
    if (!appealing || !appeals_reserve(appeals_of(call->hub), 1) ||
        kernel_reserve(call->hub, 3, LETTER_BYTES) < 0 || !send_letter(call)) {
        free(appealing);
        return PROTOCOL_INTERNAL;
    }
    put_rows(call->hub, appealing);
    call_reply_begin(call, &reply);
    if (kernel_change_answered(call, call->session, &reply, &appealing->change) == 0)
        return PROTOCOL_OK;
    kernel_take_back(call->hub, mark);
    appeals_of(call->hub)->prepared--;
    free(appealing);
    return PROTOCOL_INTERNAL;
}

/* Once against each, and not against what was decided of an appeal. */
static enum protocol_error may_appeal(const struct call *call)
{
    const struct appeals *appeals = appeals_of(call->hub);
    const uint64_t session = kernel_session_id(call->session);
    const uint64_t judgement = (uint64_t)call->request->judgement;
    if (appeal_against(appeals, session, judgement) || appeal_answered(appeals, session, judgement))
        return PROTOCOL_ALREADY_APPEALED;
    return judged_has(call->hub, session, judgement) ? PROTOCOL_OK : PROTOCOL_UNKNOWN_JUDGEMENT;
}

void op_appeal(struct call *call)
{
    enum protocol_error error = may_appeal(call);
    const char *field = error == PROTOCOL_OK ? NULL : "judgement";
    if (error == PROTOCOL_OK)
        error = make_appeal(call);
    if (error != PROTOCOL_OK)
        call_error(call, error, field);
}

/* ---- at the desk */

uint64_t appeal_next(const struct hub *hub, uint64_t about, size_t *at)
{
    const struct cases *cases = &moderation_of(hub)->cases;
    while (*at < cases->count) {
        const struct report *report = &cases->items[(*at)++];
        if (report->against && report->row.judgement == 0 && report->row.about == about)
            return report->against;
    }
    return 0;
}

/* Who says it is the letter's sender, and a letter is sent of one's own judgements alone; a desk
 * that does not know the judgement any more has nothing to look at. */
static bool is_of_somebody(const struct hub *hub, uint64_t judgement, struct report_row *row)
{
    const struct judgement_row *judged = judgement_find(hub, judgement);
    if (!judged)
        return false;
    row->about = row->by = judged->about;
    row->why = judged->why;
    return true;
}

enum letter_fate appeal_apply(struct hub *hub, const struct store_letter *letter)
{
    const char *text = letter->text;
    if (letter->text_len <= OBJECT_AT || letter->text_len > LETTER_BYTES ||
        strspn(text, "0123456789") != SOURCE_DIGITS || text[SOURCE_DIGITS] != ' ')
        return LETTER_REFUSED;
    struct report_row row = {.source = (uint16_t)strtoul(text, NULL, 10),
                             .at_ms = letter->at_ms,
                             .text = text + OBJECT_AT,
                             .text_len = (uint16_t)(letter->text_len - OBJECT_AT)};
    const uint64_t judgement = report_read_against(&row);
    if (!judgement)
        return LETTER_REFUSED;
    return is_of_somebody(hub, judgement, &row) ? cases_add(hub, &row) : LETTER_APPLIED;
}
