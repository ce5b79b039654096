/*
 * What a proof says of records that were changed by hand: of matches of both games that were played
 * in a room (tests/unit/room/record_games.c makes the files).
 */
#include "../../support/signed_record.h"
#include "suites.h"
#include <cli/command.h>
#include <cli/file.h>
#include <cli/game.h>
#include <cli/verify.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPACE = 1 << 16 };

/* What is done to a record, in this order. */
struct change {
    const char *from, *to; /* the first such text becomes another one */
    const char *without;   /* lines that begin so are taken out */
    unsigned last_lines;   /* so many are dropped */
    const char *appended;  /* at the end */
};

static const struct {
    const char *record;
    struct change change;
    int status;
    const char *says;
} CASES[] = {
    {"plain", {0}, EXIT_OK, ": proven\n"},
    {"teams", {0}, EXIT_OK, ", and the result follows from them\n"},
    {"ranking", {0}, EXIT_OK, "by the rules: all 36 turns are legal"},
    {"box", {0}, EXIT_OK, ": proven\n"},
    {"totem", {0}, EXIT_OK, "by the rules: all 61 turns are legal"},
    {"totem-two", {0}, EXIT_OK, ": proven\n"},

    /* what rules cannot prove is said to be so */
    {"resigned", {0}, EXIT_UNPROVEN, "  seat 2 resigned after turn 3\n"},
    {"totem-resigned", {0}, EXIT_UNPROVEN, "  seat 2 resigned after turn 20\n"},
    {"time", {0}, EXIT_UNPROVEN, "  seat 0 ran out of time after turn 6\n"},
    {"called-off", {0}, EXIT_UNPROVEN, "  after the last turn the match was called off\n"},
    {"called-off",
     {"\"called-off\"", "\"abandoned\"", "- called_off", 0, NULL},
     EXIT_UNPROVEN,
     "  after the last turn the match was abandoned\n"},
    {"called-off",
     {"\"called-off\"", "\"closed\"", "- called_off", 0, NULL},
     EXIT_UNPROVEN,
     "  after the last turn the match was closed by the operator of its server\n"},
    {"plain", {0}, EXIT_OK, "who sat there, under which names"},
    {"time", {0}, EXIT_UNPROVEN, "the clock and all times"},
    /* without a clock: who was away, and somebody claimed the end */
    {"time",
     {"[Clock \"move move_s=60 on_timeout=eliminate\"]", "[Clock \"none\"]", NULL, 0, NULL},
     EXIT_UNPROVEN,
     "the clock and all times"},

    /* the result */
    {"teams",
     {"[Result.totals_0 \"2 ", "[Result.totals_0 \"3 ", NULL, 0, NULL},
     EXIT_DIFFERS,
     "result totals_0: 2 0 0 15, but the record says 3 0 0 15\n"},
    {"teams",
     {"[Result.totals_1", "[Result.totals_2", NULL, 0, NULL},
     EXIT_DIFFERS,
     "result totals_1: 2 0 0 12, but the record says nothing\n"},
    {"teams",
     {"[Result.totals_1", "[Result.ranks", NULL, 0, NULL},
     EXIT_DIFFERS,
     "result ranks: there is none in such a match\n"},
    {"plain",
     {"[Result.ranks", "[Result.totals_0", NULL, 0, NULL},
     EXIT_DIFFERS,
     "result totals_0: there is none in such a match\n"},
    {"plain",
     {NULL, NULL, "[Result.", 0, NULL},
     EXIT_DIFFERS,
     "the secret is revealed, but there is no result\n"},
    {"totem",
     {NULL, NULL, "[Result.", 0, NULL},
     EXIT_DIFFERS,
     "the secret is revealed, but there is no result\n"},
    {"plain",
     {NULL, NULL, "[Result.", 4, NULL},
     EXIT_DIFFERS,
     "the secret is revealed, but there is no result\n"},
    {"totem",
     {NULL, NULL, "[Result.", 4, NULL},
     EXIT_DIFFERS,
     "the secret is revealed, but there is no result\n"},
    {"plain",
     {NULL, NULL, "[Result.", 25, NULL},
     EXIT_DIFFERS,
     "the secret is revealed, but there is no result\n"},
    {"totem",
     {NULL, NULL, "[Result.", 61, NULL},
     EXIT_DIFFERS,
     "the secret is revealed, but there is no result\n"},
    {"plain",
     {NULL, NULL, NULL, 4, NULL},
     EXIT_DIFFERS,
     "result why: exhausted, but by the rules the game goes on\n"},
    {"totem",
     {NULL, NULL, NULL, 4, NULL},
     EXIT_DIFFERS,
     "result why: rounds, but by the rules the game goes on\n"},

    /* a loser calls it off */
    {"plain",
     {"\"exhausted\"", "\"called-off\"", NULL, 0, "- called_off\n"},
     EXIT_DIFFERS,
     "result why: exhausted, but the record says called-off\n"},
    {"plain",
     {"\"exhausted\"", "\"called-off\"", NULL, 4, "- called_off\n"},
     EXIT_DIFFERS,
     "result winners: there is none in such a match\n"},
    {"totem",
     {"\"rounds\"", "\"called-off\"", "[Result.winners", 4, "- called_off\n"},
     EXIT_DIFFERS,
     "result ranks: there is none in such a match\n"},
    {"plain",
     {"\"exhausted\"", "\"called-off\"", "[Result.winners", 4, NULL},
     EXIT_DIFFERS,
     "nobody called it off\n"},
    {"plain",
     {NULL, NULL, NULL, 0, "- called_off\n"},
     EXIT_DIFFERS,
     "the match was called off, but the result does not say so\n"},
    {"called-off",
     {NULL, NULL, NULL, 0, "- 0 resigned\n"},
     EXIT_DIFFERS,
     "the match had been called off\n"},
    {"called-off",
     {"- called_off", "- 1 called_off", NULL, 0, NULL},
     EXIT_DIFFERS,
     "called_off is about no seat\n"},

    /* a nonce, by its name */
    {"plain",
     {"9f86d081", "9f86d082", NULL, 0, NULL},
     EXIT_DIFFERS,
     "a nonce is not what the seat gave"},
    {"totem",
     {"abc0\"", "abc9\"", NULL, 0, NULL},
     EXIT_DIFFERS,
     "a nonce is not what the seat gave"},
    {"totem-two",
     {"abc0\"", "abc9\"", NULL, 0, NULL},
     EXIT_DIFFERS,
     "a nonce is not what the seat gave"},
    {"plain",
     {NULL, NULL, "[Seat.1.nonce", 0, NULL},
     EXIT_DIFFERS,
     "seat 1 has no line for its nonce\n"},
    {"plain",
     {"[Seat.1.nonce \"\"]", "[Seat.1.nonce \"00\"]", NULL, 0, NULL},
     EXIT_DIFFERS,
     "seat 1 is a computer's, which gives no nonce\n"},
    {"plain",
     {" CJ CJ ", " CJ JC ", NULL, 0, NULL},
     EXIT_DIFFERS,
     "this is not the stack that was dealt: tile 7 is JC and was CJ\n"},

    /* seats, options, turns */
    {"resigned", {NULL, NULL, "[Seat.2.", 0, NULL}, EXIT_DIFFERS, "2 seats for 3 players\n"},
    {"plain",
     {"\"white\"", "\"red\"", NULL, 0, NULL},
     EXIT_DIFFERS,
     "seats 0 and 1 have the same colour\n"},
    {"plain",
     {NULL, NULL, "[End ", 0, NULL},
     EXIT_DIFFERS,
     "the secret is revealed, but Start or End is missing\n"},
    {"plain", {NULL, NULL, "[Option.boats", 0, NULL}, EXIT_DIFFERS, "Option.boats is missing\n"},
    {"totem",
     {NULL, NULL, "[Option.village", 0, NULL},
     EXIT_DIFFERS,
     "Option.village is missing\n"},
    {"plain",
     {"[Option.boats \"no\"]", "[Option.boats \"n\"]", NULL, 0, NULL},
     EXIT_DIFFERS,
     "Option.boats is neither yes nor no\n"},
    {"plain",
     {"[Option.zone ", "[Option.more \"no\"]\n[Option.zone ", NULL, 0, NULL},
     EXIT_DIFFERS,
     "there is an option that this program does not know\n"},
    {"plain",
     {"\"ferti-2014\"", "\"original-2006\"", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the preset original-2006 does not allow these options\n"},
    {"ranking",
     {"[Option.first \"1\"]", "[Option.first \"2\"]", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the options or the deal cannot be read\n"},
    {"plain",
     {"[Option.zone \"none\"]", "[Option.zone \"huge\"]", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the options or the deal cannot be read\n"},
    {"plain",
     {"[Option.huts \"isolated\"]", "[Option.huts \"beside\"]", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the options or the deal cannot be read\n"},
    {"plain",
     {"[Deal.first \"1\"]", "[Deal.first \"256\"]", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the options or the deal cannot be read\n"},
    {"totem-two",
     {"[Option.first \"G\"]", "[Option.first \"B\"]", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the options or the deal cannot be read\n"},
    {"plain",
     {"[Result.why", "[Deal.two_hex \"2JJ\"]\n[Result.why", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the options or the deal cannot be read\n"},
    {"time",
     {"on_timeout=eliminate", "on_timeout=computer", NULL, 0, NULL},
     EXIT_DIFFERS,
     "timed_out, but no clock could do that\n"},
    {"plain",
     {"1. 1 RS@0,0:0 hut", "1. 1 draw RS@0,0:0 hut", NULL, 0, NULL},
     EXIT_DIFFERS,
     "a draw is not written in this turn\n"},
};

static void cut_lines(char *text, const char *begin)
{
    char *to = text;
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n") + 1;
        bool cut = strncmp(line, begin, strlen(begin)) == 0;
        memmove(to, line, len);
        to += cut ? 0 : len;
        line += len;
    }
    *to = '\0';
}

static void drop_lines(char *text, unsigned count)
{
    while (count-- > 0) {
        text[strlen(text) - 1] = '\0';
        char *feed = strrchr(text, '\n');
        ck_assert_ptr_nonnull(feed);
        feed[1] = '\0';
    }
}

/* To be freed; `name` says which record it is. */
static char *changed_text(const char *text, const char *name, const struct change *change)
{
    char *out = calloc(1, SPACE);
    ck_assert_ptr_nonnull(out);
    const char *at = change->from ? strstr(text, change->from) : text;
    ck_assert_msg(at, "%s is not in %s", change->from, name);
    size_t from = change->from ? strlen(change->from) : 0;
    ck_assert_int_lt(snprintf(out, SPACE, "%.*s%s%s", (int)(at - text), text,
                              change->from ? change->to : "", at + from),
                     SPACE);
    if (change->without)
        cut_lines(out, change->without);
    drop_lines(out, change->last_lines);
    if (change->appended)
        strcat(out, change->appended);
    return out;
}

static char *changed(const char *name, const struct change *change)
{
    char path[128];
    size_t len;
    (void)snprintf(path, sizeof path, "tests/unit/clients/records/%s.taluva", name);
    char *text = read_source_file(path, &len), *out = changed_text(text, name, change);
    free(text);
    return out;
}

static char *verify(const char *text, size_t len, const struct trust *trust, int *status)
{
    static const struct game *const games[] = {&game_taluva, &game_totem, NULL};
    char *shown;
    size_t shown_len;
    FILE *out = open_memstream(&shown, &shown_len);
    ck_assert_ptr_nonnull(out);
    games_set(games);
    *status = verify_record("test", text, len, trust, out);
    ck_assert_int_eq(fclose(out), 0);
    return shown;
}

START_TEST(says)
{
    int status;
    char *text = changed(CASES[_i].record, &CASES[_i].change);
    char *shown = verify(text, strlen(text), NULL, &status);
    ck_assert_msg(status == CASES[_i].status, "%d: %s", status, shown);
    ck_assert_msg(strstr(shown, CASES[_i].says), "\"%s\" is not in: %s", CASES[_i].says, shown);
    ck_assert_int_eq(status == EXIT_DIFFERS, strstr(shown, "test: not proven\n") != NULL);
    free(shown);
    free(text);
}
END_TEST

/* ---- signed by a server */

/* Whose keys the reader has. */
enum keys { NO_KEYS, ITS_KEYS, OTHER_KEYS, ENDED_KEYS, NOBODYS_KEYS };

static const struct {
    const char *record;
    enum keys keys;
    struct change change;
    int status;
    const char *says, *says_too;
} SIGNED[] = {
    {"plain", NO_KEYS, {0}, EXIT_OK, "was not checked: pass --key or --server.\n", ": proven\n"},
    {"plain", ITS_KEYS, {0}, EXIT_OK, ": proven\n", "by the signature, the word of there with its"},
    {"plain",
     ITS_KEYS,
     {0},
     EXIT_OK,
     "and the result follows from them\n",
     "the clock and all times"},
    {"totem", ITS_KEYS, {0}, EXIT_OK, ": proven\n", "by the signature"},
    {"resigned",
     NO_KEYS,
     {0},
     EXIT_UNPROVEN,
     "its end rests:\n  seat 2 resigned",
     "but for its end\n"},
    {"resigned",
     ITS_KEYS,
     {0},
     EXIT_OK,
     ":\n  seat 2 resigned after turn 3\n  that it",
     ": proven\n"},
    {"time", ITS_KEYS, {0}, EXIT_OK, "  seat 0 ran out of time after turn 6\n", ": proven\n"},
    {"called-off", ITS_KEYS, {0}, EXIT_OK, "the match was called off\n", ": proven\n"},
    {"totem-resigned", ITS_KEYS, {0}, EXIT_OK, "seat 2 resigned after turn 20\n", ": proven\n"},

    /* by somebody else, or by nobody */
    {"plain",
     OTHER_KEYS,
     {0},
     EXIT_UNPROVEN,
     ": proven, but for a signature by a key of there\n",
     "which is none of there: its signature was not checked.\n"},
    {"called-off",
     OTHER_KEYS,
     {0},
     EXIT_UNPROVEN,
     "but for a signature",
     "the match was called off"},
    {"plain", NOBODYS_KEYS, {0}, EXIT_UNPROVEN, "but for a signature", "which is none of there"},
    {"plain",
     ITS_KEYS,
     {NULL, NULL, "[Result.signature", 0, NULL},
     EXIT_UNPROVEN,
     "but for a signature",
     "The record is not signed.\n"},

    /* what secret and rules do not see */
    {"plain",
     ITS_KEYS,
     {"\"Ana\"", "\"Eva\"", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the signature is false",
     ""},
    {"plain", NO_KEYS, {"\"Ana\"", "\"Eva\"", NULL, 0, NULL}, EXIT_OK, "was not checked", ""},
    {"plain",
     ITS_KEYS,
     {"[End \"2", "[End \"3", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the signature is false",
     ""},
    {"plain",
     ITS_KEYS,
     {NULL, NULL, "- 0 hinted", 0, NULL},
     EXIT_DIFFERS,
     "the signature is false",
     ""},
    {"called-off",
     ITS_KEYS,
     {"\"called-off\"", "\"abandoned\"", "- called_off", 0, NULL},
     EXIT_DIFFERS,
     "the signature is false",
     ""},
    {"plain",
     NO_KEYS,
     {"[Result.signature \"", "[Result.signature \"x", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the signature is false",
     ""},
    {"plain", ENDED_KEYS, {0}, EXIT_DIFFERS, "which was no longer used when the match ended\n", ""},

    /* what others may add */
    {"plain",
     ITS_KEYS,
     {NULL, NULL, NULL, 0, "- 0 blunder\n"},
     EXIT_OK,
     "not signed: what others have added",
     ": proven\n"},
    {"plain",
     ITS_KEYS,
     {"\"]\n\n", "\"]\n[Result.analysis \"400\"]\n\n", NULL, 0, NULL},
     EXIT_OK,
     "not signed: what others have added",
     ": proven\n"},
    {"plain",
     ITS_KEYS,
     {"[Result.why", "[Result.analysis \"400\"]\n[Result.why", NULL, 0, NULL},
     EXIT_DIFFERS,
     "the signature is false",
     ""},
};

static void fill_trust(struct trust *trust, const struct record_signer *signer, enum keys keys)
{
    struct record_signer other;
    test_signer(&other, 2);
    *trust = (struct trust){.keys = signer->keys, .source = "there"};
    if (keys == OTHER_KEYS)
        trust->keys = other.keys;
    if (keys == ENDED_KEYS)
        trust->keys.list[0].until_s = 1;
    if (keys == NOBODYS_KEYS)
        trust->keys.count = 0;
}

static char *signed_text(const char *name, const struct record_signer *signer)
{
    char path[128];
    size_t len;
    struct record record;
    struct record_problem problem;
    (void)snprintf(path, sizeof path, "tests/unit/clients/records/%s.taluva", name);
    char *text = read_source_file(path, &len);
    ck_assert(record_parse(&record, text, len, &problem));
    char *with = sign_record(&record, signer, &len);
    record_release(&record);
    free(text);
    return with;
}

START_TEST(says_of_signatures)
{
    struct record_signer signer;
    struct trust trust;
    int status;
    test_signer(&signer, 1);
    fill_trust(&trust, &signer, SIGNED[_i].keys);
    char *whole = signed_text(SIGNED[_i].record, &signer);
    char *text = changed_text(whole, SIGNED[_i].record, &SIGNED[_i].change);
    char *shown = verify(text, strlen(text), SIGNED[_i].keys == NO_KEYS ? NULL : &trust, &status);
    ck_assert_msg(status == SIGNED[_i].status, "%d: %s", status, shown);
    ck_assert_msg(strstr(shown, SIGNED[_i].says), "\"%s\" is not in: %s", SIGNED[_i].says, shown);
    ck_assert_msg(strstr(shown, SIGNED[_i].says_too), "\"%s\" is not in: %s", SIGNED[_i].says_too,
                  shown);
    ck_assert_int_eq(strstr(shown, "by the signature") != NULL,
                     status == EXIT_OK && SIGNED[_i].keys != NO_KEYS);
    free(shown);
    free(text);
    free(whole);
}
END_TEST

/* Who listens on the way could have changed keys that came in clear. */
START_TEST(keys_that_came_in_clear)
{
    struct record_signer signer;
    struct trust trust;
    int status;
    test_signer(&signer, 1);
    fill_trust(&trust, &signer, ITS_KEYS);
    char *text = signed_text("plain", &signer);
    for (int in_clear = 0; in_clear < 2; in_clear++) {
        trust.in_clear = in_clear;
        char *shown = verify(text, strlen(text), &trust, &status);
        ck_assert_int_eq(strstr(shown, "not encrypted") != NULL, in_clear);
        free(shown);
    }
    free(text);
}
END_TEST

/* As an editor or a mail program leaves it; but not if only some lines end so. */
static const struct {
    const char *text, *becomes; /* NULL: it stays */
} LINES[] = {
    {"[A]\r\n\r\n1. 0\r\n", "[A]\n\n1. 0\n"},
    {"[A]\r\n", "[A]\n"},
    {"[A]\n\n1. 0\n", NULL},
    {"[A]\r\n\n1. 0\r\n", NULL},
    {"[A\r]\r\n", NULL},
    {"[A]\r\n[B]\r", NULL},
    {"[A]", NULL},
    {"", NULL},
};

START_TEST(lines_of_windows)
{
    const char *becomes = LINES[_i].becomes ? LINES[_i].becomes : LINES[_i].text;
    struct file file = {.bytes = strdup(LINES[_i].text), .len = strlen(LINES[_i].text)};
    file_unix_lines(&file);
    ck_assert_str_eq(file.bytes, becomes);
    ck_assert_uint_eq(file.len, strlen(becomes));
    file_release(&file);
}
END_TEST

/* That is the fault of no line. */
START_TEST(a_record_that_is_too_long)
{
    size_t len = RECORD_BYTES + 1, shown_len;
    char *bytes = malloc(len + 1), *shown;
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 'x', len);
    bytes[len] = '\0';
    FILE *out = open_memstream(&shown, &shown_len);
    ck_assert_int_eq(verify_record("test", bytes, len, NULL, out), EXIT_DIFFERS);
    fclose(out);
    ck_assert_str_eq(shown, "test: the record is too long\ntest: not proven\n");
    free(shown);
    free(bytes);
}
END_TEST

Suite *verify_suite(void)
{
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("verify");
    tcase_add_loop_test(tcase, says, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_loop_test(tcase, says_of_signatures, 0, sizeof SIGNED / sizeof SIGNED[0]);
    tcase_add_test(tcase, keys_that_came_in_clear);
    tcase_add_loop_test(tcase, lines_of_windows, 0, sizeof LINES / sizeof LINES[0]);
    tcase_add_test(tcase, a_record_that_is_too_long);
    suite_add_tcase(suite, tcase);
    return suite;
}
