/* Which parts a node should have, from what it has seen. */
#include <postgres/membership.h>
#include <string.h>

enum { GAP_MS = 2 * MEMBERSHIP_BEAT_MS, UNHELD_MS = MEMBERSHIP_BEAT_MS };

/* ---- following */

static const struct membership_node *find(const struct membership_look *look, const char *name,
                                          size_t *at)
{
    for (*at = 0; *at < look->nodes; ++*at) {
        if (strcmp(look->node[*at].name, name) == 0)
            return &look->node[*at];
    }
    return NULL;
}

static int64_t node_since(const struct membership_watch *watch, const struct membership_look *look,
                          const struct membership_node *node)
{
    size_t at;
    const struct membership_node *before = find(&watch->look, node->name, &at);
    return before && before->life == node->life && before->beat == node->beat
               ? watch->node_since_ms[at]
               : look->at_ms;
}

static int64_t away_since(const struct membership_watch *watch, const struct membership_look *look,
                          const struct membership_node *node)
{
    size_t at;
    const struct membership_node *before = find(&watch->look, node->name, &at);
    return before && before->life == node->life && before->away && node->away
               ? watch->node_away_ms[at]
               : look->at_ms;
}

void membership_follow(struct membership_watch *watch, const struct membership_look *look)
{
    const bool gap = !watch->begun || look->at_ms - watch->look.at_ms > GAP_MS ||
                     look->parts != watch->look.parts;
    int64_t since_ms[MEMBERSHIP_NODES_MAX], away_ms[MEMBERSHIP_NODES_MAX];
    for (size_t at = 0; at < look->nodes; at++) {
        since_ms[at] = gap ? look->at_ms : node_since(watch, look, &look->node[at]);
        away_ms[at] = gap ? look->at_ms : away_since(watch, look, &look->node[at]);
    }
    for (unsigned part = 0; part < look->parts; part++) {
        const struct membership_part *before = &watch->look.part[part], *now = &look->part[part];
        if (gap || before->term != now->term || before->batch != now->batch)
            watch->part_since_ms[part] = look->at_ms;
        if (gap || before->held || now->held)
            watch->part_unheld_ms[part] = look->at_ms;
    }
    memcpy(watch->node_since_ms, since_ms, look->nodes * sizeof since_ms[0]);
    memcpy(watch->node_away_ms, away_ms, look->nodes * sizeof away_ms[0]);
    watch->look = *look;
    watch->begun = true;
}

/* ---- deciding */

struct deciding {
    const struct membership_watch *watch;
    const char *self;
    uint64_t mine, free;
    int64_t silent_ms;
    unsigned living, rank; /* how many nodes, and which of them this one is */
    unsigned least, most;  /* that another one has */
    bool earlier_has_most; /* a node that comes before by its name */
};

static unsigned count(uint64_t parts)
{
    unsigned number = 0;
    for (; parts; parts &= parts - 1)
        number++;
    return number;
}

bool membership_lives(const struct membership_watch *watch, size_t node, int64_t silent_ms)
{
    const int64_t at_ms = watch->look.at_ms;
    return at_ms - watch->node_since_ms[node] < silent_ms &&
           at_ms - watch->node_away_ms[node] < UNHELD_MS;
}

static bool lives(const struct deciding *d, const char *name)
{
    size_t at;
    return find(&d->watch->look, name, &at) && membership_lives(d->watch, at, d->silent_ms);
}

/* Its owner has just opened it and loads it: then only the owner's own counter tells. */
static bool is_silent(const struct deciding *d, unsigned part)
{
    const struct membership_look *look = &d->watch->look;
    const struct membership_part *one = &look->part[part];
    const bool still = look->at_ms - d->watch->part_since_ms[part] >= d->silent_ms;
    return still && (one->batch > 0 || (one->node[0] && !lives(d, one->node)));
}

/* Who has lost the connection makes it again within a moment. */
static bool is_free(const struct deciding *d, unsigned part)
{
    const struct membership_part *one = &d->watch->look.part[part];
    if (d->mine >> part & 1)
        return false;
    return one->held ? is_silent(d, part)
                     : !one->node[0] ||
                           d->watch->look.at_ms - d->watch->part_unheld_ms[part] >= UNHELD_MS;
}

static unsigned parts_of(const struct deciding *d, const char *name)
{
    unsigned number = 0;
    for (unsigned part = 0; part < d->watch->look.parts; part++) {
        if (!(d->free >> part & 1) && !(d->mine >> part & 1) &&
            strcmp(d->watch->look.part[part].node, name) == 0)
            number++;
    }
    return number;
}

static void look_at_others(struct deciding *d)
{
    const struct membership_look *look = &d->watch->look;
    d->living = 1;
    d->least = PARTS_MAX;
    for (size_t at = 0; at < look->nodes; at++) {
        const char *name = look->node[at].name;
        const int order = strcmp(name, d->self);
        if (order == 0 || !lives(d, name))
            continue;
        const unsigned has = parts_of(d, name);
        d->living++;
        d->rank += order < 0;
        if (has < d->least)
            d->least = has;
        if (has > d->most)
            d->most = has;
        d->earlier_has_most |= order < 0 && has >= count(d->mine);
    }
}

/* Each begins somewhere else, so that they seldom want the same. */
static uint64_t choose(const struct deciding *d, unsigned wanted)
{
    const unsigned parts = d->watch->look.parts;
    uint64_t chosen = 0;
    for (unsigned at = 0; at < parts && wanted > 0; at++) {
        const unsigned part = (d->rank * parts / d->living + at) % parts;
        if (!(d->free >> part & 1))
            continue;
        chosen |= UINT64_C(1) << part;
        wanted--;
    }
    return chosen;
}

static int highest(uint64_t parts)
{
    int at = -1;
    for (; parts; parts >>= 1)
        at++;
    return at;
}

struct membership_plan membership_decide(const struct membership_watch *watch, const char *self,
                                         uint64_t mine, int64_t silent_ms)
{
    struct deciding d = {.watch = watch, .self = self, .mine = mine, .silent_ms = silent_ms};
    struct membership_plan plan = {.give_up = -1};
    const unsigned parts = watch->look.parts, has = count(mine);
    for (unsigned part = 0; part < parts; part++)
        d.free |= (uint64_t)is_free(&d, part) << part;
    look_at_others(&d);
    const unsigned down = parts / d.living, up = (parts + d.living - 1) / d.living;
    const unsigned share = d.least < down ? down : up;
    if (has < share)
        plan.take = choose(&d, share - has);
    else if (has > share && !d.free && has >= d.most && !d.earlier_has_most)
        plan.give_up = highest(mine);
    return plan;
}
