#include "holdings.h"

#include <string.h>

/* What others have left they are offered again after they have tried so often in vain: each offer
 * is a moment in which nobody serves the part. */
enum { LEFT_OVER_WAITS = 10 };

/* ---- nodes */

size_t holdings_others(const struct holdings *holdings, const struct membership_watch *watch,
                       size_t places[static MEMBERSHIP_NODES_MAX])
{
    const struct membership_look *look = &watch->look;
    size_t count = 0;
    for (size_t at = 0; at < look->nodes; at++) {
        if (membership_lives(watch, at, holdings->pace.silent_ms) &&
            strcmp(look->node[at].name, holdings->self) != 0)
            places[count++] = at;
    }
    return count;
}

/* What those who were there have left, who has come can perhaps have. */
static void forget_left_over(struct holdings *holdings)
{
    for (unsigned part = 0; part < holdings->parts; part++)
        holdings->holding[part].left_over = false;
}

/* Two sets of lives have the same number by a chance that there is not. */
static void note_changes(struct holdings *holdings, const struct membership_watch *watch)
{
    size_t places[MEMBERSHIP_NODES_MAX];
    const size_t count = holdings_others(holdings, watch, places);
    uint64_t living = 1 + count;
    int64_t newest = holdings->newest;
    for (size_t at = 0; at < count; at++) {
        const int64_t life = watch->look.node[places[at]].life;
        living += (uint64_t)life * UINT64_C(0x9e3779b97f4a7c15);
        newest = life > newest ? life : newest;
    }
    if (living != holdings->living)
        holdings->changed_ms = watch->look.at_ms;
    if (count > holdings->others || newest > holdings->newest)
        forget_left_over(holdings);
    holdings->living = living;
    holdings->others = count;
    holdings->newest = newest;
}

/* ---- deciding */

static uint64_t in_hand(const struct holdings *holdings)
{
    uint64_t parts = 0;
    for (unsigned part = 0; part < holdings->parts; part++)
        parts |= (uint64_t)(holdings->holding[part].state != HOLDING_NONE) << part;
    return parts;
}

static const char *version_of(const struct membership_watch *watch, const char *name)
{
    size_t at = 0;
    while (at < watch->look.nodes && strcmp(watch->look.node[at].name, name) != 0)
        at++;
    return at < watch->look.nodes ? watch->look.node[at].version : "";
}

/* Might another node that lives read what this one cannot? Not if all are of its version. */
static bool others_may_read(const struct holdings *holdings, const struct membership_watch *watch)
{
    size_t places[MEMBERSHIP_NODES_MAX];
    const char *own = version_of(watch, holdings->self);
    size_t others = holdings_others(holdings, watch, places);
    while (others > 0 && strcmp(watch->look.node[places[others - 1]].version, own) == 0)
        others--;
    return others > 0;
}

/* False: not now. */
static bool take_part(struct holdings *holdings, unsigned part,
                      const struct membership_watch *watch, bool left_over)
{
    const struct membership_part *seen = &watch->look.part[part];
    struct holding *holding = &holdings->holding[part];
    if (holding->state != HOLDING_NONE || watch->look.at_ms < holding->retry_ms)
        return false;
    holding->state = HOLDING_TO_OPEN;
    holding->sets_aside = holding->newer || !others_may_read(holdings, watch);
    holding->left_over = left_over;
    holding->left_over_ms = watch->look.at_ms;
    holding->silent = (struct postgres_owner){seen->term, seen->batch};
    holding->others = seen->node[0] && strcmp(seen->node, holdings->self) != 0;
    return true;
}

/* Of what is left over one at a time. */
static void take_all(struct holdings *holdings, const struct membership_plan *plan,
                     const struct membership_watch *watch)
{
    bool takes_left = false;
    for (unsigned part = 0; part < holdings->parts; part++) {
        const bool left = plan->left_over >> part & 1;
        if (plan->take >> part & 1 && !(left && takes_left))
            takes_left |= take_part(holdings, part, watch, left) && left;
    }
}

static bool moves_one(const struct holdings *holdings)
{
    for (unsigned part = 0; part < holdings->parts; part++) {
        if (holdings->holding[part].state != HOLDING_NONE &&
            holdings->holding[part].state != HOLDING_HAD)
            return true;
    }
    return false;
}

static bool may_give_up(const struct holdings *holdings, int64_t now_ms)
{
    return !moves_one(holdings) && now_ms - holdings->changed_ms >= holdings->pace.settle_ms &&
           now_ms - holdings->gave_up_ms >= holdings->pace.between_ms;
}

/* Not what others have just left: that would come and go again and again. */
static bool may_be_given(const struct holdings *holdings, unsigned part, int64_t now_ms)
{
    const struct holding *holding = &holdings->holding[part];
    return holding->state == HOLDING_HAD &&
           (!holding->left_over ||
            now_ms - holding->left_over_ms >= LEFT_OVER_WAITS * holdings->pace.damaged_ms);
}

/* The highest of them; -1: there is none. */
static int to_be_given(const struct holdings *holdings, int64_t now_ms)
{
    int part = (int)holdings->parts - 1;
    while (part >= 0 && !may_be_given(holdings, (unsigned)part, now_ms))
        part--;
    return part;
}

/* Its links are not as they should be: whoever is reached by all has to have what it has. */
static bool is_cut_off(const struct holdings *holdings, const struct membership_watch *watch)
{
    size_t at = 0;
    while (at < watch->look.nodes && strcmp(watch->look.node[at].name, holdings->self) != 0)
        at++;
    return at < watch->look.nodes && membership_is_cut_off(watch, at);
}

static int any_had(const struct holdings *holdings)
{
    int part = (int)holdings->parts - 1;
    while (part >= 0 && holdings->holding[part].state != HOLDING_HAD)
        part--;
    return part;
}

static int give_back(struct holdings *holdings, int part, int64_t now_ms)
{
    if (part >= 0) {
        holdings->holding[part].state = HOLDING_LEAVING;
        holdings->gave_up_ms = now_ms;
    }
    return part;
}

int holdings_decide(struct holdings *holdings, const struct membership_watch *watch)
{
    const int64_t now_ms = watch->look.at_ms;
    note_changes(holdings, watch);
    holdings->cut_off = is_cut_off(holdings, watch);
    if (holdings->leaving || watch->look.parts != holdings->parts)
        return -1;
    const struct membership_plan plan =
        membership_decide(watch, holdings->self, in_hand(holdings), holdings->pace.silent_ms);
    take_all(holdings, &plan, watch);
    if (plan.cut_off)
        return give_back(holdings, any_had(holdings), now_ms);
    const int given = plan.give_up ? to_be_given(holdings, now_ms) : -1;
    return may_give_up(holdings, now_ms) ? give_back(holdings, given, now_ms) : -1;
}

int holdings_give_next(struct holdings *holdings, const struct membership_watch *watch)
{
    const bool gives_all = holdings->cut_off && !holdings->leaving;
    return gives_all ? give_back(holdings, any_had(holdings), watch->look.at_ms) : -1;
}

uint64_t holdings_lost(const struct holdings *holdings, const struct membership_watch *watch)
{
    uint64_t lost = 0;
    for (unsigned part = 0; part < holdings->parts && part < watch->look.parts; part++) {
        const struct holding *holding = &holdings->holding[part];
        const bool served = holding->state == HOLDING_HAD || holding->state == HOLDING_LEAVING;
        const bool later = watch->look.part[part].term > (int64_t)holding->part.term;
        lost |= (uint64_t)(served && later) << part;
    }
    return lost;
}

/* ---- doing */

struct holding *holdings_next(struct holdings *holdings, unsigned openings_max)
{
    struct holding *next = NULL;
    unsigned openings = 0;
    for (unsigned part = 0; part < holdings->parts; part++) {
        struct holding *holding = &holdings->holding[part];
        openings += holding->state == HOLDING_OPENING;
        if (holding->state == HOLDING_TO_CLOSE) {
            holding->state = HOLDING_CLOSING;
            return holding;
        }
        if (holding->state == HOLDING_TO_OPEN && !next)
            next = holding;
    }
    if (!next || openings >= openings_max)
        return NULL;
    next->state = HOLDING_OPENING;
    next->part = (struct keeper_part){.part = (unsigned)(next - holdings->holding),
                                      .sets_aside = next->sets_aside};
    return next;
}

void holdings_opened(struct holdings *holdings, unsigned part, const struct keeper_part *opened)
{
    struct holding *holding = &holdings->holding[part];
    holding->part = *opened;
    holding->failures = 0;
    holding->newer = false;
    holdings->figures.opened++;
    holdings->figures.taken_over += holding->others;
    if (holdings->leaving)
        holding->state = HOLDING_TO_CLOSE;
}

static void put_off(struct holdings *holdings, struct holding *holding, enum store_result why,
                    int64_t now_ms)
{
    const struct keeper_pace *pace = &holdings->pace;
    const bool hopeless = why == STORE_CORRUPT || why == STORE_NEWER || why == STORE_REFUSED;
    int64_t wait_ms = hopeless ? pace->damaged_ms : pace->retry_ms;
    for (unsigned at = 0; at < holding->failures && wait_ms < pace->retry_max_ms; at++)
        wait_ms *= 2;
    if (!hopeless && wait_ms > pace->retry_max_ms)
        wait_ms = pace->retry_max_ms;
    holding->failures++;
    holding->retry_ms = now_ms + wait_ms;
    holdings->figures.failed++;
}

void holdings_failed(struct holdings *holdings, unsigned part, enum store_result why,
                     int64_t now_ms)
{
    struct holding *holding = &holdings->holding[part];
    holding->state = HOLDING_NONE;
    holding->newer = why == STORE_NEWER;
    if (why != STORE_FENCED) /* another one was faster */
        put_off(holdings, holding, why, now_ms);
    else
        holding->retry_ms = now_ms + holdings->pace.retry_ms;
}

void holdings_given(struct holdings *holdings, unsigned part)
{
    struct holding *holding = &holdings->holding[part];
    if (holding->state == HOLDING_OPENING) /* it may have ended meanwhile */
        holding->state = HOLDING_HAD;
}

void holdings_closed(struct holdings *holdings, unsigned part)
{
    holdings->holding[part].state = HOLDING_NONE;
}

void holdings_ended(struct holdings *holdings, unsigned part, enum store_result why, int64_t now_ms)
{
    struct holding *holding = &holdings->holding[part];
    if (why == STORE_FENCED)
        holdings->figures.lost++;
    else if (why != STORE_OK)
        put_off(holdings, holding, why, now_ms);
    else if (holding->state == HOLDING_LEAVING)
        holdings->figures.given_up++;
    else
        holdings_leave(holdings, false);
    holding->state = HOLDING_TO_CLOSE;
}

void holdings_leave(struct holdings *holdings, bool all)
{
    holdings->leaving = true;
    for (unsigned part = 0; part < holdings->parts; part++) {
        struct holding *holding = &holdings->holding[part];
        if (holding->state == HOLDING_TO_OPEN)
            holding->state = HOLDING_NONE;
        if (all && (holding->state == HOLDING_HAD || holding->state == HOLDING_LEAVING))
            holding->state = HOLDING_TO_CLOSE;
    }
}

unsigned holdings_had(const struct holdings *holdings)
{
    unsigned had = 0;
    for (unsigned part = 0; part < holdings->parts; part++)
        had += holdings->holding[part].state == HOLDING_HAD;
    return had;
}

bool holdings_empty(const struct holdings *holdings)
{
    return in_hand(holdings) == 0;
}
