#include "said.h"

void said_begin(struct said *said, struct said_one list[static SAID_MAX])
{
    *said = (struct said){.list = list};
}

static size_t find_one(const struct said *said, uint64_t session)
{
    size_t at = 0;
    while (at < said->count && said->list[at].session != session)
        at++;
    return at;
}

bool said_since(const struct said *said, uint64_t session, int64_t at_ms)
{
    const size_t at = find_one(said, session);
    return at < said->count && said->list[at].at_ms > at_ms;
}

static size_t find_place(const struct said *said, uint64_t session)
{
    size_t at = find_one(said, session);
    if (at < SAID_MAX)
        return at;
    at = 0;
    for (size_t other = 1; other < said->count; other++) {
        if (said->list[other].at_ms < said->list[at].at_ms)
            at = other;
    }
    return at;
}

void said_at(struct said *said, uint64_t session, int64_t at_ms)
{
    const size_t at = find_place(said, session);
    said->count += at == said->count;
    said->list[at] = (struct said_one){session, at_ms};
}
