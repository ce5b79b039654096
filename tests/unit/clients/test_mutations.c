/*
 * Records in which one line was changed in every way: deleted, doubled, swapped with the next one,
 * one character changed at each place, each number one up and one down. What is still proven then
 * says the same as before, but for what a proof does not cover (protocol/record.md, "What a record
 * proves"). Of the same records with a server's signature nothing is proven that was changed.
 */
#include "../../support/run_suites.h"
#include "../../support/signed_record.h"
#include "../../support/source_file.h"
#include <check.h>
#include <cli/command.h>
#include <cli/game.h>
#include <cli/verify.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <protocol/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"plain",     "teams",         "ranking",    "box",
                                    "resigned",  "time",          "called-off", "totem",
                                    "totem-two", "totem-resigned"};
enum { NAMES = sizeof names / sizeof names[0], SPACE = 1 << 14 };

struct work {
    char *text; /* as it was played */
    size_t len;
    struct record record;
    char *bare; /* signed: the text without the signature; else NULL */
    size_t bare_len;
    struct trust trust; /* in whose signature */
    FILE *nowhere;
    unsigned places;      /* whose character can be changed */
    unsigned tried;       /* mutations */
    unsigned proven;      /* of them still are */
    unsigned other_turns; /* of these, with a turn that is legal too */
    unsigned cut;         /* of these, with a turn less before an end that rules cannot prove */
};

/* How many other characters are tried at a place, and at which share of the places. */
static unsigned others_max, every;

/* ---- what a proof says, held against the match that was played */

static bool same_text(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool is_skipped(const char *name, const char *const but[])
{
    for (size_t i = 0; but[i]; i++) {
        if (strcmp(name, but[i]) == 0)
            return true;
    }
    return false;
}

/* The same pairs in any order, but for those named in `but`. */
static bool same_pairs(const struct record_pair *one, size_t count, const struct record_pair *other,
                       size_t other_count, const char *const but[])
{
    bool same = count == other_count;
    for (size_t i = 0; i < count && same; i++)
        same = is_skipped(one[i].name, but) ||
               same_text(record_find(other, other_count, one[i].name), one[i].value);
    return same;
}

static bool leaves(const struct record_line *line)
{
    return line->number == 0 &&
           (strcmp(line->text, "resigned") == 0 || strcmp(line->text, "timed_out") == 0);
}

static unsigned seats_left(const struct record *record)
{
    unsigned set = 0;
    for (size_t i = 0; i < record->line_count; i++)
        set |= leaves(&record->lines[i]) ? 1U << record->lines[i].seat : 0;
    return set;
}

static size_t turns_of(const struct record *record, const struct record_line *turns[SPACE])
{
    size_t count = 0;
    for (size_t i = 0; i < record->line_count; i++) {
        if (record->lines[i].number > 0)
            turns[count++] = &record->lines[i];
    }
    return count;
}

/* The seats whose turns they are must be the same. */
static void count_other_turns(struct work *work, const struct record *record, int status)
{
    static const struct record_line *turns[2][SPACE];
    size_t count = turns_of(record, turns[0]), played = turns_of(&work->record, turns[1]);
    unsigned others = 0;
    ck_assert(count == played || (status == EXIT_UNPROVEN && count + 1 == played));
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(turns[0][i]->seat, turns[1][i]->seat);
        others += strcmp(turns[0][i]->text, turns[1][i]->text) != 0;
    }
    ck_assert_uint_le(others, 1);
    work->other_turns += others;
    work->cut += count < played;
}

static bool same_nonces(const struct record *one, const struct record *other)
{
    bool same = one->seat_count == other->seat_count;
    for (size_t i = 0; i < one->seat_count && same; i++)
        same = same_text(one->seats[i].nonce, other->seats[i].nonce);
    return same;
}

/* Of the options those may differ that made no difference. */
static bool same_match(const struct record *one, const struct record *other)
{
    static const char *const labels[] = {"preset", "rounds", NULL}, *const none[] = {NULL};
    return strcmp(one->game, other->game) == 0 && same_text(one->secret, other->secret) &&
           same_text(one->commitment, other->commitment) && same_nonces(one, other) &&
           seats_left(one) == seats_left(other) &&
           same_pairs(one->options, one->option_count, other->options, other->option_count,
                      labels) &&
           same_pairs(one->deal, one->deal_count, other->deal, other->deal_count, none) &&
           same_pairs(one->result, one->result_count, other->result, other->result_count, none);
}

/* ---- signed records */

/* Is the record, without a signature and what stands behind it, the one that was played? */
static bool same_but_signature(const struct work *work, const struct record *record)
{
    struct record bare = *record;
    struct buffer text;
    if (bare.result_count > work->record.result_count)
        bare.result_count = work->record.result_count;
    buffer_init(&text, 0, RECORD_BYTES);
    ck_assert(record_write(&text, &bare));
    bool same =
        text.len == work->bare_len && memcmp(buffer_payload(&text), work->bare, text.len) == 0;
    buffer_release(&text);
    return same;
}

/* Whatever was changed is not the server's word. */
static void try_signed(struct work *work, const char *text, size_t len)
{
    struct record record;
    struct record_problem problem;
    int status = verify_record("test", text, len, &work->trust, work->nowhere);
    ck_assert_msg(status == EXIT_DIFFERS || status == EXIT_UNPROVEN, "this is proven:\n%s", text);
    if (status == EXIT_DIFFERS)
        return;
    ck_assert(record_parse(&record, text, len, &problem));
    ck_assert_msg(same_but_signature(work, &record), "this is not refused:\n%s", text);
    record_release(&record);
    work->proven++; /* by secret and rules, as before it was signed */
}

/* ---- mutations */

static void try_text(struct work *work, const char *text, size_t len)
{
    struct record record;
    struct record_problem problem;
    work->tried++;
    if (len == work->len && memcmp(text, work->text, len) == 0)
        return;
    if (work->bare) {
        try_signed(work, text, len);
        return;
    }
    int status = verify_record("test", text, len, NULL, work->nowhere);
    if (status == EXIT_DIFFERS)
        return;
    ck_assert(record_parse(&record, text, len, &problem));
    ck_assert_msg(same_match(&work->record, &record), "this is proven:\n%s", text);
    work->proven++;
    count_other_turns(work, &record, status);
    record_release(&record);
}

/* The record with `line`, of `len` bytes, in place of what stands there from `at` to `after`. */
static void try_line(struct work *work, const char *at, const char *after, const char *line,
                     size_t len)
{
    static char text[2 * SPACE];
    size_t before = (size_t)(at - work->text), rest = strlen(after);
    ck_assert_uint_lt(before + len + rest, sizeof text);
    memcpy(text, work->text, before);
    memcpy(text + before, line, len);
    memcpy(text + before + len, after, rest + 1);
    try_text(work, text, before + len + rest);
}

/* Its neighbours, and some of each kind. */
static void try_characters(struct work *work, const char *at, size_t len)
{
    char line[2048];
    ck_assert_uint_lt(len, sizeof line);
    for (size_t i = 0; i < len; i++) {
        if (work->places++ % every != 0)
            continue;
        const char others[] = {
            (char)(at[i] ^ 1), (char)(at[i] + 1), (char)(at[i] ^ 0x20), '0', '"', 'z'};
        for (size_t j = 0; j < sizeof others && j < others_max; j++) {
            memcpy(line, at, len);
            line[i] = others[j];
            try_line(work, at, at + len, line, len);
        }
        memmove(line + i, at + i + 1, len - i - 1);
        try_line(work, at, at + len, line, len - 1); /* left out */
    }
}

static void try_numbers(struct work *work, const char *at, size_t len)
{
    char line[2048];
    for (size_t i = 0; i < len;) {
        size_t digits = strspn(at + i, "0123456789");
        if (digits == 0 || digits > 9) {
            i += digits > 0 ? digits : 1;
            continue;
        }
        long number = strtol(at + i, NULL, 10);
        for (int step = -1; step <= 1; step += 2) {
            int size = snprintf(line, sizeof line, "%.*s%ld%.*s", (int)i, at, number + step,
                                (int)(len - i - digits), at + i + digits);
            try_line(work, at, at + len, line, (size_t)size);
        }
        i += digits;
    }
}

static void try_all(struct work *work)
{
    static char lines[2 * SPACE];
    for (const char *at = work->text; *at;) {
        size_t len = strcspn(at, "\n") + 1, next = strcspn(at + len, "\n") + 1;
        try_line(work, at, at + len, "", 0);
        memcpy(lines, at, len);
        memcpy(lines + len, at, len);
        try_line(work, at, at + len, lines, 2 * len);
        if (at[len]) {
            memcpy(lines, at + len, next);
            memcpy(lines + next, at, len);
            try_line(work, at, at + len + next, lines, len + next);
        }
        try_characters(work, at, len);
        try_numbers(work, at, len);
        at += len;
    }
}

static void read_record(struct work *work, const char *name)
{
    static const struct game *const games[] = {&game_taluva, &game_totem, NULL};
    char path[128];
    struct record_problem problem;
    (void)snprintf(path, sizeof path, "tests/unit/clients/records/%s.taluva", name);
    games_set(games);
    *work = (struct work){.nowhere = fopen("/dev/null", "w")};
    ck_assert_ptr_nonnull(work->nowhere);
    work->text = read_source_file(path, &work->len);
    ck_assert_uint_lt(work->len, SPACE);
    ck_assert(record_parse(&work->record, work->text, work->len, &problem));
}

static void release(struct work *work)
{
    record_release(&work->record);
    (void)fclose(work->nowhere);
    free(work->text);
    free(work->bare);
}

START_TEST(nothing_else_is_proven)
{
    struct work work;
    read_record(&work, names[_i]);
    ck_assert_int_ne(verify_record("test", work.text, work.len, NULL, work.nowhere), EXIT_DIFFERS);
    try_all(&work);
    (void)printf("%s: %u changed, %u still proven, %u with another legal turn, %u cut\n", names[_i],
                 work.tried, work.proven, work.other_turns, work.cut);
    ck_assert_uint_gt(work.tried, 2000 / every);
    ck_assert_uint_gt(work.proven, 100 / every); /* names and times */
    release(&work);
}
END_TEST

START_TEST(nothing_else_is_signed)
{
    struct work work;
    struct record_signer signer;
    read_record(&work, names[_i]);
    test_signer(&signer, 1);
    work.trust = (struct trust){.keys = signer.keys, .source = "the test"};
    work.bare = work.text;
    work.bare_len = work.len;
    work.text = sign_record(&work.record, &signer, &work.len);
    ck_assert_int_eq(verify_record("test", work.text, work.len, &work.trust, work.nowhere),
                     EXIT_OK);
    try_all(&work);
    (void)printf("%s, signed: %u changed, %u refused, %u without a signature that is ours\n",
                 names[_i], work.tried, work.tried - work.proven, work.proven);
    ck_assert_uint_gt(work.tried, 2000 / every);
    ck_assert_uint_gt(work.proven, 10 / every); /* another name of the line, another key */
    release(&work);
}
END_TEST

/* usage: test-mutations OTHERS EVERY */
int main(int argc, char **argv)
{
    if (argc != 3 || strtoul(argv[2], NULL, 10) == 0)
        return EXIT_FAILURE;
    others_max = (unsigned)strtoul(argv[1], NULL, 10);
    every = (unsigned)strtoul(argv[2], NULL, 10);
    Suite *suite = suite_create("mutations");
    TCase *tcase = tcase_create("mutations");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, nothing_else_is_proven, 0, NAMES);
    tcase_add_loop_test(tcase, nothing_else_is_signed, 0, NAMES);
    suite_add_tcase(suite, tcase);
    return run_suites(srunner_create(suite));
}
