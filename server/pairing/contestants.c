#include "contestants.h"

#include <stdlib.h>
#include <string.h>

static char other_colour(char colour)
{
    return colour == 'w' ? 'b' : 'w';
}

/* [1.6] */
static void find_preference(const struct contestants *all, struct contestant *one)
{
    unsigned white = 0, black = 0, row = 0;
    char last = 0;
    for (unsigned round = 1; round < all->round; round++) {
        const struct pairing_meeting *meeting = pairing_meeting_of(all->event, one->number, round);
        if (!pairing_was_played(meeting))
            continue;
        one->played++;
        white += meeting->colour == 'w';
        black += meeting->colour == 'b';
        row = meeting->colour == last ? row + 1 : 1;
        last = meeting->colour;
    }
    one->difference = white > black ? white - black : black - white;
    one->repeated = row > 1 ? last : 0;
    one->absolute = one->difference > 1 || one->repeated != 0;
    one->strong = !one->absolute && one->difference == 1;
    if (one->difference > 1 || (one->repeated == 0 && one->difference == 1))
        one->wants = white > black ? 'b' : 'w';
    else
        one->wants = last == 0 ? 0 : other_colour(last);
}

static unsigned paired_score(const struct contestants *all, unsigned number, unsigned round)
{
    return pairing_score(all->event, number, round) + pairing_extra(all->event, number, round);
}

static enum pairing_float find_float(const struct contestants *all, unsigned number, unsigned round)
{
    const struct pairing_event *event = all->event;
    const struct pairing_meeting *meeting = pairing_meeting_of(event, number, round);
    if (!pairing_was_played(meeting))
        return pairing_points_of(event, meeting) > event->points.loss ? FLOAT_DOWN : FLOAT_NONE;
    const unsigned own = paired_score(all, number, round);
    const unsigned other = paired_score(all, meeting->opponent, round);
    return own > other ? FLOAT_DOWN : own < other ? FLOAT_UP : FLOAT_NONE;
}

/* C2: no bye for who had one, or as many points as for a win without playing [C.04.1, 4] */
static bool may_rest(const struct contestants *all, unsigned number)
{
    for (unsigned round = 1; round < all->round; round++) {
        const char result = pairing_meeting_of(all->event, number, round)->result;
        if (result != 0 && strchr("UF+", result))
            return false;
    }
    return true;
}

static bool plays(const struct contestants *all, unsigned number)
{
    if (all->round > all->event->rounds)
        return !all->event->entrant[number - 1].away;
    return pairing_took_part(pairing_meeting_of(all->event, number, all->round));
}

/* Whoever was never paired, has no number yet. */
static bool has_number(const struct contestants *all, unsigned number)
{
    for (unsigned round = 1; round < all->round; round++) {
        if (pairing_took_part(pairing_meeting_of(all->event, number, round)))
            return true;
    }
    return false;
}

static int compare_rank(const void *left, const void *right)
{
    const struct contestant *a = left, *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

void contestants_gather(struct contestants *all, const struct pairing_event *event, unsigned round)
{
    const unsigned most =
        event->points.win > event->points.draw ? event->points.win : event->points.draw;
    bool odd = true;
    *all = (struct contestants){.event = event, .round = round};
    all->last = round >= (event->planned != 0 ? event->planned : event->rounds);
    all->top = (round - 1) * most / 2;
    all->first = event->first != 0 ? event->first : pairing_first_colour(event);
    for (unsigned number = 1; number <= event->entrants; number++) {
        if (plays(all, number)) {
            struct contestant *one = &all->list[all->count++];
            *one = (struct contestant){.number = number, .odd = odd};
            one->points = pairing_score(event, number, round);
            one->score = paired_score(all, number, round);
            one->may_rest = may_rest(all, number);
            find_preference(all, one);
            for (unsigned back = 0; back < FLOATS_KEPT && back + 1 < round; back++)
                one->floats[back] = find_float(all, number, round - 1 - back);
        } else if (!has_number(all, number)) {
            continue;
        }
        odd = !odd;
    }
    qsort(all->list, all->count, sizeof all->list[0], compare_rank);
}

static bool have_met(const struct contestants *all, const struct contestant *a, unsigned number)
{
    for (unsigned round = 1; round < all->round; round++) {
        const struct pairing_meeting *meeting = pairing_meeting_of(all->event, a->number, round);
        if (meeting->opponent == number && pairing_was_played(meeting))
            return true;
    }
    return false;
}

bool contestants_may_meet(const struct contestants *all, const struct contestant *a,
                          const struct contestant *b)
{
    const bool top = all->last && (a->score > all->top || b->score > all->top);
    if (a->absolute && b->absolute && contestants_clash(a, b) && !top)
        return false;
    return !have_met(all, a, b->number);
}
