#include <assert.h>
#include <cli/game.h>
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
