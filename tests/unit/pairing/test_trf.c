/* Tournament report files: what is read of them, and each way in which one is refused. */
#include "../../support/failing_alloc.h"
#include "event_walk.h"
#include "suites.h"
#include <pairing/trf.h>
#include <stdio.h>
#include <string.h>

#define HEAD "012 Friday\n142 5\n152 B\n192 FIDE_DUTCH_2026\n"
/* Up to the points: number, name of 33 columns, rating, points, rank. */
#define ENTRANT(number, name, points, rounds)                                                      \
    "001 " number "      " name "                      1500                            " points    \
    "    1" rounds "\n"
#define ANA ENTRANT("   1", "Ana         ", " 1.0", "     2 b 1")
#define BO  ENTRANT("   2", "Bo          ", " 0.0", "     1 w 0")
#define CY  ENTRANT("   3", "Cy          ", " 1.0", "  0000 - U")

static struct pairing_event event;
static struct trf_place place;

static enum trf_error read_text(const char *text)
{
    ck_assert(pairing_event_init(&event));
    return trf_read(&event, text, strlen(text), &place);
}

START_TEST(says_what_it_says)
{
    ck_assert_int_eq(read_text(HEAD ANA BO CY "240 H 002    3\n260 002 003    1    3\n"), TRF_OK);
    ck_assert_str_eq(event.title, "Friday");
    ck_assert_uint_eq(event.entrants, 3);
    ck_assert_uint_eq(event.rounds, 1);
    ck_assert_uint_eq(event.planned, 5);
    ck_assert_int_eq(event.first, 'b');
    ck_assert_str_eq(event.entrant[0].name, "Ana");
    ck_assert_uint_eq(event.entrant[0].rating, 1500);
    ck_assert_uint_eq(event.entrant[0].meeting[0].opponent, 2);
    ck_assert_int_eq(event.entrant[0].meeting[0].colour, 'b');
    ck_assert_int_eq(event.entrant[2].meeting[0].result, 'U');
    ck_assert(!event.entrant[0].away && event.entrant[2].away);
    ck_assert_uint_eq(event.bans, 1);
    ck_assert_uint_eq(event.ban[0].from, 2);
    ck_assert_uint_eq(event.ban[0].to, 3);
    pairing_event_release(&event);
}
END_TEST

static const char *const tolerated[] = {
    /* ends of lines */
    "142 5\r\n\r\n152 B\r\n\r\n",
    "142 5\r152 B\r\r",
    /* a mark of UTF-8, other lines, words for the same */
    ("\xef\xbb\xbf"
     "012 x\n022 Wien\n092 whatever\nXXR 5\nXXC black1\n"),
    "### a remark\n142     5  \n152  B\n###\n",
};

START_TEST(is_read_as_others_write_it)
{
    char text[2048];
    (void)snprintf(text, sizeof text, "%s%s", tolerated[_i], ANA BO CY);
    ck_assert_int_eq(read_text(text), TRF_OK);
    ck_assert_uint_eq(event.planned, 5);
    ck_assert_int_eq(event.first, 'b');
    ck_assert_uint_eq(event.rounds, 1);
    pairing_event_release(&event);
}
END_TEST

START_TEST(a_name_takes_characters_not_bytes)
{
    ck_assert_int_eq(
        read_text(ENTRANT("   1", "\xc3\x85sa \xe6\x9d\x8e       ", " 1.0", "  0000 - U")), TRF_OK);
    ck_assert_str_eq(event.entrant[0].name, "\xc3\x85sa \xe6\x9d\x8e");
    pairing_event_release(&event);
    ck_assert_int_eq(read_text(ENTRANT("   1", "\xc5sa         ", " 1.0", "  0000 - U")), TRF_OK);
    ck_assert_str_eq(event.entrant[0].name, "sa");
    pairing_event_release(&event);
    ck_assert_int_eq(read_text(ENTRANT("   1", "\xc5 \x01 sa\x01     ", " 1.0", "  0000 - U")),
                     TRF_OK);
    ck_assert_str_eq(event.entrant[0].name, "sa");
    pairing_event_release(&event);
}
END_TEST

/* A bye in a round that has no board yet, with its points or without. */
START_TEST(a_bye_ahead_is_no_round)
{
    ck_assert_int_eq(
        read_text(ANA BO ENTRANT("   3", "Cy          ", " 1.5", "  0000 - U  0000 - H")), TRF_OK);
    ck_assert_uint_eq(event.rounds, 1);
    ck_assert(event.entrant[2].away);
    pairing_event_release(&event);
}
END_TEST

static const struct {
    const char *text;
    enum trf_error error;
    unsigned line, entrant, round;
} refused[] = {
    {"", TRF_NOBODY, 0, 0, 0},
    {"012 nobody\n", TRF_NOBODY, 0, 0, 0},
    {"001    1\n", TRF_SHORT_LINE, 1, 0, 0},
    {ENTRANT("   0", "Ana         ", " 1.0", ""), TRF_BAD_NUMBER, 1, 0, 0},
    {ENTRANT("9999", "Ana         ", " 1.0", ""), TRF_BAD_NUMBER, 1, 0, 0},
    {ENTRANT("  1x", "Ana         ", " 1.0", ""), TRF_BAD_NUMBER, 1, 0, 0},
    {ANA BO ANA, TRF_REPEATED, 3, 1, 0},
    {ANA CY, TRF_GAP, 0, 2, 0},
    {ANA BO CY "240 Z 002    4\n", TRF_GAP, 0, 4, 0},
    {ANA BO CY "260 001 002    1    9\n", TRF_GAP, 0, 0, 0},
    {ENTRANT("   1", "Ana         ", " 1.0", "     7 b 1"), TRF_GAP, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "     1 b 1"), TRF_BAD_OPPONENT, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "  0000 - 1"), TRF_BAD_OPPONENT, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "  00x0 - 1"), TRF_BAD_NUMBER, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "     2 r 1"), TRF_BAD_COLOUR, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "     2 - 1"), TRF_BAD_COLOUR, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "  0000 w U"), TRF_BAD_COLOUR, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "     2 b ?"), TRF_BAD_RESULT, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "     2 b  "), TRF_BAD_RESULT, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.0", "     2 b U"), TRF_BAD_RESULT, 1, 1, 1},
    {ENTRANT("   1", "Ana         ", " 1.x", "     2 b 1"), TRF_BAD_POINTS, 1, 1, 0},
    {ENTRANT("   1", "Ana         ", " 2.0", "     2 b 1") BO, TRF_BAD_POINTS, 1, 1, 0},
    {ANA ENTRANT("   2", "Bo          ", " 0.0", "     3 w 0") CY, TRF_CONTRADICTION, 1, 1, 1},
    {ANA ENTRANT("   2", "Bo          ", " 0.0", "     1 b 0"), TRF_CONTRADICTION, 1, 1, 1},
    {ANA ENTRANT("   2", "Bo          ", " 0.0", "     1 w -"), TRF_CONTRADICTION, 1, 1, 1},
    {"142 0\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"142 five\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"142 65\n" ANA BO, TRF_TOO_MANY_ROUNDS, 0, 0, 0},
    {"152 R\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"162  X 1.0\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"162  W 1.x\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"240 Q 002    1\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"240 H 002    x\n" ANA BO, TRF_BAD_NUMBER, 1, 0, 0},
    {"260 003 002    1    2\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"192 FIDE_DUBOV\n" ANA BO, TRF_NOT_SUPPORTED, 1, 0, 0},
    {"192 FIDE_DUTCH_BAKU\n162  W 3.0    D 1.0\n" ANA BO, TRF_BAD_VALUE, 0, 0, 0},
    {"250 anything\n" ANA BO, TRF_NOT_SUPPORTED, 1, 0, 0},
    {"250  1.0  1.0 001 002    1    2\n" ANA BO, TRF_NOT_SUPPORTED, 1, 0, 0},
    {"250       1.x 001 002    1    2\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"250       1.0 002 001    1    2\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"250       1.0 001 065    1    2\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"250       1.0 001 002    2    1\n" ANA BO, TRF_BAD_NUMBER, 1, 0, 0},
    {"250       1.0 001 002    1    3\n" ANA BO, TRF_GAP, 0, 3, 0},
    {"XXA    x  1.0\n" ANA BO, TRF_BAD_NUMBER, 1, 0, 0},
    {"XXA    1  1.x\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"BBW one\n" ANA BO, TRF_BAD_VALUE, 1, 0, 0},
    {"299 anything\n" ANA BO, TRF_NOT_SUPPORTED, 1, 0, 0},
    {"XXZ 1\n" ANA BO, TRF_NOT_SUPPORTED, 1, 0, 0},
    {ANA "\n013 a team\n" BO, TRF_NOT_SUPPORTED, 3, 0, 0},
    {"XXC rank\n" ANA BO, TRF_NOT_SUPPORTED, 1, 0, 0},
    {"142 1\n" ENTRANT("   1", "Ana         ", " 1.0", "     2 b 1  0000 - Z")
         ENTRANT("   2", "Bo          ", " 0.0", "     1 w 0  0000 - Z"),
     TRF_TOO_MANY_ROUNDS, 0, 0, 0},
};

START_TEST(is_refused)
{
    ck_assert_str_eq(trf_error_text(read_text(refused[_i].text)),
                     trf_error_text(refused[_i].error));
    ck_assert_uint_eq(place.line, refused[_i].line);
    ck_assert_uint_eq(place.entrant, refused[_i].entrant);
    ck_assert_uint_eq(place.round, refused[_i].round);
    pairing_event_release(&event);
}
END_TEST

START_TEST(points_can_be_others)
{
    ck_assert_int_eq(read_text("162  W 3.0    D 1.0    P 0.5\n" ENTRANT("   1", "Ana         ",
                                                                        " 3.0", "     2 b 1")
                                   BO ENTRANT("   3", "Cy          ", " 0.5", "  0000 - U")),
                     TRF_OK);
    ck_assert_uint_eq(pairing_score(&event, 1, 2), 30);
    ck_assert_uint_eq(pairing_score(&event, 3, 2), 5);
    pairing_event_release(&event);
}
END_TEST

/* With one letter each, as another program writes them; a forfeit can give what a bye does not. */
START_TEST(points_can_be_those_of_one_result)
{
    ck_assert_int_eq(read_text("BBW  3.0\nBBD  1.0\nBBF  0.5\n" ENTRANT("   1", "Ana         ",
                                                                        " 3.0", "     2 b +")
                                   ENTRANT("   2", "Bo          ", " 0.5", "     1 w -")
                                       ENTRANT("   3", "Cy          ", " 0.0", "  0000 - Z")
                                           ENTRANT("   4", "Di          ", " 3.0", "  0000 - U")),
                     TRF_OK);
    ck_assert_uint_eq(event.points.draw, 10);
    pairing_event_release(&event);
}
END_TEST

/* ---- acceleration */

START_TEST(somebody_has_more_for_a_round_alone)
{
    ck_assert_int_eq(read_text("192 FIDE_DUTCH_BAKU\n250       1.0 001 003    1    2\n"
                               "250       0.5 002 002    2    2\nXXA    3       2.0\n" ANA BO CY),
                     TRF_OK);
    ck_assert(!event.baku);
    ck_assert_uint_eq(pairing_extra(&event, 1, 3), 10);
    ck_assert_uint_eq(pairing_extra(&event, 1, 4), 0);
    ck_assert_uint_eq(pairing_extra(&event, 2, 2), 5);
    ck_assert_uint_eq(pairing_extra(&event, 3, 1), 0);
    ck_assert_uint_eq(pairing_extra(&event, 3, 2), 20);
    ck_assert_uint_eq(pairing_score(&event, 1, 2), 10);
    pairing_event_release(&event);
}
END_TEST

/* Points of the file can have it in them. */
START_TEST(points_can_be_with_acceleration)
{
    ck_assert_int_eq(read_text("XXA    2       0.5\n" ANA ENTRANT("   2", "Bo          ", " 0.5",
                                                                  "     1 w 0") CY),
                     TRF_OK);
    pairing_event_release(&event);
    ck_assert_int_eq(
        read_text("XXA    2  0.5\n" ANA ENTRANT("   2", "Bo          ", " 0.5", "     1 w 0") CY),
        TRF_BAD_POINTS);
    pairing_event_release(&event);
}
END_TEST

/* Of five, to an even number four; of five rounds three, of which two whole. */
START_TEST(the_first_half_is_accelerated)
{
    ck_assert(pairing_event_init(&event));
    event.entrants = event.planned = 5;
    event.baku = true;
    static const unsigned extra[] = {10, 10, 5, 0, 0, 0};
    for (unsigned round = 1; round <= 6; round++) {
        for (unsigned number = 1; number <= 5; number++)
            ck_assert_uint_eq(pairing_extra(&event, number, round),
                              number == 5 ? 0 : extra[round - 1]);
    }
    pairing_event_release(&event);
}
END_TEST

/* ---- written */

static char text[1 << 16], again[1 << 16];
static struct pairing_event copy;

static void check_same_entrant(unsigned number)
{
    const struct pairing_entrant *a = &event.entrant[number - 1], *b = &copy.entrant[number - 1];
    ck_assert_str_eq(a->name, b->name);
    ck_assert_uint_eq(a->rating, b->rating);
    ck_assert_mem_eq(a->extra, b->extra, sizeof a->extra);
    ck_assert_int_eq(a->away, b->away);
    for (unsigned round = 1; round <= event.rounds; round++)
        ck_assert_mem_eq(pairing_meeting_of(&event, number, round),
                         pairing_meeting_of(&copy, number, round), sizeof a->meeting[0]);
}

/* The event, its file, what is read of that, and the file of that. */
static void check_written(void)
{
    const size_t len = trf_write(&event, text, sizeof text);
    ck_assert_uint_le(len, sizeof text);
    ck_assert(pairing_event_init(&copy));
    ck_assert_str_eq(trf_error_text(trf_read(&copy, text, len, &place)), trf_error_text(TRF_OK));
    ck_assert_uint_eq(copy.entrants, event.entrants);
    ck_assert_uint_eq(copy.rounds, event.rounds);
    ck_assert_uint_eq(copy.planned, event.planned);
    ck_assert_int_eq(copy.first, event.first);
    ck_assert_mem_eq(&copy.points, &event.points, sizeof copy.points);
    ck_assert_uint_eq(copy.bans, event.bans);
    ck_assert_mem_eq(copy.ban, event.ban, event.bans * sizeof copy.ban[0]);
    for (unsigned number = 1; number <= event.entrants; number++)
        check_same_entrant(number);
    ck_assert_int_eq(copy.baku, event.baku);
    ck_assert_uint_eq(trf_write(&copy, again, sizeof again), len);
    ck_assert_mem_eq(text, again, len);
    pairing_event_release(&copy);
}

START_TEST(is_written_as_it_was)
{
    ck_assert_int_eq(read_text(HEAD "162  W 3.0    D 1.0    L 0.5    P 0.5\n" ENTRANT(
                         "   1", "\xc3\x85sa         ", " 3.0", "     2 b 1")
                                   ENTRANT("   2", "Bo          ", " 0.5", "     1 w 0")
                                       ENTRANT("   3", "Cy          ", " 0.5", "  0000 - U")
                                           ENTRANT("   4", "Di          ", " 0.0",
                                                   "") "240 H 002    3\n240 F 002    2\n"
                                                       "240 Z 002    1\n240 H 003    4\n"
                                                       "260 002 003    1    3    2\n"),
                     TRF_OK);
    ck_assert_uint_eq(event.bans, 3);
    check_written();
    ck_assert_ptr_nonnull(strstr(text, "240 H 002    3\r\n"));
    ck_assert_ptr_null(strstr(text, "240 H 003"));
    pairing_event_release(&event);
}
END_TEST

START_TEST(events_by_chance_are_written_as_they_were)
{
    static struct pairing_round round;
    struct event_walk walk;
    event_walk_begin(&walk, (uint64_t)_i, 5 + (unsigned)_i, 9);
    for (unsigned i = 0; i < 9; i++) {
        event_walk_choose_away(&walk);
        event = walk.event;
        check_written();
        if (pairing_dutch(&walk.event, i + 1, &round) != PAIRING_DONE)
            break;
        event_walk_play(&walk, &round);
    }
    event_walk_end(&walk);
}
END_TEST

START_TEST(acceleration_is_written_as_it_was)
{
    ck_assert_int_eq(read_text(HEAD "BBF  0.5\nXXA    1  1.0  1.0       0.5\n"
                                    "XXA    2  1.0  1.0       0.5\nXXA    3       1.0\n" ANA BO CY),
                     TRF_OK);
    check_written();
    ck_assert_ptr_nonnull(strstr(text, "250       1.0 001 002    1    2\r\n"));
    ck_assert_ptr_nonnull(strstr(text, "250       0.5 004 004    1    2\r\n"));
    ck_assert_ptr_nonnull(strstr(text, "250       1.0 002 002    3    3\r\n"));
    pairing_event_release(&event);
    ck_assert_int_eq(read_text("192 FIDE_DUTCH_2025_BAKU\n" ANA BO CY), TRF_OK);
    check_written();
    pairing_event_release(&event);
}
END_TEST

START_TEST(no_more_is_written_than_there_is_room_for)
{
    ck_assert_int_eq(read_text(ANA BO CY), TRF_OK);
    const size_t len = trf_write(&event, text, sizeof text);
    for (size_t size = 0; size < len; size += 7) {
        memset(again, '#', sizeof again);
        ck_assert_uint_eq(trf_write(&event, again, size), len);
        ck_assert_mem_eq(again, text, size);
        ck_assert_int_eq(again[size], '#');
    }
    pairing_event_release(&event);
}
END_TEST

START_TEST(needs_memory)
{
    ck_assert(pairing_event_init(&event));
    failing_alloc_arm(1, false);
    failing_alloc_enter();
    const enum trf_error error = trf_read(&event, ANA BO, strlen(ANA BO), &place);
    failing_alloc_leave();
    (void)failing_alloc_disarm(NULL);
    ck_assert_int_eq(error, TRF_OUT_OF_MEMORY);
    pairing_event_release(&event);
}
END_TEST

START_TEST(has_a_greatest_length)
{
    ck_assert(pairing_event_init(&event));
    ck_assert_int_eq(trf_read(&event, "", TRF_BYTES_MAX + 1, &place), TRF_TOO_LONG);
    pairing_event_release(&event);
}
END_TEST

Suite *trf_suite(void)
{
    Suite *suite = suite_create("trf");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, says_what_it_says);
    tcase_add_loop_test(cases, is_read_as_others_write_it, 0,
                        sizeof tolerated / sizeof tolerated[0]);
    tcase_add_test(cases, a_name_takes_characters_not_bytes);
    tcase_add_test(cases, a_bye_ahead_is_no_round);
    tcase_add_loop_test(cases, is_refused, 0, sizeof refused / sizeof refused[0]);
    tcase_add_test(cases, points_can_be_others);
    tcase_add_test(cases, points_can_be_those_of_one_result);
    tcase_add_test(cases, somebody_has_more_for_a_round_alone);
    tcase_add_test(cases, points_can_be_with_acceleration);
    tcase_add_test(cases, the_first_half_is_accelerated);
    tcase_add_test(cases, acceleration_is_written_as_it_was);
    tcase_add_test(cases, is_written_as_it_was);
    tcase_add_loop_test(cases, events_by_chance_are_written_as_they_were, 1, 30);
    tcase_add_test(cases, no_more_is_written_than_there_is_room_for);
    tcase_add_test(cases, needs_memory);
    tcase_add_test(cases, has_a_greatest_length);
    suite_add_tcase(suite, cases);
    return suite;
}
