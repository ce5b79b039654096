#include "measured.h"

#include "../support/model_store.h"
#include "sim.h"
#include <assert.h>
#include <book/levels.h>
#include <hub/letter.h>
#include <inttypes.h>
#include <rows/rows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MATCHES: after which a rating counts. */
enum { KNOWN = 101, OTHER = 102, MATCHES = 24, LEAVES = 400, LETTERS_MAX = 3 };
static const char class_name[] = "taluva.duel.live", level[] = "skilled";

void measured_release(struct measured *measured)
{
    free(measured->letters);
    *measured = (struct measured){0};
}

/* ---- those of before */

static void put_row(struct sim *sim, const struct store_table *table, const void *row)
{
    model_put_row(&sim->store, &(struct store_row){.table = table, .row = row});
}

static void enter(struct sim *sim, struct book_entry *entry)
{
    struct rated *rated = &sim->oracle.rated;
    char line[BOOK_LINE_MAX + 1];
    entry->n = rated->ledger.n + 1;
    entry->at_ms = sim->now_ms;
    const size_t len = book_write(entry, line);
    const int followed = ledger_follow(&rated->ledger, entry, line, len);
    const int noted = refunds_follow(&rated->refunds, entry);
    assert(followed == 0 && noted == 0);
    struct book_row row = {
        .n = entry->n, .at_ms = entry->at_ms, .line = line, .line_len = (uint16_t)len};
    memcpy(row.hash, rated->ledger.hash, sizeof row.hash);
    put_row(sim, &book_table, &row);
}

static void enter_match(struct sim *sim, unsigned number)
{
    struct book_entry entry = {.kind = BOOK_MATCH};
    struct book_match *match = &entry.u.match;
    *match = (struct book_match){.class = (uint8_t)rating_class_find(class_name),
                                 .ended_ms = sim->now_ms,
                                 .seats = 2,
                                 .sides = 2,
                                 .winners = UINT32_C(1) << number % 2};
    (void)snprintf(match->room, sizeof match->room, "k3m9x%03u", number);
    match->seat[0] = (struct book_seat){.account = KNOWN, .side = 0};
    match->seat[1] = (struct book_seat){.account = OTHER, .side = 1};
    ledger_rate(&sim->oracle.rated.ledger, match);
    enter(sim, &entry);
}

void measured_begin(struct sim *sim)
{
    const struct ledger *ledger = &sim->oracle.rated.ledger;
    struct book_entry system = {.kind = BOOK_SYSTEM, .u.system = RATING_SYSTEM};
    const struct standing *standing;
    size_t at = 0;
    enter(sim, &system);
    for (unsigned number = 0; number < MATCHES; number++)
        enter_match(sim, number);
    struct book_end_row end = {.id = 1, .n = ledger->n, .system = RATING_SYSTEM};
    memcpy(end.hash, ledger->hash, sizeof end.hash);
    put_row(sim, &book_end_table, &end);
    for (; (standing = ledger_next(ledger, &at)); at++) {
        const struct rating_row row = rating_row_of(standing, "");
        assert(row.deviation < LEVELS_DEVIATION);
        put_row(sim, &rating_table, &row);
    }
}

/* ---- letters */

static void add_letter(struct measured *measured, uint64_t id, unsigned won)
{
    if (measured->count == measured->size) {
        measured->size = measured->size ? 2 * measured->size : 16;
        measured->letters = realloc(measured->letters, measured->size * sizeof *measured->letters);
        assert(measured->letters);
    }
    measured->letters[measured->count++] = (struct measured_letter){id, won};
}

static void leave_one(struct sim *sim)
{
    char text[64];
    const unsigned won = rng_scaled(&sim->rng, 2) * YARDSTICK_WIN;
    struct store_letter letter = {
        .addressee = LETTER_TO_DESK, .id = rng_next(&sim->rng), .at_ms = sim->now_ms, .text = text};
    (void)snprintf(letter.kind, sizeof letter.kind, "%s", level_letter);
    letter.text_len = (uint16_t)snprintf(text, sizeof text, "%016x %s %s 2 2:%u", (unsigned)KNOWN,
                                         class_name, level, won);
    put_row(sim, &store_letter_table, &letter);
    letters_left(&sim->oracle.letters, &letter);
    add_letter(&sim->oracle.measured, letter.id, won);
}

void measured_leave(struct sim *sim)
{
    if (sim->calm || !sim_chance(sim, LEAVES))
        return;
    for (unsigned left = 1 + rng_scaled(&sim->rng, LETTERS_MAX); left > 0; left--)
        leave_one(sim);
}

/* ---- what becomes of them */

static bool is_done(const struct store_batch *batch, size_t at, enum store_op_kind kind,
                    const struct store_table *table)
{
    const struct store_op *op = &batch->ops[at];
    return op->kind == kind && op->u.row.table == table && batch->results[at] == STORE_OK;
}

/* True: it was one of them. */
static bool end_letter(struct measured *measured, const struct store_letter *dropped)
{
    for (size_t at = 0; at < measured->count; at++) {
        struct measured_letter *letter = &measured->letters[at];
        if (dropped->addressee != LETTER_TO_DESK || dropped->id != letter->id)
            continue;
        measured->trials++;
        measured->won += letter->won;
        *letter = measured->letters[--measured->count];
        mark(MARK_LEVEL_COUNTED);
        return true;
    }
    return false;
}

static bool is_count(const struct measured *measured, const struct level_row *row)
{
    return row->class == rating_class_find(class_name) && row->sides == 2 && row->inside == 2 &&
           strcmp(row->level, level) == 0 && row->trials == measured->trials &&
           row->won == measured->won;
}

const char *measured_apply(struct measured *measured, const struct store_batch *batch)
{
    const struct level_row *last = NULL;
    bool ended = false;
    for (size_t at = 0; at < batch->count; at++) {
        if (is_done(batch, at, STORE_DROP_ROW, &store_letter_table))
            ended |= end_letter(measured, batch->ops[at].u.row.row);
        else if (is_done(batch, at, STORE_PUT_ROW, &level_table))
            last = batch->ops[at].u.row.row;
    }
    if (ended != (last != NULL))
        return ended ? "a match against a level ends without its count"
                     : "a level is counted without the end of a letter";
    return !last || is_count(measured, last) ? NULL : "a level is not counted once a match";
}

bool measured_is_put(const struct store_op *op)
{
    return op->kind == STORE_PUT_ROW && op->u.row.table == &level_table;
}

void measured_count_more(const struct store_op *op)
{
    ((struct level_row *)(uintptr_t)op->u.row.row)->trials++;
}

bool measured_agrees(const struct measured *measured, const struct model_store *store)
{
    const struct level_row *row = model_nth(store, &level_table, 0);
    return model_rows(store, &level_table) == (measured->trials > 0) && measured->count == 0 &&
           (!row || is_count(measured, row));
}
