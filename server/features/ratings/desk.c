#include "desk.h"

#include "conduct.h"
#include "outcome.h"
#include "rows.h"
#include "state.h"
#include "told.h"
#include <assert.h>
#include <features/feature.h>
#include <hub/kernel.h>
#include <room/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char desk_letter[] = "ratings.match";

/* ---- from the room: the handles, a line each, and the match as a line of no book */

static const char nobody[] = "-";

void desk_send(struct hub *hub, const struct room_result *result)
{
    struct book_entry entry = {.kind = BOOK_MATCH};
    struct book_match *match = &entry.u.match;
    char text[STORE_LETTER_TEXT_MAX + 1], line[BOOK_LINE_MAX + 1];
    size_t len = 0;
    if (outcome_of(result, match) != OUTCOME_RATED)
        return;
    for (unsigned i = 0; i < match->seats; i++) {
        const char *handle = result->seat[i].account.handle;
        match->seat[i].before = match->seat[i].after =
            (struct rating){RATING_START, RATING_DEVIATION_START};
        len += (size_t)snprintf(text + len, sizeof text - len, "%s\n", handle[0] ? handle : nobody);
    }
    (void)book_write(&entry, line);
    len += (size_t)snprintf(text + len, sizeof text - len, "%s", line);
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = desk_letter,
                                         .text = text,
                                         .text_len = len,
                                         .room_id = result->room_id};
    (void)kernel_send_letter(hub, &letter);
}

/* ---- at the desk */

struct match_letter {
    struct book_entry entry;
    char handles[RATING_SEATS][PROTOCOL_HANDLE_BYTES + 1];
};

static bool take_handle(const char **at, const char *end, char *handle)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    const size_t len = stop ? (size_t)(stop - *at) : 0;
    if (len == 0 || len > PROTOCOL_HANDLE_BYTES)
        return false;
    memcpy(handle, *at, len);
    handle[len] = '\0';
    if (strcmp(handle, nobody) == 0)
        handle[0] = '\0';
    *at = stop + 1;
    return true;
}

static bool read_letter(const struct store_letter *letter, struct match_letter *read)
{
    const char *at = letter->text, *end = at + letter->text_len;
    unsigned handles = 0;
    while (handles < RATING_SEATS && at < end && *at != '{') {
        if (!take_handle(&at, end, read->handles[handles++]))
            return false;
    }
    return book_read(&read->entry, at, (size_t)(end - at)) && read->entry.kind == BOOK_MATCH &&
           read->entry.u.match.seats == handles;
}

/* What one letter has changed, from the line `first` on; to be taken back if it is not durable. */
struct entering {
    struct kernel_change change;
    uint64_t first, n;
    unsigned system, seats;
    uint8_t hash_before[BOOK_HASH_BYTES], hash[BOOK_HASH_BYTES];
    struct standing before[RATING_SEATS];
};

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct entering *entering = (const struct entering *)(const void *)change;
    struct desk *desk = desk_of(hub);
    (void)session;
    desk->durable_n = entering->n;
    memcpy(desk->durable_hash, entering->hash, sizeof desk->durable_hash);
}

/* Those of a batch are taken back in their order: the first one says how it was before all. */
static void take_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct entering *entering = (const struct entering *)(const void *)change;
    struct ledger *ledger = &desk_of(hub)->ledger;
    (void)session;
    for (unsigned i = 0; i < entering->seats; i++) {
        const struct standing *before = &entering->before[i];
        const struct standing *now = ledger_find(ledger, before->account, before->class);
        if (now && now->n >= entering->first)
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

/* How all is before the letter. NULL: out of memory. */
static struct entering *begin_entering(struct ledger *ledger, const struct book_match *match)
{
    struct entering *entering = calloc(1, sizeof *entering);
    if (!entering || ledger_reserve(ledger, RATING_SEATS) < 0) {
        free(entering);
        return NULL;
    }
    entering->change.type = &entering_type;
    entering->first = ledger->n + 1;
    entering->system = ledger->system;
    entering->seats = match->seats;
    memcpy(entering->hash_before, ledger->hash, sizeof entering->hash_before);
    for (unsigned i = 0; i < match->seats; i++) {
        const struct standing none = {.account = match->seat[i].account, .class = match->class};
        const struct standing *was = ledger_find(ledger, none.account, none.class);
        entering->before[i] = was ? *was : none;
    }
    return entering;
}

static void put_line(struct hub *hub, struct book_entry *entry)
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
}

static void put_end(struct hub *hub)
{
    const struct ledger *ledger = &desk_of(hub)->ledger;
    struct book_end_row row = {.id = 1, .n = ledger->n, .system = (uint16_t)ledger->system};
    memcpy(row.hash, ledger->hash, sizeof row.hash);
    kernel_put_row(hub, &book_end_table, &row);
}

static void put_seat(struct hub *hub, const struct match_letter *letter, unsigned seat)
{
    const struct book_match *match = &letter->entry.u.match;
    const struct book_seat *own = &match->seat[seat];
    const struct standing *now = ledger_find(&desk_of(hub)->ledger, own->account, match->class);
    const struct rating_row row = rating_row_of(now, letter->handles[seat]);
    struct rating_step_row step = {.account = own->account,
                                   .class = match->class,
                                   .n = letter->entry.n,
                                   .at_ms = match->ended_ms,
                                   .before = own->before.strength,
                                   .strength = own->after.strength,
                                   .deviation = own->after.deviation};
    memcpy(step.room, match->room, sizeof step.room);
    kernel_put_row(hub, &rating_table, &row);
    kernel_put_row(hub, &rating_step_table, &step);
    told_send(hub, letter->entry.n, match, seat);
}

enum letter_fate desk_apply(struct hub *hub, const struct store_letter *store_letter)
{
    struct desk *desk = desk_of(hub);
    struct match_letter letter;
    struct book_entry system = {.kind = BOOK_SYSTEM, .u.system = RATING_SYSTEM};
    if (!read_letter(store_letter, &letter)) {
        desk->refused++;
        return LETTER_REFUSED;
    }
    struct book_match *match = &letter.entry.u.match;
    struct entering *entering = begin_entering(&desk->ledger, match);
    if (!entering)
        return LETTER_LATER;
    if (desk->ledger.system != RATING_SYSTEM)
        put_line(hub, &system);
    ledger_rate(&desk->ledger, match);
    put_line(hub, &letter.entry);
    put_end(hub);
    for (unsigned i = 0; i < match->seats; i++)
        put_seat(hub, &letter, i);
    entering->n = desk->ledger.n;
    memcpy(entering->hash, desk->ledger.hash, sizeof entering->hash);
    kernel_change_hub(hub, &entering->change);
    return LETTER_APPLIED;
}

bool desk_restore(struct hub *hub, const struct store_table *table, const void *stored)
{
    struct desk *desk = desk_of(hub);
    if (table == &book_end_table) {
        const struct book_end_row *end = stored;
        desk->ledger.n = desk->durable_n = end->n;
        desk->ledger.system = end->system;
        memcpy(desk->ledger.hash, end->hash, sizeof end->hash);
        memcpy(desk->durable_hash, end->hash, sizeof end->hash);
        return true;
    }
    const struct standing standing = standing_of(stored);
    return ledger_put(&desk->ledger, &standing) == 0;
}
