/*
 * How long whoever computes a book of ratings again needs for it: taluva-book-bench [MATCHES].
 *
 * The book is made up, always the same one, by 20,000 accounts in all classes; making it is not
 * counted. Its last hash is printed: it is the same with every compiler, on every machine.
 */
#include <base/program.h>
#include <base/rng.h>
#include <protocol/encoding.h>
#include <rating/ledger.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

enum { ACCOUNTS = 20000, MATCHES = 1000000 };

static struct ledger made, checked;
static char line[BOOK_LINE_MAX + 1];
static double seconds;

static void fail(const char *why)
{
    fprintf(stderr, "taluva-book-bench: %s\n", why);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add(struct book_entry *entry)
{
    entry->n = made.n + 1;
    const size_t len = book_write(entry, line);
    if (ledger_follow(&made, entry, line, len) < 0)
        fail("out of memory");
    const double begin = now();
    const enum ledger_fault fault = ledger_check(&checked, line, len, made.hash);
    seconds += now() - begin;
    if (fault != LEDGER_FINE)
        fail(ledger_fault_text(fault));
}

/* Of neighbours, as quick match finds them: the lower number wins more often. */
static void make_match(struct rng *rng, int64_t at_ms, struct book_entry *entry)
{
    struct book_match *match = &entry->u.match;
    const unsigned number = 1 + (unsigned)(rng_next(rng) % RATING_CLASSES);
    const struct rating_class *class = rating_class_at(number);
    const unsigned more = class->sides_max - class->sides_min + 1U;
    *entry = (struct book_entry){.kind = BOOK_MATCH, .at_ms = at_ms};
    memcpy(match->room, "k3m9x0aq", sizeof match->room);
    match->class = (uint8_t)number;
    match->ended_ms = at_ms;
    match->sides = (uint8_t)(class->sides_min + rng_next(rng) % more);
    match->seats = (uint8_t)(match->sides * class->side_seats);
    const uint64_t first = 1 + rng_next(rng) % (ACCOUNTS - RATING_SEATS);
    for (unsigned i = 0; i < match->seats; i++) {
        match->seat[i].account = first + i;
        match->seat[i].side = (uint8_t)(i % match->sides);
    }
    const unsigned winner = rng_next(rng) % 3 ? 0 : (unsigned)(rng_next(rng) % match->sides);
    for (unsigned side = 0; class->places && side < match->sides; side++)
        match->place[side] = (uint8_t)(side == winner ? 1 : side < winner ? side + 2 : side + 1);
    match->winners = class->places ? 0 : UINT32_C(1) << winner;
}

static int run_all(int argc, char **argv)
{
    const long matches = argc > 1 ? strtol(argv[1], NULL, 10) : MATCHES;
    struct book_entry entry = {.kind = BOOK_SYSTEM, .u.system = RATING_SYSTEM};
    char hash[2 * BOOK_HASH_BYTES + 1];
    struct rng rng = {34};
    if (matches < 1) {
        (void)fputs("usage: taluva-book-bench [MATCHES]\n", stderr);
        return EX_USAGE;
    }
    if (sodium_init() < 0)
        fail("no randomness");
    add(&entry);
    for (long at = 0; at < matches; at++) {
        make_match(&rng, INT64_C(1790000000000) + at * 60000, &entry);
        ledger_rate(&made, &entry.u.match);
        add(&entry);
    }
    hex_encode(hash, checked.hash, sizeof checked.hash);
    printf("%ld matches of %zu ratings: %.2f s of processor, %.2f us each\nend %s\n", matches,
           checked.count, seconds, seconds * 1e6 / (double)matches, hash);
    ledger_release(&made);
    ledger_release(&checked);
    return 0;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("taluva-book-bench", run_all(argc, argv));
}
