#include "choose.h"

#include "parts.h"
#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

static int compare_moves(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The part before the place: a tile or a verb. */
static bool same_kind(const char *a, const char *b)
{
    size_t len = strcspn(a, "@");
    return strcspn(b, "@") == len && memcmp(a, b, len) == 0;
}

const char *choose_one(struct rng *rng, const char **moves, size_t count)
{
    size_t kinds = 0, first = 0, len = 1;
    qsort(moves, count, sizeof *moves, compare_moves);
    for (size_t i = 0; i < count; i++)
        kinds += i == 0 || !same_kind(moves[i], moves[i - 1]);
    size_t kind = rng_below(rng, (uint32_t)kinds);
    while (kind > 0) {
        first++;
        kind -= !same_kind(moves[first], moves[first - 1]);
    }
    while (first + len < count && same_kind(moves[first], moves[first + len]))
        len++;
    return moves[first + rng_below(rng, (uint32_t)len)];
}

size_t choose_sort(struct rng *rng, const char **moves, size_t count,
                   bool (*is_in)(const void *context, const char *move), const void *context)
{
    size_t in = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        in += is_in(context, moves[i]);
    if (in == 0 || in == count)
        return count;
    bool keep = rng_below(rng, 2) == 0;
    for (size_t i = 0; i < count; i++) {
        if (is_in(context, moves[i]) == keep)
            moves[kept++] = moves[i];
    }
    return kept;
}

/* Does it put its tile on the island, not beside it? `state` is the room's. */
static bool is_eruption(const void *state, const char *move)
{
    char key[32];
    const char *where = strchr(move, '@'), *end = where ? strchr(where, ':') : NULL;
    if (!end || (size_t)(end - where) > sizeof key)
        return false;
    memcpy(key, where + 1, (size_t)(end - where - 1));
    key[end - where - 1] = '\0';
    return json_object_get(state_at(state, "table.hexes"), key) != NULL;
}

const char *taluva_move_choose(struct rng *rng, const json_t *state, const char **moves,
                               size_t count)
{
    count = choose_sort(rng, moves, count, is_eruption, state);
    return choose_one(rng, moves, count);
}
