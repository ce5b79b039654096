#include "move_list.h"

#include <cli/crc32.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(TALUVA_BUILD_TEXT <= TALUVA_PLACEMENT_TEXT, "one kind of line holds both");

static bool list_init(struct move_list *list, size_t capacity)
{
    *list = (struct move_list){.lines = malloc(capacity * sizeof *list->lines),
                               .dead_end = calloc(capacity, sizeof *list->dead_end)};
    if (list->lines && list->dead_end)
        return true;
    move_list_release(list);
    return false;
}

bool move_list_placements(struct move_list *list, const struct taluva *game, taluva_tile tile)
{
    struct taluva_placement *placements = malloc(TALUVA_PLACEMENTS_MAX * sizeof *placements);
    if (!list_init(list, TALUVA_PLACEMENTS_MAX) || !placements) {
        free(placements);
        move_list_release(list);
        return false;
    }
    list->count = taluva_list_placements(game, tile, placements, list->dead_end);
    for (size_t i = 0; i < list->count; i++)
        taluva_placement_format(&placements[i], list->lines[i]);
    free(placements);
    return true;
}

bool move_list_builds(struct move_list *list, const struct taluva *game)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    if (!list_init(list, TALUVA_BUILDS_MAX))
        return false;
    list->count = taluva_list_builds(game, builds);
    for (size_t i = 0; i < list->count; i++)
        taluva_build_format(&builds[i], list->lines[i]);
    return true;
}

void move_list_release(struct move_list *list)
{
    free(list->lines);
    free(list->dead_end);
    list->lines = NULL;
    list->dead_end = NULL;
    list->count = 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

uint32_t move_list_crc(struct move_list *list)
{
    uint32_t crc = 0;
    if (list->count == 0)
        return crc;
    qsort(list->lines, list->count, sizeof *list->lines, compare);
    memset(list->dead_end, 0, list->count * sizeof *list->dead_end);
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0)
            crc = crc32_add(crc, "\n", 1);
        crc = crc32_add(crc, list->lines[i], strlen(list->lines[i]));
    }
    return crc;
}
