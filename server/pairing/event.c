#include <pairing/event.h>

#include <stdlib.h>
#include <string.h>

bool pairing_event_init(struct pairing_event *event)
{
    *event = (struct pairing_event){.points = {.win = 10, .draw = 5, .bye = 10}};
    event->entrant = calloc(PAIRING_ENTRANTS_MAX, sizeof *event->entrant);
    event->ban = calloc(PAIRING_BANS_MAX, sizeof *event->ban);
    if (event->entrant && event->ban)
        return true;
    pairing_event_release(event);
    return false;
}

void pairing_event_release(struct pairing_event *event)
{
    free(event->entrant);
    free(event->ban);
    *event = (struct pairing_event){0};
}

const struct pairing_meeting *pairing_meeting_of(const struct pairing_event *event, unsigned number,
                                                 unsigned round)
{
    return &event->entrant[number - 1].meeting[round - 1];
}

static bool result_is(const struct pairing_meeting *meeting, const char *letters)
{
    return meeting->result != 0 && strchr(letters, meeting->result) != NULL;
}

bool pairing_was_played(const struct pairing_meeting *meeting)
{
    return meeting->opponent != 0 && result_is(meeting, "1=0WDL");
}

bool pairing_took_part(const struct pairing_meeting *meeting)
{
    return meeting->opponent != 0 || result_is(meeting, "U+");
}

unsigned pairing_points_of(const struct pairing_event *event, const struct pairing_meeting *meeting)
{
    if (result_is(meeting, "1W+F"))
        return event->points.win;
    if (result_is(meeting, "=DH"))
        return event->points.draw;
    if (result_is(meeting, "U"))
        return event->points.bye;
    if (result_is(meeting, "0L"))
        return event->points.loss;
    return meeting->opponent != 0 ? event->points.forfeit : event->points.none;
}

unsigned pairing_score(const struct pairing_event *event, unsigned number, unsigned round)
{
    unsigned score = 0;
    for (unsigned before = 1; before < round; before++)
        score += pairing_points_of(event, pairing_meeting_of(event, number, before));
    return score;
}

/* The first half of the entrants, to an even number, begin with a win more in the first half of the
 * rounds that are accelerated, then with half of it; those are the first half of all rounds. */
static unsigned baku_extra(const struct pairing_event *event, unsigned number, unsigned round)
{
    const unsigned planned = event->planned != 0 ? event->planned : event->rounds;
    const unsigned accelerated = (planned + 1) / 2, whole = (accelerated + 1) / 2;
    if (number > 2 * ((event->entrants + 3) / 4) || round > accelerated)
        return 0;
    return round <= whole ? event->points.win : event->points.draw;
}

unsigned pairing_extra(const struct pairing_event *event, unsigned number, unsigned round)
{
    if (event->baku)
        return baku_extra(event, number, round);
    return round <= PAIRING_ROUNDS_MAX ? event->entrant[number - 1].extra[round - 1] : 0;
}

static bool has_colour(const struct pairing_meeting *meeting)
{
    return meeting->colour == 'w' || meeting->colour == 'b';
}

static unsigned find_coloured_round(const struct pairing_event *event)
{
    for (unsigned round = 1; round <= event->rounds; round++) {
        for (unsigned number = 1; number <= event->entrants; number++) {
            if (has_colour(pairing_meeting_of(event, number, round)))
                return round;
        }
    }
    return 0;
}

char pairing_first_colour(const struct pairing_event *event)
{
    const unsigned coloured = find_coloured_round(event);
    bool odd = true; /* the number among those who had one by then */
    for (unsigned number = 1; coloured != 0 && number <= event->entrants; number++) {
        bool there = false;
        for (unsigned round = 1; round <= coloured; round++)
            there |= pairing_took_part(pairing_meeting_of(event, number, round));
        const struct pairing_meeting *meeting = pairing_meeting_of(event, number, coloured);
        if (there && has_colour(meeting))
            return odd == (meeting->colour == 'w') ? 'w' : 'b';
        odd ^= there;
    }
    return 0;
}
