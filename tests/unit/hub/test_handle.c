/* Which handles are one to everybody's eyes, and which are nobody's to have. */
#include "suites.h"
#include <cards.h>
#include <string.h>
#include <tables/handle.h>

static const struct {
    const char *handle, *skeleton;
} skeletons[] = {
    {"ana", "ana"},       {"ANA", "ana"},
    {"A-n_a", "ana"},     {"An0", "ano"},
    {"Ano", "ano"},       {"bill", "blll"},
    {"b1ll", "blll"},     {"BIIL", "blll"},
    {"ma5k", "mask"},     {"mask", "mask"},
    {"corner", "comer"},  {"comer", "comer"},
    {"cor-ner", "comer"}, {"corrn", "corm"},
    {"arnrn", "amm"},     {"vvill", "wlll"},
    {"will", "wlll"},     {"vvv", "wv"},
    {"vvvv", "ww"},       {"wvv", "ww"},
    {"O0o", "ooo"},       {"abcdefghijklmnopqrst", "abcdefghljklmnopqrst"},
};

START_TEST(test_skeleton)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    handle_skeleton(skeletons[_i].handle, skeleton);
    ck_assert_str_eq(skeleton, skeletons[_i].skeleton);
}
END_TEST

/* They are in stores: none may ever change. */
START_TEST(test_claim)
{
    char claim[HANDLE_CLAIM_BYTES + 1], other[HANDLE_CLAIM_BYTES + 1];
    handle_claim("ana", claim);
    ck_assert_str_eq(claim, "a07ce676b7999dee5c556523af5f9dca");
    handle_claim("anb", other);
    ck_assert_str_ne(claim, other);
}
END_TEST

static const char more[] = "# not\nClub-Secretary  house\r\n\tkiosk\n";

static const struct {
    const char *handle;
    bool reserved;
} handles[] = {
    {"ana", false},     {"admin", true},     {"ADMIN", true},
    {"adm1n", true},    {"ad-min", true},    {"administrator", false},
    {"m0d", true},      {"moderator", true}, {"operator", true},
    {"taluva", true},   {"Ta-Luva", true},   {"totem", true},
    {"server", true},   {"5erver", true},    {"system", true},
    {"computer", true}, {"cornputer", true}, {"bot", true},
    {"b0t", true},      {"robot", false},    {"anonymous", true},
    {"deleted", true},  {"Gecko", true},     {"gecko", true},
    {"cricket", true},  {"Banana", true},    {"Mango", true},
    {"mangos", false},  {"any", true},       {"first", true},
    {"master", true},   {"firstly", false},  {"clubsecretary", true},
    {"house", true},    {"k1osk", true},     {"not", true},
    {"kio", false},     {"ana-bot", true},   {"ana_BOT", true},
    {"anabot", false},  {"bot-ana", false},
};

START_TEST(test_reserved)
{
    ck_assert_msg(handle_is_reserved(handles[_i].handle, test_games, more) == handles[_i].reserved,
                  "%s", handles[_i].handle);
}
END_TEST

static const struct {
    const char *handle;
    bool is_word;
} programs[] = {
    {"ana-bot", false},      {"admin-bot", true},  {"mod-e-rator_bot", true}, {"Ta_Luva-BOT", true},
    {"house-bot", true},     {"master-bot", true}, {"my-admin-bot", false},   {"gecko-bot", true},
    {"anonymous_bot", true}, {"bot-bot", true},    {"robot-bot", false},
};

/* Whatever it ends with, nobody is to take it for who looks after the server. */
START_TEST(test_what_a_program_cannot_be_called)
{
    const char *handle = programs[_i].handle;
    ck_assert(handle_is_of_programs(handle));
    ck_assert_msg(handle_is_programs_word(handle, test_games, more) == programs[_i].is_word, "%s",
                  handle);
}
END_TEST

START_TEST(test_none_more)
{
    ck_assert(!handle_is_reserved("house", test_games, NULL));
    ck_assert(!handle_is_reserved("house", test_games, ""));
    ck_assert(!handle_is_reserved("house", test_games, " \n"));
}
END_TEST

Suite *handle_suite(void)
{
    Suite *suite = suite_create("handle");
    TCase *tests = tcase_create("handles");
    tcase_add_loop_test(tests, test_skeleton, 0, sizeof skeletons / sizeof *skeletons);
    tcase_add_test(tests, test_claim);
    tcase_add_loop_test(tests, test_reserved, 0, sizeof handles / sizeof *handles);
    tcase_add_loop_test(tests, test_what_a_program_cannot_be_called, 0,
                        sizeof programs / sizeof *programs);
    tcase_add_test(tests, test_none_more);
    suite_add_tcase(suite, tests);
    return suite;
}
