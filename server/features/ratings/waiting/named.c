#include "named.h"

void named_begin(struct named *named, struct named_one list[static NAMED_MAX])
{
    *named = (struct named){.list = list};
}

static size_t find_one(const struct named *named, uint64_t seeker)
{
    size_t at = 0;
    while (at < named->count && named->list[at].seeker != seeker)
        at++;
    return at;
}

bool named_is_to_know(const struct named *named, uint64_t seeker, uint64_t with, int64_t seek_ms,
                      int64_t now_ms)
{
    const size_t at = find_one(named, seeker);
    if (at == named->count)
        return true;
    const struct named_one *one = &named->list[at];
    const int64_t since_ms = now_ms - one->told_ms;
    return since_ms >= NAMED_TELL_MS && (one->with != with || since_ms >= seek_ms / 2);
}

static size_t find_place(const struct named *named, uint64_t seeker)
{
    size_t at = find_one(named, seeker);
    if (at < NAMED_MAX)
        return at;
    at = 0;
    for (size_t other = 1; other < named->count; other++) {
        if (named->list[other].told_ms < named->list[at].told_ms)
            at = other;
    }
    return at;
}

void named_knows(struct named *named, uint64_t seeker, uint64_t with, int64_t now_ms)
{
    const size_t at = find_place(named, seeker);
    named->count += at == named->count;
    named->list[at] = (struct named_one){seeker, with, now_ms};
}
