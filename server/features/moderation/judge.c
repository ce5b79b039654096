#include "judge.h"

#include "appeal.h"
#include "ban_list.h"
#include "bans.h"
#include "cases.h"
#include "judged.h"
#include "judgements.h"
#include "report_table.h"
#include "state.h"
#include <hub/audit_line.h>
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/store_document.h>
#include <protocol/account.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct operator_word judge_word = {"judge", true, MEMBER_REPORT | MEMBER_VERDICT | MEMBER_WHY,
                                         MEMBER_FOR | MEMBER_TEXT};

static struct judgements *judgements_of(const struct hub *hub)
{
    return &moderation_of(hub)->judgements;
}

/* ---- the bans that it leads to */

static bool is_waiting(const struct judgement_row *row)
{
    return !row->holds;
}

/* What it has led to, though it is over: somebody has appealed. NULL: nothing. */
static const struct ban *find_left_over(const struct hub *hub, const struct ban_list *bans,
                                        const struct judgement_row *row)
{
    const int64_t now_ms = kernel_now_ms(hub);
    const struct ban *ban =
        ban_list_of(bans, row->verdict == VERDICT_SILENCE, row->about, row->at_ms);
    return ban && row->until_ms <= now_ms && ban_until_ms(ban, hub) > now_ms ? ban : NULL;
}

/* Among these bans; or over, and not there any more. */
static bool is_in_force(const struct hub *hub, const struct ban_list *bans,
                        const struct judgement_row *row)
{
    const int64_t now_ms = kernel_now_ms(hub);
    const bool silence = row->verdict == VERDICT_SILENCE;
    const struct ban *ban = ban_list_find(bans, silence, row->about, NULL, hub, now_ms);
    if (row->until_ms <= now_ms)
        return !find_left_over(hub, bans, row);
    return ban && ban->until_ms >= row->until_ms;
}

/* First what is over goes: what takes its place may be shorter. */
static void drop_left_over(const struct hub *hub, struct ban_list *bans)
{
    const struct judgements *judgements = &moderation_of(hub)->judgements;
    for (size_t at = 0; at < judgements->count; at++) {
        if (is_waiting(&judgements->items[at].row))
            ban_list_drop(bans, find_left_over(hub, bans, &judgements->items[at].row));
    }
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
    if (ban_list_copy(bans, moderation->bans, hub, kernel_now_ms(hub)) < 0)
        return false;
    drop_left_over(hub, bans);
    bool good = true;
    for (size_t at = 0; good && at < judgements->count; at++) {
        const struct judgement_row *row = &judgements->items[at].row;
        if (is_waiting(row) && !is_in_force(hub, bans, row))
            good = add_ban(bans, row);
    }
    if (good && more && !is_in_force(hub, bans, more))
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
    struct hub_audit_line *audit; /* of a moderator's; NULL: the operator's, or it is written */
    bool upholds;
    /* Of those before, which have to be among the bans by themselves from now on: as the rows say
     * that are put with it. */
    uint64_t *alone;
    size_t alone_count;
};

/* What it answers ends: each judgement against which an appeal of this case was there already. */
static void end_appealed(struct hub *hub, const struct judgement_row *row)
{
    const struct cases *cases = &moderation_of(hub)->cases;
    uint64_t against;
    for (size_t at = 0; (against = appeal_next(hub, row->about, &at)) != 0;) {
        if (cases->items[at - 1].row.id < row->id)
            judgement_end(hub, against, row->at_ms);
    }
}

static uint64_t judge_of(const struct decision *decision)
{
    return decision->call ? kernel_session_id(decision->call->session) : 0;
}

/* Does it hold by the ban of another one that an appeal is against? Not what is appealed against
 * itself, nor what the operator has lifted. */
static bool holds_by_appealed(const struct hub *hub, const struct judgement_row *row)
{
    const struct ban_list *bans = moderation_of(hub)->bans;
    const bool silence = row->verdict == VERDICT_SILENCE;
    bool found = false;
    uint64_t against;
    if (!row->holds || !verdict_lasts(row->verdict) || row->until_ms <= kernel_now_ms(hub))
        return false;
    for (size_t at = 0; (against = appeal_next(hub, row->about, &at)) != 0;) {
        const struct judgement_row *before = judgement_find(hub, against);
        if (against == row->id)
            return false;
        found = found || (before && before->verdict == row->verdict &&
                          (!bans || ban_list_of(bans, silence, row->about, before->at_ms)));
    }
    return found;
}

/* The next of somebody's that has to be among the bans by itself when what is appealed against
 * ends; NULL: there is no more. */
static const struct judgement_row *next_to_hold(const struct hub *hub, uint64_t about, size_t *at)
{
    const struct judgements *judgements = judgements_of(hub);
    while (*at < judgements->count) {
        const struct judgement_row *row = &judgements->items[(*at)++].row;
        if (row->about == about && holds_by_appealed(hub, row))
            return row;
    }
    return NULL;
}

/* As it was found when the rows were put: the bans may be others by now. */
static void hold_by_themselves(const struct hub *hub, const struct deciding *deciding)
{
    const struct judgements *judgements = judgements_of(hub);
    for (size_t of = 0; of < deciding->alone_count; of++) {
        for (size_t at = 0; at < judgements->count; at++) {
            struct judgement_row *row = &judgements->items[at].row;
            if (row->id == deciding->alone[of])
                row->holds = false;
        }
    }
}

static size_t count_by_themselves(const struct hub *hub, uint64_t about)
{
    size_t count = 0;
    for (size_t at = 0; next_to_hold(hub, about, &at);)
        count++;
    return count;
}

/* False: no memory. */
static bool find_by_themselves(const struct hub *hub, struct deciding *deciding)
{
    const uint64_t about = deciding->row.about;
    const size_t count = count_by_themselves(hub, about);
    const struct judgement_row *row;
    if (deciding->upholds || count == 0)
        return true;
    deciding->alone = calloc(count, sizeof *deciding->alone);
    for (size_t at = 0; deciding->alone && (row = next_to_hold(hub, about, &at)) != NULL;)
        deciding->alone[deciding->alone_count++] = row->id;
    return deciding->alone;
}

static void put_by_themselves(struct hub *hub, const struct deciding *deciding)
{
    for (size_t at = 0; at < deciding->alone_count; at++) {
        struct judgement_row waits = *judgement_find(hub, deciding->alone[at]);
        waits.holds = false;
        kernel_put_row(hub, &judgement_table, &waits);
    }
}

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct deciding *deciding = (struct deciding *)(void *)change;
    struct judgements *judgements = judgements_of(hub);
    (void)session;
    judgements->prepared--;
    judgements->made++;
    if (!deciding->upholds) {
        hold_by_themselves(hub, deciding);
        end_appealed(hub, &deciding->row);
    }
    judgements_add(judgements, &deciding->row, deciding->text);
    deciding->text = NULL;
    cases_close(hub, deciding->row.about, deciding->row.id);
    if (deciding->audit)
        kernel_audit(hub, deciding->audit);
    deciding->audit = NULL;
}

static void take_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    judgements_of(hub)->prepared--;
}

static void destroy_deciding(struct kernel_change *change)
{
    struct deciding *deciding = (struct deciding *)(void *)change;
    free(deciding->text);
    free(deciding->audit);
    free(deciding->alone);
    free(deciding);
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

/* What was decided before stays, for as long as it was to: it has led to what it leads to, and what
 * the operator has lifted since stays lifted. */
static void uphold(const struct hub *hub, struct judgement_row *row)
{
    size_t at = 0;
    const struct judgement_row *before = judgement_find(hub, appeal_next(hub, row->about, &at));
    if (!before)
        return;
    row->verdict = before->verdict;
    row->until_ms = before->until_ms;
    row->holds = true;
}

static struct judgement_row row_of(struct hub *hub, const struct decision *decision, uint64_t about)
{
    const int64_t now_ms = kernel_now_ms(hub);
    const bool lasts = verdict_lasts(decision->verdict);
    struct judgement_row row = {.id = cases_next_id(hub),
                                .about = about,
                                .verdict = decision->verdict,
                                .why = decision->why,
                                .holds = !lasts,
                                .at_ms = now_ms,
                                .until_ms = lasts ? now_ms + decision->for_s * 1000 : 0,
                                .by = judge_of(decision),
                                .text = decision->text};
    if (decision->upholds)
        uphold(hub, &row);
    return row;
}

/* As the operator would have asked for it. NULL: no memory. */
static struct hub_audit_line *make_audit(const struct decision *decision)
{
    struct hub_audit_line *line = calloc(1, sizeof *line);
    const struct protocol_account *account = kernel_account(decision->call->session);
    if (!line)
        return NULL;
    line->session = judge_of(decision);
    line->request.op = ADMIN_OF_FEATURE;
    line->request.word = &judge_word;
    line->request.report = (int64_t)decision->report;
    line->request.for_s = decision->for_s;
    (void)snprintf(line->handle, sizeof line->handle, "%s", account ? account->handle : "");
    (void)snprintf(line->request.verdict, sizeof line->request.verdict, "%s",
                   decision->upholds ? "uphold" : verdict_word(decision->verdict));
    (void)snprintf(line->request.why, sizeof line->request.why, "%s", why_word(decision->why));
    (void)snprintf(line->request.text, sizeof line->request.text, "%s", decision->text);
    return line;
}

/* NULL: no memory. */
static struct deciding *make_deciding(struct hub *hub, const struct decision *decision,
                                      uint64_t about)
{
    struct deciding *deciding = calloc(1, sizeof *deciding);
    if (!deciding)
        return NULL;
    deciding->change.type = &deciding_type;
    deciding->row = row_of(hub, decision, about);
    deciding->row.text = deciding->text = strdup(decision->text);
    deciding->audit = decision->call ? make_audit(decision) : NULL;
    deciding->upholds = decision->upholds;
    if (deciding->text && (deciding->audit || !decision->call) && find_by_themselves(hub, deciding))
        return deciding;
    destroy_deciding(&deciding->change);
    return NULL;
}

/* The operator is answered by who has asked (features/feature.h). False: no memory. */
static bool answer_when_durable(struct hub *hub, const struct decision *decision,
                                struct deciding *deciding)
{
    if (!decision->call) {
        kernel_change_hub(hub, &deciding->change);
        return true;
    }
    call_reply_begin(decision->call, decision->reply);
    writer_key_int(&decision->reply->writer, "judgement", (int64_t)deciding->row.id);
    return kernel_change_answered(decision->call, decision->call->session, decision->reply,
                                  &deciding->change) == 0;
}

/* What each appeal was against ends, and they are told what has answered it. False: no memory. */
static bool answer_appeals(struct hub *hub, const struct deciding *deciding)
{
    uint64_t against;
    bool good = true;
    for (size_t at = 0; good && (against = appeal_next(hub, deciding->row.about, &at)) != 0;) {
        const struct judgement_row *before = judgement_find(hub, against);
        good = heard_send(hub, &deciding->row, against);
        if (!before || deciding->upholds)
            continue;
        const struct judgement_row ended = judgement_ended(hub, before, deciding->row.at_ms);
        kernel_put_row(hub, &judgement_table, &ended);
    }
    return good;
}

static size_t count_appeals(const struct hub *hub, uint64_t about)
{
    size_t count = 0;
    for (size_t at = 0; appeal_next(hub, about, &at) != 0;)
        count++;
    return count;
}

/* Of what was dismissed nobody is told, but who has appealed. */
static bool tell_judged(struct hub *hub, const struct deciding *deciding)
{
    const struct judgement_row *row = &deciding->row;
    if (count_appeals(hub, row->about) > 0)
        return answer_appeals(hub, deciding);
    return row->verdict == VERDICT_DISMISS || judged_send(hub, row);
}

/* Memory has been reserved. */
static bool put_judgement(struct hub *hub, const struct decision *decision,
                          struct deciding *deciding)
{
    const struct judgement_row *row = &deciding->row;
    if (!tell_judged(hub, deciding))
        return false;
    kernel_put_row(hub, &judgement_table, row);
    put_by_themselves(hub, deciding);
    cases_put_judged(hub, row->about, row->id);
    if (!answer_when_durable(hub, decision, deciding))
        return false;
    judgements_of(hub)->prepared++;
    return true;
}

static bool make_judgement(struct hub *hub, const struct decision *decision, uint64_t about,
                           uint64_t *id)
{
    struct deciding *deciding = make_deciding(hub, decision, about);
    if (!deciding)
        return false;
    const struct kernel_mark mark = kernel_mark(hub);
    *id = deciding->row.id;
    if (put_judgement(hub, decision, deciding))
        return true;
    kernel_take_back(hub, mark);
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
    if (decision->upholds || !verdict_lasts(decision->verdict) || !moderation_of(hub)->bans)
        return true;
    if (!collect_bans(hub, &row, &bans))
        return refuse_error(refusal, PROTOCOL_INTERNAL);
    const bool crowded = is_too_many(hub, &bans);
    ban_list_release(&bans);
    return !crowded ||
           refuse_decision(refusal, "too_many_bans", "There are too many bans; lift some.");
}

/* Neither one's own case, nor an appeal against one's own judgement where another one can decide.
 */
static bool is_theirs(const struct hub *hub, const struct decision *decision, uint64_t about)
{
    const uint64_t judge = judge_of(decision);
    uint64_t against;
    if (judge == 0)
        return true;
    for (size_t at = 0; (against = appeal_next(hub, about, &at)) != 0;) {
        const struct judgement_row *before = judgement_find(hub, against);
        if (before && before->by == judge && decision->others)
            return false;
    }
    return judge != about;
}

bool judge_decide(struct hub *hub, const struct decision *decision, uint64_t *id,
                  struct refusal *refusal)
{
    struct judgements *judgements = judgements_of(hub);
    size_t ops, text;
    const uint64_t about = cases_about(hub, decision->report, &ops, &text);
    if (!about)
        return refuse_decision(refusal, "unknown_report", "No such report waits for a judgement.");
    if (decision->call && kernel_audit_fails(hub))
        return refuse_error(refusal, PROTOCOL_STORE_FAILING);
    if (!is_theirs(hub, decision, about))
        return refuse_error(refusal, PROTOCOL_OWN_CASE);
    const size_t appeals = count_appeals(hub, about);
    if (decision->upholds && appeals == 0)
        return refuse_decision(refusal, "no_appeal", "Nobody has appealed against anything there.");
    if (judgements->prepared > 0)
        return refuse_decision(refusal, "busy",
                               "Something else is being saved; try again in a moment.");
    if (judgements->count >= (uint64_t)kernel_config(hub)->judgements)
        return refuse_decision(refusal, "too_many_judgements", "There are too many judgements.");
    if (!may_last(hub, decision, about, refusal))
        return false;
    const size_t others = count_by_themselves(hub, about);
    ops += 2 + 2 * appeals + others;
    text += (1 + appeals) * 2 * (PROTOCOL_SAY_BYTES + 1) + others * (PROTOCOL_SAY_BYTES + 1) +
            JUDGED_TEXT;
    const enum protocol_error error = kernel_may_store(hub, ops);
    if (error != PROTOCOL_OK)
        return refuse_error(refusal, error);
    if (!judgements_reserve(judgements, 1) || kernel_reserve(hub, ops, text) < 0 ||
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

static bool has_left_over(const struct hub *hub, const struct ban_list *bans)
{
    const struct judgements *judgements = &moderation_of(hub)->judgements;
    for (size_t at = 0; at < judgements->count; at++) {
        const struct judgement_row *row = &judgements->items[at].row;
        if (is_waiting(row) && find_left_over(hub, bans, row))
            return true;
    }
    return false;
}

/* Whether some judgement still waits for what it makes, or ends, to show among the bans. While a
 * ban that has to go is still there, none is noted as being in force. */
static bool look_at_those_that_wait(struct hub *hub)
{
    struct judgements *judgements = judgements_of(hub);
    const struct ban_list *bans = moderation_of(hub)->bans;
    if (has_left_over(hub, bans))
        return true;
    bool wait = false;
    for (size_t at = 0; at < judgements->count; at++) {
        struct judgement_row *row = &judgements->items[at].row;
        if (is_waiting(row) && !(is_in_force(hub, bans, row) && note_in_force(hub, row)))
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
