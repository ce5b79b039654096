#include "entering.h"

#include "pairing/served.h"
#include "rows/rows.h"
#include "rows/state.h"
#include <assert.h>
#include <hub/kernel.h>
#include <stdlib.h>
#include <string.h>

/* What was entered, from the line `first` on; to be taken back if it is not durable. */
struct entering {
    struct kernel_change change;
    uint64_t first, n;
    unsigned system, changed, annulled;
    struct served_favourite favourite; /* of the match */
    uint8_t hash_before[BOOK_HASH_BYTES], hash[BOOK_HASH_BYTES];
    struct standing before[RATING_CLASSES]; /* of all that change */
};
static_assert((int)RATING_SEATS <= (int)RATING_CLASSES, "a match changes no more than that");

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct entering *entering = (const struct entering *)(const void *)change;
    struct desk *desk = desk_of(hub);
    (void)session;
    desk->durable_n = entering->n;
    desk->annulled += entering->annulled;
    if (entering->favourite.class)
        served_add_favourite(&desk->served, &entering->favourite);
    memcpy(desk->durable_hash, entering->hash, sizeof desk->durable_hash);
}

/* Those of a batch are taken back in their order: the first one says how it was before all. What
 * another one knows from a line that is taken back already is no way to go back to. */
static void take_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct entering *entering = (const struct entering *)(const void *)change;
    struct ledger *ledger = &desk_of(hub)->ledger;
    (void)session;
    for (unsigned i = 0; i < entering->changed; i++) {
        const struct standing *before = &entering->before[i];
        const struct standing *now = ledger_find(ledger, before->account, before->class);
        if ((!now || now->n >= entering->first) && before->n <= ledger->n)
            (void)ledger_put(ledger, before); /* where it is already */
    }
    if (ledger->n < entering->first)
        return;
    ledger->n = entering->first - 1;
    ledger->system = entering->system;
    memcpy(ledger->hash, entering->hash_before, sizeof ledger->hash);
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type entering_type = {
    .carry_out = become_durable, .undo = take_back, .destroy = destroy_change};

/* NULL: out of memory. */
static struct entering *begin(struct hub *hub)
{
    struct ledger *ledger = &desk_of(hub)->ledger;
    struct entering *entering = calloc(1, sizeof *entering);
    if (!entering || ledger_reserve(ledger, RATING_SEATS) < 0) {
        free(entering);
        return NULL;
    }
    entering->change.type = &entering_type;
    entering->first = ledger->n + 1;
    entering->system = ledger->system;
    memcpy(entering->hash_before, ledger->hash, sizeof entering->hash_before);
    return entering;
}

struct entering *entering_begin(struct hub *hub, unsigned class, const uint64_t *accounts,
                                unsigned count)
{
    struct entering *entering = begin(hub);
    if (!entering)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct standing none = {.account = accounts[i], .class = (uint8_t) class};
        const struct standing *was = ledger_find(&desk_of(hub)->ledger, none.account, none.class);
        entering->before[entering->changed++] = was ? *was : none;
    }
    return entering;
}

struct entering *entering_begin_gone(struct hub *hub, uint64_t account)
{
    struct entering *entering = begin(hub);
    if (!entering)
        return NULL;
    for (unsigned class = 1; class <= RATING_CLASSES; class ++) {
        const struct standing *was = ledger_find(&desk_of(hub)->ledger, account, class);
        if (was)
            entering->before[entering->changed++] = *was;
    }
    return entering;
}

void entering_line(struct hub *hub, struct entering *entering, struct book_entry *entry)
{
    struct ledger *ledger = &desk_of(hub)->ledger;
    char line[BOOK_LINE_MAX + 1];
    entry->n = ledger->n + 1;
    entry->at_ms = kernel_now_ms(hub);
    const size_t len = book_write(entry, line);
    const int followed = ledger_follow(ledger, entry, line, len);
    assert(followed == 0); /* it was reserved */
    struct book_row row = {
        .n = entry->n, .at_ms = entry->at_ms, .line = line, .line_len = (uint16_t)len};
    memcpy(row.hash, ledger->hash, sizeof row.hash);
    kernel_put_row(hub, &book_table, &row);
    entering->annulled += entry->kind == BOOK_ANNUL;
    if (entry->kind == BOOK_MATCH)
        entering->favourite = served_favourite(&entry->u.match);
}

void entering_end(struct hub *hub, struct entering *entering)
{
    const struct ledger *ledger = &desk_of(hub)->ledger;
    struct book_end_row row = {.id = 1, .n = ledger->n, .system = (uint16_t)ledger->system};
    memcpy(row.hash, ledger->hash, sizeof row.hash);
    kernel_put_row(hub, &book_end_table, &row);
    entering->n = ledger->n;
    memcpy(entering->hash, ledger->hash, sizeof entering->hash);
    kernel_change_hub(hub, &entering->change);
}
