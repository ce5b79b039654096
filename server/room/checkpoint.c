#include "checkpoint.h"

/* The move that the last event took back is one from up to `seq`. */
static bool took_back_from(const struct log *log, uint64_t last, uint64_t seq)
{
    if (log->entries[last - 1].kind != ROOM_UNDONE)
        return false;
    for (uint64_t i = last - 1; i > seq; i--) {
        if (log->entries[i - 1].undone_by == last)
            return false;
    }
    return true;
}

void checkpoint_follow(struct checkpoint *checkpoint, const struct setup *setup,
                       const struct log *log, const struct match *match)
{
    if (!checkpoint->match)
        return;
    if (checkpoint->valid && took_back_from(log, match->seq, checkpoint->match->seq))
        checkpoint->valid = false;
    if (match->seq % CHECKPOINT_EVENTS == 0) {
        match_copy(setup, checkpoint->match, match);
        checkpoint->valid = true;
    }
}
