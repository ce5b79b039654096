#include "book_check.h"
#include "book_record.h"
#include "pages.h"
#include "ratings_show.h"
#include "trust.h"
#include <inttypes.h>
#include <jansson.h>
#include <protocol/account.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 10000000 /* unless told otherwise */ };

struct ratings_options {
    const char *key, *server, *ca;
    bool records, json;
    int64_t entries_max;
};

static const struct option_row rows[] = {
    PAGES_SERVER_ROW(ratings_options),
    PAGES_CA_ROW(ratings_options),
    {.name = "key",
     .letter = 'k',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "check signatures with these public keys, a JWK set, and not with the server's own",
     .offset = offsetof(struct ratings_options, key)},
    {.name = "records",
     .kind = OPTION_FLAG,
     .help = "also fetch the signed record of each match that is still kept",
     .offset = offsetof(struct ratings_options, records)},
    {.name = "entries-max",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "refuse a longer book (10000000)",
     .offset = offsetof(struct ratings_options, entries_max),
     .min = 1,
     .max = INT32_MAX,
     .initial = ENTRIES_MAX},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "for programs: what was found as one JSON object",
     .offset = offsetof(struct ratings_options, json)},
    {.name = NULL},
};

struct verifying {
    const struct ratings_options *options;
    struct pages pages;
    struct trust trust;
    struct book_check check;
    uint64_t agree, gone, not_signed, differ; /* records */
};

/* ---- whose word it is */

static int fetch_keys(struct verifying *verifying)
{
    const int result = pages_fetch(&verifying->pages, ".well-known/taluva-keys.json", NULL);
    if (result != EXIT_OK)
        return result;
    json_t *set = json_loadb(buffer_payload(&verifying->pages.body), verifying->pages.body.len,
                             JSON_REJECT_DUPLICATES, NULL);
    const bool read = key_set_read(&verifying->trust.keys, json_object_get(set, "keys"));
    json_decref(set);
    if (!read)
        fputs("taluva: the server's keys cannot be read\n", stderr);
    return read ? EXIT_OK : EXIT_DATA;
}

static int find_end(struct verifying *verifying, struct book_end *end)
{
    const int result = pages_fetch(&verifying->pages, ".well-known/taluva-book.json", NULL);
    if (result != EXIT_OK)
        return result;
    book_end_read(end, buffer_payload(&verifying->pages.body), verifying->pages.body.len,
                  &verifying->trust.keys);
    if (end->word == BOOK_WORD_UNREADABLE) {
        fputs("taluva: where the book ends cannot be read\n", stderr);
        return EXIT_DATA;
    }
    if (end->n <= (uint64_t)verifying->options->entries_max)
        return EXIT_OK;
    fprintf(stderr, "taluva: the server names a book of %" PRIu64 " entries: see --entries-max\n",
            end->n);
    return EXIT_DATA;
}

/* ---- the book, page by page, and the records of its matches */

static int fetch_record(struct verifying *verifying, const struct book_entry *entry)
{
    char path[64];
    bool there;
    (void)snprintf(path, sizeof path, "api/records/%s", entry->u.match.room);
    const int result = pages_fetch(&verifying->pages, path, &there);
    if (result != EXIT_OK)
        return result;
    if (!there) {
        verifying->gone++;
        return EXIT_OK;
    }
    switch (book_check_record(&entry->u.match, buffer_payload(&verifying->pages.body),
                              verifying->pages.body.len, &verifying->trust.keys)) {
    case BOOK_RECORD_AGREES:
        verifying->agree++;
        return EXIT_OK;
    case BOOK_RECORD_NOT_SIGNED:
        verifying->not_signed++;
        return EXIT_OK;
    case BOOK_RECORD_DIFFERS:
        verifying->differ++;
        fprintf(stderr, "taluva: entry %" PRIu64 " does not follow from the record of %s\n",
                entry->n, entry->u.match.room);
        return EXIT_OK;
    case BOOK_RECORD_FAILED:
        break;
    }
    return EXIT_MEMORY;
}

static int fetch_book(struct verifying *verifying)
{
    struct book_check *check = &verifying->check;
    char path[64];
    int result = EXIT_OK;
    while (result == EXIT_OK && check->ledger.n < check->end.n) {
        (void)snprintf(path, sizeof path, "api/book/%" PRIu64, check->ledger.n);
        result = pages_fetch(&verifying->pages, path, NULL);
        if (result == EXIT_OK && !book_check_page(check, buffer_payload(&verifying->pages.body),
                                                  verifying->pages.body.len))
            return EXIT_OK; /* it is told later */
        for (size_t at = 0; verifying->options->records && at < check->page_count; at++) {
            if (result == EXIT_OK)
                result = fetch_record(verifying, &check->page[at]);
        }
    }
    return result;
}

/* ---- what was found */

static int give_verdict(const struct verifying *verifying)
{
    const struct book_check *check = &verifying->check;
    if (check->problem[0] || check->end.word == BOOK_WORD_FALSE || verifying->differ > 0)
        return EXIT_DIFFERS;
    return check->end.word == BOOK_WORD_SIGNED && verifying->not_signed == 0 ? EXIT_OK
                                                                             : EXIT_UNPROVEN;
}

static void print_json(const struct verifying *verifying)
{
    static const char *const words[] = {"signed", "not_signed", "false", ""};
    const struct book_check *check = &verifying->check;
    char hash[2 * BOOK_HASH_BYTES + 1];
    hex_encode(hash, check->ledger.hash, sizeof check->ledger.hash);
    json_t *found = json_pack(
        "{s:b, s:I, s:I, s:I, s:I, s:s, s:I, s:s, s:I}", "sound",
        give_verdict(verifying) != EXIT_DIFFERS, "entries", (json_int_t)check->entries, "matches",
        (json_int_t)check->matches, "annulled", (json_int_t)check->annulled, "ratings",
        (json_int_t)check->ledger.count, "hash", hash, "end", (json_int_t)check->end.n, "word",
        words[check->end.word], "time", (json_int_t)check->end.time_ms);
    if (check->problem[0])
        json_object_set_new(found, "problem", json_string(check->problem));
    if (verifying->options->records)
        json_object_set_new(found, "records",
                            json_pack("{s:I, s:I, s:I, s:I}", "agree", (json_int_t)verifying->agree,
                                      "gone", (json_int_t)verifying->gone, "not_signed",
                                      (json_int_t)verifying->not_signed, "differ",
                                      (json_int_t)verifying->differ));
    char *text = json_dumps(found, JSON_COMPACT);
    if (text)
        puts(text);
    free(text);
    json_decref(found);
}

static void print_word(const struct verifying *verifying)
{
    const struct book_end *end = &verifying->check.end;
    switch (end->word) {
    case BOOK_WORD_SIGNED:
        printf("signed: the server stands for this end with its key %s\n", end->key);
        break;
    case BOOK_WORD_NOT_SIGNED:
        puts("not signed: no key that is known stands for this end");
        break;
    case BOOK_WORD_FALSE:
        printf("the signature under its end is false: key %s has not signed this\n", end->key);
        break;
    case BOOK_WORD_UNREADABLE:
        break;
    }
}

static void print_found(const struct verifying *verifying)
{
    const struct book_check *check = &verifying->check;
    printf("book: %" PRIu64 " entries, %" PRIu64 " matches, %" PRIu64 " annulled, %zu ratings\n",
           check->entries, check->matches, check->annulled, check->ledger.count);
    if (check->problem[0])
        printf("wrong: %s\n", check->problem);
    else
        puts("sound: each entry is bound to the one before, and each number follows");
    print_word(verifying);
    if (verifying->options->records)
        printf("records: %" PRIu64 " agree, %" PRIu64 " are not kept any more, %" PRIu64
               " are not signed, %" PRIu64 " differ\n",
               verifying->agree, verifying->gone, verifying->not_signed, verifying->differ);
}

/* ---- the whole */

static int verify_book(struct verifying *verifying)
{
    struct book_end end;
    int result = verifying->options->key ? trust_file(&verifying->trust, verifying->options->key)
                                         : fetch_keys(verifying);
    if (result == EXIT_OK)
        result = find_end(verifying, &end);
    if (result != EXIT_OK)
        return result;
    result = book_check_begin(&verifying->check, &end) ? fetch_book(verifying) : EXIT_MEMORY;
    if (result == EXIT_OK && verifying->options->json)
        print_json(verifying);
    else if (result == EXIT_OK)
        print_found(verifying);
    if (result == EXIT_OK)
        result = give_verdict(verifying);
    book_check_end(&verifying->check);
    return result;
}

/* Whose handle it is; then what that account is rated. */
static int show_ratings(struct verifying *verifying, const char *handle)
{
    char path[64];
    bool there;
    if (!handle_valid(handle, strlen(handle))) {
        fputs("taluva: that is no handle\n", stderr);
        return EXIT_USAGE;
    }
    (void)snprintf(path, sizeof path, "api/people/%s", handle);
    int result = pages_fetch(&verifying->pages, path, &there);
    if (result != EXIT_OK || !there)
        return result != EXIT_OK ? result : ratings_say_nobody(handle);
    if (!ratings_find_account(&verifying->pages, path, sizeof path))
        return EXIT_DATA;
    result = pages_fetch(&verifying->pages, path, NULL);
    return result == EXIT_OK ? ratings_print(&verifying->pages, handle, verifying->options->json)
                             : result;
}

static int run_command(const struct invocation *invocation)
{
    static struct verifying verifying;
    const struct ratings_options *options = invocation->options;
    const bool verifies = strcmp(invocation->operands[0], "verify") == 0;
    verifying = (struct verifying){.options = options};
    int result = sodium_init() < 0
                     ? EXIT_MEMORY
                     : pages_begin(&verifying.pages, invocation, options->server, options->ca);
    if (result != EXIT_OK)
        return result;
    result = verifies ? verify_book(&verifying) : show_ratings(&verifying, invocation->operands[0]);
    pages_end(&verifying.pages);
    return result;
}

static const char *const words[] = {"verify", NULL};

const struct command command_ratings = {
    .name = "ratings",
    .operands = "WHOM",
    .words = words,
    .summary = "Show somebody's ratings, or compute all of them again",
    .details =
        "WHOM is a handle: what they are rated in each class, give or take twice the deviation. "
        "One "
        "with\n"
        "a question mark is not known well yet; of any other it is said which level of the\n"
        "computer plays about so well, as far as people have played enough against it.\n\n"
        "Or WHOM is `verify`: fetches the book of ratings of a server, to the end that it names "
        "and signs, and "
        "computes\n"
        "every number in it again: whether each entry is bound to the one before, whether each\n"
        "rating follows, and whether the server's signature stands for the end. With --records\n"
        "also whether each match follows from its record, as far as the server still has it and\n"
        "shows it to everybody, and whether the record is signed.\n\n"
        "The server's own keys prove only that it is of one mind with itself. --key takes keys\n"
        "that came on another way: then nobody else can stand in for it.\n\n"
        "The exit status is 0 if all that was looked at is sound and signed, 1 if anything is\n"
        "wrong, which is told, and 8 if nothing is wrong and a signature is missing.",
    .operands_min = 1,
    .operands_max = 1,
    .rows = rows,
    .options_size = sizeof(struct ratings_options),
    .run = run_command,
};
