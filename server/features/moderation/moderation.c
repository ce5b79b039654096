#include <moderation/moderation.h>

#include "appeal.h"
#include "appeal_table.h"
#include "ban_list.h"
#include "bans.h"
#include "by_operator.h"
#include "case_list.h"
#include "cases.h"
#include "chat/chat_report.h"
#include "chat/lines.h"
#include "chat/listeners.h"
#include "chat/op_chat.h"
#include "judge.h"
#include "judged.h"
#include "judgements.h"
#include "kept.h"
#include "moderate.h"
#include "moderator.h"
#include "report.h"
#include "report_table.h"
#include "state.h"
#include "talk.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/prometheus.h>
#include <stdlib.h>

static int64_t find_own(const struct hub *hub, enum feature_bar bar, uint64_t session,
                        const struct address_prefix *address)
{
    const struct moderation *moderation = moderation_of(hub);
    const struct ban *ban = NULL;
    if (moderation->bans)
        ban = ban_list_find(moderation->bans, bar == BAR_SPEAK, session, address, hub,
                            kernel_now_ms(hub));
    return ban ? ban_until_ms(ban, hub) : 0;
}

/* A program is kept from what its owner is kept from: else that would be the way around it. */
static int64_t find_barred(const struct hub *hub, enum feature_bar bar, uint64_t id,
                           const struct address_prefix *address)
{
    const struct session *session = id ? kernel_session_find(hub, id) : NULL;
    const uint64_t owner = session ? kernel_owner(session) : 0;
    const int64_t own_ms = find_own(hub, bar, id, address);
    const int64_t owners_ms = owner ? find_own(hub, bar, owner, NULL) : 0;
    return own_ms > owners_ms ? own_ms : owners_ms;
}

/* ---- reports */

static void end_feature(struct hub *hub)
{
    struct moderation *moderation = moderation_of(hub);
    talk_release(&moderation->talk);
    chat_lines_release(&moderation->lines);
    chat_listeners_release(&moderation->listeners);
    reporters_release(&moderation->reporters);
    cases_release(&moderation->cases);
    judgements_release(&moderation->judgements);
    judged_release(&moderation->judged);
    moderators_release(&moderation->moderators);
    appeals_release(&moderation->appeals);
}

static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    if (table == &report_table)
        return cases_restore(hub, row);
    if (table == &judged_table)
        return judged_restore(hub, row);
    if (table == &appeal_table)
        return appeal_restore(hub, row);
    if (table == &moderator_table) {
        moderator_restore(hub, row);
        return true;
    }
    cases_note_id(hub, ((const struct judgement_row *)row)->id);
    return judgements_restore(hub, row);
}

static void session_gone(struct hub *hub, struct session *session)
{
    judged_gone(hub, session);
    moderator_gone(hub, session);
    appeals_gone(hub, session);
}

static void write_hello(const struct hub *hub, const struct session *session, struct writer *writer)
{
    judged_write(hub, session, writer);
    moderator_write(hub, session, writer);
    chat_write_hello(hub, writer);
}

static int64_t deadline_ms(const struct hub *hub)
{
    const int64_t chat_ms = chat_deadline_ms(hub), cases_ms = cases_deadline_ms(hub);
    int64_t due_ms = judgements_deadline_ms(hub);
    due_ms = chat_ms < due_ms ? chat_ms : due_ms;
    return cases_ms < due_ms ? cases_ms : due_ms;
}

static void tick_feature(struct hub *hub)
{
    judgements_tick(hub);
    cases_tick(hub);
    chat_tick(hub);
}

static void pass_query_on(struct call *call, const struct store_query *query)
{
    if (call->request->op == REQUEST_CHAT_SAY || call->request->op == REQUEST_CHAT_DROP)
        chat_queried(call, query);
    else
        moderate_queried(call, query);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    const struct moderation *moderation = moderation_of(hub);
    prometheus_count(out, "reports_waiting", "gauge",
                     "People who were reported and of whom nothing was decided yet.",
                     cases_count(hub));
    prometheus_count(out, "judgements_total", "counter",
                     "Decisions about people who were reported, since the start.",
                     moderation->judgements.made);
    prometheus_count(out, "chat_lines_total", "counter",
                     "Lines said in the lobby, since the start.", moderation->lines_said);
    prometheus_count(out, "chat_listeners", "gauge",
                     "Connections that wait for the next line in the lobby.",
                     moderation->listeners.count);
}

/* ---- the feature */

static const struct request_row requests[] = {
    {REQUEST_REPORT, REQUEST_OF_ROOM, op_report},
    {REQUEST_HEED, REQUEST_AT_HOME, op_heed},
    {REQUEST_APPEAL, REQUEST_AT_HOME | REQUEST_ONCE, op_appeal},
    {REQUEST_CASES, REQUEST_AT_DESK | REQUEST_LONG, op_cases},
    {REQUEST_JUDGE, REQUEST_AT_DESK | REQUEST_ONCE, op_judge},
    {REQUEST_CHAT, REQUEST_AT_DESK | REQUEST_LONG, op_chat},
    {REQUEST_CHAT_DROP, REQUEST_AT_DESK, op_chat_drop},
    {REQUEST_CHAT_REPORT, REQUEST_AT_DESK, op_chat_report},
    {REQUEST_CHAT_SAY, REQUEST_AT_DESK | REQUEST_ONCE, op_chat_say},
};

static const struct letter_row letters[] = {
    {report_letter, REPORT_OPS, REPORT_TEXT, report_apply},
    {judged_letter, JUDGED_OPS, JUDGED_TEXT, judged_apply},
    {heard_letter, JUDGED_OPS, JUDGED_TEXT, heard_apply},
    {appeal_letter, APPEAL_OPS, APPEAL_TEXT, appeal_apply},
};

static const struct store_table *const tables[] = {
    &report_table, &judgement_table, &judged_table, &moderator_table, &appeal_table, NULL};

const struct feature feature_moderation = {
    .name = "moderation",
    .memory = &moderation_memory,
    .end = end_feature,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .operations = operations,
    .operation_count = OPERATIONS,
    .document = &bans_document,
    .write_hello = write_hello,
    .hello_for_owner = true,
    .write_kept = moderation_write_kept,
    .write_figures = write_figures,
    .barred_until_ms = find_barred,
    .session_gone = session_gone,
    .tables = tables,
    .restore_row = restore_row,
    .deadline_ms = deadline_ms,
    .tick = tick_feature,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .said = talk_said,
    .queried = pass_query_on,
    .forget = chat_forget,
    .seen = report_seen,
};
