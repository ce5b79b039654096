#include <rating/class.h>

#include <stddef.h>
#include <string.h>

#define PACES(name_, ...)                                                                          \
    {.name = name_ ".live", .slow = false, __VA_ARGS__},                                           \
    {                                                                                              \
        .name = name_ ".slow", .slow = true, __VA_ARGS__                                           \
    }

/* The order is that of the numbers. Scales of larger tables of Taluva are those at which the
 * strengths of computers agree (server/games/taluva/computer/README.md); the others are 100
 * in this version (tests/strength/README.md has what was measured since). */
static const struct rating_class classes[RATING_CLASSES] = {
    PACES("taluva.duel", .game = "taluva", .side_seats = 1, .sides_min = 2, .sides_max = 2,
          .percent = {[2] = 100}),
    PACES("taluva.table", .game = "taluva", .side_seats = 1, .sides_min = 3, .sides_max = 5,
          .percent = {[3] = 86, [4] = 58, [5] = 62}),
    PACES("taluva.ranking", .game = "taluva", .places = true, .option = "ranking", .side_seats = 1,
          .sides_min = 3, .sides_max = 5, .percent = {[3] = 100, [4] = 100, [5] = 100}),
    PACES("taluva.team", .game = "taluva", .option = "teams", .side_seats = 2, .sides_min = 2,
          .sides_max = 2, .percent = {[2] = 100}),
    PACES("totem.duel", .game = "totem", .side_seats = 1, .sides_min = 2, .sides_max = 2,
          .percent = {[2] = 100}),
    PACES("totem.table", .game = "totem", .side_seats = 1, .sides_min = 3, .sides_max = 4,
          .percent = {[3] = 100, [4] = 100}),
};

const struct rating_class *rating_class_at(unsigned number)
{
    return number >= 1 && number <= RATING_CLASSES ? &classes[number - 1] : NULL;
}

unsigned rating_class_find(const char *name)
{
    for (unsigned number = 1; number <= RATING_CLASSES; number++) {
        if (strcmp(classes[number - 1].name, name) == 0)
            return number;
    }
    return 0;
}

bool rating_class_has_sides(const struct rating_class *class, unsigned sides)
{
    return sides >= class->sides_min && sides <= class->sides_max;
}

uint32_t rating_class_scale(const struct rating_class *class, unsigned sides)
{
    return (uint32_t)((uint64_t)RATING_ONE * class->percent[sides] / 100);
}
