#include "profile.h"

#include "recent.h"
#include "tables/account_table.h"
#include "tables/archive_table.h"
#include "tables/handle.h"
#include "tally.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/buffer.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { PROFILE_BYTES = 32768, KINDS_MAX = STORE_QUERY_ROWS_MAX };

const struct store_table profile_table = {
    .name = "profile",
    .what = "what an account shows of itself",
    .number = 23,
    .size = sizeof(struct profile_row),
    .owner = STORE_OF_SESSION,
    .unloaded = true,
    .keys = 1,
    .count = 2,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct profile_row, session)},
                {"hidden", STORE_NUMBER, STORE_MEMBER(struct profile_row, hidden), .max = 1}},
    .indexes = {[PROFILE_BY_SESSION] = {"by_session", .columns = {0}, .count = 1, .same = 1},
                [PROFILE_IN_ORDER] = {"in_order", .columns = {0}, .count = 1}},
};

void profile_ask_of(uint64_t session, struct kernel_query *query, void *from)
{
    ((struct profile_row *)from)->session = session;
    query->table = &profile_table;
    query->index = PROFILE_BY_SESSION;
    query->limit = 1;
}

/* They are numbers with a sign: behind the one before, and of the least one from the beginning. */
void profile_ask_from(uint64_t session, struct kernel_query *query, void *from)
{
    ((struct profile_row *)from)->session = session - 1;
    query->table = &profile_table;
    query->index = PROFILE_IN_ORDER;
    query->limit = STORE_QUERY_ROWS_MAX;
    query->behind = session != (uint64_t)INT64_MIN;
}

bool profile_is_hidden(const struct store_query *done)
{
    return done->count && ((const struct profile_row *)store_query_row(done, 0))->hidden;
}

/* ---- what is asked for, one after the other */

enum step { STEP_WHOSE, STEP_CALLED, STEP_SHOWN, STEP_KINDS, STEP_LAST, STEP_END };

bool profile_ask(struct hub *hub, const char *handle, struct kernel_query *query, void *from)
{
    struct account_row *row = from;
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    (void)hub;
    if (!handle_valid(handle, strlen(handle)))
        return false;
    handle_skeleton(handle, skeleton);
    handle_claim(skeleton, row->claim);
    query->table = &account_table;
    query->index = ACCOUNT_BY_CLAIM;
    query->limit = 1;
    return true;
}

static void ask_step(enum step step, uint64_t session, struct kernel_query *query, void *from)
{
    static const struct {
        const struct store_table *table;
        unsigned index;
        uint32_t limit;
    } steps[STEP_END] = {
        [STEP_CALLED] = {&account_table, ACCOUNT_BY_SESSION, 1},
        [STEP_SHOWN] = {&profile_table, PROFILE_BY_SESSION, 1},
        [STEP_KINDS] = {&tally_table, 0, KINDS_MAX},
        [STEP_LAST] = {&archive_table, ARCHIVE_BY_SESSION, RECENT_MATCHES},
    };
    query->table = steps[step].table;
    query->index = steps[step].index;
    query->limit = steps[step].limit;
    memcpy(from, &session, sizeof session); /* the first member of all of them */
}

/* The account that the page was about. 0: there is none. */
static uint64_t session_of(enum step step, const struct store_query *done)
{
    uint64_t session = 0;
    if (step == STEP_WHOSE)
        return done->count ? ((const struct account_row *)store_query_row(done, 0))->session : 0;
    memcpy(&session, done->from, sizeof session);
    return session;
}

/* ---- what is written of it: one object, a piece at each step */

/* Without its end: more follows. */
static void write_account(const struct account_row *row, struct buffer *out)
{
    struct writer writer;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_id(&writer, "account", row->session);
    writer_key_string(&writer, "handle", row->handle);
    if (row->kind == ACCOUNT_BOT)
        writer_key_bool(&writer, "bot", true);
    writer_key_int(&writer, "since", row->since_ms);
}

static void write_tallies(const struct store_query *done, struct buffer *out)
{
    buffer_append_string(out, ",\"matches\":[");
    for (size_t at = 0; at < done->count; at++) {
        struct writer writer;
        if (at)
            buffer_append_byte(out, ',');
        writer_init(&writer, out);
        writer_object(&writer);
        tally_write(store_query_row(done, at), &writer);
        writer_end(&writer);
    }
    buffer_append_byte(out, ']');
}

static void write_step(enum step step, const struct store_query *done, struct buffer *out)
{
    if (step == STEP_CALLED && done->count)
        write_account(store_query_row(done, 0), out);
    else if (step == STEP_SHOWN && profile_is_hidden(done))
        buffer_append_string(out, ",\"hidden\":true");
    else if (step == STEP_KINDS)
        write_tallies(done, out);
    else if (step == STEP_LAST)
        recent_write(done, out);
}

bool profile_ask_next(struct hub *hub, unsigned number, const struct store_query *done,
                      struct kernel_query *query, void *from, struct buffer *out)
{
    const enum step step = (enum step)number;
    const uint64_t session = session_of(step, done);
    (void)hub;
    if (!session || (step == STEP_CALLED && !done->count))
        return false;
    write_step(step, done, out);
    if (step == STEP_LAST || (step == STEP_SHOWN && profile_is_hidden(done))) {
        buffer_append_byte(out, '}');
        return false;
    }
    ask_step(step + 1, session, query, from);
    return true;
}

/* ---- the same as an answer */

struct asked {
    struct kernel_kept kept;
    unsigned step;
    struct buffer text; /* as far as it is known */
};

static void destroy_asked(struct kernel_kept *kept)
{
    struct asked *asked = (struct asked *)(void *)kept;
    buffer_release(&asked->text);
    free(asked);
}

static struct asked *make_asked(void)
{
    struct asked *asked = calloc(1, sizeof *asked);
    if (!asked)
        return NULL;
    asked->kept.destroy = destroy_asked;
    buffer_init(&asked->text, 0, PROFILE_BYTES);
    return asked;
}

/* Else that is answered. Takes `asked` over. */
static void wait_for(const struct call *call, struct asked *asked, struct kernel_query *query)
{
    query->kept = asked ? &asked->kept : NULL;
    if (asked && call_query(call, query))
        return;
    call_error(call, asked ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL, NULL);
    if (asked)
        destroy_asked(&asked->kept);
}

void op_profile(struct call *call)
{
    struct account_row from = {0};
    struct kernel_query query = {.from = &from};
    (void)profile_ask(call->hub, call->request->handle, &query, &from); /* it is a handle */
    wait_for(call, make_asked(), &query);
}

static void answer_profile(const struct call *call, const struct asked *asked)
{
    struct reply reply;
    if (asked->text.len == 0) {
        call_error(call, PROTOCOL_UNKNOWN_HANDLE, "handle");
        return;
    }
    if (asked->text.failed) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_members(&reply.writer, (const char *)buffer_payload(&asked->text), asked->text.len);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* What has been written goes on to the next page. */
static struct asked *pass_on(struct asked *asked)
{
    struct asked *next = make_asked();
    if (!next)
        return NULL;
    const struct buffer empty = next->text;
    next->text = asked->text;
    next->step = asked->step + 1;
    asked->text = empty;
    return next;
}

void op_profile_queried(struct call *call, const struct store_query *done)
{
    alignas(max_align_t) uint8_t from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query = {.from = from};
    struct asked *asked = (struct asked *)(void *)call->kept;
    if (done->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (profile_ask_next(call->hub, asked->step, done, &query, from, &asked->text))
        wait_for(call, pass_on(asked), &query);
    else
        answer_profile(call, asked);
}

/* ---- what one shows */

static void nothing_in_memory(struct hub *hub, struct session *session,
                              struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static void destroy_nothing(struct kernel_change *change)
{
    (void)change;
}

static enum protocol_error show_possible(const struct call *call)
{
    if (!kernel_account(call->session))
        return PROTOCOL_ACCOUNT_NEEDED;
    if (kernel_session_is_changing(call->session))
        return PROTOCOL_SLOW_DOWN;
    const enum protocol_error error = kernel_may_store(call->hub, 1);
    return error == PROTOCOL_OK && kernel_reserve(call->hub, 1, 0) < 0 ? PROTOCOL_INTERNAL : error;
}

void op_profile_show(struct call *call)
{
    static const struct kernel_change_type type = {.carry_out = nothing_in_memory,
                                                   .destroy = destroy_nothing};
    static struct kernel_change waiting = {&type}; /* all of it is in the row */
    const struct profile_row row = {.session = kernel_session_id(call->session),
                                    .hidden = call->request->hidden};
    const enum protocol_error error = show_possible(call);
    struct reply reply;
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_bool(&reply.writer, "hidden", row.hidden);
    if (kernel_change_answered(call, call->session, &reply, &waiting) < 0)
        call_error(call, PROTOCOL_INTERNAL, NULL);
    else
        kernel_put_row(call->hub, &profile_table, &row);
}
