#include "village.h"

#include <cli/state.h>
#include <string.h>

const char village_families[] = "RGBY";
const char village_spells[] = "GBTIAFMPHL";
const char village_kinds[] = "gbwmWMe";

/* ---- names */

static const char *name_in(const char *row, const char *const *names, char letter)
{
    return village_is_one(row, letter) ? names[strchr(row, letter) - row] : "?";
}

const char *village_family_name(char family)
{
    static const char *const names[] = {"red", "green", "blue", "yellow"};
    return name_in(village_families, names, family);
}

const char *village_spell_name(char spell)
{
    static const char *const names[] = {"girls",     "boys",       "twins",    "empty cradles",
                                        "abundance", "empty nets", "sniffles", "fever",
                                        "health",    "long life"};
    return name_in(village_spells, names, spell);
}

const char *village_kind_name(char kind, int count)
{
    static const char *const one[] = {"girl",  "boy", "young woman", "young man",
                                      "woman", "man", "elder"};
    static const char *const several[] = {"girls", "boys", "young women", "young men",
                                          "women", "men",  "elders"};
    return name_in(village_kinds, count == 1 ? one : several, kind);
}

bool village_is_one(const char *row, char letter)
{
    return letter != '\0' && strchr(row, letter) != NULL;
}

/* ---- families */

static const json_t *member(const json_t *state, const char *path, char family)
{
    const char key[2] = {family, '\0'};
    return json_object_get(state_at(state, path), key);
}

const json_t *village_family(const json_t *state, char family)
{
    const json_t *found = member(state, "table.families", family);
    return json_is_object(found) ? found : NULL;
}

bool village_is_out(const json_t *state, char family)
{
    return json_is_true(state_at(village_family(state, family), "out"));
}

int village_seat(const json_t *state, char family)
{
    const json_t *seat = json_object_get(village_family(state, family), "seat");
    json_int_t number = json_is_integer(seat) ? json_integer_value(seat) : -1;
    return number >= 0 && number < VILLAGE_FAMILIES ? (int)number : -1;
}

const json_t *village_hut(const json_t *state, char family, int hut)
{
    const char key[3] = {family, (char)('0' + hut), '\0'};
    return json_object_get(state_at(state, "table.huts"), key);
}

const char *village_people(const json_t *state, char family, int hut)
{
    return state_text(village_hut(state, family, hut), "people");
}

int village_count(const json_t *state, char family)
{
    size_t count = 0;
    for (int hut = 1; hut <= VILLAGE_HUTS; hut++)
        count += strlen(village_people(state, family, hut));
    return (int)count;
}

const json_t *village_mine(const json_t *state, char family)
{
    return member(state, "table.mine", family);
}

void village_own_down(char spells[VILLAGE_SPELLS + 1], const json_t *state, char family,
                      const char *hut)
{
    const json_t *down = json_object_get(village_mine(state, family), "down");
    size_t count = 0;
    for (const char *spell = village_spells; *spell; spell++) {
        const char key[2] = {*spell, '\0'};
        if (strcmp(state_text(down, key), hut) == 0)
            spells[count++] = *spell;
    }
    spells[count] = '\0';
}

void village_led_by(char families[VILLAGE_FAMILIES + 1], const json_t *state, int seat)
{
    size_t count = 0;
    for (const char *family = village_families; *family; family++) {
        if (seat >= 0 && village_seat(state, *family) == seat)
            families[count++] = *family;
    }
    families[count] = '\0';
}

/* ---- the step */

bool village_step_is(const json_t *state, const char *step)
{
    return strcmp(state_text(state, "table.step"), step) == 0;
}

bool village_at_once(const json_t *state)
{
    return village_step_is(state, "write") ||
           (village_step_is(state, "take") && strcmp(state_text(state, "options.meals"), "B") == 0);
}

char village_acting(const json_t *state, size_t i)
{
    const char *family = json_string_value(json_array_get(state_at(state, "table.acting"), i));
    return family && village_is_one(village_families, *family) ? *family : '\0';
}

bool village_acts(const json_t *state, char family)
{
    size_t most = village_at_once(state) ? json_array_size(state_at(state, "table.acting")) : 1;
    for (size_t i = 0; i < most; i++) {
        if (village_acting(state, i) == family)
            return true;
    }
    return false;
}

static char hungry_family(const json_t *row)
{
    char family = *state_text(row, "family");
    return village_is_one(village_families, family) ? family : '\0';
}

int village_lacks(const json_t *state, char family)
{
    size_t i;
    json_t *row;
    json_array_foreach(state_at(state, "table.hungry"), i, row)
    {
        if (hungry_family(row) == family)
            return state_number(row, "count");
    }
    return 0;
}

char village_starving(const json_t *state)
{
    return hungry_family(json_array_get(state_at(state, "table.hungry"), 0));
}
