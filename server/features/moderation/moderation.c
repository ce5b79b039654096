#include <moderation/moderation.h>

#include "ban_change.h"
#include "ban_list.h"
#include "bans.h"
#include "by_operator.h"
#include "state.h"
#include <hub/kernel.h>
#include <hub/prometheus.h>
#include <stdlib.h>

const struct feature_memory moderation_memory = {.hub_bytes = sizeof(struct moderation),
                                                 .room_bytes = sizeof(struct talk_room)};

struct moderation *moderation_of(const struct hub *hub)
{
    return kernel_state(hub, &moderation_memory);
}

static int64_t find_barred(const struct hub *hub, enum feature_bar bar, uint64_t session,
                           const struct address_prefix *address)
{
    const struct moderation *moderation = moderation_of(hub);
    const struct ban *ban = moderation->bans ? ban_list_find(moderation->bans, bar == BAR_SPEAK,
                                                             session, address, kernel_now_ms(hub))
                                             : NULL;
    return ban ? ban->until_ms : 0;
}

/* ---- the document */

static void release_bans(void *value)
{
    struct ban_list *bans = value;
    if (bans)
        ban_list_release(bans);
    free(bans);
}

/* "" is no bans. */
static void *read_bans(const char *text, size_t len)
{
    struct ban_list *bans = calloc(1, sizeof *bans);
    if (!bans || len == 0 || ban_list_read(bans, text, len))
        return bans;
    release_bans(bans);
    return NULL;
}

static size_t hold_bans(struct hub *hub, const void *value)
{
    struct moderation *moderation = moderation_of(hub);
    moderation->bans = value;
    return kernel_close_barred(hub);
}

/* ---- what the operator asks */

static void show_bans(const void *value, int64_t now_ms, struct writer *writer)
{
    ban_change_list(value, now_ms, writer);
}

/* Of a session whose home is elsewhere nobody here knows. */
static bool is_unknown(const struct document_asked *asked)
{
    const uint64_t session = asked->request->target.session;
    return session && asked->home && asked->request->op != ADMIN_LIFT &&
           !kernel_session_find(asked->home, session);
}

static bool change_bans(const void *value, const struct document_asked *asked, struct buffer *text,
                        struct refusal *refusal)
{
    const struct ban_change change = {asked->request, asked->now_ms, asked->most};
    struct ban_list bans = {0};
    if (is_unknown(asked)) {
        *refusal = (struct refusal){.code = "unknown_session", .text = "There is no such session."};
        return false;
    }
    const bool good = ban_change_decide(&change, value, &bans, text, refusal);
    ban_list_release(&bans);
    return good;
}

static void say_changed(const struct document_asked *asked, size_t closed, struct writer *writer)
{
    ban_change_write(asked->request, asked->now_ms, closed, writer);
}

/* ---- reports */

static void end(struct hub *hub)
{
    struct moderation *moderation = moderation_of(hub);
    talk_release(&moderation->talk);
    reporters_release(&moderation->reporters);
    cases_release(&moderation->cases);
    judgements_release(&moderation->judgements);
    judged_release(&moderation->judged);
}

static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    if (table == &report_table)
        return cases_restore(hub, row);
    return table == &judgement_table ? judgements_restore(hub, row) : judged_restore(hub, row);
}

static void session_gone(struct hub *hub, struct session *session)
{
    judged_gone(hub, session);
}

static int64_t deadline_ms(const struct hub *hub)
{
    const int64_t judgements_ms = judgements_deadline_ms(hub), cases_ms = cases_deadline_ms(hub);
    return judgements_ms < cases_ms ? judgements_ms : cases_ms;
}

static void tick(struct hub *hub)
{
    judgements_tick(hub);
    cases_tick(hub);
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
}

/* ---- the feature */

static const struct document_row rows[] = {
    {.op = ADMIN_BANS, .show = show_bans},
    {.op = ADMIN_BAN, .change = change_bans, .changed = say_changed},
    {.op = ADMIN_SILENCE, .change = change_bans, .changed = say_changed},
    {.op = ADMIN_LIFT, .change = change_bans, .changed = say_changed},
};

const struct feature_document bans_document = {
    .name = "bans",
    .read = read_bans,
    .release = release_bans,
    .hold = hold_bans,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
};

static const struct request_row requests[] = {
    {REQUEST_REPORT, REQUEST_OF_ROOM, op_report},
    {REQUEST_HEED, REQUEST_AT_HOME, op_heed},
};

static const struct letter_row letters[] = {
    {report_letter, REPORT_OPS, REPORT_TEXT, report_apply},
    {judged_letter, JUDGED_OPS, JUDGED_TEXT, judged_apply},
};

static const struct store_table *const tables[] = {&report_table, &judgement_table, &judged_table,
                                                   NULL};

const struct feature feature_moderation = {
    .name = "moderation",
    .memory = &moderation_memory,
    .end = end,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .operations = operations,
    .operation_count = OPERATIONS,
    .document = &bans_document,
    .write_hello = judged_write,
    .write_figures = write_figures,
    .barred_until_ms = find_barred,
    .session_gone = session_gone,
    .tables = tables,
    .restore_row = restore_row,
    .deadline_ms = deadline_ms,
    .tick = tick,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .said = talk_said,
};
