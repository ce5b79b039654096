#include "forecast.h"

#include <assert.h>
#include <string.h>
#include <totem_rules/values.h>

/* A village in the course of a round. */
struct village {
    const struct totem *game;
    uint16_t working[TOTEM_HUTS_ALL]; /* sets of spells */
    struct totem_people huts[TOTEM_HUTS_ALL];
    int birds[TOTEM_FAMILIES];
    int lack[TOTEM_FAMILIES];
    bool mourns[TOTEM_FAMILIES];
};

static bool spell_works(const struct village *village, unsigned hut, enum totem_spell spell)
{
    return (village->working[hut] >> spell & 1) != 0;
}

static bool family_plays(const struct village *village, unsigned family)
{
    return village->game->families[family].state == TOTEM_FAMILY_PLAYING;
}

static void begin_forecast(struct village *village, const struct totem *game,
                           const struct totem_guess *guess)
{
    memset(village, 0, sizeof *village);
    village->game = game;
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        village->working[hut] = (uint16_t)totem_not_cancelled(guess->up[hut]);
        village->huts[hut] = game->families[hut / TOTEM_HUTS].huts[hut % TOTEM_HUTS];
    }
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        village->birds[family] = game->families[family].birds;
    for (unsigned i = 0; i < game->n_hungry; i++)
        village->lack[game->hungry[i].family] = game->hungry[i].number;
}

static struct totem_people everybody_of(const struct village *village, unsigned family)
{
    struct totem_people all = village->huts[family * TOTEM_HUTS];
    for (unsigned i = 1; i < TOTEM_HUTS; i++) {
        for (unsigned kind = 0; kind < TOTEM_KINDS; kind++)
            all.of[kind] =
                (uint8_t)(all.of[kind] + village->huts[family * TOTEM_HUTS + i].of[kind]);
    }
    return all;
}

/* ---- the phases */

static void bear_children(struct village *village, const struct totem_guess *guess)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        struct totem_people *people = &village->huts[hut];
        unsigned children = totem_count_women(people);
        if (totem_count_men(people) == 0 || spell_works(village, hut, TOTEM_INFERTILITY))
            continue;
        if (spell_works(village, hut, TOTEM_TWINS))
            children *= totem_values.twins;
        if (children > TOTEM_CHILDREN_MAX)
            children = TOTEM_CHILDREN_MAX;
        unsigned boys = totem_set_size(guess->words[hut] & ((1U << children) - 1));
        if (spell_works(village, hut, TOTEM_GIRLS))
            boys = 0;
        else if (spell_works(village, hut, TOTEM_BOYS))
            boys = children;
        people->of[TOTEM_BOY] = (uint8_t)(people->of[TOTEM_BOY] + boys);
        people->of[TOTEM_GIRL] = (uint8_t)(people->of[TOTEM_GIRL] + children - boys);
    }
}

static int count_hunters(const struct village *village, unsigned family)
{
    int count = 0;
    for (unsigned i = 0; i < TOTEM_HUTS; i++) {
        unsigned hut = family * TOTEM_HUTS + i;
        int each = 1;
        if (spell_works(village, hut, TOTEM_ABUNDANCE))
            each = totem_values.abundance;
        else if (spell_works(village, hut, TOTEM_FAMINE))
            each = totem_values.famine;
        count +=
            each * (int)(village->huts[hut].of[TOTEM_BOY] + totem_count_men(&village->huts[hut]));
    }
    return count;
}

static int parts_of(int number, int part)
{
    return (number + part - 1) / part;
}

static void hunt_and_eat(struct village *village)
{
    const struct totem *game = village->game;
    unsigned families = totem_families(&game->options);
    int left = (int)totem_supply(game), most = totem_values.catch_birds[game->options.players];
    left = left < most ? left : most;
    for (unsigned i = 0; i < families; i++) {
        unsigned family = (game->first + i) % families;
        struct totem_people all = everybody_of(village, family);
        if (!family_plays(village, family))
            continue;
        int caught = parts_of(count_hunters(village, family), totem_values.hunters_bird);
        caught = caught < left ? caught : left;
        left -= caught;
        int birds = village->birds[family] + caught;
        int needed = parts_of((int)totem_count(&all), totem_values.people_bird);
        village->lack[family] = needed > birds ? needed - birds : 0;
        village->birds[family] = needed > birds ? 0 : birds - needed;
        if (village->birds[family] > totem_values.enclosure)
            village->birds[family] = totem_values.enclosure;
    }
}

/* One of a kind goes, from the fullest hut; the last woman and man stay. */
static bool one_goes(struct village *village, unsigned family, unsigned kind)
{
    struct totem_people all = everybody_of(village, family);
    struct totem_people *from = NULL;
    bool man = kind == TOTEM_YOUNG_MAN || kind == TOTEM_MAN;
    bool woman = kind == TOTEM_YOUNG_WOMAN || kind == TOTEM_WOMAN;
    if (all.of[kind] == 0 || (man && totem_count_men(&all) < 2) ||
        (woman && totem_count_women(&all) < 2))
        return false;
    for (unsigned i = 0; i < TOTEM_HUTS; i++) {
        struct totem_people *hut = &village->huts[family * TOTEM_HUTS + i];
        if (hut->of[kind] > 0 && (!from || hut->of[kind] > from->of[kind]))
            from = hut;
    }
    assert(from && "all of a kind live in huts");
    from->of[kind]--;
    return true;
}

/* Whom a family gives up by itself, and whom others take from it. */
static void starve_family(struct village *village, unsigned family)
{
    static const uint8_t owner[] = {TOTEM_BOY,  TOTEM_MAN,   TOTEM_YOUNG_MAN,
                                    TOTEM_GIRL, TOTEM_WOMAN, TOTEM_YOUNG_WOMAN};
    static const uint8_t others[] = {TOTEM_YOUNG_WOMAN, TOTEM_GIRL, TOTEM_WOMAN,
                                     TOTEM_YOUNG_MAN,   TOTEM_MAN,  TOTEM_BOY};
    bool own = village->game->options.meals == TOTEM_MEALS_OWNER;
    const uint8_t *order = own ? owner : others;
    struct totem_people all = everybody_of(village, family);
    int lack = village->lack[family], elders = all.of[TOTEM_ELDER];
    if (!own && elders > 0 && elders <= lack) {
        village->mourns[family] = true;
        lack -= elders;
        for (unsigned i = 0; i < TOTEM_HUTS; i++)
            village->huts[family * TOTEM_HUTS + i].of[TOTEM_ELDER] = 0;
    }
    for (unsigned i = 0; i < sizeof owner && lack > 0;) {
        if (one_goes(village, family, order[i]))
            lack--;
        else
            i++;
    }
}

static void lose_the_ill(struct village *village)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        struct totem_people *people = &village->huts[hut];
        for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
            bool child = kind == TOTEM_GIRL || kind == TOTEM_BOY;
            if (spell_works(village, hut, child ? TOTEM_MEASLES : TOTEM_PLAGUE))
                people->of[kind] =
                    (uint8_t)(people->of[kind] - people->of[kind] / totem_values.illness_part);
        }
    }
}

static void grow_older(struct village *village)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        const struct totem_people young = village->huts[hut];
        struct totem_people *old = &village->huts[hut];
        unsigned staying = spell_works(village, hut, TOTEM_LONG_LIFE) ? young.of[TOTEM_ELDER] : 0;
        memset(old, 0, sizeof *old);
        old->of[TOTEM_ELDER] = (uint8_t)(young.of[TOTEM_WOMAN] + young.of[TOTEM_MAN] + staying);
        old->of[TOTEM_WOMAN] = young.of[TOTEM_YOUNG_WOMAN];
        old->of[TOTEM_MAN] = young.of[TOTEM_YOUNG_MAN];
        old->of[TOTEM_YOUNG_WOMAN] = young.of[TOTEM_GIRL];
        old->of[TOTEM_YOUNG_MAN] = young.of[TOTEM_BOY];
    }
}

static bool has_couple(const struct village *village, unsigned family)
{
    struct totem_people all = everybody_of(village, family);
    return totem_count_women(&all) > 0 && totem_count_men(&all) > 0;
}

/* ---- all */

static void live_on(struct village *village, const struct totem_guess *guess)
{
    enum totem_step step = (enum totem_step)village->game->step;
    bool meal_to_come = step <= TOTEM_STEP_REVEAL_CATCH;
    if (step <= TOTEM_STEP_REVEAL_BIRTHS)
        bear_children(village, guess);
    if (meal_to_come)
        hunt_and_eat(village);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (village->lack[family] > 0)
            starve_family(village, family);
    }
    if (step != TOTEM_STEP_REVEAL_GENERATIONS)
        lose_the_ill(village);
}

void totem_forecast(const struct totem *game, const struct totem_guess *guess,
                    struct totem_forecast *out)
{
    struct village village;
    bool fallen[TOTEM_FAMILIES];
    begin_forecast(&village, game, guess);
    live_on(&village, guess);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        fallen[family] = !has_couple(&village, family);
    grow_older(&village);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        struct totem_prospect *prospect = &out->families[family];
        const struct totem_family *now = &game->families[family];
        memset(prospect, 0, sizeof *prospect);
        if (!family_plays(&village, family))
            continue;
        prospect->people = everybody_of(&village, family);
        bool falls = fallen[family] || !has_couple(&village, family);
        bool mourns = village.mourns[family] || falls || prospect->people.of[TOTEM_ELDER] == 0;
        prospect->barred = now->barred || mourns;
        prospect->lost_piece = mourns && !now->barred;
        if (falls)
            memset(&prospect->people, 0, sizeof prospect->people);
        else
            prospect->birds = (uint8_t)village.birds[family];
        prospect->size = (uint8_t)totem_count(&prospect->people);
    }
}
