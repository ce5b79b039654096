#include <rating/settle.h>

#include <rating/class.h>

/* Who has left has not won. If the computer has won for them, nobody who stayed has. */
static void settle_winners(struct book_match *match, uint32_t left)
{
    match->winners &= ~left;
    if (!match->winners)
        match->still = ((UINT32_C(1) << match->sides) - 1) & ~left;
}

/* Who has left is behind all others, together. */
static void settle_places(struct book_match *match, uint32_t left, const uint8_t rank[RATING_SEATS])
{
    match->winners = 0;
    for (unsigned side = 0; side < match->sides; side++) {
        unsigned before = 0; /* who stayed and has a better place */
        for (unsigned other = 0; other < match->sides; other++)
            before += !(left >> other & 1) && (left >> side & 1 || rank[other] < rank[side]);
        match->place[side] = (uint8_t)(before + 1);
    }
}

void rating_settle(struct book_match *match, uint32_t left, const uint8_t rank[RATING_SEATS])
{
    if (rating_class_at(match->class)->places)
        settle_places(match, left, rank);
    else
        settle_winners(match, left);
}
