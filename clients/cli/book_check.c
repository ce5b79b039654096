#include "book_check.h"

#include <inttypes.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/limits.h>
#include <protocol/signature.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- its end */

static bool read_end(struct book_end *end, const json_t *object)
{
    const json_t *n = json_object_get(object, "n"), *time = json_object_get(object, "time");
    const json_t *hash = json_object_get(object, "hash");
    if (!json_is_integer(n) || !json_is_integer(time) || !json_is_string(hash) ||
        json_integer_value(n) < 0 || json_integer_value(n) > PROTOCOL_INTEGER_MAX)
        return false;
    end->n = (uint64_t)json_integer_value(n);
    end->time_ms = json_integer_value(time);
    return hex_decode(end->hash, sizeof end->hash, json_string_value(hash),
                      json_string_length(hash));
}

static bool key_was_used(const struct public_key *key, int64_t time_ms)
{
    return key->until_s == KEY_IN_USE || time_ms / 1000 <= key->until_s;
}

static enum book_word check_word(const struct book_end *end, const char *signature,
                                 const struct public_key *key)
{
    enum { TEXT_BYTES = 160 };
    unsigned char bytes[crypto_sign_BYTES];
    char hash[2 * BOOK_HASH_BYTES + 1], text[TEXT_BYTES];
    size_t len = 0;
    hex_encode(hash, end->hash, sizeof end->hash);
    (void)snprintf(text, sizeof text, "taluva-book-head 1\n%" PRIu64 "\n%s\n%" PRId64 "\n", end->n,
                   hash, end->time_ms);
    if (sodium_base642bin(bytes, sizeof bytes, signature, strlen(signature), NULL, &len, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
        len != sizeof bytes ||
        crypto_sign_verify_detached(bytes, (const unsigned char *)text, strlen(text), key->bytes) !=
            0)
        return BOOK_WORD_FALSE;
    return key_was_used(key, end->time_ms) ? BOOK_WORD_SIGNED : BOOK_WORD_FALSE;
}

void book_end_read(struct book_end *end, const char *text, size_t len, const struct key_set *keys)
{
    json_t *object = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    const char *id = json_string_value(json_object_get(object, "key"));
    const char *signature = json_string_value(json_object_get(object, "signature"));
    *end = (struct book_end){.word = BOOK_WORD_UNREADABLE};
    if (object && read_end(end, object)) {
        const struct public_key *key = id ? key_set_find(keys, id) : NULL;
        if (id && strlen(id) == KEY_ID_BYTES)
            memcpy(end->key, id, KEY_ID_BYTES + 1);
        end->word = key && signature ? check_word(end, signature, key) : BOOK_WORD_NOT_SIGNED;
    }
    json_decref(object);
}

/* ---- its lines */

bool book_check_begin(struct book_check *check, const struct book_end *end)
{
    *check = (struct book_check){.end = *end};
    ledger_init(&check->ledger);
    check->page = calloc(BOOK_PAGE_LINES_MAX, sizeof *check->page);
    return check->page != NULL;
}

void book_check_end(struct book_check *check)
{
    ledger_release(&check->ledger);
    refunds_release(&check->refunds);
    free(check->page);
}

static bool note_problem(struct book_check *check, const char *why)
{
    (void)snprintf(check->problem, sizeof check->problem, "entry %" PRIu64 ": %s",
                   check->ledger.n + 1, why);
    return false;
}

static void count_entry(struct book_check *check, const struct book_entry *entry)
{
    check->entries++;
    check->annulled += entry->kind == BOOK_ANNUL;
    if (entry->kind != BOOK_MATCH)
        return;
    check->matches++;
    check->page[check->page_count++] = *entry;
}

/* {"hash":"64 digits","entry":LINE} */
static bool take_line(struct book_check *check, const char *line, size_t len)
{
    static const char head[] = "{\"hash\":\"", middle[] = "\",\"entry\":";
    enum { DIGITS = 2 * BOOK_HASH_BYTES, BEFORE = sizeof head - 1 + DIGITS + sizeof middle - 1 };
    uint8_t hash[BOOK_HASH_BYTES];
    struct book_entry entry;
    if (len <= BEFORE || memcmp(line, head, sizeof head - 1) != 0 ||
        !hex_decode(hash, sizeof hash, line + sizeof head - 1, DIGITS) ||
        memcmp(line + sizeof head - 1 + DIGITS, middle, sizeof middle - 1) != 0 ||
        line[len - 1] != '}')
        return note_problem(check, ledger_fault_text(LEDGER_UNREADABLE));
    const char *text = line + BEFORE;
    const enum ledger_fault fault =
        ledger_audit(&check->ledger, &check->refunds, &entry, text, len - BEFORE - 1, hash);
    if (fault != LEDGER_FINE)
        return note_problem(check, ledger_fault_text(fault));
    count_entry(check, &entry);
    if (check->ledger.count > BOOK_STANDINGS_MAX)
        return note_problem(check, "of more accounts than this program can follow");
    return true;
}

/* All lines so far are those that the server has named. */
static bool is_named(struct book_check *check)
{
    if (check->ledger.n < check->end.n ||
        memcmp(check->ledger.hash, check->end.hash, sizeof check->end.hash) == 0)
        return true;
    (void)snprintf(check->problem, sizeof check->problem,
                   "entry %" PRIu64 ": its hash is not that of the end that the server names",
                   check->ledger.n);
    return false;
}

bool book_check_page(struct book_check *check, const char *bytes, size_t len)
{
    const char *at = len ? bytes : "", *end = at + len; /* an empty answer is nowhere */
    size_t lines = 0;
    check->page_count = 0;
    while (at < end && check->ledger.n < check->end.n) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop || lines++ == BOOK_PAGE_LINES_MAX)
            return note_problem(check,
                                stop ? "a page has too many lines" : "its line does not end");
        if (!take_line(check, at, (size_t)(stop - at)))
            return false;
        at = stop + 1;
    }
    if (lines == 0 && check->ledger.n < check->end.n)
        return note_problem(check, "it is missing, and the server names a later end");
    return is_named(check);
}
