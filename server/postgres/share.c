/* Which parts a node should have, from what it has seen. */
#include <assert.h>
#include <postgres/membership.h>
#include <string.h>

/* A silence is longer than a gap, so that it never hides in one; nor in a time without any news. */
enum { GAP_MS = 1250, STILL_MS = 2000, AWAY_MS = 1000 };
static_assert((int)GAP_MS < (int)POSTGRES_SILENT_MS, "a gap ends a silence");
static_assert((int)STILL_MS < (int)POSTGRES_SILENT_MS, "so does a time without news");
static_assert((int)STILL_MS > (int)MEMBERSHIP_BEAT_MS, "beats are news");
static_assert((int)POSTGRES_SILENT_MS < (int)MEMBERSHIP_LEFT_OVER_MS, "its share comes first");
static_assert((int)MEMBERSHIP_NODES_MAX <= 64, "a bit for each");

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

/* As in the look before, of the same life; NULL: it is another one, or new. */
static const struct membership_node *same_life(const struct membership_watch *watch,
                                               const struct membership_node *node, size_t *at)
{
    const struct membership_node *before = find(&watch->look, node->name, at);
    return before && before->life == node->life ? before : NULL;
}

static void follow_nodes(struct membership_watch *watch, const struct membership_look *look,
                         bool gap)
{
    const struct membership_watch last = *watch;
    for (size_t now = 0; now < look->nodes; now++) {
        const struct membership_node *node = &look->node[now], *before;
        size_t at;
        before = gap ? NULL : same_life(&last, node, &at);
        watch->node_since_ms[now] =
            before && before->beat == node->beat ? last.node_since_ms[at] : look->at_ms;
        watch->node_away_ms[now] =
            before && before->away && node->away ? last.node_away_ms[at] : look->at_ms;
        watch->node_known_ms[now] = before ? last.node_known_ms[at] : look->at_ms;
    }
}

static bool says_link(const struct membership_look *look, size_t from, size_t to)
{
    return !look->node[from].says_links || (look->node[from].links >> to & 1);
}

bool membership_are_linked(const struct membership_look *look, size_t one, size_t other)
{
    return one == other || (says_link(look, one, other) && says_link(look, other, one));
}

static uint64_t living_nodes(const struct membership_watch *watch, int64_t silent_ms)
{
    uint64_t nodes = 0;
    for (size_t at = 0; at < watch->look.nodes; at++)
        nodes |= (uint64_t)membership_lives(watch, at, silent_ms) << at;
    return nodes;
}

static uint64_t links_of(const struct membership_look *look, size_t node, uint64_t among)
{
    uint64_t links = 0;
    for (size_t at = 0; at < look->nodes; at++)
        links |= (uint64_t)((among >> at & 1) && membership_are_linked(look, node, at)) << at;
    return links;
}

static unsigned count_nodes(uint64_t set)
{
    unsigned number = 0;
    for (; set; set &= set - 1)
        number++;
    return number;
}

/* Of those in `from` the one with the most links to others in it, and of these the oldest. */
static size_t best_of(const struct membership_look *look, uint64_t from)
{
    size_t best = 0;
    unsigned most = 0;
    for (size_t at = 0; at < look->nodes; at++) {
        const unsigned links = from >> at & 1 ? count_nodes(links_of(look, at, from)) : 0;
        if (links > most ||
            (links > 0 && links == most && look->node[at].life < look->node[best].life)) {
            best = at;
            most = links;
        }
    }
    return best;
}

static bool is_right(const struct membership_node *node)
{
    return !node->says_clock || (node->ahead_ms <= MEMBERSHIP_CLOCK_WRONG_MS &&
                                 node->ahead_ms >= -MEMBERSHIP_CLOCK_WRONG_MS);
}

/* If all differ it is the database's clock that is wrong. */
static uint64_t with_right_clock(const struct membership_look *look, uint64_t nodes)
{
    uint64_t right = 0;
    for (size_t at = 0; at < look->nodes; at++)
        right |= (uint64_t)((nodes >> at & 1) && is_right(&look->node[at])) << at;
    return right ? right : nodes;
}

uint64_t membership_group(const struct membership_watch *watch, int64_t silent_ms)
{
    uint64_t group = 0;
    for (uint64_t from = with_right_clock(&watch->look, living_nodes(watch, silent_ms)); from;) {
        const size_t best = best_of(&watch->look, from);
        group |= UINT64_C(1) << best;
        from = links_of(&watch->look, best, from) & ~group;
    }
    return group;
}

/* After the rest of the watch. Of who does not live that is known already. */
static void follow_group(struct membership_watch *watch, const struct membership_watch *last,
                         bool gap)
{
    const struct membership_look *look = &watch->look;
    const uint64_t lives = living_nodes(watch, POSTGRES_SILENT_MS);
    const uint64_t group = membership_group(watch, POSTGRES_SILENT_MS);
    for (size_t now = 0; now < look->nodes; now++) {
        size_t at = 0;
        const bool known = same_life(last, &look->node[now], &at);
        const bool out = (lives & ~group) >> now & 1;
        const int64_t before_ms = known && !gap ? last->node_out_ms[at] : 0;
        watch->node_out_ms[now] = !out ? 0 : before_ms ? before_ms : look->at_ms;
        watch->node_proven[now] = !out || (known && last->node_proven[at]);
    }
}

bool membership_is_cut_off(const struct membership_watch *watch, size_t node)
{
    const int64_t out_ms = watch->node_out_ms[node];
    return out_ms != 0 &&
           (!watch->node_proven[node] || watch->look.at_ms - out_ms >= MEMBERSHIP_CUT_OFF_MS);
}

/* Has anybody written anything since the last look, who looks among them? */
static bool has_news(const struct membership_watch *watch, const struct membership_look *look)
{
    for (size_t now = 0, at; now < look->nodes; now++) {
        const struct membership_node *before = same_life(watch, &look->node[now], &at);
        if (!before || before->beat != look->node[now].beat)
            return true;
    }
    for (unsigned part = 0; part < look->parts; part++) {
        const struct membership_part *before = &watch->look.part[part], *now = &look->part[part];
        if (before->term != now->term || before->batch != now->batch)
            return true;
    }
    return false;
}

void membership_follow(struct membership_watch *watch, const struct membership_look *look)
{
    const struct membership_watch last = *watch;
    if (!watch->begun || has_news(watch, look))
        watch->news_ms = look->at_ms;
    const bool gap = !watch->begun || look->at_ms - watch->look.at_ms > GAP_MS ||
                     look->at_ms - watch->news_ms >= STILL_MS || look->parts != watch->look.parts;
    follow_nodes(watch, look, gap);
    for (unsigned part = 0; part < look->parts; part++) {
        const struct membership_part *before = &watch->look.part[part], *now = &look->part[part];
        if (gap || before->term != now->term || before->batch != now->batch)
            watch->part_since_ms[part] = look->at_ms;
    }
    watch->look = *look;
    watch->begun = true;
    follow_group(watch, &last, gap);
}

/* ---- deciding */

struct deciding {
    const struct membership_watch *watch;
    const char *self;
    uint64_t mine, free, silent; /* free: what is silent or was given up */
    int64_t silent_ms;
    unsigned living, rank; /* how many nodes, and which of them this one is */
    unsigned least, most;  /* that another one has */
    bool earlier_has_most; /* a node that comes before by its name */
};

bool membership_lives(const struct membership_watch *watch, size_t node, int64_t silent_ms)
{
    const int64_t at_ms = watch->look.at_ms;
    return at_ms - watch->node_since_ms[node] < silent_ms &&
           at_ms - watch->node_away_ms[node] < AWAY_MS;
}

static bool node_lives(const struct deciding *d, const char *name)
{
    size_t at;
    return find(&d->watch->look, name, &at) && membership_lives(d->watch, at, d->silent_ms);
}

/* Has its owner just opened it, and loads it? Then only the owner's own counter tells. What is
 * neither this node's nor silent is of a process before that had its name. */
static bool is_loading(const struct deciding *d, const struct membership_part *one)
{
    return one->held && one->batch == 0 && strcmp(one->node, d->self) != 0 &&
           (!one->node[0] || node_lives(d, one->node));
}

/* Of who has not given it up only silence tells: that nobody is connected who has the lock is so
 * after each restart of the database as well, while the owner goes on saying what it holds. */
static bool is_silent(const struct deciding *d, unsigned part)
{
    const struct membership_look *look = &d->watch->look;
    const struct membership_part *one = &look->part[part];
    return look->at_ms - d->watch->part_since_ms[part] >= d->silent_ms && !is_loading(d, one);
}

static void find_free(struct deciding *d)
{
    const struct membership_look *look = &d->watch->look;
    for (unsigned part = 0; part < look->parts; part++) {
        const struct membership_part *one = &look->part[part];
        const bool given_up = postgres_is_given_up(one->term, one->batch);
        d->silent |= (uint64_t)(!given_up && is_silent(d, part)) << part;
        d->free |= (uint64_t)given_up << part;
    }
    d->silent &= ~d->mine;
    d->free = (d->free | d->silent) & ~d->mine;
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

/* It has parts, or will: it is in the group, or may be in a moment. */
static bool is_counted(const struct deciding *d, size_t node)
{
    const int64_t out_ms = d->watch->node_out_ms[node];
    return out_ms == 0 || d->watch->look.at_ms - out_ms < MEMBERSHIP_CUT_OFF_MS;
}

static bool has_listened(const struct deciding *d, size_t node)
{
    return d->watch->look.at_ms - d->watch->node_known_ms[node] >= d->silent_ms;
}

static void look_at_others(struct deciding *d, bool listeners)
{
    const struct membership_look *look = &d->watch->look;
    d->living = 1;
    d->least = PARTS_MAX;
    d->rank = d->most = 0;
    d->earlier_has_most = false;
    for (size_t at = 0; at < look->nodes; at++) {
        const char *name = look->node[at].name;
        const int order = strcmp(name, d->self);
        if (order == 0 || !node_lives(d, name) || !is_counted(d, at) ||
            (listeners && !has_listened(d, at)))
            continue;
        const unsigned has = parts_of(d, name);
        d->living++;
        d->rank += order < 0;
        if (has < d->least)
            d->least = has;
        if (has > d->most)
            d->most = has;
        d->earlier_has_most |= order < 0 && has >= count_nodes(d->mine);
    }
}

/* Each begins somewhere else, so that they seldom want the same. */
static uint64_t choose_parts(const struct deciding *d, uint64_t from, unsigned wanted)
{
    const unsigned parts = d->watch->look.parts, number = count_nodes(from);
    const unsigned first = d->rank * number / d->living;
    uint64_t chosen = 0;
    for (unsigned part = 0, at = 0; part < parts; part++) {
        if (!(from >> part & 1))
            continue;
        if ((at++ + number - first) % number < wanted)
            chosen |= UINT64_C(1) << part;
    }
    return chosen;
}

/* How many parts this node should have. */
static unsigned share_of(const struct deciding *d)
{
    const unsigned parts = d->watch->look.parts;
    const unsigned down = parts / d->living, up = (parts + d->living - 1) / d->living;
    return d->least < down ? down : up;
}

static uint64_t take_up_to_share(const struct deciding *d, uint64_t from, unsigned has)
{
    const unsigned share = share_of(d);
    return has < share && from ? choose_parts(d, from, share - has) : 0;
}

/*
 * Free for long, and whoever should have it has not taken it: perhaps it cannot, as it is of an
 * earlier version than what is there, or waits after a failure.
 */
static uint64_t left_over(const struct deciding *d)
{
    const struct membership_look *look = &d->watch->look;
    uint64_t left = 0;
    for (unsigned part = 0; part < look->parts; part++) {
        const int64_t stands_ms = look->at_ms - d->watch->part_since_ms[part];
        left |= (uint64_t)(stands_ms >= MEMBERSHIP_LEFT_OVER_MS) << part;
    }
    return left & d->free;
}

struct membership_plan membership_decide(const struct membership_watch *watch, const char *self,
                                         uint64_t mine, int64_t silent_ms)
{
    struct deciding d = {.watch = watch, .self = self, .mine = mine, .silent_ms = silent_ms};
    struct membership_plan plan = {0};
    const unsigned has = count_nodes(mine);
    size_t at;
    if (find(&watch->look, self, &at) && watch->node_out_ms[at] != 0) {
        plan.cut_off = mine && membership_is_cut_off(watch, at);
        return plan;
    }
    find_free(&d);
    look_at_others(&d, true);
    plan.take = take_up_to_share(&d, d.silent, has);
    look_at_others(&d, false);
    plan.take |= take_up_to_share(&d, d.free & ~plan.take, has + count_nodes(plan.take));
    if (!plan.take)
        plan.take = plan.left_over = left_over(&d);
    plan.give_up = has > share_of(&d) && !d.free && has >= d.most && !d.earlier_has_most;
    return plan;
}
