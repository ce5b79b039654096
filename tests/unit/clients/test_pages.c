/* What can be read at the table about each game. */
#include "suites.h"
#include <cli/game.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <string.h>

/* What a newcomer must find on a page; a line's end is a blank. */
static const struct {
    const struct game *game;
    const char *page, *must[12];
} PAGES[] = {
    {&game_taluva,
     "rules",
     {"place a tile, then build", "A tile beside the island is level 1", "volcano on a volcano",
      "points elsewhere", "no whole settlement", "hut on level 1", "a settlement of 3 hexes",
      "tower on level 3", "expand huts on all hexes of one terrain", "boat", "is out",
      "pieces of two kinds wins at once"}},
    {&game_taluva, "ends", {"two kinds are built", "more temples wins, then more towers, then"}},
    {&game_totem,
     "rules",
     {"6 pieces on the totem pole first wins", "eight phases (`help phases`)", "dies out",
      "without elders loses a piece", "6 people live in a hut, 18 in a family", "`help ties`"}},
    {&game_totem,
     "phases",
     {"1 settle people", "2 spells: as many as your pole has pieces",
      "3 births: in a hut with a man", "4 catch: a bird for every 5 of b m M",
      "5 meal: a bird for every 5 people", "6 illness", "7 growing older: elders go",
      "8 totems: the two largest families add a piece", "all may `reveal` spells"}},
    {&game_totem,
     "ties",
     {"Families of one size", "if all of them have a place each adds a piece",
      "else each gets a bird", "lost its elders", "With totem B", "by elders, then by birds",
      "`help ends`"}},
    {&game_totem, "ends", {"with more people wins, then with more birds", "nobody wins"}},
    {&game_totem,
     "spells",
     {"girls", "twins", "abundance", "M sniffles", "P fever", "undo each other",
      "M measles, P plague"}},
};

/* Each run of blanks and ends of lines is one blank. */
static void flatten(char *to, size_t size, const char *text)
{
    size_t len = 0;
    for (; *text && len + 1 < size; text++) {
        const bool blank = *text == ' ' || *text == '\n';
        if (!blank || len == 0 || to[len - 1] != ' ')
            to[len++] = blank ? ' ' : *text;
    }
    to[len] = '\0';
}

START_TEST(a_page_explains)
{
    static char text[4096];
    const struct game_page *page = game_find_page(PAGES[_i].game, PAGES[_i].page);
    ck_assert_ptr_nonnull(page);
    flatten(text, sizeof text, page->text);
    for (int at = 0; at < 12 && PAGES[_i].must[at]; at++)
        ck_assert_msg(strstr(text, PAGES[_i].must[at]), "%s is not in\n%s", PAGES[_i].must[at],
                      page->text);
}
END_TEST

/* Words of one game alone. */
static const char *const OF_TALUVA[] = {"volcano", "settlement", "temple", "tower", "island",
                                        "tile",    "lagoon",     "hex",    "JC",    NULL};
static const char *const OF_TOTEM[] = {"spell", "elder", "pole", "bird", "family", "settle ", NULL};

static void check_words(const char *text, const char *const *others)
{
    for (const char *const *word = others; *word; word++)
        ck_assert_msg(!strstr(text, *word), "%s in\n%s", *word, text);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        ck_assert_msg(strcspn(line, "\n") <= 52, "too wide: %s", line);
}

/* No text of the other game, on any page, and no line that is cut off. */
START_TEST(a_game_speaks_of_itself)
{
    const struct game *game = _i ? &game_totem : &game_taluva;
    const char *const *others = _i ? OF_TALUVA : OF_TOTEM;
    for (const struct game_page *page = game->pages; page->name; page++)
        check_words(page->text, others);
    check_words(game->input_help, others);
    check_words(game->chooser->help, others);
}
END_TEST

Suite *pages_suite(void)
{
    Suite *suite = suite_create("pages");
    TCase *tcase = tcase_create("pages");
    tcase_add_loop_test(tcase, a_page_explains, 0, sizeof PAGES / sizeof PAGES[0]);
    tcase_add_loop_test(tcase, a_game_speaks_of_itself, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
