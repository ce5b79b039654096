#include "bracket.h"

#include "wide.h"
#include <assert.h>
#include <string.h>

static unsigned bits_for(unsigned most)
{
    unsigned bits = 1;
    while (most >> bits != 0)
        bits++;
    return bits;
}

/* ---- where in a weight what is */

/* Moved players by score; a group's numbers stand above those of lower scores. */
static unsigned place_groups(struct bracket *bracket)
{
    int groups = 0, sizes[PAIRING_ENTRANTS_MAX + 1] = {0};
    unsigned bits = 0;
    for (int v = 0; v < bracket->moved; v++) {
        if (v > 0 && bracket_who(bracket, v)->score != bracket_who(bracket, v - 1)->score)
            groups++;
        bracket->group[v] = groups;
        sizes[groups]++;
    }
    for (int g = bracket->moved > 0 ? groups : -1; g >= 0; g--) {
        bracket->group_bit[g] = bits;
        bits += bits_for((unsigned)sizes[g]);
    }
    return bits;
}

/* How many words a weight has. */
static unsigned place_fields(struct bracket *bracket)
{
    const unsigned own = (unsigned)(bracket->own_end - bracket->moved);
    const unsigned one = bits_for(own + 1), sum = bits_for(own * own + 1);
    const unsigned next = bits_for((unsigned)(bracket->next_end - bracket->own_end) + 1);
    const unsigned groups = place_groups(bracket);
    const unsigned widths[FIELDS] = {
        [FIELD_PICK] = one + 1,
        [FIELD_SUM] = sum,
        [FIELD_EXCHANGES] = one,
        [FIELD_C21] = groups,
        [FIELD_C20] = groups,
        [FIELD_C19] = groups,
        [FIELD_C18] = groups,
        [FIELD_C17] = one,
        [FIELD_C16] = one,
        [FIELD_C15] = one,
        [FIELD_C14] = one,
        [FIELD_C13] = one,
        [FIELD_C12] = one,
        [FIELD_C11] = one,
        [FIELD_C10] = one,
        [FIELD_C9] = bits_for(PAIRING_ROUNDS_MAX),
        [FIELD_C8_SCORES] = groups + one,
        [FIELD_C8_PAIRS] = next,
        [FIELD_C7] = groups,
        [FIELD_C6] = one,
    };
    unsigned bits = 0;
    for (int field = 0; field < FIELDS; field++) {
        bracket->bit[field] = bits;
        bits += widths[field];
    }
    return (bits + MATCHING_ROOM + 63) / 64;
}

static void count_in(struct bracket *bracket, int a, int b, enum field field, unsigned value)
{
    if (value != 0)
        matching_add(&bracket->matching, a, b, bracket->bit[field], value);
}

/* In the place of the score of `a`, who moved down. */
static void count_group(struct bracket *bracket, int a, int b, enum field field, bool good)
{
    if (good)
        matching_add(&bracket->matching, a, b,
                     bracket->bit[field] + bracket->group_bit[bracket->group[a]], 1);
}

/* ---- criteria */

/* C10: nobody gets a difference above 2. */
static bool keeps_balance(const struct contestant *a, const struct contestant *b)
{
    return !contestant_is_unbalanced(a) || !contestant_is_unbalanced(b) || !contestants_clash(a, b);
}

/* C11: nobody gets a colour for the third time running. */
static bool keeps_from_row(const struct contestant *a, const struct contestant *b)
{
    if (!a->absolute || !b->absolute || !contestants_clash(a, b))
        return true;
    if (a->difference == b->difference)
        return a->repeated == 0 || a->repeated != b->repeated;
    const struct contestant *yields = a->difference > b->difference ? b : a;
    return yields->repeated == 0 || yields->repeated == yields->wants;
}

/* C13: a strong preference is granted; two absolute ones are for C10 and C11. */
static bool grants_strong(const struct contestant *a, const struct contestant *b)
{
    const bool both = (a->strong || a->absolute) && (b->strong || b->absolute);
    return !both || (a->absolute && b->absolute) || !contestants_clash(a, b);
}

static void weigh_colours(struct bracket *bracket, int a, int b)
{
    const struct contestant *x = bracket_who(bracket, a), *y = bracket_who(bracket, b);
    count_in(bracket, a, b, FIELD_C10, keeps_balance(x, y));
    count_in(bracket, a, b, FIELD_C11, keeps_from_row(x, y));
    count_in(bracket, a, b, FIELD_C12, !contestants_clash(x, y));
    count_in(bracket, a, b, FIELD_C13, grants_strong(x, y));
}

/*
 * C14 to C17, of one round: residents who floated down are paired; those who floated up are not
 * paired with somebody from above.
 */
static void weigh_floaters(struct bracket *bracket, int a, int b, unsigned back, enum field down,
                           enum field up)
{
    const struct contestant *x = bracket_who(bracket, a), *y = bracket_who(bracket, b);
    const bool moved = a < bracket->moved;
    unsigned residents = y->floats[back] == FLOAT_DOWN;
    residents += !moved && x->floats[back] == FLOAT_DOWN;
    count_in(bracket, a, b, down, residents);
    count_in(bracket, a, b, up, !moved || y->floats[back] != FLOAT_UP);
}

/* C18 to C21, of one round: the same, by the scores of who moved down. */
static void weigh_differences(struct bracket *bracket, int a, int b, unsigned back, enum field down,
                              enum field up)
{
    if (a >= bracket->moved)
        return;
    count_group(bracket, a, b, down, bracket_who(bracket, a)->floats[back] == FLOAT_DOWN);
    count_group(bracket, a, b, up, bracket_who(bracket, b)->floats[back] != FLOAT_UP);
}

static void weigh_own(struct bracket *bracket, int a, int b)
{
    count_in(bracket, a, b, FIELD_C6, 1);
    if (a < bracket->moved)
        count_group(bracket, a, b, FIELD_C7, true);
    weigh_colours(bracket, a, b);
    weigh_floaters(bracket, a, b, 0, FIELD_C14, FIELD_C15);
    weigh_floaters(bracket, a, b, 1, FIELD_C16, FIELD_C17);
    weigh_differences(bracket, a, b, 0, FIELD_C18, FIELD_C19);
    weigh_differences(bracket, a, b, 1, FIELD_C20, FIELD_C21);
}

/* C8 */
static void weigh_next(struct bracket *bracket, int a, int b)
{
    const unsigned one = bits_for((unsigned)(bracket->own_end - bracket->moved) + 1);
    count_in(bracket, a, b, FIELD_C8_PAIRS, 1);
    if (a < bracket->moved)
        matching_add(&bracket->matching, a, b,
                     bracket->bit[FIELD_C8_SCORES] + one + bracket->group_bit[bracket->group[a]],
                     1);
    else if (a < bracket->own_end)
        count_in(bracket, a, b, FIELD_C8_SCORES, 1);
}

void bracket_weigh(struct bracket *bracket, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    wide_zero(matching_weight(&bracket->matching, low, high), bracket->matching.words);
    if (bracket_is_own(bracket, high))
        weigh_own(bracket, low, high);
    else if (high >= bracket->own_end && high < bracket->next_end)
        weigh_next(bracket, low, high);
}

void bracket_weigh_order(struct bracket *bracket, int a, int b, int index, int pairs, int count)
{
    count_in(bracket, a, b, FIELD_EXCHANGES, index < pairs);
    count_in(bracket, a, b, FIELD_SUM, (unsigned)(count - index));
}

/* ---- the graph */

static void place_vertices(struct bracket *bracket, const struct bracket_plan *plan)
{
    int vertex = 0;
    for (int i = 0; i < plan->count; i++) {
        if (vertex == bracket->rest)
            bracket->place[vertex++] = -1;
        bracket->place[vertex++] = plan->left[i];
    }
    if (vertex == bracket->rest)
        bracket->place[vertex] = -1;
}

static void allow_edges(struct bracket *bracket, const struct bracket_plan *plan)
{
    const int count = bracket->matching.count;
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < a; b++) {
            bool legal;
            if (a == bracket->rest || b == bracket->rest) {
                const struct contestant *one = bracket_who(bracket, a == bracket->rest ? b : a);
                legal = one->may_rest && one->score == plan->rest_score;
            } else {
                const size_t row = (size_t)bracket->place[a] * plan->all->count;
                legal = plan->legal[row + (size_t)bracket->place[b]];
            }
            matching_allow(&bracket->matching, a, b, legal);
        }
    }
}

/* [4.3] for a bracket to which nobody moved, if as many are paired as there can be. */
static void guess_order(struct bracket *bracket)
{
    const int count = bracket->own_end;
    bracket->guess = bracket->moved == 0 ? count / 2 : 0;
    for (int a = 0; bracket->guess > 0 && a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            if (matching_legal(&bracket->matching, a, b))
                bracket_weigh_order(bracket, a, b, a, bracket->guess, count);
        }
    }
}

static void weigh_edges(struct bracket *bracket)
{
    for (int b = bracket->moved; b < bracket->next_end; b++) {
        for (int a = 0; a < b; a++) {
            if (matching_legal(&bracket->matching, a, b))
                bracket_weigh(bracket, a, b);
        }
    }
    guess_order(bracket);
    for (int v = 0; v < (bracket->moved + bracket->own_end) / 2; v++)
        bracket->matching.first[v] = false;
}

/* C9 is asked where the bye is all that the bracket leaves over. */
static bool leaves_only_bye(const struct bracket *bracket, const struct bracket_plan *plan)
{
    int unpaired = 0;
    if (!plan->odd || plan->own == 0 ||
        bracket_who(bracket, bracket->moved)->score > plan->rest_score)
        return false;
    for (int v = 0; v < bracket->own_end; v++)
        unpaired += v < bracket->moved ? !bracket_is_paired(bracket, v)
                                       : bracket->matching.mate[v] >= bracket->own_end;
    return unpaired == 1;
}

static void weigh_bye(struct bracket *bracket)
{
    matching_loosen(&bracket->matching, bracket->rest);
    for (int v = 0; v < bracket->own_end; v++) {
        if (matching_legal(&bracket->matching, v, bracket->rest))
            count_in(bracket, v, bracket->rest, FIELD_C9, bracket_who(bracket, v)->played);
    }
    matching_settle(&bracket->matching, bracket->rest);
}

void bracket_solve(struct bracket *bracket)
{
    const bool solved = matching_solve(&bracket->matching);
    assert(solved);
    (void)solved;
}

bool bracket_init(struct bracket *bracket, const struct bracket_plan *plan)
{
    memset(bracket, 0, sizeof *bracket);
    bracket->all = plan->all;
    bracket->moved = plan->moved;
    bracket->own_end = plan->moved + plan->own;
    bracket->next_end = bracket->own_end + plan->next;
    bracket->rest = plan->odd ? bracket->next_end : MATCHING_NONE;
    place_vertices(bracket, plan);
    const unsigned words = place_fields(bracket);
    if (!matching_init(&bracket->matching, plan->count + plan->odd, bracket->next_end + plan->odd,
                       words))
        return false;
    allow_edges(bracket, plan);
    weigh_edges(bracket);
    bracket_solve(bracket);
    if (leaves_only_bye(bracket, plan)) {
        weigh_bye(bracket);
        bracket_solve(bracket);
    }
    return true;
}

void bracket_release(struct bracket *bracket)
{
    matching_release(&bracket->matching);
}
