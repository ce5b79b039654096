/*
 * A copy of the match as of an earlier event, so that recent events and an undone move need not be
 * replayed from the first event.
 *
 * It is renewed every CHECKPOINT_EVENTS events. An undo of a move from before the copy makes the
 * copy useless, as it still contains that move.
 */
#ifndef ROOM_CHECKPOINT_H
#define ROOM_CHECKPOINT_H

#include "match.h"

enum { CHECKPOINT_EVENTS = 16 };

struct checkpoint {
    struct match *match; /* the caller's memory, or NULL: no checkpoint is ever made */
    bool valid;
};

/* To be called after each event has been applied to `match`; it is in the log by then. */
void checkpoint_follow(struct checkpoint *checkpoint, const struct setup *setup,
                       const struct log *log, const struct match *match);

/* Can the match as of `seq` be made from it? */
static inline bool checkpoint_reaches(const struct checkpoint *checkpoint, uint64_t seq)
{
    return checkpoint->valid && checkpoint->match->seq <= seq;
}

#endif
