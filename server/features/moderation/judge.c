#include "judge.h"

#include "ban_list.h"
#include "bans.h"
#include "cases.h"
#include "judged.h"
#include "judgements.h"
#include "report_table.h"
#include "state.h"
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/store_document.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct judgements *judgements_of(const struct hub *hub)
{
    return &moderation_of(hub)->judgements;
}

/* ---- the bans that it leads to */

static bool is_waiting(const struct judgement_row *row)
{
    return !row->holds;
}

/* Among these bans, or over. */
static bool is_in_force(const struct ban_list *bans, const struct judgement_row *row,
                        int64_t now_ms)
{
    const bool silence = row->verdict == VERDICT_SILENCE;
    const struct ban *ban = ban_list_find(bans, silence, row->about, NULL, now_ms);
    return row->until_ms <= now_ms || (ban && ban->until_ms >= row->until_ms);
}

static bool add_ban(struct ban_list *bans, const struct judgement_row *row)
{
    struct ban ban = {.target = {.session = row->about},
                      .silence = row->verdict == VERDICT_SILENCE,
                      .since_ms = row->at_ms,
                      .until_ms = row->until_ms};
    (void)snprintf(ban.reason, sizeof ban.reason, "%s", row->text);
    return ban_list_put(bans, &ban) == 0;
}

/* The bans with all that are not among them yet, and with one more (NULL: none): the caller's to
 * release. False: no memory. */
static bool collect_bans(const struct hub *hub, const struct judgement_row *more,
                         struct ban_list *bans)
{
    const struct moderation *moderation = moderation_of(hub);
    const struct judgements *judgements = &moderation->judgements;
    const int64_t now_ms = kernel_now_ms(hub);
    if (ban_list_copy(bans, moderation->bans, now_ms) < 0)
        return false;
    bool good = true;
    for (size_t at = 0; good && at < judgements->count; at++) {
        const struct judgement_row *row = &judgements->items[at].row;
        if (is_waiting(row) && !is_in_force(bans, row, now_ms))
            good = add_ban(bans, row);
    }
    if (good && more && !is_in_force(bans, more, now_ms))
        good = add_ban(bans, more);
    if (!good)
        ban_list_release(bans);
    return good;
}

static bool is_too_many(const struct hub *hub, const struct ban_list *bans)
{
    return bans->count > (uint64_t)kernel_config(hub)->bans;
}

/* ---- deciding */

struct deciding {
    struct kernel_change change;
    struct judgement_row row;
    char *text;
};

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct deciding *deciding = (struct deciding *)(void *)change;
    struct judgements *judgements = judgements_of(hub);
    (void)session;
    judgements->prepared--;
    judgements->made++;
    judgements_add(judgements, &deciding->row, deciding->text);
    deciding->text = NULL;
    cases_close(hub, deciding->row.about, deciding->row.id);
}

static void take_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    judgements_of(hub)->prepared--;
}

static void destroy_deciding(struct kernel_change *change)
{
    free(((struct deciding *)(void *)change)->text);
    free(change);
}

static const struct kernel_change_type deciding_type = {
    .carry_out = become_durable, .undo = take_back, .destroy = destroy_deciding};

static bool refuse_decision(struct refusal *refusal, const char *code, const char *text)
{
    *refusal = (struct refusal){.code = code, .text = text};
    return false;
}

static bool refuse_error(struct refusal *refusal, enum protocol_error error)
{
    *refusal = (struct refusal){.error = error};
    return false;
}

static struct judgement_row row_of(struct hub *hub, const struct decision *decision, uint64_t about)
{
    const int64_t now_ms = kernel_now_ms(hub);
    const bool lasts = verdict_lasts(decision->verdict);
    return (struct judgement_row){.id = cases_next_id(hub),
                                  .about = about,
                                  .verdict = decision->verdict,
                                  .why = decision->why,
                                  .holds = !lasts,
                                  .at_ms = now_ms,
                                  .until_ms = lasts ? now_ms + decision->for_s * 1000 : 0,
                                  .by = decision->by,
                                  .text = decision->text};
}

/* Memory has been reserved. */
static bool put_judgement(struct hub *hub, struct deciding *deciding)
{
    const struct judgement_row *row = &deciding->row;
    if (row->verdict != VERDICT_DISMISS && !judged_send(hub, row))
        return false;
    kernel_put_row(hub, &judgement_table, row);
    cases_put_judged(hub, row->about, row->id);
    judgements_of(hub)->prepared++;
    kernel_change_hub(hub, &deciding->change);
    return true;
}

static bool make_judgement(struct hub *hub, const struct decision *decision, uint64_t about,
                           uint64_t *id)
{
    struct deciding *deciding = calloc(1, sizeof *deciding);
    char *text = strdup(decision->text);
    if (!deciding || !text) {
        free(deciding);
        free(text);
        return false;
    }
    *deciding = (struct deciding){{&deciding_type}, row_of(hub, decision, about), text};
    deciding->row.text = text;
    *id = deciding->row.id;
    if (put_judgement(hub, deciding))
        return true;
    destroy_deciding(&deciding->change);
    return false;
}

/* Is there place among the bans for what lasts? As long as they are not known nobody can say. */
static bool may_last(const struct hub *hub, const struct decision *decision, uint64_t about,
                     struct refusal *refusal)
{
    const int64_t now_ms = kernel_now_ms(hub);
    const struct judgement_row row = {.about = about,
                                      .verdict = decision->verdict,
                                      .at_ms = now_ms,
                                      .until_ms = now_ms + decision->for_s * 1000,
                                      .text = decision->text};
    struct ban_list bans;
    if (!verdict_lasts(decision->verdict) || !moderation_of(hub)->bans)
        return true;
    if (!collect_bans(hub, &row, &bans))
        return refuse_error(refusal, PROTOCOL_INTERNAL);
    const bool crowded = is_too_many(hub, &bans);
    ban_list_release(&bans);
    return !crowded ||
           refuse_decision(refusal, "too_many_bans", "There are too many bans; lift some.");
}

bool judge_decide(struct hub *hub, const struct decision *decision, uint64_t *id,
                  struct refusal *refusal)
{
    struct judgements *judgements = judgements_of(hub);
    size_t ops, text;
    const uint64_t about = cases_about(hub, decision->report, &ops, &text);
    if (!about)
        return refuse_decision(refusal, "unknown_report", "No such report waits for a judgement.");
    if (judgements->prepared > 0)
        return refuse_decision(refusal, "busy",
                               "Something else is being saved; try again in a moment.");
    if (judgements->count >= (uint64_t)kernel_config(hub)->judgements)
        return refuse_decision(refusal, "too_many_judgements", "There are too many judgements.");
    if (!may_last(hub, decision, about, refusal))
        return false;
    const enum protocol_error error = kernel_may_store(hub, ops + 2);
    if (error != PROTOCOL_OK)
        return refuse_error(refusal, error);
    if (!judgements_reserve(judgements, 1) ||
        kernel_reserve(hub, ops + 2, text + 2 * strlen(decision->text) + JUDGED_TEXT) < 0 ||
        !make_judgement(hub, decision, about, id))
        return refuse_error(refusal, PROTOCOL_INTERNAL);
    return true;
}

/* ---- that it holds */

/* The text of the bans with all that are not among them yet. False: not now; `crowded`: as there
 * would be too many of them. */
static bool write_bans(const struct hub *hub, struct buffer *text, bool *crowded)
{
    struct ban_list bans;
    *crowded = false;
    if (!collect_bans(hub, NULL, &bans))
        return false;
    *crowded = is_too_many(hub, &bans);
    if (!*crowded)
        ban_list_write(&bans, text);
    ban_list_release(&bans);
    return !*crowded && !text->failed;
}

static uint64_t first_that_waits(const struct judgements *judgements)
{
    for (size_t at = 0; at < judgements->count; at++) {
        if (is_waiting(&judgements->items[at].row))
            return judgements->items[at].row.about;
    }
    return 0;
}

/* Once, until there is place again. */
static void log_crowded(struct hub *hub, bool crowded)
{
    struct judgements *judgements = judgements_of(hub);
    if (crowded && !judgements->crowded)
        kernel_log(hub, "judgements_crowded", first_that_waits(judgements), true);
    judgements->crowded = crowded;
}

/* What holds is known by its row from now on; if that is not stored, it is found to hold again. */
static bool note_in_force(struct hub *hub, struct judgement_row *row)
{
    if (kernel_may_store(hub, 1) != PROTOCOL_OK ||
        kernel_reserve(hub, 1, strlen(row->text) + 1) < 0)
        return false;
    row->holds = true;
    cases_look_again(hub);
    kernel_put_row(hub, &judgement_table, row);
    return true;
}

static bool look_at_those_that_wait(struct hub *hub)
{
    struct judgements *judgements = judgements_of(hub);
    const struct ban_list *bans = moderation_of(hub)->bans;
    bool wait = false;
    for (size_t at = 0; at < judgements->count; at++) {
        struct judgement_row *row = &judgements->items[at].row;
        if (is_waiting(row) &&
            !(is_in_force(bans, row, kernel_now_ms(hub)) && note_in_force(hub, row)))
            wait = true;
    }
    return wait;
}

int64_t judgements_deadline_ms(const struct hub *hub)
{
    const struct judgements *judgements = judgements_of(hub);
    return judgements->count > 0 ? judgements->again_ms : INT64_MAX;
}

void judgements_tick(struct hub *hub)
{
    struct judgements *judgements = judgements_of(hub);
    struct buffer text;
    bool crowded;
    if (judgements->count == 0 || judgements->again_ms > kernel_now_ms(hub))
        return;
    judgements->again_ms = kernel_now_ms(hub) + JUDGE_AGAIN_MS;
    if (!moderation_of(hub)->bans)
        return;
    if (!look_at_those_that_wait(hub)) {
        judgements->again_ms = INT64_MAX;
        return;
    }
    buffer_init(&text, 0, STORE_DOCUMENT_BYTES_MAX);
    if (write_bans(hub, &text, &crowded))
        (void)kernel_make_document(hub, &bans_document, buffer_payload(&text), text.len);
    log_crowded(hub, crowded);
    buffer_release(&text);
}
