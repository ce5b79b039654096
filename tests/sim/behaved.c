#include "behaved.h"

#include "../support/model_store.h"
#include "marks.h"
#include <assert.h>
#include <hub/letter.h>
#include <inttypes.h>
#include <rating/book.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <waiting/conduct.h>

enum { OUTCOME_AT = PROTOCOL_ROOM_BYTES + 1 };
static_assert((int)BEHAVED_OUTCOMES == (int)CONDUCT_OUTCOMES, "as many are kept");

void behaved_release(struct behaved *behaved)
{
    free(behaved->letters);
    free(behaved->people);
    *behaved = (struct behaved){0};
}

static struct behaved_one *find_one(const struct behaved *behaved, uint64_t session)
{
    for (size_t at = 0; at < behaved->count; at++) {
        if (behaved->people[at].session == session)
            return &behaved->people[at];
    }
    return NULL;
}

/* ---- rows and letters of a batch */

static bool is_done(const struct store_batch *batch, size_t at, enum store_op_kind kind,
                    const struct store_table *table)
{
    const struct store_op *op = &batch->ops[at];
    return op->kind == kind && op->u.row.table == table && batch->results[at] == STORE_OK;
}

static bool is_sent(const struct store_batch *batch, size_t at, const char *kind)
{
    if (!is_done(batch, at, STORE_PUT_ROW, &store_letter_table))
        return false;
    const struct store_letter *letter = batch->ops[at].u.row.row;
    return letter->state == STORE_LETTER_WAITS && strcmp(letter->kind, kind) == 0;
}

static const struct conduct_row *row_put(const struct store_batch *batch, uint64_t session)
{
    for (size_t at = 0; at < batch->count; at++) {
        const struct conduct_row *row = batch->ops[at].u.row.row;
        if (is_done(batch, at, STORE_PUT_ROW, &conduct_table) && row->session == session)
            return row;
    }
    return NULL;
}

/* ---- from the room */

static bool is_said_of(const struct store_batch *batch, uint64_t session, const char *room)
{
    for (size_t at = 0; at < batch->count; at++) {
        const struct store_letter *letter = batch->ops[at].u.row.row;
        if (is_sent(batch, at, conduct_letter) && letter->addressee == session &&
            memcmp(letter->text, room, PROTOCOL_ROOM_BYTES) == 0)
            return true;
    }
    return false;
}

/* All who have played the match of that letter to the book. */
static const char *look_at_match(const struct store_batch *batch, const struct store_letter *sent)
{
    const char *line = memchr(sent->text, '{', sent->text_len);
    struct book_entry entry;
    if (!line || !book_read(&entry, line, sent->text_len - (size_t)(line - sent->text)) ||
        entry.kind != BOOK_MATCH)
        return "a letter to the book cannot be read";
    for (unsigned seat = 0; seat < entry.u.match.seats; seat++) {
        if (!is_said_of(batch, entry.u.match.seat[seat].account, entry.u.match.room))
            return "of somebody who has played a rated match it is not said how";
    }
    return NULL;
}

static void keep_letter(struct behaved *behaved, const struct store_letter *letter)
{
    if (behaved->letter_count == behaved->letter_size) {
        behaved->letter_size = behaved->letter_size ? 2 * behaved->letter_size : 16;
        behaved->letters =
            realloc(behaved->letters, behaved->letter_size * sizeof *behaved->letters);
        assert(behaved->letters);
    }
    behaved->letters[behaved->letter_count++] =
        (struct behaved_letter){letter->id, letter->addressee, letter->text[OUTCOME_AT]};
}

/* ---- at home */

static struct behaved_one *person(struct behaved *behaved, uint64_t session)
{
    struct behaved_one *one = find_one(behaved, session);
    if (one)
        return one;
    if (behaved->count == behaved->size) {
        behaved->size = behaved->size ? 2 * behaved->size : 16;
        behaved->people = realloc(behaved->people, behaved->size * sizeof *behaved->people);
        assert(behaved->people);
    }
    one = &behaved->people[behaved->count++];
    *one = (struct behaved_one){.session = session};
    return one;
}

static void add_outcome(struct behaved_one *one, char outcome)
{
    size_t count = strlen(one->outcomes);
    if (count == BEHAVED_OUTCOMES)
        memmove(one->outcomes, one->outcomes + 1, count--);
    one->outcomes[count] = outcome;
    one->outcomes[count + 1] = '\0';
}

/* ---- who gives up again and again */

static const char report_letter[] = "moderation.report";

/* "REPORTER ABOUT ...": by nobody. */
static bool is_reported(const struct store_batch *batch, uint64_t session)
{
    char head[2 * 16 + 3];
    (void)snprintf(head, sizeof head, "%016x %016" PRIx64 " ", 0, session);
    for (size_t at = 0; at < batch->count; at++) {
        const struct store_letter *letter = batch->ops[at].u.row.row;
        if (is_sent(batch, at, report_letter) && strncmp(letter->text, head, sizeof head - 1) == 0)
            return true;
    }
    return false;
}

/* The last one, and two at least of the six before. */
static bool gives_up(const char *outcomes)
{
    const size_t len = strlen(outcomes);
    unsigned before = 0;
    for (size_t back = 2; back <= 7 && back <= len; back++)
        before += outcomes[len - back] == 'r';
    return len > 0 && outcomes[len - 1] == 'r' && before >= 2;
}

static const char *check_reported(const struct behaved_one *one, const struct store_batch *batch)
{
    if (is_reported(batch, one->session) != gives_up(one->outcomes))
        return "who gives up again and again is not reported, or somebody else is";
    if (gives_up(one->outcomes))
        mark(MARK_GAVE_UP);
    return NULL;
}

static const char *end_letter(struct behaved *behaved, const struct letters *letters,
                              const struct store_batch *batch, struct behaved_letter *letter)
{
    const struct behaved_letter said = *letter;
    const struct conduct_row *row = row_put(batch, said.session);
    *letter = behaved->letters[--behaved->letter_count];
    if (!row)
        return said.outcome == CONDUCT_GOOD && letters_know(letters, said.session)
                   ? "somebody has behaved, and it is not kept"
                   : NULL; /* forgiven, or they are gone */
    struct behaved_one *one = person(behaved, said.session);
    add_outcome(one, said.outcome);
    mark(MARK_BEHAVED);
    return strcmp(one->outcomes, row->outcomes) == 0
               ? check_reported(one, batch)
               : "what is kept of how somebody behaves is not what was said";
}

static const char *drop_letter(struct behaved *behaved, const struct letters *letters,
                               const struct store_batch *batch, const struct store_letter *dropped)
{
    for (size_t at = 0; at < behaved->letter_count; at++) {
        struct behaved_letter *letter = &behaved->letters[at];
        if (letter->id == dropped->id && letter->session == dropped->addressee)
            return end_letter(behaved, letters, batch, letter);
    }
    return NULL;
}

static void drop_person(struct behaved *behaved, uint64_t session)
{
    struct behaved_one *one = find_one(behaved, session);
    if (one)
        *one = behaved->people[--behaved->count];
}

const char *behaved_apply(struct behaved *behaved, const struct letters *letters,
                          const struct store_batch *batch)
{
    const char *wrong = NULL;
    for (size_t at = 0; at < batch->count && !wrong; at++) {
        const struct store_op *op = &batch->ops[at];
        if (is_sent(batch, at, conduct_letter))
            keep_letter(behaved, op->u.row.row);
        else if (is_sent(batch, at, "ratings.match"))
            wrong = look_at_match(batch, op->u.row.row);
        else if (is_done(batch, at, STORE_DROP_ROW, &store_letter_table))
            wrong = drop_letter(behaved, letters, batch, op->u.row.row);
        else if (is_done(batch, at, STORE_DROP_ROW, &conduct_table))
            drop_person(behaved, ((const struct conduct_row *)op->u.row.row)->session);
        else if (op->kind == STORE_DROP_SESSION && batch->results[at] == STORE_OK)
            drop_person(behaved, op->u.session_id);
    }
    return wrong;
}

size_t behaved_agreeing(const struct behaved *behaved, const struct model_store *store)
{
    const struct conduct_row *row;
    size_t agreeing = 0;
    for (size_t at = 0; (row = model_nth(store, &conduct_table, at)); at++) {
        const struct behaved_one *one = find_one(behaved, row->session);
        agreeing += one && strcmp(one->outcomes, row->outcomes) == 0;
    }
    return agreeing;
}

size_t behaved_expected(const struct behaved *behaved)
{
    return behaved->count;
}
