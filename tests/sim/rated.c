#include "rated.h"

#include "../support/model_store.h"
#include "marks.h"
#include <assert.h>
#include <hub/letter.h>
#include <rows/rows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rated_release(struct rated *rated)
{
    ledger_release(&rated->ledger);
    refunds_release(&rated->refunds);
    free(rated->matches);
    free(rated->annuls);
    *rated = (struct rated){0};
}

static struct rated_match *find_match(const struct rated *rated, const char *room)
{
    for (size_t at = 0; at < rated->count; at++) {
        if (strcmp(rated->matches[at].room, room) == 0)
            return &rated->matches[at];
    }
    return NULL;
}

static struct rated_match *find_line(const struct rated *rated, uint64_t n)
{
    for (size_t at = 0; n != 0 && at < rated->count; at++) {
        if (rated->matches[at].n == n)
            return &rated->matches[at];
    }
    return NULL;
}

bool rated_has(const struct rated *rated, const char *room_id)
{
    return find_match(rated, room_id) != NULL;
}

static struct rated_annul *find_annul(const struct rated *rated, uint64_t n)
{
    for (size_t at = 0; at < rated->annul_count; at++) {
        if (rated->annuls[at].n == n)
            return &rated->annuls[at];
    }
    return NULL;
}

uint64_t rated_annulled(const struct rated *rated, uint64_t of)
{
    for (size_t at = 0; at < rated->annul_count; at++) {
        if (rated->annuls[at].annul.of == of)
            return rated->annuls[at].n;
    }
    return 0;
}

static uint32_t winners_of(const json_t *state)
{
    const json_t *winners = json_object_get(json_object_get(state, "result"), "winners");
    uint32_t sides = 0;
    for (unsigned side = 0; side < RATING_SEATS; side++) {
        char key[12];
        (void)snprintf(key, sizeof key, "%u", side);
        sides |= json_object_get(winners, key) ? UINT32_C(1) << side : 0;
    }
    return sides;
}

/* Whose seat the computer has has left, and has not won. */
static uint32_t sides_left(const json_t *state, const struct book_match *match)
{
    const json_t *seats = json_object_get(state, "seats");
    uint32_t sides = 0;
    for (unsigned seat = 0; seat < match->seats; seat++) {
        char key[12];
        (void)snprintf(key, sizeof key, "%u", seat);
        if (json_is_true(json_object_get(json_object_get(seats, key), "replaced")))
            sides |= UINT32_C(1) << match->seat[seat].side;
    }
    return sides;
}

/* Of teams the first seat and the third are one. */
bool rated_has_sides(const struct rated *rated, const char *room_id, const json_t *state)
{
    enum { TEAMS = 2 };
    const struct rated_match *match = find_match(rated, room_id);
    const json_t *options = json_object_get(state, "options");
    const bool teams = json_is_true(json_object_get(options, "teams"));
    bool same =
        match && match->match.winners == (winners_of(state) & ~sides_left(state, &match->match));
    for (unsigned seat = 0; same && seat < match->match.seats; seat++)
        same = match->match.seat[seat].side == (teams ? seat % TEAMS : seat);
    if (same && teams)
        mark(MARK_TEAMS_RATED);
    return same && match->match.sides == (teams ? (unsigned)TEAMS : match->match.seats);
}

/* ---- from the room to the desk */

static const char *put_match(struct rated *rated, const struct store_letter *letter)
{
    const char *line = memchr(letter->text, '{', letter->text_len);
    struct book_entry entry;
    if (!line || !book_read(&entry, line, letter->text_len - (size_t)(line - letter->text)) ||
        entry.kind != BOOK_MATCH)
        return "a letter to the book cannot be read";
    if (rated_has(rated, entry.u.match.room))
        return "a match is sent to the book twice";
    if (rated->count == rated->size) {
        rated->size = rated->size ? 2 * rated->size : 16;
        rated->matches = realloc(rated->matches, rated->size * sizeof *rated->matches);
        assert(rated->matches);
    }
    struct rated_match *match = &rated->matches[rated->count++];
    *match = (struct rated_match){.letter = letter->id, .match = entry.u.match};
    memcpy(match->room, entry.u.match.room, sizeof match->room);
    return NULL;
}

/* ---- into the book */

static bool drops_letter(const struct store_batch *batch, uint64_t id)
{
    for (size_t at = 0; at < batch->count; at++) {
        const struct store_op *op = &batch->ops[at];
        if (op->kind != STORE_DROP_ROW || op->u.row.table != &store_letter_table ||
            batch->results[at] != STORE_OK)
            continue;
        const struct store_letter *letter = op->u.row.row;
        if (letter->addressee == LETTER_TO_DESK && letter->id == id)
            return true;
    }
    return false;
}

/* Who has won, and of what class it is, was said by the room. */
static bool is_the_same(const struct book_match *sent, const struct book_match *entered)
{
    bool same = sent->class == entered->class && sent->ended_ms == entered->ended_ms &&
                sent->seats == entered->seats && sent->sides == entered->sides &&
                sent->winners == entered->winners && sent->still == entered->still;
    for (unsigned i = 0; same && i < sent->seats; i++)
        same = sent->seat[i].account == entered->seat[i].account &&
               sent->seat[i].side == entered->seat[i].side;
    return same;
}

static const char *enter_match(struct rated *rated, const struct store_batch *batch,
                               const struct book_entry *entry)
{
    struct rated_match *match = find_match(rated, entry->u.match.room);
    if (!match || !is_the_same(&match->match, &entry->u.match))
        return "a match is in the book that no room has sent";
    if (match->n != 0)
        return "a match is in the book twice";
    if (!drops_letter(batch, match->letter))
        return "a match comes into the book without the end of its letter";
    match->n = entry->n;
    match->match = entry->u.match;
    mark(MARK_MATCH_RATED);
    return NULL;
}

static void note_strengths(const struct rated *rated, const struct book_annul *annul,
                           uint32_t strengths[RATING_SEATS])
{
    for (unsigned i = 0; i < annul->refunds; i++) {
        const struct standing *standing =
            ledger_find(&rated->ledger, annul->refund[i].account, annul->class);
        strengths[i] = standing ? standing->rating.strength : 0;
    }
}

/* That it was a match, by which these have lost so much, and that it is annulled once, was looked
 * at with the line. */
static const char *enter_annul(struct rated *rated, const struct book_entry *entry,
                               const uint32_t before[RATING_SEATS])
{
    const struct book_annul *annul = &entry->u.annul;
    if (annul->of != rated->annulling)
        return "a match is annulled, and nobody has asked for that";
    if (rated->annul_count == rated->annul_size) {
        rated->annul_size = rated->annul_size ? 2 * rated->annul_size : 16;
        rated->annuls = realloc(rated->annuls, rated->annul_size * sizeof *rated->annuls);
        assert(rated->annuls);
    }
    struct rated_annul *entered = &rated->annuls[rated->annul_count++];
    *entered = (struct rated_annul){.n = entry->n, .annul = *annul};
    memcpy(entered->before, before, sizeof entered->before);
    note_strengths(rated, annul, entered->after);
    return NULL;
}

static const char *put_line(struct rated *rated, const struct store_batch *batch,
                            const struct book_row *row)
{
    struct book_entry entry;
    uint32_t before[RATING_SEATS] = {0};
    if (book_read(&entry, row->line, row->line_len) && entry.kind == BOOK_ANNUL)
        note_strengths(rated, &entry.u.annul, before);
    const enum ledger_fault fault =
        ledger_audit(&rated->ledger, &rated->refunds, &entry, row->line, row->line_len, row->hash);
    if (fault != LEDGER_FINE)
        return ledger_fault_text(fault);
    if (row->n != entry.n)
        return "a line of the book has the number of another";
    if (entry.kind == BOOK_ANNUL)
        return enter_annul(rated, &entry, before);
    return entry.kind == BOOK_MATCH ? enter_match(rated, batch, &entry) : NULL;
}

static const char *put_rating(const struct rated *rated, const struct rating_row *row)
{
    const struct standing *right = ledger_find(&rated->ledger, row->account, row->class);
    return right && row->strength == right->rating.strength &&
                   row->deviation == right->rating.deviation && row->matches == right->matches &&
                   row->n == right->n
               ? NULL
               : "a rating is not what the book says";
}

static const char *drop_rating(const struct rated *rated, const struct rating_row *row)
{
    return ledger_find(&rated->ledger, row->account, row->class)
               ? "a rating is dropped that the book has"
               : NULL;
}

/* ---- to who has played */

static int64_t points(uint32_t thousandths)
{
    return (thousandths + 500) / 1000;
}

static json_int_t number(const json_t *push, const char *key)
{
    return json_integer_value(json_object_get(push, key));
}

/* The seat of whom it is for; seats: it is none's. */
static unsigned seat_told(const struct rated_match *match, uint64_t session, const json_t *push)
{
    unsigned i = 0;
    while (i < match->match.seats && match->match.seat[i].account != session)
        i++;
    if (i == match->match.seats)
        return i;
    const struct book_seat *seat = &match->match.seat[i];
    const char *room = json_string_value(json_object_get(push, "room"));
    return number(push, "before") == points(seat->before.strength) &&
                   number(push, "after") == points(seat->after.strength) &&
                   number(push, "deviation") == points(seat->after.deviation) && room &&
                   strcmp(room, match->room) == 0
               ? i
               : match->match.seats;
}

static bool is_push(const json_t *push, const char *name)
{
    const char *kind = json_string_value(json_object_get(push, "push"));
    return kind && strcmp(kind, name) == 0;
}

/* Which refund it is; refunds: none. */
static unsigned refund_told(const struct rated_annul *annul, uint64_t session, const json_t *push)
{
    const char *reason = json_string_value(json_object_get(push, "reason"));
    unsigned i = 0;
    while (i < annul->annul.refunds && annul->annul.refund[i].account != session)
        i++;
    return i < annul->annul.refunds && number(push, "before") == points(annul->before[i]) &&
                   number(push, "after") == points(annul->after[i]) &&
                   (uint64_t)number(push, "of") == annul->annul.of && reason &&
                   strcmp(reason, annul->annul.reason) == 0
               ? i
               : annul->annul.refunds;
}

static const char *check_refunded(const struct rated *rated, uint64_t session, const json_t *push)
{
    const struct rated_annul *annul = find_annul(rated, (uint64_t)number(push, "n"));
    if (!annul)
        return "of an annulment that is not durable";
    mark(MARK_REFUND_TOLD);
    return refund_told(annul, session, push) < annul->annul.refunds ? NULL
                                                                    : "something else than it says";
}

const char *rated_check_told(const struct rated *rated, uint64_t session, const json_t *push)
{
    if (is_push(push, "refunded"))
        return check_refunded(rated, session, push);
    const struct rated_match *match = find_line(rated, (uint64_t)number(push, "n"));
    if (!match)
        return "of a line of the book that is not durable";
    mark(MARK_RATED_TOLD);
    return seat_told(match, session, push) < match->match.seats ? NULL
                                                                : "something else than the book";
}

static const char *put_told(const struct rated *rated, const struct store_letter *letter)
{
    json_t *push = json_loadb(letter->text, letter->text_len, 0, NULL);
    const char *wrong = NULL;
    if (is_push(push, "rated")) {
        struct rated_match *match = find_line(rated, (uint64_t)number(push, "n"));
        const unsigned seat = match ? seat_told(match, letter->addressee, push) : 0;
        if (!match || seat == match->match.seats)
            wrong = "somebody is told of their rating what is not in the book";
        else if (match->told >> seat & 1)
            wrong = "somebody is told of a match twice";
        else
            match->told |= UINT32_C(1) << seat;
    }
    json_decref(push);
    return wrong;
}

static const char *put_refunded(struct rated *rated, const struct store_letter *letter)
{
    json_t *push = json_loadb(letter->text, letter->text_len, 0, NULL);
    struct rated_annul *annul = find_annul(rated, (uint64_t)number(push, "n"));
    const unsigned refund = annul ? refund_told(annul, letter->addressee, push) : 0;
    const char *wrong = NULL;
    if (!annul || refund == annul->annul.refunds)
        wrong = "somebody is told of a refund that is not in the book";
    else if (annul->told >> refund & 1)
        wrong = "somebody is told of a refund twice";
    else
        annul->told |= UINT32_C(1) << refund;
    json_decref(push);
    return wrong;
}

/* ---- all of it */

static bool is_done(const struct store_batch *batch, size_t at, enum store_op_kind kind,
                    const struct store_table *table)
{
    const struct store_op *op = &batch->ops[at];
    return op->kind == kind && op->u.row.table == table && batch->results[at] == STORE_OK;
}

static bool is_put(const struct store_batch *batch, size_t at, const struct store_table *table)
{
    return is_done(batch, at, STORE_PUT_ROW, table);
}

static const char *apply_letter(struct rated *rated, const struct store_letter *letter, bool told)
{
    if (letter->state != STORE_LETTER_WAITS)
        return NULL;
    if (told && strcmp(letter->kind, "ratings.refunded") == 0)
        return put_refunded(rated, letter);
    if (told)
        return strcmp(letter->kind, "ratings.told") == 0 ? put_told(rated, letter) : NULL;
    return strcmp(letter->kind, "ratings.match") == 0 ? put_match(rated, letter) : NULL;
}

/* What rows say is held against the lines that came with them. */
const char *rated_apply(struct rated *rated, const struct store_batch *batch)
{
    const char *wrong = NULL;
    for (size_t at = 0; at < batch->count && !wrong; at++) {
        if (is_put(batch, at, &store_letter_table))
            wrong = apply_letter(rated, batch->ops[at].u.row.row, false);
        else if (is_put(batch, at, &book_table))
            wrong = put_line(rated, batch, batch->ops[at].u.row.row);
    }
    for (size_t at = 0; at < batch->count && !wrong; at++) {
        if (is_put(batch, at, &store_letter_table))
            wrong = apply_letter(rated, batch->ops[at].u.row.row, true);
        else if (is_put(batch, at, &rating_table))
            wrong = put_rating(rated, batch->ops[at].u.row.row);
        else if (is_done(batch, at, STORE_DROP_ROW, &rating_table))
            wrong = drop_rating(rated, batch->ops[at].u.row.row);
    }
    return wrong;
}

const char *rated_check_end(const struct rated *rated)
{
    for (size_t at = 0; at < rated->count; at++) {
        const struct rated_match *match = &rated->matches[at];
        if (match->n == 0)
            return "a rated match never came into the book";
        if (match->told != (UINT32_C(1) << match->match.seats) - 1)
            return "somebody who has played was never told what it makes of their rating";
    }
    for (size_t at = 0; at < rated->annul_count; at++) {
        const struct rated_annul *annul = &rated->annuls[at];
        if (annul->told != (UINT32_C(1) << annul->annul.refunds) - 1)
            return "somebody gets something back, and was never told";
    }
    return NULL;
}

static size_t lines_agreeing(const struct rated *rated, const struct model_store *store)
{
    const struct book_end_row *end = model_nth(store, &book_end_table, 0);
    const struct ledger *ledger = &rated->ledger;
    const bool is_end =
        end && end->n == ledger->n && memcmp(end->hash, ledger->hash, sizeof end->hash) == 0;
    return model_rows(store, &book_table) + is_end;
}

size_t rated_agreeing(const struct rated *rated, const struct model_store *store)
{
    const struct rating_row *row;
    size_t agreeing = lines_agreeing(rated, store);
    for (size_t at = 0; (row = model_nth(store, &rating_table, at)); at++)
        agreeing += !put_rating(rated, row);
    return agreeing;
}

size_t rated_expected(const struct rated *rated)
{
    const struct ledger *ledger = &rated->ledger;
    size_t ratings = 0;
    for (size_t at = 0; ledger_next(ledger, &at); at++)
        ratings++;
    return (size_t)ledger->n + (ledger->n > 0) + ratings;
}
