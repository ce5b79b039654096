#include "judged.h"

#include "appeal_table.h"
#include "report_table.h"
#include "state.h"
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <inttypes.h>
#include <protocol/reply.h>
#include <protocol/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char judged_letter[] = "moderation.judged", heard_letter[] = "moderation.heard";

static struct judged *judged_of(const struct hub *hub)
{
    return &moderation_of(hub)->judged;
}

/* ---- in memory */

static bool reserve_items(struct judged *judged, size_t more)
{
    if (judged->count + more <= judged->size)
        return true;
    const size_t size = 2 * (judged->count + more);
    struct judged_item *items = realloc(judged->items, size * sizeof *items);
    if (!items)
        return false;
    judged->items = items;
    judged->size = size;
    return true;
}

/* Takes the text over. There is place. */
static void add_item(struct judged *judged, const struct judged_row *row, char *text)
{
    struct judged_item *item = &judged->items[judged->count++];
    *item = (struct judged_item){.row = *row, .text = text};
    item->row.text = text;
}

static void forget_item(struct judged *judged, size_t at)
{
    free(judged->items[at].text);
    judged->count--;
    memmove(&judged->items[at], &judged->items[at + 1],
            (judged->count - at) * sizeof judged->items[0]);
}

void judged_release(struct judged *judged)
{
    while (judged->count > 0)
        forget_item(judged, judged->count - 1);
    free(judged->items);
    *judged = (struct judged){0};
}

bool judged_restore(struct hub *hub, const struct judged_row *row)
{
    struct judged *judged = judged_of(hub);
    if (!kernel_session_find(hub, row->session))
        return true;
    char *text = strdup(row->text);
    if (!text || !reserve_items(judged, 1)) {
        free(text);
        return false;
    }
    add_item(judged, row, text);
    return true;
}

void judged_gone(struct hub *hub, const struct session *session)
{
    struct judged *judged = judged_of(hub);
    for (size_t at = judged->count; at-- > 0;) {
        if (judged->items[at].row.session == kernel_session_id(session))
            forget_item(judged, at);
    }
}

/* judged->count: there is none. */
static size_t find_item(const struct judged *judged, uint64_t session, uint64_t id)
{
    size_t at = 0;
    while (at < judged->count &&
           (judged->items[at].row.session != session || judged->items[at].row.id != id))
        at++;
    return at;
}

bool judged_has(const struct hub *hub, uint64_t session, uint64_t id)
{
    const struct judged *judged = judged_of(hub);
    const size_t at = find_item(judged, session, id);
    return at < judged->count && judged->items[at].row.verdict != VERDICT_DISMISS;
}

/* The oldest of so many that one has; judged->count: they are fewer. */
static size_t find_surplus(const struct judged *judged, uint64_t session)
{
    size_t first = judged->count, count = 0;
    for (size_t at = judged->count; at-- > 0;) {
        if (judged->items[at].row.session != session)
            continue;
        first = at;
        count++;
    }
    return count >= JUDGED_KEPT ? first : judged->count;
}

/* ---- what they are told */

static void write_members(const struct hub *hub, const struct judged_row *row,
                          struct writer *writer)
{
    const struct appeals *appeals = &moderation_of(hub)->appeals;
    const struct appeal_row *answered = appeal_answered(appeals, row->session, row->id);
    writer_key_int(writer, "judgement", (int64_t)row->id);
    writer_key_string(writer, "verdict", verdict_word(row->verdict));
    writer_key_string(writer, "why", why_word(row->why));
    writer_key_int(writer, "at", row->at_ms);
    if (verdict_lasts(row->verdict))
        writer_key_int(writer, "until", row->until_ms);
    if (row->text[0])
        writer_key_string(writer, "text", row->text);
    if (appeal_against(appeals, row->session, row->id))
        writer_key_bool(writer, "appealed", true);
    if (answered)
        writer_key_int(writer, "appeal", (int64_t)answered->id);
}

void judged_write(const struct hub *hub, const struct session *session, struct writer *writer)
{
    const struct judged *judged = judged_of(hub);
    bool begun = false;
    for (size_t at = 0; at < judged->count; at++) {
        const struct judged_row *row = &judged->items[at].row;
        if (row->session != kernel_session_id(session) ||
            (row->heeded && row->until_ms <= kernel_now_ms(hub)))
            continue;
        if (!begun)
            writer_key_array(writer, "judgements");
        begun = true;
        writer_object(writer);
        write_members(hub, row, writer);
        if (row->heeded)
            writer_key_bool(writer, "read", true);
        writer_end(writer);
    }
    if (begun)
        writer_end(writer);
}

static void tell_session(struct hub *hub, const struct session *session,
                         const struct judged_row *row)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, JUDGED_TEXT + 256);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_string(&writer, "push", "judged");
    write_members(hub, row, &writer);
    writer_end(&writer);
    if (!buffer.failed)
        kernel_tell_session(hub, session, NULL, buffer_payload(&buffer), buffer.len);
    buffer_release(&buffer);
}

/* ---- letters: "ID VERDICT WHY AT UNTIL WORDS" */

/* Before it, of one that answers an appeal, the number of what that is against. */
static bool send_letter(struct hub *hub, const struct judgement_row *row, const char *kind,
                        uint64_t against)
{
    char text[JUDGED_TEXT];
    int len = against ? snprintf(text, sizeof text, "%" PRIu64 " ", against) : 0;
    len += snprintf(text + len, sizeof text - (size_t)len,
                    "%" PRIu64 " %u %u %" PRId64 " %" PRId64 " %s", row->id, (unsigned)row->verdict,
                    (unsigned)row->why, row->at_ms, row->until_ms, row->text);
    const struct kernel_letter letter = {
        .addressee = row->about, .kind = kind, .text = text, .text_len = (size_t)len};
    return kernel_send_letter(hub, &letter) == 0;
}

bool judged_send(struct hub *hub, const struct judgement_row *row)
{
    return send_letter(hub, row, judged_letter, 0);
}

bool heard_send(struct hub *hub, const struct judgement_row *row, uint64_t against)
{
    return send_letter(hub, row, heard_letter, against);
}

/* A number and a blank; where it goes on. NULL: there is none, or it is too large. */
static const char *read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    if (!text || *text < '0' || *text > '9')
        return NULL;
    *number = strtoull(text, &end, 10);
    return *end == ' ' && *number <= most ? end + 1 : NULL;
}

/* The row borrows the letter's text. */
static bool read_letter(const struct store_letter *letter, uint64_t *against,
                        struct judged_row *row)
{
    uint64_t verdict = 0, why = 0, at_ms = 0, until_ms = 0;
    *row = (struct judged_row){.session = letter->addressee};
    const char *text = letter->text;
    if (against)
        text = read_number(text, INT64_MAX, against);
    text = read_number(text, INT64_MAX, &row->id);
    text = read_number(text, VERDICTS - 1, &verdict);
    text = read_number(text, REPORT_WHYS - 1, &why);
    text = read_number(text, INT64_MAX, &at_ms);
    text = read_number(text, INT64_MAX, &until_ms);
    if (!text || strlen(text) > PROTOCOL_SAY_BYTES)
        return false;
    row->verdict = (enum verdict)verdict;
    row->why = (enum report_why)why;
    row->at_ms = (int64_t)at_ms;
    row->until_ms = (int64_t)until_ms;
    row->text = text;
    return true;
}

struct telling {
    struct kernel_change change;
    struct judged_row row;
    char *text;
    uint64_t against; /* the judgement that somebody has appealed against; 0: none */
};

/* What was appealed against has ended, and has been heard of. */
static struct judged_row ended_row(const struct judged_row *row, int64_t at_ms)
{
    struct judged_row ended = *row;
    ended.heeded = true;
    if (ended.until_ms > at_ms)
        ended.until_ms = at_ms;
    return ended;
}

static void note_answer(struct hub *hub, const struct telling *telling)
{
    struct judged *judged = judged_of(hub);
    struct appeals *appeals = &moderation_of(hub)->appeals;
    const struct judged_row *row = &telling->row;
    const struct appeal_row *appeal = appeal_against(appeals, row->session, telling->against);
    const size_t at = find_item(judged, row->session, telling->against);
    if (at < judged->count)
        judged->items[at].row = ended_row(&judged->items[at].row, row->at_ms);
    if (!appeal)
        return;
    struct appeal_row answered = *appeal;
    answered.answer = row->id;
    appeals_put(appeals, &answered);
}

/* The same in the batch. */
static void put_answer(struct hub *hub, const struct telling *telling)
{
    const struct judged *judged = judged_of(hub);
    const struct judged_row *row = &telling->row;
    const struct appeal_row *appeal =
        appeal_against(&moderation_of(hub)->appeals, row->session, telling->against);
    const size_t at = find_item(judged, row->session, telling->against);
    if (at < judged->count) {
        const struct judged_row ended = ended_row(&judged->items[at].row, row->at_ms);
        kernel_put_row(hub, &judged_table, &ended);
    }
    if (!appeal)
        return;
    struct appeal_row answered = *appeal;
    answered.answer = row->id;
    kernel_put_row(hub, &appeal_table, &answered);
}

/* There is place, as there was when it was prepared. */
static void become_told(struct hub *hub, struct session *none, struct kernel_change *change)
{
    struct telling *telling = (struct telling *)(void *)change;
    struct judged *judged = judged_of(hub);
    const struct session *session = kernel_session_find(hub, telling->row.session);
    (void)none;
    judged->prepared--;
    if (!session)
        return;
    if (telling->against)
        note_answer(hub, telling);
    if (find_item(judged, telling->row.session, telling->row.id) < judged->count)
        return; /* one answers several */
    const size_t surplus = find_surplus(judged, telling->row.session);
    if (surplus < judged->count)
        forget_item(judged, surplus);
    add_item(judged, &telling->row, telling->text);
    telling->text = NULL;
    tell_session(hub, session, &judged->items[judged->count - 1].row);
}

static void give_up(struct hub *hub, struct session *none, struct kernel_change *change)
{
    (void)none, (void)change;
    judged_of(hub)->prepared--;
}

static void destroy_telling(struct kernel_change *change)
{
    free(((struct telling *)(void *)change)->text);
    free(change);
}

static const struct kernel_change_type telling_type = {
    .carry_out = become_told, .undo = give_up, .destroy = destroy_telling};

static enum letter_fate take_judged(struct hub *hub, const struct judged_row *row, uint64_t against)
{
    struct judged *judged = judged_of(hub);
    if (!kernel_session_find(hub, row->session))
        return LETTER_APPLIED;
    struct telling *telling = calloc(1, sizeof *telling);
    char *text = strdup(row->text);
    if (!telling || !text || !reserve_items(judged, judged->prepared + 1)) {
        free(telling);
        free(text);
        return LETTER_LATER;
    }
    *telling = (struct telling){{&telling_type}, *row, text, against};
    telling->row.text = text;
    const size_t surplus = find_surplus(judged, row->session);
    if (against)
        put_answer(hub, telling);
    kernel_put_row(hub, &judged_table, &telling->row);
    if (surplus < judged->count)
        kernel_drop_row(hub, &judged_table, &judged->items[surplus].row);
    judged->prepared++;
    kernel_change_hub(hub, &telling->change);
    return LETTER_APPLIED;
}

enum letter_fate judged_apply(struct hub *hub, const struct store_letter *letter)
{
    struct judged_row row;
    return read_letter(letter, NULL, &row) ? take_judged(hub, &row, 0) : LETTER_REFUSED;
}

enum letter_fate heard_apply(struct hub *hub, const struct store_letter *letter)
{
    struct judged_row row;
    uint64_t against = 0;
    return read_letter(letter, &against, &row) ? take_judged(hub, &row, against) : LETTER_REFUSED;
}

/* ---- it has been read */

struct heeding {
    struct kernel_change change;
    uint64_t last; /* of the judgements */
};

static void become_heeded(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct heeding *heeding = (const struct heeding *)(const void *)change;
    struct judged *judged = judged_of(hub);
    for (size_t at = 0; at < judged->count; at++) {
        struct judged_row *row = &judged->items[at].row;
        if (row->session == kernel_session_id(session) && row->id <= heeding->last)
            row->heeded = true;
    }
}

static void destroy_heeding(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type heeding_type = {.carry_out = become_heeded,
                                                       .destroy = destroy_heeding};

/* What is put of them, if `store`; the last of them is noted. */
static size_t heed_rows(struct hub *hub, uint64_t session, bool store, uint64_t *last)
{
    const struct judged *judged = judged_of(hub);
    size_t count = 0;
    for (size_t at = 0; at < judged->count; at++) {
        struct judged_row row = judged->items[at].row;
        if (row.session != session || row.heeded)
            continue;
        row.heeded = true;
        count++;
        *last = row.id > *last ? row.id : *last;
        if (store)
            kernel_put_row(hub, &judged_table, &row);
    }
    return count;
}

static enum protocol_error heed(const struct call *call, size_t count, struct reply *reply)
{
    const enum protocol_error error = kernel_may_store(call->hub, count);
    if (error != PROTOCOL_OK)
        return error;
    if (kernel_session_is_changing(call->session))
        return PROTOCOL_SLOW_DOWN;
    struct heeding *heeding = calloc(1, sizeof *heeding);
    if (!heeding || kernel_reserve(call->hub, count, count * (PROTOCOL_SAY_BYTES + 1)) < 0) {
        free(heeding);
        return PROTOCOL_INTERNAL;
    }
    heeding->change.type = &heeding_type;
    (void)heed_rows(call->hub, kernel_session_id(call->session), true, &heeding->last);
    call_reply_begin(call, reply);
    if (kernel_change_answered(call, call->session, reply, &heeding->change) == 0)
        return PROTOCOL_OK;
    free(heeding);
    return PROTOCOL_INTERNAL;
}

void op_heed(struct call *call)
{
    struct reply reply;
    uint64_t last = 0;
    const size_t count = heed_rows(call->hub, kernel_session_id(call->session), false, &last);
    if (count == 0) {
        call_reply_begin(call, &reply);
        call_reply(call, &reply, NULL);
        return;
    }
    const enum protocol_error error = heed(call, count, &reply);
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}
