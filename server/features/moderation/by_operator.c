#include "by_operator.h"

#include "case_list.h"
#include "cases.h"
#include "chat/chat_operator.h"
#include "judge.h"
#include "moderator.h"
#include "report_table.h"
#include <hub/admin_request.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <string.h>

static bool refuse_request(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

static bool show_reports(struct hub *hub, const struct admin_request *request,
                         struct writer *writer, struct refusal *refusal)
{
    (void)request, (void)refusal;
    cases_write(hub, writer);
    return true;
}

static bool show_report(struct hub *hub, const struct admin_request *request, struct writer *writer,
                        struct refusal *refusal)
{
    if (cases_write_one(hub, (uint64_t)request->report, writer))
        return true;
    *refusal = (struct refusal){
        .code = "unknown_report", .text = "There is no such report.", .field = "report"};
    return false;
}

static bool read_decision(const struct admin_request *request, struct decision *decision,
                          struct refusal *refusal)
{
    const bool upholds = strcmp(request->verdict, "uphold") == 0;
    *decision =
        (struct decision){.report = (uint64_t)request->report,
                          .upholds = upholds,
                          .verdict = upholds ? VERDICT_DISMISS : verdict_find(request->verdict),
                          .why = why_find(request->why),
                          .for_s = request->for_s,
                          .text = request->text};
    if (decision->verdict == VERDICTS)
        return refuse_request(refusal, PROTOCOL_BAD_FIELD, "verdict");
    if (decision->why == REPORT_WHYS)
        return refuse_request(refusal, PROTOCOL_BAD_FIELD, "why");
    if (verdict_lasts(decision->verdict) != (decision->for_s > 0))
        return refuse_request(
            refusal, decision->for_s > 0 ? PROTOCOL_BAD_FIELD : PROTOCOL_MISSING_FIELD, "for_s");
    return true;
}

static bool judge_report(struct hub *hub, const struct admin_request *request,
                         struct writer *writer, struct refusal *refusal)
{
    struct decision decision;
    uint64_t id = 0;
    if (!read_decision(request, &decision, refusal) || !judge_decide(hub, &decision, &id, refusal))
        return false;
    writer_key_int(writer, "report", request->report);
    writer_key_int(writer, "judgement", (int64_t)id);
    return true;
}

static const struct operator_word reports_word = {"reports", false, 0, 0};
static const struct operator_word report_word = {"report", false, MEMBER_REPORT, 0};

const struct operator_row operations[OPERATIONS] = {
    {.word = &reports_word, .carry_out = show_reports},
    {.word = &report_word, .carry_out = show_report},
    {.word = &judge_word, .carry_out = judge_report},
    {.word = &moderators_word,
     .ask = operator_asks_moderators,
     .found = operator_found_moderators,
     .carry_out = operator_lists_moderators},
    {.word = &moderator_word,
     .by_handle = true,
     .ask = operator_asks_moderators,
     .found = operator_found_moderators,
     .carry_out = operator_gives_moderation},
    {.word = &chat_lobby_word, .carry_out = chat_operator_lists},
    {.word = &chat_say_word, .carry_out = chat_operator_says},
    {.word = &chat_unsay_word, .carry_out = chat_operator_takes_away},
};
