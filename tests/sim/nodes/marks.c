#include "marks.h"

#include "../worlds.h"

static struct rare_place places[NODE_MARK_COUNT] = {
#define MARK_ROW(name, text) {#name, text, 0},
    NODE_MARKS(MARK_ROW)
#undef MARK_ROW
};
const struct rare_place *const node_mark_places = places;

void node_mark(enum node_mark mark)
{
    places[mark].count++;
}
