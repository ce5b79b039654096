#include "think_queue.h"

#include "hub_private.h"
#include "limits/origin.h"
#include "metrics.h"
#include <assert.h>

enum {
    /* After so many moves another job is taken, so that hints and analyses are not starved. */
    MOVES_IN_A_ROW = 8,
    /*
     * A move that must wait for more than a quarter of the time that it has is thought of less
     * thoroughly, so that the queue becomes shorter: 50 simulations still beat a quick choice in
     * three games of four.
     */
    BUSY_PART = 4,
    BUSY_SIMULATIONS = 50,
    MEAN_OF = 8,
};

void think_init(struct thinking *thinking)
{
    for (unsigned kind = 0; kind < THINK_KINDS; kind++)
        thinking->waiting[kind].last = &thinking->waiting[kind].first;
}

static bool is_move(enum think_kind kind)
{
    return kind == THINK_MOVE || kind == THINK_ALONE;
}

static struct think_queue *queue_of(struct hub *hub, const struct think_job *job)
{
    return &hub->thinking.waiting[job->kind];
}

/* ---- adding */

/* How long a move that comes now waits for a worker, if those before it take as long as the last.
 */
static int64_t wait_ms(const struct hub *hub, enum think_kind kind)
{
    const struct thinking *thinking = &hub->thinking;
    size_t ahead = thinking->out_count + thinking->waiting[THINK_MOVE].count;
    if (kind == THINK_ALONE)
        ahead += thinking->waiting[THINK_ALONE].count;
    return (int64_t)ahead * thinking->mean_us / (1000 * (int64_t)thinking->workers);
}

bool think_can(const struct hub *hub, size_t memory_bytes)
{
    return hub->thinking.workers > 0 && memory_bytes <= hub->thinking.memory_bytes;
}

static uint32_t waiting_from(const struct hub *hub, const struct think_job *job)
{
    return hub->thinking.waiting[job->kind].origins.of[0][job->origin.at[0]];
}

/* One address has at most half of the places for questions. */
static bool has_too_many(const struct hub *hub, const struct think_job *job)
{
    if (job->share > 0 && hub->shares.thinking[job->share] >= hub->config.think_per_address)
        return true;
    return !is_move(job->kind) && origin_is_known(&job->origin) &&
           waiting_from(hub, job) >= (hub->config.think_asks + 1) / 2;
}

static bool is_admitted(const struct hub *hub, const struct think_job *job)
{
    return think_can(hub, job->memory_bytes) && !has_too_many(hub, job) &&
           (!is_move(job->kind) || wait_ms(hub, job->kind) < hub->config.think_wait_ms);
}

static bool is_full(const struct hub *hub, enum think_kind kind)
{
    const int64_t most = is_move(kind) ? hub->config.think_queue : hub->config.think_asks;
    return hub->thinking.waiting[kind].count >= (size_t)most;
}

static void link_job(struct think_queue *queue, struct think_job *job)
{
    struct think_job **link = &queue->first;
    while (*link && (*link)->turn <= job->turn)
        link = &(*link)->next;
    job->next = *link;
    job->self = link;
    *link = job;
    if (job->next)
        job->next->self = &job->next;
    else
        queue->last = &job->next;
    queue->count++;
    origin_add(&queue->origins, &job->origin);
}

static_assert((int)THINK_SHARES == (int)ADDRESS_SHARES, "each address has turns");

static uint32_t *next_turn_of(struct think_queue *queue, const struct think_job *job)
{
    const bool known = origin_is_known(&job->origin);
    return &queue->next_turns[known ? job->origin.turns : job->share];
}

static void give_turn(struct think_queue *queue, struct think_job *job)
{
    uint32_t *next = next_turn_of(queue, job);
    job->turn = *next > queue->turn ? *next : queue->turn;
    *next = job->turn + 1;
}

static void unlink_job(struct think_queue *queue, struct think_job *job)
{
    *job->self = job->next;
    if (job->next)
        job->next->self = job->self;
    else
        queue->last = job->self;
    queue->count--;
    origin_remove(&queue->origins, &job->origin);
}

static void discard_job(struct hub *hub, struct think_job *job)
{
    if (job->share > 0)
        hub->shares.thinking[job->share]--;
    job->release(job);
}

/* The latest one of where most of those come from that may lose their place. NULL: there is none.
 */
static struct think_job *find_heaviest(const struct think_queue *queue)
{
    struct think_job *found = NULL;
    for (struct think_job *at = queue->first; at; at = at->next) {
        if (at->give_way && origin_is_known(&at->origin) &&
            (!found || origin_compare(&queue->origins, &at->origin, &found->origin) >= 0))
            found = at;
    }
    return found;
}

/* Its turn is its address's again, for the next one. */
static void take_turn_back(struct think_queue *queue, const struct think_job *job)
{
    uint32_t *next = next_turn_of(queue, job);
    if (*next == job->turn + 1)
        (*next)--;
}

/* Is there a place for it, or is there now? */
static bool make_place(struct hub *hub, const struct think_job *newcomer)
{
    struct think_queue *queue = queue_of(hub, newcomer);
    if (!is_full(hub, newcomer->kind))
        return true;
    struct think_job *job = origin_is_known(&newcomer->origin) ? find_heaviest(queue) : NULL;
    if (!job || !origin_gives_way(&queue->origins, &job->origin, &newcomer->origin))
        return false;
    unlink_job(queue, job);
    take_turn_back(queue, job);
    metrics_thought(hub, job->kind, THINK_REFUSED);
    const struct request held = hub->request; /* the newcomer's, while another one is answered */
    job->give_way(hub, job);
    hub->request = held;
    discard_job(hub, job);
    return true;
}

bool think_add(struct hub *hub, struct think_job *job)
{
    if (!is_admitted(hub, job) || !make_place(hub, job)) {
        metrics_thought(hub, job->kind, THINK_REFUSED);
        return false;
    }
    if (job->share > 0)
        hub->shares.thinking[job->share]++;
    give_turn(queue_of(hub, job), job);
    link_job(queue_of(hub, job), job);
    return true;
}

/* ---- taking */

static bool may_take(const struct thinking *thinking, unsigned kind)
{
    return thinking->waiting[kind].first &&
           (kind != THINK_PAGE || thinking->pages_out < THINK_PAGES_OUT);
}

/* The first of the other kinds; after a page another kind, so that pages starve nobody.
 * THINK_KINDS: none. */
static unsigned next_other(const struct thinking *thinking)
{
    unsigned found = THINK_KINDS;
    for (unsigned kind = THINK_MOVE + 1; kind < THINK_KINDS; kind++) {
        if (!may_take(thinking, kind))
            continue;
        if (kind != THINK_PAGE || !thinking->page_was_last)
            return kind;
        found = kind;
    }
    return found;
}

static struct think_job *next_of(struct thinking *thinking)
{
    const unsigned other = next_other(thinking);
    const bool others = other < THINK_KINDS;
    if (thinking->waiting[THINK_MOVE].first && (!others || thinking->in_a_row < MOVES_IN_A_ROW)) {
        thinking->in_a_row = others ? thinking->in_a_row + 1 : 0;
        return thinking->waiting[THINK_MOVE].first;
    }
    thinking->in_a_row = 0;
    if (!others)
        return NULL;
    thinking->page_was_last = other == THINK_PAGE;
    return thinking->waiting[other].first;
}

static uint32_t simulations_for(const struct hub *hub, const struct think_job *job)
{
    uint32_t most = (uint32_t)hub->config.think_simulations;
    bool busy =
        is_move(job->kind) && wait_ms(hub, job->kind) > hub->config.think_wait_ms / BUSY_PART;
    return busy && (most == 0 || most > BUSY_SIMULATIONS) ? BUSY_SIMULATIONS : most;
}

static void link_out(struct thinking *thinking, struct think_job *job)
{
    job->next = thinking->out;
    job->self = &thinking->out;
    if (job->next)
        job->next->self = &job->next;
    thinking->out = job;
    thinking->out_count++;
    thinking->pages_out += job->kind == THINK_PAGE;
}

static void unlink_out(struct thinking *thinking, struct think_job *job)
{
    *job->self = job->next;
    if (job->next)
        job->next->self = job->self;
    thinking->out_count--;
    thinking->pages_out -= job->kind == THINK_PAGE;
}

struct think_job *hub_think_take(struct hub *hub)
{
    struct thinking *thinking = &hub->thinking;
    struct think_job *job = thinking->out_count < thinking->workers ? next_of(thinking) : NULL;
    if (!job)
        return NULL;
    job->simulations_max = simulations_for(hub, job);
    queue_of(hub, job)->turn = job->turn;
    unlink_job(queue_of(hub, job), job);
    link_out(thinking, job);
    job->out = true;
    return job;
}

void hub_think_workers(struct hub *hub, unsigned workers, size_t memory_bytes)
{
    hub->thinking.workers = workers;
    hub->thinking.memory_bytes = memory_bytes;
}

/* ---- on the worker's thread */

void hub_think_run(struct think_job *job, void *memory, size_t memory_bytes)
{
    struct game_thinking thinking = {.cancel = &job->cancel,
                                     .memory = memory,
                                     .memory_bytes = memory_bytes,
                                     .simulations_max = job->simulations_max};
    if (!memory || memory_bytes < job->memory_bytes)
        return;
    job->answered = job->run(job, &thinking) && !atomic_load(&job->cancel);
    job->simulations = thinking.simulations;
}

void hub_think_cancel(struct think_job *job)
{
    atomic_store(&job->cancel, true);
}

/* ---- back, or not wanted any more */

void think_drop(struct hub *hub, struct think_job **link, enum think_outcome why)
{
    struct think_job *job = *link;
    *link = NULL;
    if (!job)
        return;
    assert(!job->dropped);
    metrics_thought(hub, job->kind, why);
    job->dropped = true;
    hub_think_cancel(job);
    if (job->out)
        return; /* until it comes back */
    unlink_job(queue_of(hub, job), job);
    discard_job(hub, job);
}

/* One that was stopped because it was late would have taken even longer. */
static void count_time(struct hub *hub, const struct think_job *job, int64_t elapsed_us)
{
    struct thinking *thinking = &hub->thinking;
    metrics_thinking(hub, elapsed_us, job->simulations);
    bool took_longer = job->dropped && elapsed_us > thinking->mean_us;
    if (is_move(job->kind) && (job->answered || took_longer))
        thinking->mean_us += (elapsed_us - thinking->mean_us) / MEAN_OF;
}

void think_finish(struct hub *hub, struct think_job *job, int64_t elapsed_us)
{
    assert(job->out);
    unlink_out(&hub->thinking, job);
    count_time(hub, job, elapsed_us);
    if (!job->dropped) {
        metrics_thought(hub, job->kind, job->answered ? THINK_ANSWERED : THINK_FAILED);
        job->done(hub, job, job->answered);
    }
    discard_job(hub, job);
}

void think_release(struct hub *hub)
{
    struct thinking *thinking = &hub->thinking;
    for (unsigned kind = 0; kind < THINK_KINDS; kind++) {
        while (thinking->waiting[kind].first) {
            struct think_job *job = thinking->waiting[kind].first;
            unlink_job(&thinking->waiting[kind], job);
            discard_job(hub, job);
        }
    }
    while (thinking->out) {
        struct think_job *job = thinking->out;
        unlink_out(thinking, job);
        discard_job(hub, job);
    }
}
