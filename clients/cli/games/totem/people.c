#include "people.h"

#include <assert.h>
#include <string.h>

size_t people_add(struct people *people, const char *letters)
{
    size_t len = 0;
    for (; village_is_one(village_kinds, letters[len]); len++)
        people->of[strchr(village_kinds, letters[len]) - village_kinds]++;
    return len;
}

int people_count(const struct people *people)
{
    int count = 0;
    for (int kind = 0; kind < VILLAGE_KINDS; kind++)
        count += people->of[kind];
    return count;
}

void people_write(char text[PEOPLE_TEXT], const struct people huts[VILLAGE_HUTS])
{
    size_t len = 0;
    for (int hut = 0; hut < VILLAGE_HUTS; hut++) {
        if (hut > 0)
            text[len++] = '/';
        assert(len + (size_t)people_count(&huts[hut]) + 2 < PEOPLE_TEXT);
        for (int kind = 0; kind < VILLAGE_KINDS; kind++) {
            memset(text + len, village_kinds[kind], (size_t)huts[hut].of[kind]);
            len += (size_t)huts[hut].of[kind];
        }
        if (people_count(&huts[hut]) == 0)
            text[len++] = '-';
    }
    text[len] = '\0';
}

void people_spread(struct people huts[VILLAGE_HUTS], const struct people *all, int stay)
{
    static const char first_to_leave[] = "eMWmw", order[] = "mMwWe";
    struct people left = *all;
    for (const char *kind = first_to_leave; *kind && people_count(&left) > stay;) {
        int *of = &left.of[strchr(village_kinds, *kind) - village_kinds];
        if (*of > 1)
            (*of)--;
        else
            kind++;
    }
    for (const char *kind = order; *kind; kind++) {
        int number = (int)(strchr(village_kinds, *kind) - village_kinds);
        for (; left.of[number] > 0; left.of[number]--) {
            int least = 0;
            for (int hut = 1; hut < VILLAGE_HUTS; hut++)
                least = people_count(&huts[hut]) < people_count(&huts[least]) ? hut : least;
            huts[least].of[number]++;
        }
    }
}
