/*
 * The threads that send messages to browsers: what becomes of each, hammered from the loop's side,
 * and ended in the middle of a post; built with the thread sanitizer where there is one. The push
 * service, the encryption and the signature are this file's own.
 */
#include "threads/pushers.h"
#include <assert.h>
#include <push/message.h>
#include <push/post.h>
#include <push/service.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, JOBS = 4000 };

/* ---- what they call: the path of an endpoint says how it goes */

static struct {
    bool no_posting, no_poster;
    atomic_int posters, posting, posts, wakes;
    sem_t begun;
} fake;

bool push_posting_begin(char message[static PUSH_MESSAGE_MAX])
{
    snprintf(message, PUSH_MESSAGE_MAX, "as the test says");
    fake.posting += fake.no_posting ? 0 : 1;
    return !fake.no_posting;
}

void push_posting_end(void)
{
    fake.posting--;
}

struct push_poster {
    int used; /* by one thread at a time, without a lock */
};

struct push_poster *push_poster_create(void)
{
    if (fake.no_poster)
        return NULL;
    atomic_fetch_add(&fake.posters, 1);
    struct push_poster *poster = calloc(1, sizeof *poster);
    assert(poster);
    return poster;
}

void push_poster_destroy(struct push_poster *poster)
{
    if (poster)
        atomic_fetch_sub(&fake.posters, 1);
    free(poster);
}

static bool leads_to(const char *endpoint, const char *path)
{
    return strcmp(strrchr(endpoint, '/'), path) == 0;
}

bool push_endpoint_allowed(const char *endpoint, const char *const services[],
                           struct push_target *target)
{
    snprintf(target->origin, sizeof target->origin, "%s", services[0]);
    target->named = true;
    return !leads_to(endpoint, "/elsewhere");
}

bool push_point_is_valid(const uint8_t point[static PUSH_POINT_BYTES])
{
    return point[0] == 4;
}

bool push_encrypt(const struct push_receiver *to, const char *text, size_t len,
                  uint8_t body[static PUSH_BODY_MAX], size_t *body_len)
{
    assert(to->auth[0] == 9);
    memcpy(body, text, len);
    *body_len = len;
    return true;
}

bool push_sign(const struct push_signer *signer, const char *origin, int64_t until_s,
               char header[static PUSH_TOKEN_MAX])
{
    assert(!signer && until_s > 0);
    snprintf(header, PUSH_TOKEN_MAX, "for %s", origin);
    return true;
}

static const struct {
    const char *path;
    struct push_answer answer;
    enum hub_push_outcome outcome;
} answers[] = {
    {"/taken", {.outcome = PUSH_TAKEN, .status = 201}, HUB_PUSH_TAKEN},
    {"/gone", {.outcome = PUSH_GONE, .status = 410}, HUB_PUSH_GONE},
    {"/refused", {.outcome = PUSH_REFUSED, .status = 400}, HUB_PUSH_REFUSED},
    {"/later", {.outcome = PUSH_LATER, .status = 429, .retry_after_s = 7}, HUB_PUSH_LATER},
    {"/lost", {.outcome = PUSH_LATER, .why = "not reached"}, HUB_PUSH_LATER},
    /* never sent: there is nobody to send to */
    {"/elsewhere", {.outcome = PUSH_GONE}, HUB_PUSH_GONE},
};

enum { ANSWERS = sizeof answers / sizeof answers[0] };

void push_post(struct push_poster *poster, const struct push_post *post, struct push_answer *answer)
{
    poster->used++;
    atomic_fetch_add(&fake.posts, 1);
    assert(strcmp(post->authorization, "for https://push.example") == 0);
    assert(strcmp(post->topic, "k3m9x0aq") == 0 && post->ttl_s > 0 && post->timeout_ms > 0);
    assert(post->body_len == 4 && memcmp(post->body, "text", 4) == 0);
    if (leads_to(post->endpoint, "/slow")) {
        sem_post(&fake.begun);
        while (!atomic_load(post->cancel)) {
        }
    }
    for (int i = 0; i < ANSWERS; i++) {
        if (leads_to(post->endpoint, answers[i].path))
            *answer = answers[i].answer;
    }
}

/* ---- the loop's side */

static const char *const services[] = {"https://push.example", NULL};
static const struct net_push push = {.services = services};
static sem_t woken;

static void wake(void *ctx)
{
    assert(ctx == &woken);
    atomic_fetch_add(&fake.wakes, 1);
    sem_post(&woken);
}

static struct pushers *begin(unsigned max)
{
    memset(&fake, 0, sizeof fake);
    sem_init(&fake.begun, 0, 0);
    sem_init(&woken, 0, 0);
    struct pushers *pushers = pushers_create(&push, max, wake, &woken);
    assert(pushers);
    return pushers;
}

static void end(struct pushers *pushers)
{
    pushers_destroy(pushers);
    assert(atomic_load(&fake.posters) == 0 && atomic_load(&fake.posting) == 0);
    sem_destroy(&fake.begun);
    sem_destroy(&woken);
}

static struct hub_push_job job_to(const char *path, uint64_t ticket)
{
    struct hub_push_job job = {
        .ticket = ticket, .point = {4}, .auth = {9}, .topic = "k3m9x0aq", .text_len = 4};
    snprintf(job.endpoint, sizeof job.endpoint, "https://push.example%s", path);
    memcpy(job.text, "text", job.text_len);
    return job;
}

static void give(struct pushers *pushers, const char *path, uint64_t ticket)
{
    const struct hub_push_job job = job_to(path, ticket);
    assert(pushers_have_place(pushers));
    const bool given = pushers_give(pushers, &job, ticket + 100);
    assert(given);
}

static struct pushers_result take(struct pushers *pushers)
{
    struct pushers_result result;
    sem_wait(&woken);
    const bool taken = pushers_take(pushers, &result);
    assert(taken);
    return result;
}

static void what_becomes_of_each(void)
{
    struct pushers *pushers = begin(2);
    struct pushers_result result;
    assert(!pushers_take(pushers, &result) && atomic_load(&fake.posting) == 0);
    for (unsigned i = 0; i < ANSWERS; i++) {
        give(pushers, answers[i].path, i);
        result = take(pushers);
        assert(result.ticket == i && result.outcome == answers[i].outcome);
        assert(result.status == answers[i].answer.status);
        assert(result.retry_after_ms == answers[i].answer.retry_after_s * 1000);
        assert(strcmp(result.why, answers[i].answer.why) == 0);
        assert(!pushers_take(pushers, &result));
    }
    assert(atomic_load(&fake.posts) == ANSWERS - 1);
    struct hub_push_job job = job_to("/taken", 7);
    job.point[0] = 0; /* no key of a browser */
    const bool given = pushers_give(pushers, &job, 1);
    assert(given);
    result = take(pushers);
    assert(result.ticket == 7 && result.outcome == HUB_PUSH_GONE);
    assert(atomic_load(&fake.posts) == ANSWERS - 1 && atomic_load(&fake.wakes) == ANSWERS + 1);
    end(pushers);
}

/* As many as there are places are out at once; each comes back once. */
static void hammer(void)
{
    static bool back[JOBS];
    struct pushers *pushers = begin(THREADS);
    struct pushers_result result;
    unsigned given = 0, out = 0, count = 0;
    while (count < JOBS) {
        for (; out < THREADS && given < JOBS; out++, given++)
            give(pushers, answers[given % ANSWERS].path, given);
        assert(pushers_have_place(pushers) == (out < THREADS));
        for (result = take(pushers);;) {
            assert(result.ticket < JOBS && !back[result.ticket]);
            assert(result.owner == result.ticket + 100);
            assert(result.outcome == answers[result.ticket % ANSWERS].outcome);
            back[result.ticket] = true;
            out--;
            count++;
            if (sem_trywait(&woken) != 0)
                break;
            const bool taken = pushers_take(pushers, &result);
            assert(taken);
        }
    }
    assert(atomic_load(&fake.wakes) == JOBS);
    end(pushers);
}

/* All threads post to a service that never answers, and nobody has taken what is done. */
static void end_in_the_middle(void)
{
    struct pushers *pushers = begin(2);
    give(pushers, "/slow", 1);
    give(pushers, "/slow", 2);
    sem_wait(&fake.begun);
    sem_wait(&fake.begun);
    end(pushers);
    assert(atomic_load(&fake.posts) == 2);
    pushers = begin(1);
    give(pushers, "/taken", 1);
    sem_wait(&woken);
    end(pushers);
    end(begin(1)); /* it never began */
}

static void without_memory(void)
{
    struct pushers *pushers = begin(1);
    const struct hub_push_job job = job_to("/taken", 3);
    fake.no_posting = true;
    bool given = pushers_give(pushers, &job, 1);
    assert(!given);
    fake.no_posting = false; /* the next one is tried anew */
    fake.no_poster = true;
    given = pushers_give(pushers, &job, 1);
    assert(given);
    const struct pushers_result result = take(pushers);
    assert(result.ticket == 3 && result.outcome == HUB_PUSH_LATER && result.status == 0);
    assert(strcmp(result.why, "out of memory") == 0 && atomic_load(&fake.posts) == 0);
    end(pushers);
}

int main(void)
{
    what_becomes_of_each();
    hammer();
    end_in_the_middle();
    without_memory();
    pushers_destroy(NULL);
    return 0;
}
