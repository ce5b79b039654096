#include "stats.h"

#include <stddef.h>

void stats_add(struct stats *into, const struct stats *from)
{
    into->moves += from->moves;
    into->moves_sent += from->moves_sent;
    into->games_started += from->games_started;
    into->games_over += from->games_over;
    into->pushes += from->pushes;
    into->push_bytes += from->push_bytes;
    into->pushes_in_place += from->pushes_in_place;
    into->messages += from->messages;
    into->bytes += from->bytes;
    into->sent_bytes += from->sent_bytes;
    into->states_checked += from->states_checked;
    into->connects += from->connects;
    into->resumes += from->resumes;
    for (size_t i = 0; i < FAILURES; i++)
        into->failures[i] += from->failures[i];
    histogram_add(&into->acknowledged, &from->acknowledged);
    histogram_add(&into->delivered, &from->delivered);
    histogram_add(&into->push_size, &from->push_size);
    histogram_add(&into->resume_size, &from->resume_size);
}

uint64_t stats_failures(const struct stats *stats)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < FAILURES; i++)
        sum += stats->failures[i];
    return sum;
}

const char *failure_name(enum failure failure)
{
    static const char *const names[FAILURES] = {
        [FAILURE_REFUSED] = "refused",     [FAILURE_GAP] = "gap", [FAILURE_DIFFERS] = "differs",
        [FAILURE_MALFORMED] = "malformed", [FAILURE_CUT] = "cut", [FAILURE_CONNECT] = "connect",
        [FAILURE_OVERRUN] = "overrun",
    };
    return names[failure];
}
