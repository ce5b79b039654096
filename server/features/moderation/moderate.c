#include "moderate.h"

#include "case_list.h"
#include "judge.h"
#include "moderator.h"
#include "report_table.h"
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/account.h>
#include <protocol/reply.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* What was asked, until it is known who the moderators are. */
struct asked {
    struct kernel_kept kept;
    int64_t case_id; /* 0: all of them */
    int64_t for_s;
    bool upholds;
    enum verdict verdict;
    enum report_why why;
    char text[PROTOCOL_SAY_BYTES + 1];
};

/* ---- asking */

static void destroy_asked(struct kernel_kept *kept)
{
    free(kept);
}

static struct asked *make_asked(const struct request *request)
{
    struct asked *asked = calloc(1, sizeof *asked);
    if (!asked)
        return NULL;
    asked->kept.destroy = destroy_asked;
    asked->case_id = request_has(request, REQUEST_CASE) ? request->case_id : 0;
    asked->for_s = request_has(request, REQUEST_FOR_S) ? request->for_s : 0;
    if (request->op == REQUEST_JUDGE) {
        asked->upholds = strcmp(request->verdict, "uphold") == 0;
        asked->verdict = asked->upholds ? VERDICT_DISMISS : verdict_find(request->verdict);
        asked->why = why_find(request->why);
    }
    if (request_has(request, REQUEST_TEXT))
        memcpy(asked->text, request->text, sizeof asked->text);
    return asked;
}

static void ask_moderators(const struct call *call)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query;
    struct asked *asked = make_asked(call->request);
    if (!asked) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    moderators_ask(&query, from);
    query.kept = &asked->kept;
    if (call_query(call, &query))
        return;
    free(asked);
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

/* Who has no account is none, and nobody has to be asked for that. */
static bool may_be_moderator(const struct call *call)
{
    const struct protocol_account *account = kernel_account(call->session);
    if (account && account->kind != ACCOUNT_BOT)
        return true;
    call_error(call, PROTOCOL_NOT_MODERATOR, NULL);
    return false;
}

void op_cases(struct call *call)
{
    if (may_be_moderator(call))
        ask_moderators(call);
}

void op_judge(struct call *call)
{
    const enum verdict verdict = verdict_find(call->request->verdict);
    const bool lasts = verdict < VERDICTS && verdict_lasts(verdict);
    const bool has_term = request_has(call->request, REQUEST_FOR_S);
    if (lasts != has_term)
        call_error(call, has_term ? PROTOCOL_BAD_FIELD : PROTOCOL_MISSING_FIELD, "for_s");
    else if (may_be_moderator(call))
        ask_moderators(call);
}

/* ---- answering */

static void show_cases(const struct call *call, const struct asked *asked)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    if (asked->case_id == 0) {
        cases_write(call->hub, &reply.writer);
    } else if (!cases_write_one(call->hub, (uint64_t)asked->case_id, &reply.writer)) {
        call_reply_drop(&reply);
        call_error(call, PROTOCOL_UNKNOWN_CASE, "case");
        return;
    }
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* The operator is told the same in words of the operator's. */
static enum protocol_error error_of(const struct refusal *refusal)
{
    static const struct {
        const char *code;
        enum protocol_error error;
    } told[] = {{"unknown_report", PROTOCOL_UNKNOWN_CASE},
                {"no_appeal", PROTOCOL_UNKNOWN_CASE},
                {"too_many_judgements", PROTOCOL_TOO_MANY_JUDGEMENTS},
                {"too_many_bans", PROTOCOL_TOO_MANY_JUDGEMENTS}};
    if (refusal->error != PROTOCOL_OK)
        return refusal->error;
    for (size_t at = 0; at < sizeof told / sizeof told[0]; at++) {
        if (strcmp(refusal->code, told[at].code) == 0)
            return told[at].error;
    }
    return PROTOCOL_SLOW_DOWN; /* something else is being saved */
}

static void judge_case(const struct call *call, const struct asked *asked, bool others)
{
    struct refusal refusal = {0};
    struct reply reply;
    uint64_t id;
    const struct decision decision = {.report = (uint64_t)asked->case_id,
                                      .verdict = asked->verdict,
                                      .why = asked->why,
                                      .for_s = asked->for_s,
                                      .others = others,
                                      .upholds = asked->upholds,
                                      .text = asked->text,
                                      .call = call,
                                      .reply = &reply};
    if (kernel_session_is_changing(call->session))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    else if (!judge_decide(call->hub, &decision, &id, &refusal))
        call_error(call, error_of(&refusal), refusal.error == PROTOCOL_OK ? NULL : refusal.field);
}

void moderate_queried(struct call *call, const struct store_query *query)
{
    const struct asked *asked = (const struct asked *)(const void *)call->kept;
    bool others;
    if (query->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (!moderators_have(query, kernel_session_id(call->session), &others))
        call_error(call, PROTOCOL_NOT_MODERATOR, NULL);
    else if (call->request->op == REQUEST_CASES)
        show_cases(call, asked);
    else
        judge_case(call, asked, others);
}
