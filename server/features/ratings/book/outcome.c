#include "outcome.h"

#include <rating/settle.h>
#include <string.h>

static bool has_place(const struct room_result *result, const struct rating_class *class)
{
    const unsigned sides = result->teams ? result->teams : result->seats;
    if (strcmp(class->game, result->game) != 0 || result->seats > RATING_SEATS ||
        !rating_class_has_sides(class, sides) || result->seats != sides * class->side_seats)
        return false;
    for (unsigned i = 0; i < result->seats; i++) {
        if (result->seat[i].session == 0)
            return false;
    }
    return true;
}

static uint32_t fill_seats(const struct room_result *result, struct book_match *match,
                           uint8_t rank[RATING_SEATS])
{
    uint32_t left = 0;
    match->seats = (uint8_t)result->seats;
    match->sides = (uint8_t)(result->teams ? result->teams : result->seats);
    for (unsigned i = 0; i < result->seats; i++) {
        const struct room_result_seat *from = &result->seat[i];
        const uint8_t side = result->teams ? from->team : (uint8_t)i;
        match->seat[i] = (struct book_seat){.account = from->session, .side = side};
        match->winners |= from->won ? UINT32_C(1) << side : 0;
        left |= from->stood_in_for ? UINT32_C(1) << side : 0;
        rank[i] = from->rank;
    }
    return left;
}

enum outcome outcome_of(const struct room_result *result, struct book_match *match)
{
    const unsigned number = rating_class_find(result->rated);
    const struct rating_class *class = rating_class_at(number);
    uint8_t rank[RATING_SEATS] = {0};
    if (!result->rated[0])
        return OUTCOME_NOT_MEANT;
    if (!result->decided)
        return OUTCOME_NOT_DECIDED;
    if (result->early_out)
        return OUTCOME_ABORTED;
    if (!class || !has_place(result, class))
        return OUTCOME_UNKNOWN;
    *match = (struct book_match){.class = (uint8_t)number, .ended_ms = result->ended_ms};
    memcpy(match->room, result->room_id, sizeof match->room);
    rating_settle(match, fill_seats(result, match, rank), rank);
    return OUTCOME_RATED;
}
