#include "http_work.h"

#include "connections/blob.h"
#include "connections/price.h"
#include "http_wait.h"
#include "hub_private.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "waiting/think_queue.h"
#include <features/feature.h>
#include <stdlib.h>
#include <string.h>

enum { HTTP_WORK_BYTES_MAX = 524288 };

struct work_job {
    struct think_job job;
    struct work_job *next, **self; /* among all of the hub */
    uint64_t id;
    const struct feature_page *page;
    struct feature_work *work;
    struct buffer out;
};

static struct work_job *job_of(struct think_job *job)
{
    return (struct work_job *)(void *)job;
}

/* ---- what a worker does, and what becomes of it */

static bool run_job(struct think_job *job, struct game_thinking *thinking)
{
    struct work_job *mine = job_of(job);
    (void)thinking;
    return mine->work->make(mine->work, &mine->out) && !mine->out.failed;
}

static void charge_wait(struct hub *hub, const struct http_wait *wait, size_t bytes)
{
    struct address *address = wait->paid ? address_of(hub, wait->ip) : NULL;
    if (address)
        price_charge_http(hub, address, bytes);
}

/* Each who still waits for it has the same one. */
static void answer_waits(struct hub *hub, uint64_t work, const struct hub_http_answer *answer)
{
    for (struct http_wait *wait = hub->http.first; wait; wait = wait->next) {
        if (wait->work != work || wait->done)
            continue;
        charge_wait(hub, wait, answer->len);
        wait->answer = hub_http_share(answer);
        http_wait_finish(hub, wait);
    }
}

static void finish_job(struct hub *hub, struct think_job *job, bool answered)
{
    struct work_job *mine = job_of(job);
    struct blob *body = answered ? blob_from_buffer(&mine->out) : NULL;
    struct hub_http_answer answer;
    if (body)
        http_answer_blob(&answer, mine->page->type, body);
    else
        http_answer_unavailable(&answer);
    blob_unref(body);
    if (body && mine->work->made)
        mine->work->made(hub, mine->work, &answer);
    answer_waits(hub, mine->id, &answer);
    hub_http_release(&answer);
}

static void give_way(struct hub *hub, struct think_job *job)
{
    finish_job(hub, job, false);
}

static void release_job(struct think_job *job)
{
    struct work_job *mine = job_of(job);
    *mine->self = mine->next;
    if (mine->next)
        mine->next->self = mine->self;
    mine->work->release(mine->work);
    buffer_release(&mine->out);
    free(mine);
}

/* ---- who asks */

static struct work_job *find_same(const struct hub *hub, const struct feature_page *page,
                                  const struct feature_work *work)
{
    struct work_job *job = hub->http.works;
    while (job && !(job->page == page && work->same(work, job->work)))
        job = job->next;
    return job;
}

static bool waits_too_often(const struct hub *hub, const struct origin *origin)
{
    unsigned count = 0;
    if (!origin_is_known(origin))
        return false;
    for (const struct http_wait *wait = hub->http.first; wait; wait = wait->next)
        count += wait->work != 0 && !wait->done && wait->origin.at[0] == origin->at[0];
    return count >= HTTP_WORK_WAITS_PER_ADDRESS;
}

static bool has_too_many(const struct hub *hub, uint16_t share)
{
    unsigned count = 0;
    for (const struct work_job *job = hub->http.works; share != 0 && job; job = job->next)
        count += job->job.share == share;
    return count >= HTTP_WORKS_PER_ADDRESS;
}

/* Takes the work over. NULL: no memory, and it is released. */
static struct work_job *create_job(struct hub *hub, const struct feature_page *page,
                                   struct feature_work *work, const struct address *address)
{
    struct work_job *mine = calloc(1, sizeof *mine);
    if (!mine) {
        work->release(work);
        return NULL;
    }
    mine->job.kind = THINK_PAGE;
    if (address) {
        mine->job.share = address_share(address);
        mine->job.origin = address->origin;
    }
    mine->job.run = run_job;
    mine->job.done = finish_job;
    mine->job.give_way = give_way;
    mine->job.release = release_job;
    mine->id = ++hub->http.next_work;
    mine->page = page;
    mine->work = work;
    blob_buffer_init(&mine->out, HTTP_WORK_BYTES_MAX);
    mine->next = hub->http.works;
    mine->self = &hub->http.works;
    if (mine->next)
        mine->next->self = &mine->next;
    hub->http.works = mine;
    return mine;
}

/* Takes the work over, for an address and its share. The one that makes it; NULL: none does now. */
static const struct work_job *begin_job(struct hub *hub, const struct feature_page *page,
                                        struct feature_work *work, const uint8_t *ip,
                                        uint16_t share)
{
    struct address *address = ip ? address_of(hub, ip) : NULL;
    struct work_job *mine = find_same(hub, page, work);
    if (mine || has_too_many(hub, share)) {
        work->release(work);
        return mine;
    }
    mine = create_job(hub, page, work, address);
    if (mine && !think_add(hub, &mine->job)) {
        release_job(&mine->job);
        return NULL;
    }
    /* Who has given way for it is told, and remembered: this one may have been forgotten for that.
     */
    address = mine && ip ? address_of(hub, ip) : NULL;
    if (address)
        price_charge_page(hub, address);
    return mine;
}

bool http_work_begin(struct hub *hub, const struct feature_page *page, const char *rest,
                     const uint8_t *ip, struct hub_http_answer *answer, uint64_t *ticket)
{
    struct feature_work *work = page->begin(hub, rest, answer);
    if (!work)
        return true;
    const struct address *address = ip ? address_of(hub, ip) : NULL;
    const uint16_t share = address ? address_share(address) : 0;
    const struct origin origin = address ? address->origin : (struct origin){.turns = 0};
    const struct work_job *job = begin_job(hub, page, work, ip, share);
    struct http_wait *wait = job && !waits_too_often(hub, &origin) ? http_wait_add(hub, ip) : NULL;
    if (!wait) { /* what is made then is for who asks next */
        http_answer_unavailable(answer);
        return true;
    }
    wait->work = job->id;
    *ticket = wait->ticket;
    return false;
}
