#include "annul.h"

#include "entering.h"
#include "rows/rows.h"
#include "rows/state.h"
#include "waiting/told.h"
#include <hub/admin_request.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/reply.h>
#include <stdlib.h>
#include <string.h>

/* The line, where it ends, and of each refund a rating, a step and a letter. */
enum { ANNUL_OPS = 2 + 3 * RATING_SEATS, ANNUL_TEXT = BOOK_LINE_MAX };

static struct annulling *annulling_of(const struct hub *hub)
{
    return &desk_of(hub)->annulling;
}

static bool refuse_match(struct refusal *refusal, const char *code, const char *text)
{
    *refusal = (struct refusal){.code = code, .text = text, .field = "match"};
    return false;
}

static bool refuse_error(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

/* ---- what is asked for before */

static void ask_rows(const struct hub *hub, const struct admin_request *request, unsigned page,
                     struct kernel_query *query, void *from)
{
    struct annulling *annulling = annulling_of(hub);
    const uint64_t of = (uint64_t)request->match;
    if (page == 0)
        *annulling = (struct annulling){.annul.of = of, .last = of - 1};
    if (annulling->read) {
        ((struct rating_row *)from)->account = annulling->annul.refund[annulling->known].account;
        *query = (struct kernel_query){.table = &rating_table,
                                       .index = RATING_OF_ACCOUNT,
                                       .limit = RATING_CLASSES,
                                       .from = from};
    } else {
        ((struct book_row *)from)->n = annulling->last;
        *query = (struct kernel_query){.table = &book_table,
                                       .index = BOOK_BY_N,
                                       .limit = STORE_QUERY_ROWS_MAX,
                                       .behind = true,
                                       .from = from};
    }
}

/* It is a match, by which somebody has lost who is still there. */
static bool read_match(const struct hub *hub, struct annulling *annulling,
                       const struct store_query *found, struct refusal *refusal)
{
    struct book_entry entry;
    const struct book_row *row = found->count ? store_query_row(found, 0) : NULL;
    if (!row || row->n != annulling->annul.of || !book_read(&entry, row->line, row->line_len) ||
        entry.kind != BOOK_MATCH)
        return refuse_match(refusal, "unknown_match", "No such line of the book is a match.");
    refunds_of(&entry.u.match, &annulling->annul);
    ledger_leave_out_gone(&desk_of(hub)->ledger, &annulling->annul);
    return annulling->annul.refunds > 0 ||
           refuse_match(refusal, "nothing_lost",
                        "Nobody who is still there has lost anything by that match.");
}

/* A line that is damaged is missing here, and could be its annulment. */
static bool read_later(struct annulling *annulling, const struct store_query *found,
                       struct refusal *refusal)
{
    struct book_entry entry;
    for (size_t at = 0; at < found->count; at++) {
        const struct book_row *row = store_query_row(found, at);
        if (row->n != ++annulling->last || !book_read(&entry, row->line, row->line_len))
            return refuse_match(refusal, "book_damaged",
                                "A line of the book behind that match is damaged.");
        if (entry.kind == BOOK_ANNUL && entry.u.annul.of == annulling->annul.of)
            return refuse_match(refusal, "already_annulled", "That match is annulled already.");
    }
    annulling->read = !found->more;
    return true;
}

/* Of an account that has lost a match there is one. */
static bool read_rating(struct annulling *annulling, const struct store_query *found,
                        struct refusal *refusal)
{
    for (size_t at = 0; at < found->count; at++) {
        const struct rating_row *row = store_query_row(found, at);
        if (row->class != annulling->annul.class)
            continue;
        annulling->row[annulling->known++] = *row;
        return true;
    }
    return refuse_error(refusal, PROTOCOL_INTERNAL, NULL);
}

static enum operator_found read_rows(struct hub *hub, const struct admin_request *request,
                                     unsigned page, const struct store_query *found,
                                     struct refusal *refusal)
{
    struct annulling *annulling = annulling_of(hub);
    (void)request;
    const bool good = annulling->read ? read_rating(annulling, found, refusal)
                                      : (page != 0 || read_match(hub, annulling, found, refusal)) &&
                                            read_later(annulling, found, refusal);
    if (!good)
        return OPERATOR_REFUSED;
    return annulling->known == annulling->annul.refunds ? OPERATOR_CARRIES_OUT : OPERATOR_ASKS_ON;
}

/* ---- carrying it out */

/* A rating may have changed since it was read: then it is not known what its account is called. */
static bool is_current(const struct hub *hub, const struct annulling *annulling)
{
    for (unsigned i = 0; i < annulling->known; i++) {
        const struct rating_row *row = &annulling->row[i];
        const struct standing *now = ledger_find(&desk_of(hub)->ledger, row->account, row->class);
        if (!now || now->n != row->n)
            return false;
    }
    return true;
}

static bool may_annul(struct hub *hub, const struct admin_request *request, struct refusal *refusal)
{
    const enum protocol_error error = kernel_may_store(hub, ANNUL_OPS);
    if (!book_reason_valid(request->text))
        return refuse_error(refusal, PROTOCOL_BAD_FIELD, "reason");
    if (!is_current(hub, annulling_of(hub)))
        return refuse_match(refusal, "busy",
                            "One of them is being rated just now; try again in a moment.");
    return error == PROTOCOL_OK || refuse_error(refusal, error, NULL);
}

static void put_refund(struct hub *hub, const struct book_entry *entry,
                       const struct rating_row *before)
{
    const struct standing *now = ledger_find(&desk_of(hub)->ledger, before->account, before->class);
    const struct rating_row row = rating_row_of(now, before->handle);
    const struct rating_step_row step = {.account = row.account,
                                         .class = row.class,
                                         .n = entry->n,
                                         .at_ms = entry->at_ms,
                                         .before = before->strength,
                                         .strength = row.strength,
                                         .deviation = row.deviation};
    const struct told_refund refund = {.account = row.account,
                                       .n = entry->n,
                                       .of = entry->u.annul.of,
                                       .class = row.class,
                                       .before = step.before,
                                       .after = step.strength,
                                       .reason = entry->u.annul.reason};
    kernel_put_row(hub, &rating_table, &row);
    kernel_put_row(hub, &rating_step_table, &step);
    told_refunded(hub, &refund);
}

static struct entering *begin_refunds(struct hub *hub, const struct book_annul *annul)
{
    uint64_t accounts[RATING_SEATS];
    for (unsigned i = 0; i < annul->refunds; i++)
        accounts[i] = annul->refund[i].account;
    return kernel_reserve(hub, ANNUL_OPS, ANNUL_TEXT) < 0
               ? NULL
               : entering_begin(hub, annul->class, accounts, annul->refunds);
}

static bool annul_match(struct hub *hub, const struct admin_request *request, struct writer *writer,
                        struct refusal *refusal)
{
    const struct annulling *annulling = annulling_of(hub);
    struct book_entry entry = {.kind = BOOK_ANNUL, .u.annul = annulling->annul};
    if (!may_annul(hub, request, refusal))
        return false;
    struct entering *entering = begin_refunds(hub, &annulling->annul);
    if (!entering)
        return refuse_error(refusal, PROTOCOL_INTERNAL, NULL);
    memcpy(entry.u.annul.reason, request->text, strlen(request->text) + 1);
    entering_line(hub, entering, &entry);
    for (unsigned i = 0; i < annulling->known; i++)
        put_refund(hub, &entry, &annulling->row[i]);
    entering_end(hub, entering);
    writer_key_int(writer, "match", request->match);
    writer_key_int(writer, "n", (int64_t)entry.n);
    writer_key_int(writer, "refunds", annulling->known);
    return true;
}

static const struct operator_word annul_word = {"annul", true, MEMBER_MATCH | MEMBER_REASON, 0};

const struct operator_row annul_operation = {
    .word = &annul_word, .ask = ask_rows, .found = read_rows, .carry_out = annul_match};
