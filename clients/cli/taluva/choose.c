#include "choose.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What stands before the place: a tile or a verb. */
static bool same_kind(const char *a, const char *b)
{
    size_t len = strcspn(a, "@");
    return strcspn(b, "@") == len && memcmp(a, b, len) == 0;
}

const char *choice_pick(struct dice *dice, const char **moves, size_t count)
{
    size_t kinds = 0, first = 0, len = 1;
    qsort(moves, count, sizeof(*moves), compare);
    for (size_t i = 0; i < count; i++)
        kinds += i == 0 || !same_kind(moves[i], moves[i - 1]);
    size_t kind = dice_below(dice, (uint32_t)kinds);
    while (kind > 0) {
        first++;
        kind -= !same_kind(moves[first], moves[first - 1]);
    }
    while (first + len < count && same_kind(moves[first], moves[first + len]))
        len++;
    return moves[first + dice_below(dice, (uint32_t)len)];
}

size_t choice_narrow(struct dice *dice, const char **moves, size_t count,
                     bool (*is_in)(const void *context, const char *move), const void *context)
{
    size_t in = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        in += is_in(context, moves[i]);
    if (in == 0 || in == count)
        return count;
    bool keep = dice_below(dice, 2) == 0;
    for (size_t i = 0; i < count; i++) {
        if (is_in(context, moves[i]) == keep)
            moves[kept++] = moves[i];
    }
    return kept;
}
