#include <ratings/rebuild.h>

#include "rows/rows.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct store_table *const ratings_book = &book_table;

void ratings_rebuild_init(struct ratings_rebuild *rebuild)
{
    *rebuild = (struct ratings_rebuild){0};
    ledger_init(&rebuild->ledger);
}

void ratings_rebuild_release(struct ratings_rebuild *rebuild)
{
    ledger_release(&rebuild->ledger);
    refunds_release(&rebuild->refunds);
    free(rebuild->rows);
}

/* ---- what is kept */

static int keep_rating(struct ratings_rebuild *rebuild, const struct rating_row *row)
{
    if (rebuild->count == rebuild->size) {
        const size_t size = rebuild->size ? 2 * rebuild->size : 64;
        struct rating_row *rows = realloc(rebuild->rows, size * sizeof *rows);
        if (!rows)
            return -1;
        rebuild->rows = rows;
        rebuild->size = size;
    }
    rebuild->rows[rebuild->count++] = *row;
    return 0;
}

int ratings_rebuild_kept(struct ratings_rebuild *rebuild, const struct store_table *table,
                         const void *row)
{
    if (table == &rating_table)
        return keep_rating(rebuild, row);
    if (table == &book_end_table) {
        const struct book_end_row *end = row;
        rebuild->end_n = end->n;
        rebuild->end_system = end->system;
        memcpy(rebuild->end_hash, end->hash, sizeof rebuild->end_hash);
    }
    return 0;
}

/* ---- what follows from the book */

enum ledger_fault ratings_rebuild_line(struct ratings_rebuild *rebuild, const void *stored)
{
    const struct book_row *row = stored;
    struct book_entry entry;
    const enum ledger_fault fault = ledger_audit(&rebuild->ledger, &rebuild->refunds, &entry,
                                                 row->line, row->line_len, row->hash);
    if (fault == LEDGER_FINE) {
        rebuild->matches += entry.kind == BOOK_MATCH;
        rebuild->annulled += entry.kind == BOOK_ANNUL;
    }
    return fault;
}

bool ratings_rebuild_lacks(const struct ratings_rebuild *rebuild)
{
    const struct ledger *ledger = &rebuild->ledger;
    return rebuild->end_n > ledger->n ||
           (rebuild->end_n == ledger->n &&
            memcmp(rebuild->end_hash, ledger->hash, sizeof ledger->hash) != 0);
}

/* ---- what differs */

static int order_of(const void *left, const void *right)
{
    const struct rating_row *a = left, *b = right;
    if (a->account != b->account)
        return a->account < b->account ? -1 : 1;
    return (a->class > b->class) - (a->class < b->class);
}

static const struct rating_row *find_kept(const struct ratings_rebuild *rebuild,
                                          const struct standing *standing)
{
    const struct rating_row key = {.account = standing->account, .class = standing->class};
    return rebuild->count
               ? bsearch(&key, rebuild->rows, rebuild->count, sizeof *rebuild->rows, order_of)
               : NULL;
}

static bool is_same(const struct rating_row *row, const struct rating_row *other)
{
    for (unsigned at = 0; at < rating_table.count; at++) {
        if (!store_same_value(&rating_table.columns[at], row, other))
            return false;
    }
    return true;
}

static void say_rating(char *text, size_t size, const struct rating_row *row)
{
    (void)snprintf(text, size,
                   "%" PRIu32 ".%03" PRIu32 " +- %" PRIu32 ".%03" PRIu32 " by %" PRIu32
                   " matches, entry %" PRIu64,
                   row->strength / 1000, row->strength % 1000, row->deviation / 1000,
                   row->deviation % 1000, row->matches, row->n);
}

static void say_why(char why[static RATINGS_WHY_MAX], const struct rating_row *kept,
                    const struct rating_row *right)
{
    enum { RATING_TEXT = 96 };
    char is[RATING_TEXT] = "none", should[RATING_TEXT] = "none";
    const struct rating_row *row = kept ? kept : right;
    if (kept)
        say_rating(is, sizeof is, kept);
    if (right)
        say_rating(should, sizeof should, right);
    (void)snprintf(why, RATINGS_WHY_MAX, "account %016" PRIx64 " in %s: is %s; by the book %s",
                   row->account, rating_class_at(row->class)->name, is, should);
}

/* What follows and is not kept so. Handles are of no book: what is kept says them. */
static int compare_ratings(struct ratings_rebuild *rebuild, ratings_differ_fn *differs, void *ctx)
{
    const struct standing *standing;
    char why[RATINGS_WHY_MAX];
    int result = 0;
    for (size_t at = 0; result >= 0 && (standing = ledger_next(&rebuild->ledger, &at)); at++) {
        const struct rating_row *kept = find_kept(rebuild, standing);
        const struct rating_row right = rating_row_of(standing, kept ? kept->handle : "");
        if (kept && is_same(kept, &right))
            continue;
        say_why(why, kept, &right);
        result = differs(ctx, &rating_table, &right, false, why);
    }
    return result;
}

/* What is kept and does not follow. */
static int compare_kept(struct ratings_rebuild *rebuild, ratings_differ_fn *differs, void *ctx)
{
    char why[RATINGS_WHY_MAX];
    int result = 0;
    for (size_t at = 0; result >= 0 && at < rebuild->count; at++) {
        const struct rating_row *kept = &rebuild->rows[at];
        if (ledger_find(&rebuild->ledger, kept->account, kept->class))
            continue;
        say_why(why, kept, NULL);
        result = differs(ctx, &rating_table, kept, true, why);
    }
    return result;
}

static int compare_end(struct ratings_rebuild *rebuild, ratings_differ_fn *differs, void *ctx)
{
    const struct ledger *ledger = &rebuild->ledger;
    struct book_end_row right = {.id = 1, .n = ledger->n, .system = (uint16_t)ledger->system};
    char why[RATINGS_WHY_MAX];
    memcpy(right.hash, ledger->hash, sizeof right.hash);
    if (rebuild->end_n == ledger->n && rebuild->end_system == ledger->system &&
        memcmp(rebuild->end_hash, ledger->hash, sizeof right.hash) == 0)
        return 0;
    (void)snprintf(why, sizeof why,
                   "the end of the book: is entry %" PRIu64 " of system %u; by its lines it is "
                   "entry %" PRIu64 " of system %u",
                   rebuild->end_n, rebuild->end_system, ledger->n, ledger->system);
    return differs(ctx, &book_end_table, &right, false, why);
}

int ratings_rebuild_compare(struct ratings_rebuild *rebuild, ratings_differ_fn *differs, void *ctx)
{
    if (rebuild->count)
        qsort(rebuild->rows, rebuild->count, sizeof *rebuild->rows, order_of);
    int result = compare_end(rebuild, differs, ctx);
    if (result >= 0)
        result = compare_ratings(rebuild, differs, ctx);
    return result < 0 ? result : compare_kept(rebuild, differs, ctx);
}

/* ---- a match that does not count */

/* The line, and where the book ends with it. */
static int put_line(struct ratings_rebuild *rebuild, const struct book_entry *entry,
                    const char *line, size_t len, ratings_differ_fn *differs, void *ctx)
{
    const struct ledger *ledger = &rebuild->ledger;
    struct book_row row = {
        .n = entry->n, .at_ms = entry->at_ms, .line = line, .line_len = (uint16_t)len};
    struct book_end_row end = {.id = 1, .n = ledger->n, .system = (uint16_t)ledger->system};
    memcpy(row.hash, ledger->hash, sizeof row.hash);
    memcpy(end.hash, ledger->hash, sizeof end.hash);
    const int result = differs(ctx, &book_table, &row, false, line);
    return result < 0 ? result : differs(ctx, &book_end_table, &end, false, line);
}

static int put_refund(struct ratings_rebuild *rebuild, const struct book_entry *entry,
                      const struct standing *was, ratings_differ_fn *differs, void *ctx)
{
    const struct standing *now = ledger_find(&rebuild->ledger, was->account, was->class);
    const struct rating_row *kept = find_kept(rebuild, now);
    const struct rating_row row = rating_row_of(now, kept ? kept->handle : "");
    const struct rating_step_row step = {.account = now->account,
                                         .class = now->class,
                                         .n = entry->n,
                                         .at_ms = entry->at_ms,
                                         .before = was->rating.strength,
                                         .strength = now->rating.strength,
                                         .deviation = now->rating.deviation};
    char why[RATINGS_WHY_MAX];
    say_why(why, kept, &row);
    const int result = differs(ctx, &rating_table, &row, false, why);
    return result < 0 ? result : differs(ctx, &rating_step_table, &step, false, why);
}

bool ratings_rebuild_annul(struct ratings_rebuild *rebuild, uint64_t of, const char *reason,
                           int64_t now_ms, ratings_differ_fn *differs, void *ctx)
{
    struct book_entry entry = {.n = rebuild->ledger.n + 1, .at_ms = now_ms, .kind = BOOK_ANNUL};
    struct book_annul *annul = &entry.u.annul;
    struct standing was[RATING_SEATS];
    char line[BOOK_LINE_MAX + 1];
    annul->of = of;
    (void)snprintf(annul->reason, sizeof annul->reason, "%s", reason);
    if (!refunds_fill(&rebuild->refunds, annul))
        return false;
    ledger_leave_out_gone(&rebuild->ledger, annul);
    for (unsigned i = 0; i < annul->refunds; i++)
        was[i] = *ledger_find(&rebuild->ledger, annul->refund[i].account, annul->class);
    const size_t len = book_write(&entry, line);
    if (refunds_follow(&rebuild->refunds, &entry) < 0 ||
        ledger_follow(&rebuild->ledger, &entry, line, len) < 0)
        return false;
    int result = put_line(rebuild, &entry, line, len, differs, ctx);
    for (unsigned i = 0; i < annul->refunds && result >= 0; i++)
        result = put_refund(rebuild, &entry, &was[i], differs, ctx);
    return result >= 0;
}
