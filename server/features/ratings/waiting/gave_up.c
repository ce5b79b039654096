#include "gave_up.h"

#include <rating/class.h>
#include <string.h>

/* How many moves half of the matches of computers are shorter than, all seats together, of one that
 * nobody gives up (tests/strength/README.md). */
static const struct {
    const char *game;
    unsigned moves[PROTOCOL_SEATS + 1]; /* by seats */
} usual[] = {
    {"taluva", {[2] = 60, [3] = 86, [4] = 96, [5] = 118}},
    {"totem", {[2] = 100, [3] = 120, [4] = 190}},
};

static unsigned usual_moves(const struct room_result *result)
{
    for (size_t at = 0; at < sizeof usual / sizeof usual[0]; at++) {
        if (strcmp(usual[at].game, result->game) == 0)
            return usual[at].moves[result->seats];
    }
    return 0;
}

bool gave_up_early(const struct room_result *result, unsigned seat)
{
    const struct room_result_seat *own = &result->seat[seat];
    return own->resigned && !own->won && 2 * own->out_moves < usual_moves(result);
}

unsigned gave_up_often(const char *outcomes)
{
    const size_t len = strlen(outcomes), from = len > GAVE_UP_OF ? len - GAVE_UP_OF : 0;
    unsigned count = 0;
    for (size_t at = from; at < len; at++)
        count += outcomes[at] == GAVE_UP;
    return len > 0 && outcomes[len - 1] == GAVE_UP && count >= GAVE_UP_MIN ? count : 0;
}
