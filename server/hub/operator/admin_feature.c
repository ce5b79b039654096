#include "admin_feature.h"

#include "admin_wait.h"
#include "feature_table.h"
#include "hub_private.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/admin_request.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/account.h>
#include <stdalign.h>
#include <string.h>

static enum admin_outcome refuse_busy(struct refusal *refusal)
{
    *refusal = (struct refusal){.code = "busy",
                                .text = "Something else is being saved; try again in a moment."};
    return ADMIN_REFUSED;
}

const struct operator_row *admin_operation(const struct feature *const *features,
                                           const struct operator_word *word)
{
    for (; features && *features; features++) {
        for (size_t i = 0; i < (*features)->operation_count; i++) {
            if ((*features)->operations[i].word == word)
                return &(*features)->operations[i];
        }
    }
    return NULL;
}

/* ---- carrying it out */

static bool write_answer(struct hub *hub, const struct operator_row *row,
                         const struct admin_request *request, struct buffer *line,
                         struct refusal *refusal)
{
    struct writer writer;
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    const bool done = row->carry_out(hub, request, &writer, refusal);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    if (!done)
        buffer_clear(line);
    return done;
}

/* ADMIN_WAITS: what it has put into the batch is durable when the answer, in `line`, goes out. */
static enum admin_outcome carry_out(struct hub *hub, const struct operator_row *row,
                                    const struct admin_request *request, struct buffer *line,
                                    struct refusal *refusal)
{
    enum { PENDING_MAX = 2 }; /* its own change, and the answer */
    struct batch *batch = hub->commit.filling;
    const size_t ops = batch->op_count;
    if (batch_keep(batch, 0, PENDING_MAX, 0) < 0) {
        *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
        return ADMIN_REFUSED;
    }
    if (!write_answer(hub, row, request, line, refusal))
        return ADMIN_REFUSED;
    if (batch->op_count == ops)
        return ADMIN_DONE;
    batch_defer(batch, &(struct pending){.kind = PENDING_ADMIN});
    return ADMIN_WAITS;
}

static void wait_with(struct hub *hub, const struct admin_request *request, struct buffer *line)
{
    admin_wait_begin(hub, request);
    admin_wait_answer(hub, line);
    buffer_clear(line);
}

/* Is it not known yet whose the handle is? Of a request that has been moved here it is. */
static bool seeks_account(const struct operator_row *row, const struct admin_request *request)
{
    return row->by_handle && request->session == 0;
}

enum admin_outcome admin_feature_ask(struct hub *hub, const struct operator_row *row,
                                     const struct admin_request *request, struct buffer *line,
                                     struct refusal *refusal)
{
    const bool asks = seeks_account(row, request) || row->ask;
    if (hub->admin.state != ADMIN_NOTHING && (asks || request->word->changes))
        return refuse_busy(refusal);
    if (asks) {
        admin_wait_begin(hub, request);
        hub->admin.page_wanted = true;
        return ADMIN_WAITS;
    }
    const enum admin_outcome outcome = carry_out(hub, row, request, line, refusal);
    if (outcome == ADMIN_WAITS)
        wait_with(hub, request, line);
    return outcome;
}

/* ---- what is asked for before: whose handle it is, and then what the operation asks for */

static void ask_page(const struct hub *hub, const struct admin_request *request,
                     struct kernel_query *asked, void *from)
{
    const struct operator_row *row = admin_operation(hub->features.list, request->word);
    if (!seeks_account(row, request)) {
        row->ask(hub, request, hub->admin.page, asked, from);
        return;
    }
    const bool known = kernel_ask_account(hub, request->handle, asked, from);
    assert(known && "who answers for accounts knows handles");
    (void)known;
}

bool admin_page_take(struct hub *hub, struct store_query *query)
{
    struct kernel_query asked = {0};
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    if (hub->admin.state != ADMIN_WAITING || !hub->admin.page_wanted)
        return false;
    hub->admin.page_wanted = false;
    asked.from = from;
    ask_page(hub, &hub->admin.request, &asked, from);
    *query = (struct store_query){.ticket = ADMIN_PAGE_TICKET,
                                  .table = asked.table,
                                  .index = &asked.table->indexes[asked.index],
                                  .limit = asked.limit,
                                  .behind = asked.behind};
    memcpy(query->from, from, asked.table->size);
    return true;
}

static void go_on(struct hub *hub, const struct operator_row *row)
{
    struct admin_wait *wait = &hub->admin;
    struct refusal refusal = {0};
    switch (carry_out(hub, row, &wait->request, &wait->line, &refusal)) {
    case ADMIN_DONE:
        wait->stored = true;
        wait->state = ADMIN_ANSWERED;
        break;
    case ADMIN_REFUSED:
        admin_wait_refuse(hub, &refusal);
        break;
    case ADMIN_MOVED:
    case ADMIN_WAITS:
        break;
    }
}

static void account_received(struct hub *hub, const struct operator_row *row,
                             const struct store_query *query)
{
    struct admin_wait *wait = &hub->admin;
    struct protocol_account account;
    if (query->count == 0) {
        admin_wait_refuse(hub,
                          &(struct refusal){.error = PROTOCOL_UNKNOWN_HANDLE, .field = "handle"});
        return;
    }
    wait->request.session = kernel_read_account(hub, store_query_row(query, 0), &account);
    if (session_is_elsewhere(hub, wait->request.session))
        wait->state = ADMIN_ANSWERED;
    else if (row->ask)
        wait->page_wanted = true;
    else
        go_on(hub, row);
}

static void page_received(struct hub *hub, const struct operator_row *row,
                          const struct store_query *query)
{
    struct admin_wait *wait = &hub->admin;
    struct refusal refusal = {0};
    switch (row->found(hub, &wait->request, wait->page, query, &refusal)) {
    case OPERATOR_REFUSED:
        admin_wait_refuse(hub, &refusal);
        break;
    case OPERATOR_ASKS_ON:
        wait->page++;
        wait->page_wanted = true;
        break;
    case OPERATOR_CARRIES_OUT:
        go_on(hub, row);
        break;
    }
}

void admin_page_received(struct hub *hub, const struct store_query *query)
{
    struct admin_wait *wait = &hub->admin;
    const struct operator_row *row = admin_operation(hub->features.list, wait->request.word);
    assert(wait->state == ADMIN_WAITING);
    if (query->result != STORE_OK)
        admin_wait_refuse(hub, &(struct refusal){.error = PROTOCOL_STORE_FAILING});
    else if (seeks_account(row, &wait->request))
        account_received(hub, row, query);
    else
        page_received(hub, row, query);
}
