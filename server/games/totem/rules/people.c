#include "people.h"

unsigned totem_count(const struct totem_people *people)
{
    unsigned count = 0;
    for (unsigned kind = 0; kind < TOTEM_KINDS; kind++)
        count += people->of[kind];
    return count;
}

unsigned totem_count_women(const struct totem_people *people)
{
    return (unsigned)people->of[TOTEM_YOUNG_WOMAN] + people->of[TOTEM_WOMAN];
}

unsigned totem_count_men(const struct totem_people *people)
{
    return (unsigned)people->of[TOTEM_YOUNG_MAN] + people->of[TOTEM_MAN];
}

struct totem_people totem_sum(const struct totem_people huts[TOTEM_HUTS])
{
    struct totem_people sum = {{0}};
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        for (unsigned kind = 0; kind < TOTEM_KINDS; kind++)
            sum.of[kind] = (uint8_t)(sum.of[kind] + huts[hut].of[kind]);
    }
    return sum;
}

struct totem_people totem_everybody(const struct totem_family *family)
{
    return totem_sum(family->huts);
}

unsigned totem_size(const struct totem_family *family)
{
    const struct totem_people all = totem_everybody(family);
    return totem_count(&all);
}
