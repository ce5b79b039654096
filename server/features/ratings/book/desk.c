#include "desk.h"

#include "entering.h"
#include "outcome.h"
#include "rows/rows.h"
#include "rows/state.h"
#include "waiting/conduct.h"
#include "waiting/told.h"
#include <features/feature.h>
#include <hub/kernel.h>
#include <room/result.h>
#include <stdio.h>
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

static struct entering *begin_match(struct hub *hub, const struct book_match *match)
{
    uint64_t accounts[RATING_SEATS];
    for (unsigned i = 0; i < match->seats; i++)
        accounts[i] = match->seat[i].account;
    return entering_begin(hub, match->class, accounts, match->seats);
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
    struct entering *entering = begin_match(hub, match);
    if (!entering)
        return LETTER_LATER;
    if (desk->ledger.system != RATING_SYSTEM)
        entering_line(hub, entering, &system);
    ledger_rate(&desk->ledger, match);
    entering_line(hub, entering, &letter.entry);
    for (unsigned i = 0; i < match->seats; i++)
        put_seat(hub, &letter, i);
    entering_end(hub, entering);
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
