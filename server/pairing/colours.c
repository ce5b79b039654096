#include "contestants.h"

static char other_colour(char colour)
{
    return colour == 'w' ? 'b' : colour == 'b' ? 'w' : 0;
}

/* The colour of the game before `*round`, which goes back to it; 0: there was none. */
static char step_back(const struct contestants *all, unsigned number, unsigned *round)
{
    while (*round > 1) {
        const struct pairing_meeting *meeting = pairing_meeting_of(all->event, number, --*round);
        if (pairing_was_played(meeting))
            return meeting->colour;
    }
    return 0;
}

/* [5.2.3] the other way round than the last time that they had different ones; 0: they never had */
static char alternate(const struct contestants *all, const struct contestant *a,
                      const struct contestant *b)
{
    unsigned round_a = all->round, round_b = all->round;
    for (;;) {
        const char of_a = step_back(all, a->number, &round_a);
        const char of_b = step_back(all, b->number, &round_b);
        if (of_a == 0 || of_b == 0)
            return 0;
        if (of_a != of_b)
            return of_b;
    }
}

/* [5.2.2] the stronger preference; 0: neither is */
static char grant_stronger(const struct contestant *a, const struct contestant *b)
{
    if (a->absolute && (!b->absolute || a->difference > b->difference))
        return a->wants;
    if (b->absolute && (!a->absolute || b->difference > a->difference))
        return other_colour(b->wants);
    if (a->strong != b->strong)
        return a->strong ? a->wants : other_colour(b->wants);
    return 0;
}

static bool ranks_above(const struct contestant *a, const struct contestant *b)
{
    return a->score != b->score ? a->score > b->score : a->number < b->number;
}

char contestants_colour(const struct contestants *all, const struct contestant *a,
                        const struct contestant *b)
{
    if (!contestants_clash(a, b) && (a->wants != 0 || b->wants != 0)) /* [5.2.1] */
        return a->wants != 0 ? a->wants : other_colour(b->wants);
    const struct contestant *higher = ranks_above(a, b) ? a : b;
    char colour = 0;
    if (a->wants != 0)
        colour = grant_stronger(a, b);
    if (colour == 0 && a->wants != 0)
        colour = alternate(all, a, b);
    if (colour != 0)
        return colour;
    if (higher->wants != 0) /* [5.2.4] */
        colour = higher->wants;
    else /* [5.2.5] */
        colour = higher->odd ? all->first : other_colour(all->first);
    return higher == a ? colour : other_colour(colour);
}
