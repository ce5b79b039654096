#include "totem_steps.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

const char *const totem_step_words[] = {"settle",  "choose",  "cast",    "write",
                                        "reveal3", "reveal4", "reveal6", "reveal7",
                                        "starve",  "take",    "over"};

enum { WINNING = 6 };

/* ---- who is asked */

void steps_enqueue(struct totem_reference *reference, int family)
{
    assert(reference->queued < QUEUE_MAX);
    reference->queue[reference->queued++] = family;
}

void steps_dequeue(struct totem_reference *reference, int at)
{
    reference->queued--;
    for (; at < reference->queued; at++)
        reference->queue[at] = reference->queue[at + 1];
}

bool steps_all_at_once(const struct totem_reference *reference)
{
    return reference->step == WRITE || (reference->step == TAKE && reference->meals_by == 'B');
}

int steps_allowance(const struct family *family)
{
    int most = family->pieces + family->birds;
    return most < SPELLS ? most : SPELLS;
}

bool steps_can_cast(const struct totem_reference *reference, const struct family *family)
{
    int placed = SPELLS - village_spells(family, HOME);
    if (reference->spells_by == 't')
        return village_spells(family, CHOSEN) > 0;
    return placed < SPELLS && (placed < family->pieces || family->birds > 0);
}

static bool is_asked(const struct totem_reference *reference, const struct family *family)
{
    switch (reference->step) {
    case SETTLE:
        return true;
    case CHOOSE:
    case WRITE:
        return steps_allowance(family) > 0 && !family->note.written;
    case CAST:
        return steps_can_cast(reference, family);
    case REVEAL3:
    case REVEAL4:
    case REVEAL6:
    case REVEAL7:
        return village_spells(family, DOWN) > 0;
    case STARVE:
    case TAKE:
    case OVER:
        break;
    }
    return false;
}

void steps_ask(struct totem_reference *reference, enum step step)
{
    struct order order = village_order(&reference->village);
    reference->step = step;
    reference->queued = 0;
    for (int i = 0; i < order.count; i++) {
        if (is_asked(reference, &reference->village.of[order.family[i]]))
            steps_enqueue(reference, order.family[i]);
    }
}

/* ---- the meal */

static struct order takers(const struct totem_reference *reference)
{
    const struct village *village = &reference->village;
    struct order order = village_order(village), others = {0};
    for (int i = 0; i < order.count; i++) {
        if (village_seat(village, order.family[i]) !=
            village_seat(village, reference->hungry[0].family))
            others.family[others.count++] = order.family[i];
    }
    assert(others.count > 0); /* with one seat left it is over */
    return others;
}

/* How many persons the family must name. */
int steps_share(const struct totem_reference *reference, int family)
{
    struct order order = takers(reference);
    int number = reference->hungry[0].number, turns = 0;
    if (reference->step == STARVE)
        return number;
    if (reference->meals_by == 'A')
        return 1;
    for (int i = 0; i < number; i++)
        turns += order.family[i % order.count] == family;
    return turns;
}

void steps_ask_takers(struct totem_reference *reference)
{
    struct order order = takers(reference);
    reference->queued = 0;
    for (int i = 0; reference->meals_by == 'A' && i < reference->hungry[0].number; i++)
        steps_enqueue(reference, order.family[i % order.count]);
    for (int i = 0; reference->meals_by == 'B' && i < order.count; i++) {
        if (steps_share(reference, order.family[i]) > 0 &&
            !reference->village.of[order.family[i]].note.written)
            steps_enqueue(reference, order.family[i]);
    }
}

void steps_next_hungry(struct totem_reference *reference)
{
    reference->hungry_count--;
    for (int i = 0; i < reference->hungry_count; i++)
        reference->hungry[i] = reference->hungry[i + 1];
}

void steps_meal_goes_on(struct totem_reference *reference)
{
    reference->queued = 0;
    if (reference->hungry_count == 0) {
        village_spill(&reference->village);
        steps_ask(reference, REVEAL6);
    } else if (reference->meals_by == 'o') {
        reference->step = STARVE;
        for (int i = 0; i < reference->hungry_count; i++)
            steps_enqueue(reference, reference->hungry[i].family);
    } else {
        reference->step = TAKE;
        steps_ask_takers(reference);
    }
}

static void meal(struct totem_reference *reference)
{
    int lack[FAMILIES];
    struct order order = village_order(&reference->village);
    village_meal(&reference->village, lack);
    for (int i = 0; i < order.count; i++) {
        int family = order.family[i];
        if (lack[family] > 0) {
            reference->hungry[reference->hungry_count].family = family;
            reference->hungry[reference->hungry_count++].number = lack[family];
        }
    }
    steps_meal_goes_on(reference);
}

void steps_people_go(struct totem_reference *reference, int index, int gone[HUTS][KINDS])
{
    struct family *family = &reference->village.of[index];
    int elders = 0;
    for (int i = 0; i < HUTS * KINDS; i++)
        family->people[i / KINDS][i % KINDS] -= gone[i / KINDS][i % KINDS];
    for (int hut = 0; hut < HUTS; hut++)
        elders += gone[hut][ELDER];
    village_mourn(&reference->village, index, elders > 0 && village_of_kind(family, ELDER) == 0);
}

void steps_forget_notes(struct totem_reference *reference)
{
    for (int i = 0; i < FAMILIES; i++)
        memset(&reference->village.of[i].note, 0, sizeof(struct note));
    reference->written_count = 0;
}

static void read_takes(struct totem_reference *reference)
{
    int gone[HUTS][KINDS] = {{0}}, victim = reference->hungry[0].family;
    for (int cell = 0; cell < HUTS * KINDS; cell++) {
        int hut = cell / KINDS, kind = cell % KINDS;
        for (int i = 0; i < FAMILIES; i++)
            gone[hut][kind] += reference->village.of[i].note.people[hut][kind];
        if (gone[hut][kind] > reference->village.of[victim].people[hut][kind])
            gone[hut][kind] = reference->village.of[victim].people[hut][kind];
    }
    steps_people_go(reference, victim, gone);
    steps_forget_notes(reference);
    steps_next_hungry(reference);
}

/* ---- the round */

static void read_spells(struct totem_reference *reference)
{
    for (int i = 0; i < FAMILIES; i++) {
        struct family *family = &reference->village.of[i];
        int count = 0;
        for (int spell = 0; family->note.written && spell < SPELLS; spell++) {
            if (family->note.hut[spell] < 0)
                continue;
            family->spells[spell] = (struct spell){DOWN, family->note.hut[spell]};
            count++;
        }
        if (count > family->pieces)
            family->birds -= count - family->pieces;
    }
    steps_forget_notes(reference);
}

static void births(struct totem_reference *reference)
{
    uint32_t words[ALL_HUTS];
    for (unsigned i = 0; i < ALL_HUTS; i++) {
        unsigned char counter[8] = {0}, block[crypto_auth_hmacsha256_BYTES];
        uint64_t number = 16 * (uint64_t)reference->village.round + i / 8;
        for (int byte = 0; byte < 8; byte++)
            counter[byte] = (unsigned char)(number >> (56 - 8 * byte));
        crypto_auth_hmacsha256_state state;
        crypto_auth_hmacsha256_init(&state, reference->key, sizeof reference->key);
        crypto_auth_hmacsha256_update(&state, counter, sizeof counter);
        crypto_auth_hmacsha256_final(&state, block);
        const unsigned char *at = &block[4 * (i % 8)];
        words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    village_births(&reference->village, words);
}

/* Better by pieces (if they count), people, birds: above 0. */
int steps_better(const struct family *a, const struct family *b, bool pieces)
{
    if (pieces && a->pieces != b->pieces)
        return a->pieces - b->pieces;
    if (village_count(a) != village_count(b))
        return village_count(a) - village_count(b);
    return a->birds - b->birds;
}

void steps_end(struct totem_reference *reference, const char *why, struct order winners)
{
    reference->why = why;
    reference->step = OVER;
    reference->queued = reference->hungry_count = 0;
    for (int i = 1; i < winners.count; i++) {
        if (village_seat(&reference->village, winners.family[i]) !=
            village_seat(&reference->village, winners.family[0]))
            winners.count = 0;
    }
    reference->winners = winners;
    steps_forget_notes(reference);
    village_spells_home(&reference->village);
}

static struct order best_of(const struct village *village, const struct order *order, bool pieces)
{
    struct order best = {0};
    for (int i = 0; i < order->count; i++) {
        bool beaten = false;
        for (int k = 0; k < order->count; k++)
            beaten |= steps_better(&village->of[order->family[k]], &village->of[order->family[i]],
                                   pieces) > 0;
        if (!beaten)
            best.family[best.count++] = order->family[i];
    }
    return best;
}

static void end_round(struct totem_reference *reference)
{
    struct village *village = &reference->village;
    struct order order = village_order(village), full = {0};
    village_generations(village);
    village_poles(village);
    village_spells_home(village);
    for (int i = 0; i < order.count; i++) {
        if (village->of[order.family[i]].pieces >= WINNING)
            full.family[full.count++] = order.family[i];
    }
    if (full.count > 0) {
        steps_end(reference, "totem", best_of(village, &full, false));
    } else if (village->round == reference->rounds) {
        steps_end(reference, "rounds", best_of(village, &order, true));
    } else {
        do
            village->first = (village->first + 1) % village->families;
        while (!village->of[village->first].in);
        village->round++;
        village_begin_round(village);
        steps_ask(reference, SETTLE);
    }
}

static void ask_magic(struct totem_reference *reference)
{
    steps_ask(reference, reference->spells_by == 't'   ? CHOOSE
                         : reference->spells_by == 'A' ? CAST
                                                       : WRITE);
}

static void step_done(struct totem_reference *reference)
{
    switch (reference->step) {
    case SETTLE:
        ask_magic(reference);
        break;
    case CHOOSE:
        steps_ask(reference, CAST);
        break;
    case WRITE:
        read_spells(reference);
        steps_ask(reference, REVEAL3);
        break;
    case CAST:
        steps_ask(reference, REVEAL3);
        break;
    case REVEAL3:
        births(reference);
        steps_ask(reference, REVEAL4);
        break;
    case REVEAL4:
        village_catch(&reference->village);
        meal(reference);
        break;
    case STARVE:
        steps_meal_goes_on(reference);
        break;
    case TAKE:
        if (reference->meals_by == 'B')
            read_takes(reference);
        steps_meal_goes_on(reference);
        break;
    case REVEAL6:
        village_illness(&reference->village);
        steps_ask(reference, REVEAL7);
        break;
    case REVEAL7:
        end_round(reference);
        break;
    case OVER:
        break;
    }
}

void steps_go_on(struct totem_reference *reference)
{
    while (reference->queued == 0 && reference->step != OVER)
        step_done(reference);
}
