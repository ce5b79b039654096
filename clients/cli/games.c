#include <assert.h>
#include <cli/game.h>
#include <stdlib.h>
#include <string.h>

static const struct game *const *games;

void games_set(const struct game *const *list)
{
    assert(list && list[0]);
    games = list;
}

const struct game *games_default(void)
{
    return games_at(0);
}

const struct game *games_find(const char *name)
{
    for (size_t i = 0; games_at(i); i++) {
        if (strcmp(games_at(i)->name, name) == 0)
            return games_at(i);
    }
    return NULL;
}

const struct game *games_at(size_t i)
{
    assert(games);
    return games[i];
}

unsigned game_level_of(const struct game *game, const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    for (unsigned level = 1; game->levels[level - 1]; level++) {
        if (strcmp(game->levels[level - 1], text) == 0)
            return level;
        if (end != text && *end == '\0' && number == level)
            return level;
    }
    return 0;
}

static const char *find_words(const struct game_end *end, const char *why)
{
    while (end && end->why && strcmp(end->why, why) != 0)
        end++;
    return end ? end->words : NULL;
}

const char *game_end_words(const struct game *game, const char *why)
{
    static const struct game_end all_games[] = {{"called-off", "called off"},
                                                {"abandoned", "all stayed away"},
                                                {"closed", "by the operator"},
                                                {NULL, NULL}};
    const char *words = find_words(game->ends, why);
    if (!words)
        words = find_words(all_games, why);
    return words ? words : why;
}

const struct game_page *game_find_page(const struct game *game, const char *name)
{
    const struct game_page *page = game->pages;
    while (page && page->name && strcmp(page->name, name) != 0)
        page++;
    return page && page->name ? page : NULL;
}
