#include "worlds.h"

static struct rare_place places[MARK_COUNT] = {
#define MARK_ROW(name, text) {#name, text, 0},
    MARKS(MARK_ROW)
#undef MARK_ROW
};
const struct rare_place *const mark_places = places;

void mark(enum mark mark)
{
    places[mark].count++;
}
