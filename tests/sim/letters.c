#include "letters.h"

#include "../support/guest_book.h"
#include "../support/model_store.h"
#include "marks.h"
#include <assert.h>
#include <history/game_table.h>
#include <profiles/tally.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void letters_release(struct letters *letters)
{
    free(letters->sent);
    free(letters->sessions);
    *letters = (struct letters){0};
}

static void *grown(void *items, size_t count, size_t *size, size_t each)
{
    if (count < *size)
        return items;
    *size = *size ? 2 * *size : 64;
    items = realloc(items, *size * each);
    assert(items);
    return items;
}

/* ---- who is there */

static size_t place_of(const struct letters *letters, uint64_t session)
{
    size_t at = 0;
    while (at < letters->session_count && letters->sessions[at] != session)
        at++;
    return at;
}

static bool is_there(const struct letters *letters, uint64_t session)
{
    return place_of(letters, session) < letters->session_count;
}

bool letters_know(const struct letters *letters, uint64_t session)
{
    return is_there(letters, session);
}

static void put_session(struct letters *letters, uint64_t session)
{
    if (is_there(letters, session))
        return;
    letters->sessions = grown(letters->sessions, letters->session_count, &letters->session_size,
                              sizeof *letters->sessions);
    letters->sessions[letters->session_count++] = session;
}

static void drop_session(struct letters *letters, uint64_t session)
{
    const size_t at = place_of(letters, session);
    if (at < letters->session_count)
        letters->sessions[at] = letters->sessions[--letters->session_count];
}

/* ---- letters */

static struct sent_letter *find(const struct letters *letters, const struct store_letter *letter)
{
    for (size_t i = 0; i < letters->count; i++) {
        if (letters->sent[i].addressee == letter->addressee && letters->sent[i].id == letter->id)
            return &letters->sent[i];
    }
    return NULL;
}

bool letters_has(const struct letters *letters, const char *room_id, uint64_t session)
{
    for (size_t i = 0; i < letters->count; i++) {
        const struct sent_letter *sent = &letters->sent[i];
        if (!sent->applied && sent->lists && sent->addressee == session &&
            strcmp(sent->room_id, room_id) == 0)
            return true;
    }
    return false;
}

static struct sent_letter *add_letter(struct letters *letters, const struct store_letter *letter)
{
    letters->sent = grown(letters->sent, letters->count, &letters->size, sizeof *letters->sent);
    struct sent_letter *sent = &letters->sent[letters->count++];
    *sent = (struct sent_letter){.addressee = letter->addressee, .id = letter->id};
    letters->waiting++;
    return sent;
}

void letters_poisoned(struct letters *letters, const struct store_letter *letter)
{
    add_letter(letters, letter)->poison = true;
}

void letters_left(struct letters *letters, const struct store_letter *letter)
{
    (void)add_letter(letters, letter);
}

static const char *set_aside(struct letters *letters, struct sent_letter *sent)
{
    if (!sent || !sent->poison)
        return "a letter is set aside that could be applied";
    if (sent->aside)
        return "a letter is set aside twice";
    sent->aside = true;
    letters->waiting--;
    mark(MARK_LETTER_ASIDE);
    return NULL;
}

size_t letters_aside(const struct letters *letters)
{
    size_t should = 0;
    for (size_t i = 0; i < letters->count; i++)
        should += letters->sent[i].aside;
    return should;
}

size_t letters_aside_in(const struct model_store *store)
{
    size_t there = 0;
    const struct store_letter *letter;
    for (size_t at = 0; (letter = model_nth(store, &store_letter_table, at)); at++)
        there += letter->state != STORE_LETTER_WAITS;
    return there;
}

const char *letters_check_aside(const struct letters *letters, const struct model_store *store)
{
    return letters_aside_in(store) == letters_aside(letters)
               ? NULL
               : "letters that were set aside are not there";
}

uint64_t letters_counted(const struct letters *letters)
{
    uint64_t counted = 0;
    for (size_t i = 0; i < letters->count; i++)
        counted += letters->sent[i].counts && letters->sent[i].applied;
    return counted;
}

uint64_t letters_stored(const struct model_store *store)
{
    const struct tally_row *row;
    uint64_t matches = 0;
    for (size_t at = 0; (row = model_nth(store, &tally_table, at)); at++)
        matches += row->matches;
    return matches;
}

static const char *put_greeting(struct sent_letter *sent, const struct store_letter *letter)
{
    sent->poison = strcmp(letter->text, GUEST_BOOK_POISON) == 0;
    (void)snprintf(sent->greeting, sizeof sent->greeting, "%s", letter->text);
    return NULL;
}

/* Nobody here reports anybody: what is reported the server has seen (behaved.c). */
static bool is_expected(const char *kind)
{
    return strncmp(kind, "ratings.", 8) == 0 || strcmp(kind, "moderation.report") == 0;
}

static const char *put_letter(struct letters *letters, const struct store_letter *letter)
{
    struct sent_letter *before = find(letters, letter);
    if (letter->state != STORE_LETTER_WAITS)
        return set_aside(letters, before);
    if (before)
        return "a letter is sent twice";
    before = add_letter(letters, letter);
    before->counts = strcmp(letter->kind, "people.match") == 0;
    before->lists = strcmp(letter->kind, "history.match") == 0;
    if (strcmp(letter->kind, "book.greeting") == 0)
        return put_greeting(before, letter);
    if (!before->counts && !before->lists)
        return is_expected(letter->kind) ? NULL : "a letter of another kind is sent";
    assert(letter->text_len > 8);
    memcpy(before->room_id, letter->text, 8);
    return NULL;
}

static bool is_of(const struct game_row *game, const struct sent_letter *sent)
{
    return game->session == sent->addressee && strcmp(game->room, sent->room_id) == 0;
}

static bool is_put_of(const struct store_batch *batch, size_t at, const struct store_table *table)
{
    const struct store_op *op = &batch->ops[at];
    return op->kind == STORE_PUT_ROW && op->u.row.table == table && batch->results[at] == STORE_OK;
}

/* NULL: the op ends none that is known. */
static const struct sent_letter *ended(const struct letters *letters,
                                       const struct store_batch *batch, size_t at)
{
    const struct store_op *op = &batch->ops[at];
    const bool drops = op->kind == STORE_DROP_ROW && op->u.row.table == &store_letter_table;
    return drops && batch->results[at] == STORE_OK ? find(letters, op->u.row.row) : NULL;
}

/* As many rows of what the session has played as letters of that end. */
static bool is_counted(const struct letters *letters, const struct store_batch *batch,
                       uint64_t session)
{
    size_t rows = 0, ends = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct sent_letter *sent = ended(letters, batch, i);
        ends += sent && sent->counts && sent->addressee == session;
        rows += is_put_of(batch, i, &tally_table) &&
                ((const struct tally_row *)batch->ops[i].u.row.row)->session == session;
    }
    return rows == ends;
}

/* The line that the letter is about, among the ops of the batch. */
static bool has_line(const struct store_batch *batch, const struct sent_letter *sent)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (is_put_of(batch, i, &game_table) && is_of(batch->ops[i].u.row.row, sent))
            return true;
    }
    return false;
}

static bool is_word_of(const struct guest_word *word, const struct sent_letter *sent)
{
    return word->session == sent->addressee && strcmp(word->words, sent->greeting) == 0;
}

static bool has_word(const struct store_batch *batch, const struct sent_letter *sent)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (is_put_of(batch, i, &guest_word_table) && is_word_of(batch->ops[i].u.row.row, sent))
            return true;
    }
    return false;
}

/* Then there is no effect any more, wherever in the batch that stands. */
static bool is_dropped_by(const struct store_batch *batch, uint64_t session)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->ops[i].kind == STORE_DROP_SESSION && batch->ops[i].u.session_id == session &&
            batch->results[i] == STORE_OK)
            return true;
    }
    return false;
}

static const char *drop_letter(struct letters *letters, const struct store_batch *batch,
                               const struct store_letter *letter)
{
    struct sent_letter *sent = find(letters, letter);
    if (!sent)
        return "a letter ends that was never sent";
    if (sent->poison)
        return "a letter ends that nobody can apply";
    if (sent->applied)
        return "a letter is applied twice";
    const bool there = is_there(letters, sent->addressee) && !is_dropped_by(batch, sent->addressee);
    if (there &&
        ((sent->counts && !is_counted(letters, batch, sent->addressee)) ||
         (sent->lists && !has_line(batch, sent)) || (sent->greeting[0] && !has_word(batch, sent))))
        return "a letter ends without its effect";
    if (sent->counts)
        mark(MARK_MATCH_COUNTED);
    sent->applied = true;
    letters->waiting--;
    mark(MARK_LETTER_APPLIED);
    if (sent->greeting[0])
        mark(MARK_GREETING);
    return NULL;
}

/* It ends in the same batch. */
static const char *put_line(const struct letters *letters, const struct store_batch *batch,
                            const struct game_row *game)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct sent_letter *sent = ended(letters, batch, i);
        if (sent && sent->lists && is_of(game, sent))
            return NULL;
    }
    return "a match comes into a list without the end of its letter";
}

/* A greeting begins so. */
static const char *put_word(const struct letters *letters, const struct store_batch *batch,
                            const struct guest_word *word)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct sent_letter *sent = ended(letters, batch, i);
        if (sent && is_word_of(word, sent))
            return NULL;
    }
    return word->words[0] == 'g' ? "a greeting is kept without the end of its letter" : NULL;
}

static const char *put_tally(const struct letters *letters, const struct store_batch *batch,
                             const struct tally_row *row)
{
    return is_counted(letters, batch, row->session)
               ? NULL
               : "a match is counted without the end of its letter";
}

const char *letters_apply(struct letters *letters, const struct store_batch *batch)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < batch->count && !wrong; i++) {
        const struct store_op *op = &batch->ops[i];
        const bool row = op->kind == STORE_PUT_ROW || op->kind == STORE_DROP_ROW;
        if (batch->results[i] != STORE_OK)
            continue;
        if (op->kind == STORE_PUT_SESSION)
            put_session(letters, op->u.session.id);
        else if (op->kind == STORE_DROP_SESSION)
            drop_session(letters, op->u.session_id);
        else if (is_put_of(batch, i, &game_table))
            wrong = put_line(letters, batch, op->u.row.row);
        else if (is_put_of(batch, i, &tally_table))
            wrong = put_tally(letters, batch, op->u.row.row);
        else if (is_put_of(batch, i, &guest_word_table))
            wrong = put_word(letters, batch, op->u.row.row);
        else if (row && op->u.row.table == &store_letter_table)
            wrong = op->kind == STORE_PUT_ROW ? put_letter(letters, op->u.row.row)
                                              : drop_letter(letters, batch, op->u.row.row);
    }
    return wrong;
}
