#include "suites.h"
#include <stdio.h>
#include <string.h>
#include <totem_rules/notation.h>

/* §6.1: what is one command, spelled the one way. */
static const char *const good[] = {
    "settle@R=wwm/WM/me",
    "settle@Y=-/-/-",
    "choose@G=GTH",
    "choose@G=-",
    "choose@B=GBTIAFMPHL",
    "cast@G=T:G1",
    "pass@Y",
    "write@B=I:R2,H:B1",
    "write@B=-",
    "write@B=G:R1,B:R1,T:R1,I:R1,A:R1,F:R1,M:R1,P:R1,H:R1,L:Y3",
    "reveal@G=T",
    "reveal@Y=-",
    "starve@R=b/-/m",
    "take@B=R:-/e/-",
    "settle@R=ggggggggggbbbbbbbbbbwwwwwwwwwwmmmmmmmmmmWWWWWWWWWWM/e/-",
};

static const char *const bad[] = {
    "",
    "settle",
    "settle@",
    "settle@R",
    "settle@R=",
    "settle@X=-/-/-",
    "settle@r=-/-/-",
    "Settle@R=-/-/-",
    "settle@R=wwm/WM",
    "settle@R=wwm/WM/me/e",
    "settle@R=mw/-/-",
    "settle@R=wwm//me",
    "settle@R=-w/-/-",
    "settle@R=x/-/-",
    "settle@R=w/-/- ",
    " settle@R=w/-/-",
    "choose@G=",
    "choose@G=GG",
    "choose@G=TG",
    "choose@G=X",
    "choose@G=G,T",
    "choose@G=-G",
    "cast@G=",
    "cast@G=T",
    "cast@G=T:",
    "cast@G=T:G",
    "cast@G=T:G4",
    "cast@G=T:G0",
    "cast@G=-",
    "cast@G=T:G1,I:G1",
    "pass@",
    "pass@G=",
    "pass@G=-",
    "write@B=",
    "write@B=I:R2,",
    "write@B=H:B1,I:R2",
    "write@B=I:R1,I:R2",
    "reveal@G=t",
    "starve@R=b/-",
    "take@B=-/e/-",
    "take@B=R=-/e/-",
    "take@B=R:-/e",
    "settle@R=ggggggggggbbbbbbbbbbwwwwwwwwwwmmmmmmmmmmWWWWWWWWWWMM/e/-",
};

START_TEST(test_commands_keep_their_spelling)
{
    struct totem_command command;
    char text[TOTEM_COMMAND_TEXT];
    ck_assert_msg(totem_command_parse(good[_i], strlen(good[_i]), &command), "%s", good[_i]);
    ck_assert_uint_eq(totem_command_format(&command, text), strlen(good[_i]));
    ck_assert_str_eq(text, good[_i]);
}
END_TEST

START_TEST(test_other_spellings_are_none)
{
    struct totem_command command;
    ck_assert_msg(!totem_command_parse(bad[_i], strlen(bad[_i]), &command), "%s", bad[_i]);
}
END_TEST

/* A reader that looks behind the end would find the rest. */
START_TEST(test_the_length_counts)
{
    const char text[] = "reveal@G=TL";
    struct totem_command command;
    ck_assert(totem_command_parse(text, strlen(text) - 1, &command));
    ck_assert_uint_eq(command.set, 1U << TOTEM_TWINS);
    ck_assert(!totem_command_parse(text, strlen("reveal@G="), &command));
}
END_TEST

/* The position of §7.1, cut and changed everywhere: whatever is read is written the same. */
START_TEST(test_damaged_positions)
{
    static const char text[] = "4/R/24 1R cast:BG t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/"
                               "t1b6:wm,wm,WMe T:R1/G,H:G1/I/- -/-/-/-";
    static const char bytes[] = "-/:,! 0123tbxRGBYTgwmWMe+?*";
    const size_t len = strlen(text);
    char damaged[sizeof text], written[TOTEM_POSITION_TEXT];
    struct totem game;
    ck_assert(totem_position_parse(text, len, &game, NULL, NULL));
    for (size_t at = 0; at < len; at++) {
        ck_assert(!totem_position_parse(text, at, &game, NULL, NULL));
        for (size_t byte = 0; bytes[byte] != '\0'; byte++) {
            memcpy(damaged, text, sizeof text);
            damaged[at] = bytes[byte];
            if (totem_position_parse(damaged, len, &game, NULL, NULL)) {
                totem_position_format(&game, TOTEM_SERVER, written);
                ck_assert_str_eq(written, damaged);
            }
        }
    }
}
END_TEST

/* Positions that are spelled well and that no game comes to (§10), and what is said of them. */
static const struct {
    const char *text, *what;
} impossible[] = {
    {"2/R/24 1R settle:RGBY t1b6:wwmmWMe,g,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,- "
     "-/-/-/- -/-/-/-",
     "there are no children before the births"},
    {"2/R/24 1R reveal3:R t1b6:wm,b,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,- "
     "G:R1/-/-/- -/-/-/-",
     "there are no children before the births"},
    {"2/R/24 1R settle:GBY t1b6:wwwmmWM,-,e/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,- "
     "-/-/-/- -/-/-/-",
     "too many people in a hut"},
    {"2/R/24 1R reveal3:R t1b6:wwwwwmm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- "
     "G:R1/-/-/- -/-/-/-",
     "too many people in a hut"},
};

START_TEST(test_impossible_positions)
{
    const char *const text = impossible[_i].text, *what = NULL;
    struct totem game;
    ck_assert_msg(!totem_position_parse(text, strlen(text), &game, NULL, &what), "%s", text);
    ck_assert_str_eq(what, impossible[_i].what);
}
END_TEST

/* A list has no more people than can be counted; how many fit into a hut is another matter. */
START_TEST(test_most_people_in_a_list)
{
    static const char *const WHAT[] = {"too many people in a hut", "people stand in their order"};
    for (int more = 0; more < 2; more++) {
        char people[TOTEM_HUT_PEOPLE_MAX + 2] = "w", text[256];
        const char *what = NULL;
        struct totem game;
        memset(people + 1, 'm', TOTEM_HUT_PEOPLE_MAX - 1 + (size_t)more);
        (void)snprintf(text, sizeof text,
                       "2/R/24 1R settle:GBY t1b6:%s,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/"
                       "t1b6:wwmmWMe,-,- -/-/-/- -/-/-/-",
                       people);
        ck_assert(!totem_position_parse(text, strlen(text), &game, NULL, &what));
        ck_assert_str_eq(what, WHAT[more]);
    }
}
END_TEST

START_TEST(test_names)
{
    ck_assert_str_eq(totem_step_name(TOTEM_STEP_REVEAL_CATCH), "reveal4");
    ck_assert_ptr_null(totem_step_name((enum totem_step)TOTEM_STEPS));
    ck_assert_str_eq(totem_end_name(TOTEM_END_LAST_STANDING), "last-standing");
    ck_assert_ptr_null(totem_end_name((enum totem_end)TOTEM_ENDS));
    ck_assert_str_eq(totem_status_code(TOTEM_WRONG_COUNT), "wrong-count");
    ck_assert_ptr_null(totem_status_code((enum totem_status)TOTEM_STATUSES));
    ck_assert_ptr_null(totem_status_text((enum totem_status)TOTEM_STATUSES));
    ck_assert_ptr_nonnull(strchr(totem_status_text(TOTEM_HUT_FULL), '.'));
}
END_TEST

Suite *notation_suite(void)
{
    Suite *suite = suite_create("notation");
    TCase *tests = tcase_create("notation");
    tcase_add_loop_test(tests, test_commands_keep_their_spelling, 0,
                        (int)(sizeof good / sizeof good[0]));
    tcase_add_loop_test(tests, test_other_spellings_are_none, 0, (int)(sizeof bad / sizeof bad[0]));
    tcase_add_test(tests, test_the_length_counts);
    tcase_add_test(tests, test_damaged_positions);
    tcase_add_loop_test(tests, test_impossible_positions, 0,
                        (int)(sizeof impossible / sizeof impossible[0]));
    tcase_add_test(tests, test_most_people_in_a_list);
    tcase_add_test(tests, test_names);
    suite_add_tcase(suite, tests);
    return suite;
}
