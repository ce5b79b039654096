/* The page of a hint: turns as they are typed, and what each player can hope for. */
#include "play_hint.h"
#include "suites.h"
#include <cli_taluva/game.h>
#include <stdio.h>
#include <stdlib.h>

START_TEST(test_page)
{
    json_t *state = json_loads("{\"game\":\"taluva\",\"seats\":{\"0\":{\"name\":\"Ana\"},"
                               "\"1\":{\"name\":\"Bo\"}}}",
                               0, NULL);
    json_t *turns = json_loads("[{\"moves\":[\"JC@2,-1:0\",\"hut@1,0\"],\"chances\":[612,388]},"
                               "{\"moves\":[\"draw\"],\"chances\":[5,995]}]",
                               0, NULL);
    const struct game_room room = {.state = state, .seat = 0};
    char *page = NULL;
    size_t len;
    FILE *out = open_memstream(&page, &len);
    ck_assert(state && turns && out);
    hint_print(&game_taluva, &room, turns, out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(page, "The best turns, and the chances after them:\n"
                           "\n"
                           "1. JC@2,-1:0, then hut 1,0\n"
                           "   A Ana 61.2 %, B Bo 38.8 %\n"
                           "2. draw\n"
                           "   A Ana 0.5 %, B Bo 99.5 %\n");
    free(page);
    json_decref(state);
    json_decref(turns);
}
END_TEST

Suite *hint_suite(void)
{
    Suite *suite = suite_create("hint");
    TCase *tcase = tcase_create("hint");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, test_page);
    return suite;
}
