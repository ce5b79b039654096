#include <pairing/tiebreak.h>

#include <string.h>

static bool is_asked_for(const struct pairing_meeting *meeting)
{
    return meeting->opponent == 0 && strchr("HZ -", meeting->result);
}

/* A round that the entrant did not want to play. */
static bool is_voluntary(const struct pairing_meeting *meeting)
{
    return is_asked_for(meeting) || meeting->result == '-';
}

static unsigned adjust_score(const struct pairing_event *event, unsigned number)
{
    unsigned score = 0;
    bool last = true; /* nothing else follows */
    for (unsigned round = event->rounds; round >= 1; round--) {
        const struct pairing_meeting *meeting = pairing_meeting_of(event, number, round);
        const bool half = last && is_asked_for(meeting);
        score += half ? event->points.draw : pairing_points_of(event, meeting);
        last &= is_voluntary(meeting);
    }
    return score;
}

void pairing_adjusted_scores(const struct pairing_event *event, unsigned scores[])
{
    for (unsigned number = 1; number <= event->entrants; number++)
        scores[number - 1] = adjust_score(event, number);
}

/* Of whom one has met, or is taken to have met. */
static unsigned find_score(const struct pairing_event *event, const unsigned scores[],
                           const struct pairing_meeting *meeting, unsigned own)
{
    const unsigned rounds = event->planned > event->rounds ? event->planned : event->rounds;
    unsigned most = rounds * event->points.draw;
    if (meeting->opponent != 0)
        most = scores[meeting->opponent - 1];
    if (pairing_was_played(meeting))
        return most;
    return own < most ? own : most;
}

/* What Cut-1 leaves out. */
struct cut {
    bool any, any_voluntary;
    unsigned score, product;                     /* of the lowest score */
    unsigned voluntary_score, voluntary_product; /* each the lowest */
};

static void offer_cut(struct cut *cut, unsigned score, unsigned product, bool voluntary)
{
    if (!cut->any || score < cut->score || (score == cut->score && product < cut->product)) {
        cut->score = score;
        cut->product = product;
    }
    cut->any = true;
    if (!voluntary)
        return;
    if (!cut->any_voluntary || score < cut->voluntary_score)
        cut->voluntary_score = score;
    if (!cut->any_voluntary || product < cut->voluntary_product)
        cut->voluntary_product = product;
    cut->any_voluntary = true;
}

void pairing_tiebreaks(const struct pairing_event *event, const unsigned scores[], unsigned number,
                       struct pairing_tiebreaks *result)
{
    struct cut cut = {0};
    *result = (struct pairing_tiebreaks){.points = pairing_score(event, number, event->rounds + 1)};
    for (unsigned round = 1; round <= event->rounds; round++) {
        const struct pairing_meeting *meeting = pairing_meeting_of(event, number, round);
        const unsigned score = find_score(event, scores, meeting, result->points);
        const unsigned product = score * pairing_points_of(event, meeting);
        result->buchholz += score;
        result->sonneborn += product;
        offer_cut(&cut, score, product, is_voluntary(meeting));
    }
    const bool less = cut.any_voluntary && cut.voluntary_product > cut.product;
    result->buchholz_cut = result->buchholz - (cut.any_voluntary ? cut.voluntary_score : cut.score);
    result->sonneborn_cut = result->sonneborn - (less ? cut.voluntary_product : cut.product);
}
