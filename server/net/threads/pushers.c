#include "pushers.h"

#include "log_limit.h"
#include <assert.h>
#include <base/signals.h>
#include <net/log.h>
#include <push/message.h>
#include <push/post.h>
#include <push/service.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

enum { TTL_S = 24 * 3600, TOKEN_S = 12 * 3600 };

/*
 *     EMPTY --give--> GIVEN --a thread--> SENDING --the same--> DONE --take--> EMPTY
 *
 * What is in a place belongs to the thread in SENDING, and to who holds the mutex otherwise.
 */
enum place_state { PLACE_EMPTY, PLACE_GIVEN, PLACE_SENDING, PLACE_DONE };
struct place {
    enum place_state state;
    uint64_t owner;
    struct hub_push_job job;
    struct pushers_result result;
};

struct pushers {
    const struct net_push *push;
    void (*wake)(void *ctx);
    void *ctx;
    unsigned max, begun; /* threads, as many as places */
    unsigned out;        /* given and not taken, for the loop */
    struct log_limit said;
    bool posting; /* push_posting_begin has been called */
    bool failed;  /* that was said */
    uv_thread_t *threads;
    uv_mutex_t mutex; /* all below */
    uv_cond_t work;
    atomic_bool stopping; /* read without it, too */
    struct place *places;
};

/* ---- on the threads */

static enum hub_push_outcome outcome_of(enum push_outcome outcome)
{
    switch (outcome) {
    case PUSH_TAKEN:
        return HUB_PUSH_TAKEN;
    case PUSH_GONE:
        return HUB_PUSH_GONE;
    case PUSH_REFUSED:
        return HUB_PUSH_REFUSED;
    case PUSH_LATER:
    case PUSH_OUTCOMES:
        break;
    }
    return HUB_PUSH_LATER;
}

/* Nothing can be sent to a browser whose key is no key, or whose service is not allowed any more:
 * it is as good as gone. */
static bool prepare_request(const struct pushers *pushers, const struct hub_push_job *job,
                            struct push_target *target, uint8_t body[static PUSH_BODY_MAX],
                            size_t *len, char header[static PUSH_TOKEN_MAX])
{
    struct push_receiver to;
    static_assert(sizeof to.point == sizeof job->point && sizeof to.auth == sizeof job->auth,
                  "they are the same");
    memcpy(to.point, job->point, sizeof to.point);
    memcpy(to.auth, job->auth, sizeof to.auth);
    return push_endpoint_allowed(job->endpoint, pushers->push->services, target) &&
           push_point_is_valid(to.point) &&
           push_encrypt(&to, job->text, job->text_len, body, len) &&
           push_sign(pushers->push->signer, target->origin, (int64_t)time(NULL) + TOKEN_S, header);
}

static void send_one(const struct pushers *pushers, struct push_poster *poster, struct place *place)
{
    uint8_t body[PUSH_BODY_MAX];
    char header[PUSH_TOKEN_MAX];
    struct push_target target;
    struct push_answer answer = {.outcome = PUSH_GONE};
    struct push_post post = {.endpoint = place->job.endpoint,
                             .target = &target,
                             .authorization = header,
                             .topic = place->job.topic,
                             .body = body,
                             .ttl_s = TTL_S,
                             .timeout_ms = PUSH_POST_MS,
                             .cancel = &pushers->stopping};
    if (prepare_request(pushers, &place->job, &target, body, &post.body_len, header))
        push_post(poster, &post, &answer);
    place->result = (struct pushers_result){.owner = place->owner,
                                            .ticket = place->job.ticket,
                                            .outcome = outcome_of(answer.outcome),
                                            .retry_after_ms = answer.retry_after_s * 1000,
                                            .status = answer.status};
    snprintf(place->result.why, sizeof place->result.why, "%s", answer.why);
}

/* With the mutex held. */
static struct place *find_place(const struct pushers *pushers, enum place_state state)
{
    for (unsigned i = 0; i < pushers->max; i++) {
        if (pushers->places[i].state == state)
            return &pushers->places[i];
    }
    return NULL;
}

/* With the mutex held, but for while it sends. */
static void serve_job(struct pushers *pushers, struct push_poster *poster)
{
    struct place *place;
    while (!atomic_load(&pushers->stopping)) {
        if (!(place = find_place(pushers, PLACE_GIVEN))) {
            uv_cond_wait(&pushers->work, &pushers->mutex);
            continue;
        }
        place->state = PLACE_SENDING;
        uv_mutex_unlock(&pushers->mutex);
        if (poster)
            send_one(pushers, poster, place);
        else
            place->result = (struct pushers_result){.owner = place->owner,
                                                    .ticket = place->job.ticket,
                                                    .outcome = HUB_PUSH_LATER,
                                                    .why = "out of memory"};
        uv_mutex_lock(&pushers->mutex);
        place->state = PLACE_DONE;
        pushers->wake(pushers->ctx);
    }
}

static void run_pusher(void *arg)
{
    struct pushers *pushers = arg;
    struct push_poster *poster = push_poster_create();
    signals_block();
    uv_mutex_lock(&pushers->mutex);
    serve_job(pushers, poster);
    uv_mutex_unlock(&pushers->mutex);
    push_poster_destroy(poster);
}

/* ---- the loop's side */

struct pushers *pushers_create(const struct net_push *push, unsigned max, void (*wake)(void *ctx),
                               void *ctx)
{
    struct pushers *pushers = calloc(1, sizeof *pushers);
    if (!pushers)
        return NULL;
    *pushers = (struct pushers){.push = push, .wake = wake, .ctx = ctx, .max = max};
    pushers->threads = calloc(max, sizeof *pushers->threads);
    pushers->places = calloc(max, sizeof *pushers->places);
    if (!pushers->threads || !pushers->places || uv_mutex_init(&pushers->mutex) != 0)
        goto free_all;
    if (uv_cond_init(&pushers->work) != 0)
        goto destroy_mutex;
    return pushers;
destroy_mutex:
    uv_mutex_destroy(&pushers->mutex);
free_all:
    free(pushers->threads);
    free(pushers->places);
    free(pushers);
    return NULL;
}

void pushers_destroy(struct pushers *pushers)
{
    if (!pushers)
        return;
    uv_mutex_lock(&pushers->mutex);
    atomic_store(&pushers->stopping, true);
    uv_cond_broadcast(&pushers->work);
    uv_mutex_unlock(&pushers->mutex);
    for (unsigned i = 0; i < pushers->begun; i++)
        uv_thread_join(&pushers->threads[i]);
    if (pushers->posting)
        push_posting_end();
    uv_cond_destroy(&pushers->work);
    uv_mutex_destroy(&pushers->mutex);
    free(pushers->threads);
    free(pushers->places);
    free(pushers);
}

/* Why not is said once: each message would fail for the same reason. */
static void begin_posting(struct pushers *pushers)
{
    char message[PUSH_MESSAGE_MAX];
    if (pushers->posting)
        return;
    pushers->posting = push_posting_begin(message);
    if (!pushers->posting && !pushers->failed)
        log_text(LOG_ERROR, "push_unavailable", "why", message);
    pushers->failed = !pushers->posting;
}

static bool begin_threads(struct pushers *pushers)
{
    begin_posting(pushers);
    while (pushers->posting && pushers->begun < pushers->max &&
           uv_thread_create(&pushers->threads[pushers->begun], run_pusher, pushers) == 0)
        pushers->begun++;
    return pushers->begun > 0;
}

bool pushers_have_place(const struct pushers *pushers)
{
    return pushers->out < pushers->max;
}

bool pushers_give(struct pushers *pushers, const struct hub_push_job *job, uint64_t owner)
{
    if (pushers->begun < pushers->max && !begin_threads(pushers))
        return false;
    uv_mutex_lock(&pushers->mutex);
    struct place *place = find_place(pushers, PLACE_EMPTY);
    assert(place);
    place->job = *job;
    place->owner = owner;
    place->state = PLACE_GIVEN;
    uv_cond_signal(&pushers->work);
    uv_mutex_unlock(&pushers->mutex);
    pushers->out++;
    return true;
}

bool pushers_take(struct pushers *pushers, struct pushers_result *result)
{
    uv_mutex_lock(&pushers->mutex);
    struct place *place = find_place(pushers, PLACE_DONE);
    if (place) {
        *result = place->result;
        place->state = PLACE_EMPTY;
    }
    uv_mutex_unlock(&pushers->mutex);
    if (!place)
        return false;
    pushers->out--;
    return true;
}

/* The endpoint is not logged: who has it can send messages to the browser. */
void pushers_say(struct pushers *pushers, const struct pushers_result *result, int64_t now_ms)
{
    char status[16];
    int64_t unsaid;
    if (!result->why[0] && result->outcome != HUB_PUSH_REFUSED)
        return;
    if (!log_limit_take(&pushers->said, now_ms, &unsaid))
        return;
    snprintf(status, sizeof status, "%d", result->status);
    if (result->why[0])
        log_text_number(LOG_WARN, "push_service_not_reached", "why", result->why, "more", unsaid);
    else
        log_text_number(LOG_WARN, "push_refused", "status", status, "more", unsaid);
}
