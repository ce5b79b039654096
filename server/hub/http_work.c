#include "http_work.h"

#include "address.h"
#include "blob.h"
#include "http_wait.h"
#include "hub_private.h"
#include "price.h"
#include "thinking/think_queue.h"
#include <features/feature.h>
#include <stdlib.h>
#include <string.h>

enum { HTTP_WORK_BYTES_MAX = 524288 };

struct work_job {
    struct think_job job;
    uint64_t ticket;
    const struct feature_page *page;
    struct feature_work *work;
    struct buffer out;
};

static struct work_job *job_of(struct think_job *job)
{
    return (struct work_job *)(void *)job;
}

static bool run_job(struct think_job *job, struct game_thinking *thinking)
{
    struct work_job *mine = job_of(job);
    (void)thinking;
    return mine->work->make(mine->work, &mine->out) && !mine->out.failed;
}

static void charge_address(struct hub *hub, const struct http_wait *wait, size_t bytes)
{
    struct address *address = wait->paid ? address_of(hub, wait->ip) : NULL;
    if (address)
        price_charge_http(hub, address, bytes);
}

static void finish_job(struct hub *hub, struct think_job *job, bool answered)
{
    struct work_job *mine = job_of(job);
    struct http_wait *wait = http_wait_find(hub, mine->ticket);
    struct blob *body = answered ? blob_from_buffer(&mine->out) : NULL;
    struct hub_http_answer answer;
    if (body)
        http_answer_blob(&answer, mine->page->type, body);
    else
        http_answer_unavailable(&answer);
    blob_unref(body);
    if (body && mine->work->made)
        mine->work->made(hub, mine->work, &answer);
    if (!wait) { /* cancelled */
        hub_http_release(&answer);
        return;
    }
    charge_address(hub, wait, answer.len);
    wait->answer = answer;
    wait->done = true;
}

static void release_job(struct think_job *job)
{
    struct work_job *mine = job_of(job);
    mine->work->release(mine->work);
    buffer_release(&mine->out);
    free(mine);
}

/* Takes the work over. NULL: no memory, and it is released. */
static struct work_job *create_job(struct hub *hub, const struct feature_page *page,
                                   struct feature_work *work, const uint8_t *ip)
{
    struct work_job *mine = calloc(1, sizeof *mine);
    const struct address *address = ip ? address_of(hub, ip) : NULL;
    if (!mine) {
        work->release(work);
        return NULL;
    }
    mine->job.kind = THINK_PAGE;
    mine->job.share = address ? address_share(address) : 0;
    mine->job.run = run_job;
    mine->job.done = finish_job;
    mine->job.release = release_job;
    mine->page = page;
    mine->work = work;
    blob_buffer_init(&mine->out, HTTP_WORK_BYTES_MAX);
    return mine;
}

bool http_work_begin(struct hub *hub, const struct feature_page *page, const char *rest,
                     const uint8_t *ip, struct hub_http_answer *answer, uint64_t *ticket)
{
    struct feature_work *work = page->begin(hub, rest, answer);
    if (!work)
        return true;
    struct work_job *mine = create_job(hub, page, work, ip);
    struct http_wait *wait = mine ? http_wait_add(hub) : NULL;
    if (wait && think_add(hub, &mine->job)) {
        mine->ticket = wait->ticket;
        wait->paid = ip != NULL;
        if (ip)
            memcpy(wait->ip, ip, sizeof wait->ip);
        charge_address(hub, wait, PRICE_FETCH_BYTES);
        *ticket = wait->ticket;
        return false;
    }
    if (mine)
        release_job(&mine->job);
    if (wait)
        hub_http_cancel(hub, wait->ticket);
    http_answer_unavailable(answer);
    return true;
}
