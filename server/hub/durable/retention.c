#include "retention.h"

#include "hub_private.h"
#include "rooms/entry.h"
#include "rooms/kept_share.h"
#include <assert.h>
#include <string.h>

/* Looked at one after the other, a million matches take some two hours. */
enum {
    STEP_MS = 100,
    PASS_MS = 6 * 3600 * 1000, /* from a pass that found nothing to the next one */
    FAILED_MS = 60000,
};
static const int64_t day_ms = INT64_C(24) * 3600 * 1000;

static bool is_bounded(const struct hub_config *config)
{
    return config->keep_days || config->keep_matches || config->keep_solo_days ||
           config->keep_solo_matches;
}

static bool may_step(const struct hub *hub)
{
    return is_bounded(&hub->config) && !hub->retention.under_way && !hub->commit.stopped &&
           !hub->commit.failing;
}

/* Of a room that is named; those of the bounds have steps of their own. */
static int64_t named_due_ms(const struct hub *hub)
{
    return kept_share_has_named(hub) ? hub->retention.named_ms : INT64_MAX;
}

/* One that is due already can be taken: then it is the caller who waits, for the store. */
int64_t retention_deadline_ms(const struct hub *hub)
{
    const int64_t named_ms = named_due_ms(hub), next_ms = hub->retention.next_ms;
    const int64_t due_ms = named_ms < next_ms ? named_ms : next_ms;
    return may_step(hub) && due_ms > hub->now_ms ? due_ms : INT64_MAX;
}

/* ---- what a step is asked for */

static int64_t ended_before_ms(const struct hub *hub, int64_t days)
{
    const struct retention *retention = &hub->retention;
    const int64_t now_ms = retention->latest_ms < hub->now_ms ? retention->latest_ms : hub->now_ms;
    return days && retention->counted ? now_ms - days * day_ms : INT64_MIN;
}

static void ask_by_bounds(struct hub *hub, struct store_trim *trim)
{
    const struct retention *retention = &hub->retention;
    *trim = (struct store_trim){.after = retention->after};
    trim->before_ms[STORE_MATCH_SOLO] = ended_before_ms(hub, hub->config.keep_solo_days);
    trim->before_ms[STORE_MATCH_PEOPLE] = ended_before_ms(hub, hub->config.keep_days);
    memcpy(trim->excess, retention->excess, sizeof trim->excess);
}

bool hub_trim_take(struct hub *hub, struct store_trim *trim)
{
    if (!may_step(hub))
        return false;
    if (named_due_ms(hub) <= hub->now_ms) {
        *trim = (struct store_trim){.after = 0};
        kept_share_take(hub, trim->room_id);
    } else if (hub->retention.next_ms <= hub->now_ms) {
        ask_by_bounds(hub, trim);
    } else {
        return false;
    }
    hub->retention.under_way = true;
    return true;
}

/* ---- what it has found */

/* Of a part of a site its share. */
static uint64_t count_above(const struct hub *hub, uint64_t count, int64_t most)
{
    const uint64_t parts = hub->env.parts, share = ((uint64_t)most + parts - 1) / parts;
    return most && count > share ? count - share : 0;
}

static uint64_t larger_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void find_excess(struct hub *hub)
{
    struct retention *retention = &hub->retention;
    const uint64_t solo = retention->kept[STORE_MATCH_SOLO];
    const uint64_t all = solo + retention->kept[STORE_MATCH_PEOPLE];
    const uint64_t in_all = count_above(hub, all, hub->config.keep_matches);
    const uint64_t solo_first = in_all < solo ? in_all : solo;
    retention->excess[STORE_MATCH_SOLO] =
        larger_of(solo_first, count_above(hub, solo, hub->config.keep_solo_matches));
    retention->excess[STORE_MATCH_PEOPLE] = in_all - solo_first;
}

static void end_pass(struct hub *hub)
{
    struct retention *retention = &hub->retention;
    const bool first = !retention->counted;
    memcpy(retention->kept, retention->seen, sizeof retention->kept);
    memset(retention->seen, 0, sizeof retention->seen);
    retention->latest_ms = retention->seen_latest_ms;
    retention->seen_latest_ms = 0;
    retention->after = 0;
    retention->counted = true;
    find_excess(hub);
    const bool more = retention->excess[STORE_MATCH_SOLO] || retention->excess[STORE_MATCH_PEOPLE];
    retention->next_ms = hub->now_ms + (first || more ? STEP_MS : PASS_MS);
}

static void go_on(struct hub *hub, const struct store_trim *trim)
{
    struct retention *retention = &hub->retention;
    for (int match = 0; match < STORE_MATCHES; match++) {
        retention->seen[match] += trim->kept[match];
        retention->dropped[match] += trim->dropped[match];
        retention->excess[match] = trim->excess[match];
    }
    if (trim->latest_ms > retention->seen_latest_ms)
        retention->seen_latest_ms = trim->latest_ms;
    retention->after = trim->after;
    retention->next_ms = hub->now_ms + STEP_MS;
    if (trim->end)
        end_pass(hub);
}

static void named_done(struct hub *hub, const struct store_trim *trim)
{
    const bool done = trim->result == STORE_OK;
    for (int match = 0; match < STORE_MATCHES && done; match++)
        hub->retention.dropped[match] += trim->dropped[match];
    if (!done)
        kept_share_again(hub, trim->room_id);
    hub->retention.named_ms = hub->now_ms + (done ? STEP_MS : FAILED_MS);
}

void hub_trim_done(struct hub *hub, const struct store_trim *trim, int64_t now_ms)
{
    assert(hub->retention.under_way);
    entry_begin(hub, now_ms);
    hub->retention.under_way = false;
    if (trim->room_id[0])
        named_done(hub, trim);
    else if (trim->result == STORE_OK)
        go_on(hub, trim);
    else
        hub->retention.next_ms = hub->now_ms + FAILED_MS;
    entry_end(hub);
}
