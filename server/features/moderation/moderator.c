#include "moderator.h"

#include "state.h"
#include <hub/admin_request.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/account.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct operator_word moderators_word = {"moderators", false, 0, 0};
const struct operator_word moderator_word = {"moderator", true, MEMBER_HANDLE,
                                             MEMBER_CANCEL | MEMBER_REASON};

enum { MODERATOR_BY_SINCE };

const struct store_table moderator_table = {
    .name = "moderator",
    .what = "an account that looks after the site",
    .number = 54,
    .size = sizeof(struct moderator_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 3,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct moderator_row, session)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct moderator_row, since_ms)},
                {"handle", STORE_STRING, STORE_MEMBER(struct moderator_row, handle)}},
    .indexes = {[MODERATOR_BY_SINCE] = {"by_since", .columns = {1}, .count = 1}},
};

static struct moderators *moderators_of(const struct hub *hub)
{
    return &moderation_of(hub)->moderators;
}

/* ---- in memory */

/* moderators->count: it is none. */
static size_t find_moderator(const struct moderators *moderators, uint64_t session)
{
    size_t at = 0;
    while (at < moderators->count && moderators->sessions[at] != session)
        at++;
    return at;
}

static bool is_moderator(const struct moderators *moderators, uint64_t session)
{
    return find_moderator(moderators, session) < moderators->count;
}

static void add_moderator(struct moderators *moderators, uint64_t session)
{
    if (!is_moderator(moderators, session) && moderators->count < MODERATORS_MAX)
        moderators->sessions[moderators->count++] = session;
}

static void forget_moderator(struct moderators *moderators, uint64_t session)
{
    const size_t at = find_moderator(moderators, session);
    if (at < moderators->count)
        moderators->sessions[at] = moderators->sessions[--moderators->count];
}

void moderator_restore(struct hub *hub, const struct moderator_row *row)
{
    if (kernel_session_find(hub, row->session))
        add_moderator(moderators_of(hub), row->session);
}

void moderator_gone(struct hub *hub, const struct session *session)
{
    forget_moderator(moderators_of(hub), kernel_session_id(session));
}

void moderators_release(struct moderators *moderators)
{
    free(moderators->listed);
    *moderators = (struct moderators){0};
}

void moderator_write(const struct hub *hub, const struct session *session, struct writer *writer)
{
    if (is_moderator(moderators_of(hub), kernel_session_id(session)))
        writer_key_bool(writer, "moderator", true);
}

/* ---- all of the site */

void moderators_ask(struct kernel_query *query, void *from)
{
    *query = (struct kernel_query){.table = &moderator_table,
                                   .index = MODERATOR_BY_SINCE,
                                   .limit = MODERATORS_MAX + 1, /* one more: there are too many */
                                   .from = from};
}

bool moderators_have(const struct store_query *found, uint64_t session, bool *others)
{
    bool has = false;
    *others = false;
    for (size_t at = 0; at < found->count; at++) {
        const struct moderator_row *row = store_query_row(found, at);
        has = has || row->session == session;
        *others = *others || row->session != session;
    }
    return has;
}

/* ---- what the operator asks */

static bool refuse_request(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

void operator_asks_moderators(const struct hub *hub, const struct admin_request *request,
                              unsigned page, struct kernel_query *query, void *from)
{
    (void)hub, (void)request, (void)page;
    moderators_ask(query, from);
}

/* What was found is noted until it is shown. */
static bool note_listed(struct moderators *moderators, const struct store_query *found)
{
    moderators->listed_count = 0;
    if (!moderators->listed)
        moderators->listed = calloc(MODERATORS_MAX, sizeof *moderators->listed);
    if (!moderators->listed)
        return false;
    for (size_t at = 0; at < found->count && at < MODERATORS_MAX; at++)
        memcpy(&moderators->listed[moderators->listed_count++], store_query_row(found, at),
               sizeof *moderators->listed);
    return true;
}

enum operator_found operator_found_moderators(struct hub *hub, const struct admin_request *request,
                                              unsigned page, const struct store_query *found,
                                              struct refusal *refusal)
{
    bool others;
    (void)page;
    const bool has = moderators_have(found, request->session, &others);
    if (request->word == &moderators_word) {
        if (note_listed(moderators_of(hub), found))
            return OPERATOR_CARRIES_OUT;
        (void)refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
        return OPERATOR_REFUSED;
    }
    if (has || request->cancel || found->count < MODERATORS_MAX)
        return OPERATOR_CARRIES_OUT;
    *refusal =
        (struct refusal){.code = "too_many_moderators", .text = "There are too many moderators."};
    return OPERATOR_REFUSED;
}

bool operator_lists_moderators(struct hub *hub, const struct admin_request *request,
                               struct writer *writer, struct refusal *refusal)
{
    struct moderators *moderators = moderators_of(hub);
    (void)request, (void)refusal;
    writer_key_array(writer, "moderators");
    for (size_t at = 0; at < moderators->listed_count; at++) {
        writer_object(writer);
        writer_key_id(writer, "session", moderators->listed[at].session);
        writer_key_string(writer, "handle", moderators->listed[at].handle);
        writer_key_int(writer, "since", moderators->listed[at].since_ms);
        writer_end(writer);
    }
    writer_end(writer);
    free(moderators->listed);
    moderators->listed = NULL;
    moderators->listed_count = 0;
    return true;
}

/* ---- given, and taken away */

struct giving {
    struct kernel_change change;
    bool takes;
};

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const bool takes = ((const struct giving *)(const void *)change)->takes;
    if (takes)
        forget_moderator(moderators_of(hub), kernel_session_id(session));
    else
        add_moderator(moderators_of(hub), kernel_session_id(session));
    kernel_log(hub, takes ? "moderator_taken" : "moderator_given", kernel_session_id(session),
               false);
}

static void undo_giving(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    kernel_refuse_operator(hub, &(struct refusal){.error = PROTOCOL_STORE_FAILING});
}

static void destroy_giving(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type giving_type = {
    .carry_out = become_durable, .undo = undo_giving, .destroy = destroy_giving};

/* False: no memory. */
static bool put_moderator(struct hub *hub, struct session *session, bool takes)
{
    struct moderator_row row = {.session = kernel_session_id(session),
                                .since_ms = kernel_now_ms(hub)};
    struct giving *giving = calloc(1, sizeof *giving);
    if (!giving || kernel_reserve(hub, 1, 0) < 0) {
        free(giving);
        return false;
    }
    *giving = (struct giving){{&giving_type}, takes};
    (void)snprintf(row.handle, sizeof row.handle, "%s", kernel_account(session)->handle);
    kernel_change_session(hub, session, &giving->change);
    if (takes)
        kernel_drop_row(hub, &moderator_table, &row);
    else
        kernel_put_row(hub, &moderator_table, &row);
    return true;
}

bool operator_gives_moderation(struct hub *hub, const struct admin_request *request,
                               struct writer *writer, struct refusal *refusal)
{
    struct session *session = kernel_session_find(hub, request->session);
    if (!session || !kernel_account(session))
        return refuse_request(refusal, PROTOCOL_UNKNOWN_HANDLE, "handle");
    if (kernel_account(session)->kind == ACCOUNT_BOT && !request->cancel)
        return refuse_request(refusal, PROTOCOL_BAD_FIELD, "handle");
    if (is_moderator(moderators_of(hub), request->session) == request->cancel) {
        if (kernel_session_is_changing(session))
            return refuse_request(refusal, PROTOCOL_SLOW_DOWN, NULL);
        const enum protocol_error error = kernel_may_store(hub, 1);
        if (error != PROTOCOL_OK)
            return refuse_request(refusal, error, NULL);
        if (!put_moderator(hub, session, request->cancel))
            return refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
    }
    writer_key_id(writer, "session", request->session);
    writer_key_string(writer, "handle", kernel_account(session)->handle);
    writer_key_bool(writer, "moderator", !request->cancel);
    return true;
}
