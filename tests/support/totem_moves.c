#include "totem_moves.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HUTS = 3, HUT_ROOM = 6, PEOPLE = 64 };

static const char kinds[] = "gbwmWMe";

/* The people of a family, each with the hut in which it stands or shall stand. */
struct crowd {
    size_t count;
    char kind[PEOPLE];
    unsigned hut[PEOPLE];
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert(text);
    return text;
}

static unsigned number_of(const json_t *object, const char *key)
{
    return (unsigned)json_integer_value(json_object_get(object, key));
}

static void add_people(struct crowd *crowd, const char *people, unsigned hut)
{
    for (; *people; people++) {
        assert(crowd->count < PEOPLE);
        crowd->kind[crowd->count] = *people;
        crowd->hut[crowd->count++] = hut;
    }
}

/* Only so many of them, whom chance chooses. */
static void keep_some(struct chance *chance, struct crowd *crowd, size_t wanted)
{
    while (crowd->count > wanted) {
        size_t gone = chance->below(chance, (unsigned)crowd->count--);
        crowd->kind[gone] = crowd->kind[crowd->count];
        crowd->hut[gone] = crowd->hut[crowd->count];
    }
}

/* "wwm/-/e": by hut, in the order of the kinds. */
static void write_crowd(const struct crowd *crowd, char *out)
{
    for (unsigned hut = 0; hut < HUTS; hut++) {
        const char *begin = out;
        for (const char *kind = kinds; *kind; kind++) {
            for (size_t i = 0; i < crowd->count; i++) {
                if (crowd->kind[i] == *kind && crowd->hut[i] == hut)
                    *out++ = *kind;
            }
        }
        if (out == begin)
            *out++ = '-';
        *out++ = hut + 1 < HUTS ? '/' : '\0';
    }
}

static void settle(struct chance *chance, const json_t *asked, char *out)
{
    struct crowd crowd = {0};
    unsigned used[HUTS] = {0};
    add_people(&crowd, text_of(asked, "people"), 0);
    keep_some(chance, &crowd, number_of(asked, "stay"));
    for (size_t i = 0; i < crowd.count; i++) {
        do
            crowd.hut[i] = chance->below(chance, HUTS);
        while (used[crowd.hut[i]] == HUT_ROOM);
        used[crowd.hut[i]]++;
    }
    write_crowd(&crowd, out);
}

static void name_people(struct chance *chance, const json_t *asked, char *out)
{
    struct crowd crowd = {0};
    const char *hut;
    json_t *people;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(asked, "people"), hut, people)
        add_people(&crowd, json_string_value(people), (unsigned)(hut[1] - '1'));
    keep_some(chance, &crowd, number_of(asked, "count"));
    write_crowd(&crowd, out);
}

/* Any of the spells, on huts where there are any to be placed on. */
static void lay_spells(struct chance *chance, const json_t *asked, bool all, char *out)
{
    const char *spells = text_of(asked, "spells");
    const json_t *huts = json_object_get(asked, "huts"), *most = json_object_get(asked, "most");
    unsigned left = most ? (unsigned)json_integer_value(most) : (unsigned)strlen(spells);
    char *at = out;
    for (; *spells && left > 0; spells++) {
        if (!all && chance->below(chance, 3) > 0)
            continue;
        if (huts && at > out)
            *at++ = ',';
        *at++ = *spells;
        left--;
        if (huts)
            at += sprintf(at, ":%s",
                          json_string_value(json_array_get(
                              huts, chance->below(chance, (unsigned)json_array_size(huts)))));
        if (all)
            break;
    }
    (void)strcpy(at, at == out ? "-" : "");
}

bool totem_compose(const json_t *asked, struct chance *chance, char *out, size_t size)
{
    void *at = json_object_iter((json_t *)(uintptr_t)asked);
    char rest[4 * PEOPLE];
    if (!at)
        return false;
    const json_t *family = json_object_iter_value(at);
    const char *kind = text_of(family, "kind");
    const char *from = json_string_value(json_object_get(family, "from"));
    if (strcmp(kind, "settle") == 0)
        settle(chance, family, rest);
    else if (from)
        name_people(chance, family, rest);
    else
        lay_spells(chance, family, strcmp(kind, "cast") == 0, rest);
    bool takes = strcmp(kind, "take") == 0;
    int len = snprintf(out, size, "%s@%s=%s%s%s", kind, json_object_iter_key(at), takes ? from : "",
                       takes ? ":" : "", rest);
    assert(len > 0 && (size_t)len < size);
    return true;
}
