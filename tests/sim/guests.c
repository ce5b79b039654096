#include "guests.h"

#include "../support/guest_book.h"
#include "../support/model_store.h"
#include "../support/rng.h"
#include "marks.h"
#include <assert.h>
#include <inttypes.h>
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page begins behind a place that no word has. */
const char guests_page[] = "/api/guest-book/behind/9007199254740992";

enum {
    NAMES = 5,
    NAMED = 700, /* of words, in a thousand */
    POISONED = 60,
    PAGE_WORDS = 32, /* an answer ends with them */
};

const struct feature *const *guests_features(void)
{
    static const struct feature *features[FEATURES_MAX + 1];
    size_t count = 0;
    for (; registry[count]; count++)
        features[count] = registry[count];
    assert(count < FEATURES_MAX);
    features[count] = &guest_book_beside;
    features[count + 1] = NULL;
    return features;
}

void guests_release(struct guests *guests)
{
    free(guests->rows);
    *guests = (struct guests){0};
}

/* ---- what becomes durable */

static bool is_key_of(const struct guest_row *row, const struct guest_word *word)
{
    return row->session == word->session && row->id == word->id;
}

static bool is_named_by_another(const struct guests *guests, const struct guest_word *word)
{
    for (size_t at = 0; at < guests->count; at++) {
        const struct guest_row *row = &guests->rows[at];
        if (row->there && word->name[0] && strcmp(row->name, word->name) == 0 &&
            !is_key_of(row, word))
            return true;
    }
    return false;
}

static const struct guest_row *find_words(const struct guests *guests, const char *words,
                                          size_t len)
{
    for (size_t at = 0; at < guests->count; at++) {
        const struct guest_row *row = &guests->rows[at];
        if (strlen(row->words) == len && memcmp(row->words, words, len) == 0)
            return row;
    }
    return NULL;
}

static void add_row(struct guests *guests, const struct guest_word *word)
{
    if (guests->count == guests->size) {
        guests->size = guests->size ? 2 * guests->size : 64;
        guests->rows = realloc(guests->rows, guests->size * sizeof *guests->rows);
        assert(guests->rows);
    }
    struct guest_row *row = &guests->rows[guests->count++];
    *row = (struct guest_row){
        .session = word->session, .id = word->id, .place = word->place, .there = true};
    (void)snprintf(row->name, sizeof row->name, "%s", word->name);
    (void)snprintf(row->words, sizeof row->words, "%s", word->words);
}

static const char *put_word(struct guests *guests, const struct guest_word *word,
                            enum store_result result)
{
    const bool named = is_named_by_another(guests, word);
    if (result == STORE_TAKEN) {
        mark(MARK_GUEST_NAME_TAKEN);
        return named ? NULL : "a name is refused that no word has";
    }
    if (named)
        return "two words have one name";
    if (find_words(guests, word->words, strlen(word->words)))
        return "a word is kept twice";
    add_row(guests, word);
    mark(word->name[0] ? MARK_GUEST_NAMED : MARK_GUEST_WORD);
    return NULL;
}

static void drop_session(struct guests *guests, uint64_t session)
{
    for (size_t at = 0; at < guests->count; at++)
        guests->rows[at].there &= guests->rows[at].session != session;
}

const char *guests_apply(struct guests *guests, const struct store_batch *batch)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < batch->count && !wrong; i++) {
        const struct store_op *op = &batch->ops[i];
        const enum store_result result = batch->results[i];
        if (result != STORE_OK && result != STORE_TAKEN)
            continue;
        if (op->kind == STORE_PUT_ROW && op->u.row.table == &guest_word_table)
            wrong = put_word(guests, op->u.row.row, result);
        else if (op->kind == STORE_DROP_SESSION)
            drop_session(guests, op->u.session_id);
    }
    return wrong;
}

size_t guests_expected(const struct guests *guests)
{
    size_t count = 0;
    for (size_t at = 0; at < guests->count; at++)
        count += guests->rows[at].there;
    return count;
}

size_t guests_stored(const struct guests *guests, const struct model_store *store)
{
    const struct guest_word *word;
    size_t count = 0;
    for (size_t at = 0; (word = model_nth(store, &guest_word_table, at)); at++) {
        const struct guest_row *row = find_words(guests, word->words, strlen(word->words));
        count += row && row->there && is_key_of(row, word) && row->place == word->place &&
                 strcmp(row->name, word->name) == 0;
    }
    return count;
}

/* ---- what is wanted */

void guests_leave(struct guests *guests, struct rng *rng, struct hub *hub, uint64_t session)
{
    char words[GUEST_WORDS_MAX + 1], name[GUEST_NAME_MAX + 1] = "";
    (void)snprintf(words, sizeof words, "w%" PRIu64, ++guests->number);
    if (rng_below(rng, 1000) < NAMED)
        (void)snprintf(name, sizeof name, "guest%u", (unsigned)rng_below(rng, NAMES));
    (void)guest_book_leave(hub, session, words, name);
}

void guests_greet(struct guests *guests, struct rng *rng, struct hub *hub, uint64_t session,
                  uint64_t whom)
{
    char words[GUEST_WORDS_MAX + 1];
    (void)snprintf(words, sizeof words, "g%" PRIu64, ++guests->number);
    (void)guest_book_greet(hub, session, whom,
                           rng_below(rng, 1000) < POISONED ? GUEST_BOOK_POISON : words);
}

/* ---- the page */

void guests_asked(struct guests *guests, uint64_t ticket)
{
    guests->ticket = ticket;
    guests->known = guests->count;
}

/* The line behind `at`, which goes there; NULL: there is none. */
static const char *next_line(const char **at, const char *end, size_t *len)
{
    const char *line = *at;
    const char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    if (!stop)
        return NULL;
    *len = (size_t)(stop - line);
    *at = stop + 1;
    return line;
}

static bool is_on_page(const struct guest_row *row, const char *body, const char *end)
{
    const char *line;
    size_t len;
    while ((line = next_line(&body, end, &len)) != NULL) {
        if (len == strlen(row->words) && memcmp(line, row->words, len) == 0)
            return true;
    }
    return false;
}

const char *guests_check_page(struct guests *guests, const void *body, size_t len)
{
    const char *at = body, *const end = at + len, *line;
    uint64_t last = UINT64_MAX;
    size_t lines = 0, line_len;
    guests->ticket = 0;
    for (; (line = next_line(&at, end, &line_len)) != NULL; lines++) {
        const struct guest_row *row = find_words(guests, line, line_len);
        if (!row)
            return "a page has a word that is not durable";
        if (row->place >= last)
            return "a page is not in its order, or has a word twice";
        last = row->place;
    }
    mark(lines > 2 ? MARK_GUEST_PAGES : MARK_GUEST_PAGE);
    for (size_t known = 0; known < guests->known; known++) {
        const struct guest_row *row = &guests->rows[known];
        if (row->there && (lines < PAGE_WORDS || row->place > last) && !is_on_page(row, body, end))
            return "a page lacks a word that was there before";
    }
    return NULL;
}
