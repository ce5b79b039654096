#include "totem_village.h"

#include <string.h>

enum { BIRDS = 36, ENCLOSURE = 5, BUILDERS = 2 };
enum {
    G_GIRLS,
    B_BOYS,
    T_TWINS,
    I_INFERTILITY,
    A_ABUNDANCE,
    F_FAMINE,
    M_MEASLES,
    P_PLAGUE,
    H_HEALTH,
    L_LONG
};

/* ---- looking */

int village_seat(const struct village *village, int family)
{
    return village->players == 2 ? family % 2 : family;
}

struct order village_order(const struct village *village)
{
    struct order order = {0};
    for (int i = 0; i < village->families; i++) {
        int family = (village->first + i) % village->families;
        if (village->of[family].in)
            order.family[order.count++] = family;
    }
    return order;
}

int village_supply(const struct village *village)
{
    int left = BIRDS;
    for (int i = 0; i < FAMILIES; i++)
        left -= village->of[i].birds;
    return left;
}

int village_of_kind(const struct family *family, enum kind kind)
{
    return family->people[0][kind] + family->people[1][kind] + family->people[2][kind];
}

int village_count(const struct family *family)
{
    int count = 0;
    for (int kind = 0; kind < KINDS; kind++)
        count += village_of_kind(family, (enum kind)kind);
    return count;
}

int village_spells(const struct family *family, enum where where)
{
    int count = 0;
    for (int spell = 0; spell < SPELLS; spell++)
        count += family->spells[spell].where == where;
    return count;
}

/* Is the spell uncovered on the hut by anybody? */
static bool lies_up(const struct village *village, int hut, int spell)
{
    for (int i = 0; i < FAMILIES; i++) {
        const struct spell *one = &village->of[i].spells[spell];
        if (one->where == UP && one->hut == hut)
            return true;
    }
    return false;
}

static bool works(const struct village *village, int hut, int spell)
{
    static const int cancelled_by[SPELLS] = {
        B_BOYS, G_GIRLS, I_INFERTILITY, T_TWINS, F_FAMINE, A_ABUNDANCE, H_HEALTH, H_HEALTH, -1, -1};
    int by = cancelled_by[spell];
    return lies_up(village, hut, spell) && (by < 0 || !lies_up(village, hut, by));
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int fives(int number)
{
    return (number + 4) / 5;
}

/* ---- rounds */

static void add(int people[KINDS], const char *who)
{
    for (; *who; who++)
        people[strchr("gbwmWMe", *who) - "gbwmWMe"]++;
}

void village_begin(struct village *village)
{
    village->round = 1;
    for (int i = 0; i < village->families; i++) {
        village->of[i] = (struct family){.in = true, .pieces = 1, .birds = 6};
        add(village->of[i].people[0], "wwmmWMe");
    }
}

void village_begin_round(struct village *village)
{
    struct order order = village_order(village);
    for (int i = 0; i < order.count; i++) {
        struct family *family = &village->of[order.family[i]];
        family->barred = false;
        if (village_count(family) > 0)
            continue;
        add(family->people[0], village->small ? "wmWe" : "wmWMe");
        family->birds = least(village->small ? 3 : 5, village_supply(village));
        if (family->pieces == 0)
            family->pieces = 1;
    }
}

void village_spells_home(struct village *village)
{
    for (int i = 0; i < FAMILIES; i++)
        memset(village->of[i].spells, 0, sizeof village->of[i].spells);
}

/* ---- elders and ends */

void village_mourn(struct village *village, int index, bool lost)
{
    struct family *family = &village->of[index];
    int women = village_of_kind(family, YOUNG_WOMAN) + village_of_kind(family, WOMAN);
    int men = village_of_kind(family, YOUNG_MAN) + village_of_kind(family, MAN);
    if (women == 0 || men == 0) {
        memset(family->people, 0, sizeof family->people);
        family->birds = 0;
        lost = true;
    }
    if (!lost || family->barred)
        return;
    family->barred = true;
    if (village->whole_pole)
        family->pieces = 0;
    else if (family->pieces > 1)
        family->pieces--;
}

/* ---- phases 3 to 7 */

void village_births(struct village *village, const uint32_t words[ALL_HUTS])
{
    for (int hut = 0; hut < ALL_HUTS; hut++) {
        int *people = village->of[hut / HUTS].people[hut % HUTS];
        int children = people[YOUNG_WOMAN] + people[WOMAN];
        if (people[YOUNG_MAN] + people[MAN] == 0 || works(village, hut, I_INFERTILITY))
            children = 0;
        if (works(village, hut, T_TWINS))
            children *= 2;
        for (int child = 0; child < children; child++) {
            bool boy = words[hut] >> child & 1;
            if (works(village, hut, G_GIRLS))
                boy = false;
            if (works(village, hut, B_BOYS))
                boy = true;
            people[boy ? BOY : GIRL]++;
        }
    }
}

void village_catch(struct village *village)
{
    struct order order = village_order(village);
    int left = least(village->players == 3 ? 10 : 13, village_supply(village));
    for (int i = 0; i < order.count; i++) {
        struct family *family = &village->of[order.family[i]];
        int hunters = 0;
        for (int k = 0; k < HUTS; k++) {
            int hut = order.family[i] * HUTS + k, each = 1;
            const int *people = family->people[k];
            if (works(village, hut, A_ABUNDANCE))
                each = 2;
            if (works(village, hut, F_FAMINE))
                each = 0;
            hunters += each * (people[BOY] + people[YOUNG_MAN] + people[MAN]);
        }
        int birds = least(fives(hunters), left);
        family->birds += birds;
        left -= birds;
    }
}

void village_meal(struct village *village, int lack[FAMILIES])
{
    for (int i = 0; i < FAMILIES; i++) {
        struct family *family = &village->of[i];
        int needed = fives(village_count(family)), eaten = least(needed, family->birds);
        int spared = village->owner_starves ? village_of_kind(family, ELDER) : 0;
        family->birds -= eaten;
        lack[i] = least(needed - eaten, village_count(family) - spared);
    }
}

void village_spill(struct village *village)
{
    for (int i = 0; i < FAMILIES; i++)
        village->of[i].birds = least(village->of[i].birds, ENCLOSURE);
}

void village_illness(struct village *village)
{
    for (int hut = 0; hut < ALL_HUTS; hut++) {
        int *people = village->of[hut / HUTS].people[hut % HUTS];
        for (int kind = 0; kind < KINDS; kind++) {
            if (works(village, hut, kind == GIRL || kind == BOY ? M_MEASLES : P_PLAGUE))
                people[kind] -= people[kind] / 2;
        }
    }
}

void village_generations(struct village *village)
{
    for (int i = 0; i < FAMILIES; i++) {
        struct family *family = &village->of[i];
        if (village_count(family) == 0)
            continue;
        for (int k = 0; k < HUTS; k++) {
            int *people = family->people[k];
            int elders = works(village, i * HUTS + k, L_LONG) ? people[ELDER] : 0;
            int older[KINDS] = {0,
                                0,
                                people[GIRL],
                                people[BOY],
                                people[YOUNG_WOMAN],
                                people[YOUNG_MAN],
                                people[WOMAN] + people[MAN] + elders};
            memcpy(people, older, sizeof older);
        }
        village_mourn(village, i, village_of_kind(family, ELDER) == 0);
    }
}

/* ---- phase 8 */

/* Does `a` stand before `b`? 1, or -1 the other way round, or 0: they are of one group. */
static int compare(const struct village *village, int largest, int a, int b)
{
    const struct family *one = &village->of[a], *other = &village->of[b];
    int by[3] = {village_count(one) - village_count(other), 0, 0};
    if (village->ties_divided && village_count(one) == largest) {
        by[1] = village_of_kind(one, ELDER) - village_of_kind(other, ELDER);
        by[2] = one->birds - other->birds;
    }
    for (int i = 0; i < 3; i++) {
        if (by[i] != 0)
            return by[i] > 0 ? 1 : -1;
    }
    return 0;
}

/* The group of the families that none of the others, but for those that are `done`, stands before.
 */
static struct order next_group(const struct village *village, unsigned done)
{
    struct order order = village_order(village), group = {0};
    int largest = 0;
    for (int i = 0; i < order.count; i++) {
        int count = village_count(&village->of[order.family[i]]);
        largest = count > largest ? count : largest;
    }
    for (int i = 0; i < order.count; i++) {
        int family = order.family[i];
        bool first = !(done >> family & 1) && village_count(&village->of[family]) > 0;
        for (int k = 0; k < order.count; k++) {
            if (!(done >> order.family[k] & 1) &&
                compare(village, largest, order.family[k], family) > 0)
                first = false;
        }
        if (first)
            group.family[group.count++] = family;
    }
    return group;
}

static void build_or_mourn(struct village *village, const struct order *group)
{
    for (int i = 0; i < group->count; i++) {
        struct family *family = &village->of[group->family[i]];
        family->pieces += !family->barred;
    }
}

void village_poles(struct village *village)
{
    unsigned done = 0;
    int places = BUILDERS;
    while (places > 0) {
        struct order group = next_group(village, done);
        if (group.count == 0)
            return;
        for (int i = 0; group.count > places && i < group.count; i++)
            village->of[group.family[i]].birds += village_supply(village) > 0;
        if (group.count > places)
            return;
        build_or_mourn(village, &group);
        places -= group.count;
        for (int i = 0; i < group.count; i++)
            done |= 1U << group.family[i];
    }
}
