/*
 * Where the careful player settles its people: a few sensible arrangements are tried in the
 * forecasts.
 */
#include "careful.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include <totem_rules/values.h>

/* An arrangement: so many men if not all can stay, and couples in so many huts. */
struct plan {
    unsigned men;
    bool mature_first;
    unsigned huts;
};

/* As many of this kind as there are and as fit; the rest of `left`. */
static unsigned keep_people(struct totem_people *kept, const struct totem_people *all,
                            unsigned kind, unsigned most, unsigned *left)
{
    unsigned n = (unsigned)(all->of[kind] - kept->of[kind]);
    n = n < most ? n : most;
    n = n < *left ? n : *left;
    kept->of[kind] = (uint8_t)(kept->of[kind] + n);
    *left -= n;
    return n;
}

/* Who stays: an elder, the men that are wanted, women, and whoever else there is room for. */
static struct totem_people who_stays(const struct totem_people *all, unsigned stay,
                                     const struct plan *plan)
{
    static const uint8_t rest[] = {TOTEM_MAN, TOTEM_YOUNG_MAN, TOTEM_ELDER};
    struct totem_people kept = {{0}};
    unsigned left = stay;
    unsigned first = plan->mature_first ? TOTEM_MAN : TOTEM_YOUNG_MAN;
    unsigned second = plan->mature_first ? TOTEM_YOUNG_MAN : TOTEM_MAN;
    keep_people(&kept, all, TOTEM_ELDER, 1, &left);
    keep_people(&kept, all, second, plan->men - keep_people(&kept, all, first, plan->men, &left),
                &left);
    if (kept.of[TOTEM_MAN] == 0) /* somebody must become an elder */
        keep_people(&kept, all, TOTEM_WOMAN, 1, &left);
    keep_people(&kept, all, TOTEM_YOUNG_WOMAN, left, &left);
    keep_people(&kept, all, TOTEM_WOMAN, left, &left);
    for (unsigned i = 0; i < sizeof rest; i++)
        keep_people(&kept, all, rest[i], left, &left);
    return kept;
}

typedef unsigned count_function(const struct totem_people *people);

static unsigned count_elders(const struct totem_people *people)
{
    return TOTEM_HUT_PEOPLE_MAX - people->of[TOTEM_ELDER]; /* together: where most are already */
}

/* Into the one of the first `huts` with the fewest of them that has room, else into any. */
static void place_person(struct totem_people huts[TOTEM_HUTS], unsigned kind, count_function *same,
                         unsigned among)
{
    unsigned best = TOTEM_HUTS, least = UINT_MAX;
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        unsigned cost = same(&huts[hut]) + (hut < among ? 0 : 2 * TOTEM_HUT_PEOPLE_MAX);
        if (totem_count(&huts[hut]) < totem_hut_room() && cost < least) {
            best = hut;
            least = cost;
        }
    }
    assert(best < TOTEM_HUTS);
    huts[best].of[kind]++;
}

static void place_all(struct totem_people huts[TOTEM_HUTS], const struct totem_people *kept,
                      unsigned kind, count_function *same, unsigned among)
{
    for (unsigned n = 0; n < kept->of[kind]; n++)
        place_person(huts, kind, same, among);
}

static void arrange_huts(const struct totem_people *all, unsigned stay, const struct plan *plan,
                         struct totem_people huts[TOTEM_HUTS])
{
    struct totem_people kept = who_stays(all, stay, plan);
    memset(huts, 0, TOTEM_HUTS * sizeof *huts);
    place_all(huts, &kept, TOTEM_MAN, totem_count_men, plan->huts);
    place_all(huts, &kept, TOTEM_YOUNG_MAN, totem_count_men, plan->huts);
    place_all(huts, &kept, TOTEM_YOUNG_WOMAN, totem_count_women, plan->huts);
    place_all(huts, &kept, TOTEM_WOMAN, totem_count_women, plan->huts);
    place_all(huts, &kept, TOTEM_ELDER, count_elders, TOTEM_HUTS);
}

/* It reckons with twins where most women are. */
static int weigh_huts(struct totem_thought *thought, const struct totem_people huts[TOTEM_HUTS])
{
    unsigned best = 0, first = thought->family * TOTEM_HUTS;
    memcpy(thought->game.families[thought->family].huts, huts, TOTEM_HUTS * sizeof *huts);
    for (unsigned hut = 1; hut < TOTEM_HUTS; hut++)
        best = totem_count_women(&huts[hut]) > totem_count_women(&huts[best]) ? hut : best;
    thought->own[first + best] = 1U << TOTEM_TWINS;
    int worth = totem_thought_worth(thought);
    thought->own[first + best] = 0;
    return worth;
}

void totem_settle_best(struct totem_thought *thought, struct totem_command *out)
{
    const struct totem_people all = totem_everybody(&thought->game.families[thought->family]);
    unsigned stay = totem_to_settle(&thought->game, thought->family);
    bool trimmed = stay < totem_count(&all);
    int best = INT_MIN;
    out->verb = TOTEM_VERB_SETTLE;
    for (unsigned men = TOTEM_HUTS; men <= (trimmed ? 2U * TOTEM_HUTS : TOTEM_HUTS); men++) {
        for (unsigned i = 0; i < TOTEM_HUTS * (trimmed ? 2U : 1U); i++) {
            struct totem_people huts[TOTEM_HUTS];
            struct plan plan = {men, i >= TOTEM_HUTS, 1 + i % TOTEM_HUTS};
            arrange_huts(&all, stay, &plan, huts);
            int worth = weigh_huts(thought, huts);
            if (worth > best && (best == INT_MIN || !totem_thought_overlooks(thought))) {
                best = worth;
                memcpy(out->people, huts, sizeof huts);
            }
        }
    }
}
