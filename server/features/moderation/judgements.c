#include "judgements.h"

#include "report_table.h"
#include "state.h"
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <stdlib.h>
#include <string.h>

static const int64_t day_ms = REPORT_DAY_MS;

static struct judgements *judgements_of(const struct hub *hub)
{
    return &moderation_of(hub)->judgements;
}

bool judgements_reserve(struct judgements *judgements, size_t more)
{
    if (judgements->count + more <= judgements->size)
        return true;
    const size_t size = 2 * (judgements->count + more);
    struct judgement *items = realloc(judgements->items, size * sizeof *items);
    if (!items)
        return false;
    judgements->items = items;
    judgements->size = size;
    return true;
}

void judgements_add(struct judgements *judgements, const struct judgement_row *row, char *text)
{
    size_t at = judgements->count++;
    for (; at > 0 && judgements->items[at - 1].row.id > row->id; at--)
        judgements->items[at] = judgements->items[at - 1];
    judgements->items[at] = (struct judgement){.row = *row, .text = text};
    judgements->items[at].row.text = text;
    judgements->again_ms = 0;
}

void judgements_release(struct judgements *judgements)
{
    for (size_t at = 0; at < judgements->count; at++)
        free(judgements->items[at].text);
    free(judgements->items);
    *judgements = (struct judgements){0};
}

bool judgements_restore(struct hub *hub, const struct judgement_row *row)
{
    struct judgements *judgements = judgements_of(hub);
    char *text = strdup(row->text);
    if (!text || !judgements_reserve(judgements, 1)) {
        free(text);
        return false;
    }
    judgements_add(judgements, row, text);
    return true;
}

const struct judgement_row *judgement_find(const struct hub *hub, uint64_t id)
{
    const struct judgements *judgements = judgements_of(hub);
    size_t low = 0, high = judgements->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (judgements->items[middle].row.id < id)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < judgements->count && judgements->items[low].row.id == id;
    return found ? &judgements->items[low].row : NULL;
}

/* After a jump of the clock it lasts longer than it says, as its ban does (ban_until_ms). */
struct judgement_row judgement_ended(const struct hub *hub, const struct judgement_row *row,
                                     int64_t now_ms)
{
    struct judgement_row ended = *row;
    if (!verdict_lasts(row->verdict) ||
        row->until_ms + kernel_uncounted_ms(hub, row->at_ms) <= now_ms)
        return ended;
    if (ended.until_ms > now_ms)
        ended.until_ms = now_ms;
    ended.holds = false;
    return ended;
}

void judgement_end(struct hub *hub, uint64_t id, int64_t now_ms)
{
    const struct judgement_row *row = judgement_find(hub, id);
    struct judgements *judgements = judgements_of(hub);
    for (size_t at = 0; row && at < judgements->count; at++) {
        if (judgements->items[at].row.id == id)
            judgements->items[at].row = judgement_ended(hub, row, now_ms);
    }
}

/* ---- what is not kept any more */

static int64_t end_ms_of(const struct hub *hub, const struct judgement_row *row)
{
    const int64_t kept_ms = row->at_ms + kernel_config(hub)->report_keep_days * day_ms;
    if (!row->holds)
        return INT64_MAX;
    return (row->until_ms > kept_ms ? row->until_ms : kept_ms) +
           kernel_uncounted_ms(hub, row->at_ms);
}

int64_t judgements_due_ms(const struct hub *hub)
{
    const struct judgements *judgements = judgements_of(hub);
    int64_t due_ms = INT64_MAX;
    for (size_t at = 0; at < judgements->count; at++) {
        const int64_t end_ms = end_ms_of(hub, &judgements->items[at].row);
        due_ms = end_ms < due_ms ? end_ms : due_ms;
    }
    return due_ms;
}

static bool drop_row(struct hub *hub, struct judgement *judgement)
{
    if (kernel_may_store(hub, 1) != PROTOCOL_OK || kernel_reserve(hub, 1, 1) < 0)
        return false;
    kernel_drop_row(hub, &judgement_table, &judgement->row);
    free(judgement->text);
    return true;
}

bool judgements_drop_old(struct hub *hub)
{
    struct judgements *judgements = judgements_of(hub);
    size_t kept = 0;
    bool good = true;
    for (size_t at = 0; at < judgements->count; at++) {
        struct judgement *judgement = &judgements->items[at];
        const bool is_old = end_ms_of(hub, &judgement->row) <= kernel_now_ms(hub);
        good = good && (!is_old || drop_row(hub, judgement));
        if (!is_old || !good)
            judgements->items[kept++] = *judgement;
    }
    judgements->count = kept;
    return good;
}

void judgement_write(const struct judgement_row *row, struct writer *writer)
{
    writer_key_string(writer, "verdict", verdict_word(row->verdict));
    writer_key_string(writer, "why", why_word(row->why));
    writer_key_int(writer, "at", row->at_ms);
    if (verdict_lasts(row->verdict))
        writer_key_int(writer, "until", row->until_ms);
    if (row->text[0])
        writer_key_string(writer, "text", row->text);
    writer_key_bool(writer, "in_force", row->holds);
}
