/* Which finished rooms go, as every engine decides it. */
#include <hub/store.h>

static bool is_wanted(struct store_trim *trim, enum store_match match, int64_t ended_ms)
{
    if (trim->excess[match] == 0)
        return ended_ms < trim->before_ms[match];
    trim->excess[match]--;
    return true;
}

bool store_trim_takes(struct store_trim *trim, int64_t ended_ms, int64_t sessions)
{
    const enum store_match match = sessions < 2 ? STORE_MATCH_SOLO : STORE_MATCH_PEOPLE;
    if (is_wanted(trim, match, ended_ms)) {
        trim->dropped[match]++;
        return true;
    }
    trim->kept[match]++;
    if (ended_ms > trim->latest_ms)
        trim->latest_ms = ended_ms;
    return false;
}

bool store_trim_is_full(const struct store_trim *trim)
{
    return trim->dropped[STORE_MATCH_SOLO] + trim->dropped[STORE_MATCH_PEOPLE] >= STORE_TRIM_DROPS;
}

void store_trim_begin(struct store_trim *trim)
{
    trim->end = false;
    trim->latest_ms = 0;
    for (int match = 0; match < STORE_MATCHES; match++)
        trim->kept[match] = trim->dropped[match] = 0;
}
