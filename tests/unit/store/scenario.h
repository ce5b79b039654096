/*
 * A fixed history of batches that touches every kind of op: sessions come, change and go; rooms are
 * made, grow side by side, are archived and dropped; some texts are as long as they may be.
 */
#ifndef TESTS_UNIT_STORE_SCENARIO_H
#define TESTS_UNIT_STORE_SCENARIO_H

#include <hub/store.h>

enum { SCENARIO_BATCHES = 14, SCENARIO_OPS_MAX = 64 };

struct scenario {
    struct store_op ops[SCENARIO_OPS_MAX];
    char texts[SCENARIO_OPS_MAX][ROOM_EVENT_TEXT_MAX];
    struct store_batch batch;
    uint64_t seq[3]; /* of the rooms, as of the batches so far */
};

void scenario_init(struct scenario *scenario);
/* The batches must be asked for in order, from 0. Valid until the next. */
const struct store_batch *scenario_batch(struct scenario *scenario, int number);

#endif
