#include "trf_reader.h"

static enum trf_error find_gaps(struct trf_reader *reader)
{
    struct pairing_event *event = reader->event;
    if (reader->highest == 0)
        return TRF_NOBODY;
    event->entrants = reader->highest;
    for (unsigned number = 1; number <= reader->highest; number++) {
        if (!reader->there[number]) {
            reader->place->entrant = number;
            return TRF_GAP;
        }
    }
    for (unsigned number = reader->highest + 1; number <= PAIRING_ENTRANTS_MAX; number++) {
        if (reader->away[number] != 0) {
            reader->place->entrant = number;
            return TRF_GAP;
        }
    }
    if (reader->extra_most > reader->highest) {
        reader->place->entrant = reader->extra_most;
        return TRF_GAP;
    }
    for (unsigned i = 0; i < event->bans; i++) {
        if (event->ban[i].a > event->entrants || event->ban[i].b > event->entrants)
            return TRF_GAP;
    }
    return TRF_OK;
}

/* The last round counts if somebody took part in it, or if there is something of everybody. */
static void count_rounds(struct trf_reader *reader)
{
    struct pairing_event *event = reader->event;
    bool all = true;
    event->rounds = 0;
    for (unsigned number = 1; number <= event->entrants; number++) {
        for (unsigned round = 1; round <= reader->last[number]; round++) {
            const bool counts = round < reader->last[number] ||
                                pairing_took_part(pairing_meeting_of(event, number, round));
            if (counts && round > event->rounds)
                event->rounds = round;
        }
    }
    for (unsigned number = 1; number <= event->entrants; number++)
        all &= reader->last[number] > event->rounds;
    event->rounds += all;
}

static enum trf_error check_rounds(const struct trf_reader *reader)
{
    const struct pairing_event *event = reader->event;
    const bool more = event->planned != 0 && event->rounds > event->planned;
    return more || event->planned > PAIRING_ROUNDS_MAX ? TRF_TOO_MANY_ROUNDS : TRF_OK;
}

static bool agree(const struct pairing_meeting *own, unsigned number,
                  const struct pairing_meeting *other)
{
    if (other->opponent != number || pairing_was_played(own) != pairing_was_played(other))
        return false;
    return own->colour == '-' || own->colour != other->colour;
}

static enum trf_error check_pairs(struct trf_reader *reader)
{
    const struct pairing_event *event = reader->event;
    for (unsigned number = 1; number <= event->entrants; number++) {
        for (unsigned round = 1; round <= event->rounds; round++) {
            const struct pairing_meeting *own = pairing_meeting_of(event, number, round);
            *reader->place = (struct trf_place){reader->line_of[number], number, round};
            if (own->opponent > event->entrants)
                return TRF_GAP;
            if (own->opponent != 0 &&
                !agree(own, number, pairing_meeting_of(event, own->opponent, round)))
                return TRF_CONTRADICTION;
        }
    }
    return TRF_OK;
}

/* What is added for all rounds alike needs points that are halved; points of single entrants come
 * before it. */
static enum trf_error check_baku(const struct trf_reader *reader)
{
    struct pairing_event *event = reader->event;
    event->baku = event->baku && !reader->extra_given;
    if (event->baku && (event->points.loss != 0 || 2 * event->points.draw != event->points.win))
        return TRF_BAD_VALUE;
    return TRF_OK;
}

/* The points may have those of a bye in the round to be paired already, and acceleration. */
static enum trf_error check_points(struct trf_reader *reader)
{
    const struct pairing_event *event = reader->event;
    for (unsigned number = 1; number <= event->entrants; number++) {
        const unsigned points = pairing_score(event, number, event->rounds + 1);
        const unsigned with = reader->last[number] > event->rounds
                                  ? pairing_score(event, number, event->rounds + 2)
                                  : points;
        const unsigned extra = pairing_extra(event, number, event->rounds + 1);
        const unsigned given = reader->points[number];
        *reader->place = (struct trf_place){reader->line_of[number], number, 0};
        if (given != points && given != with && given != points + extra && given != with + extra)
            return TRF_BAD_POINTS;
    }
    return TRF_OK;
}

/* Of a bye that is in a line 240, as in the column of its round. */
static void note_away(struct trf_reader *reader, unsigned number)
{
    struct pairing_entrant *entrant = &reader->event->entrant[number - 1];
    const unsigned next = reader->event->rounds;
    const bool full = reader->full[number] >> next & 1, half = reader->half[number] >> next & 1;
    entrant->away = reader->last[number] > next;
    if (entrant->away || !(reader->away[number] >> next & 1))
        return;
    entrant->away = true;
    entrant->meeting[next].result = full ? 'F' : half ? 'H' : 'Z';
}

static void find_away(struct trf_reader *reader)
{
    if (reader->event->rounds == PAIRING_ROUNDS_MAX)
        return;
    for (unsigned number = 1; number <= reader->event->entrants; number++)
        note_away(reader, number);
}

enum trf_error trf_check_whole(struct trf_reader *reader)
{
    *reader->place = (struct trf_place){0};
    enum trf_error error = find_gaps(reader);
    if (error != TRF_OK)
        return error;
    count_rounds(reader);
    error = check_rounds(reader);
    if (error == TRF_OK)
        error = check_baku(reader);
    if (error == TRF_OK)
        error = check_pairs(reader);
    if (error == TRF_OK)
        error = check_points(reader);
    if (error == TRF_OK)
        find_away(reader);
    return error;
}
