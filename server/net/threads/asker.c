#include "asker.h"

#include <base/signals.h>
#include <net/log.h>
#include <push/fetch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

/* Three of them are within the time that a connection has for its answer. */
enum { FETCH_MS = 3000 };

/*
 *     EMPTY --give--> GIVEN --the thread--> ASKING --the same--> DONE --take--> EMPTY
 *
 * What is in a place belongs to the thread in ASKING, and to who holds the mutex otherwise.
 */
enum place_state { PLACE_EMPTY, PLACE_GIVEN, PLACE_ASKING, PLACE_DONE };
struct place {
    enum place_state state;
    uint64_t order; /* in which they were given */
    struct asker_result result;
};

struct asker {
    const struct oidc_options *options;
    void (*wake)(void *ctx);
    void *ctx;
    bool fetching; /* push_posting_begin has been called */
    bool begun;
    uint64_t given;
    uv_thread_t thread;
    struct push_poster *poster; /* the thread's, as is: */
    struct oidc_provider *provider;
    uv_mutex_t mutex; /* all below */
    uv_cond_t work;
    atomic_bool stopping; /* read without it, too */
    struct place places[ASKER_PLACES];
};

/* ---- on the thread */

static int fetch_text(void *ctx, const struct oidc_asked *asked, char *answer, size_t *len,
                      char why[static 128])
{
    struct asker *asker = ctx;
    const struct push_fetch what = {.url = asked->url,
                                    .form = asked->form,
                                    .user = asked->user,
                                    .password = asked->password,
                                    .named = asked->named,
                                    .timeout_ms = FETCH_MS,
                                    .cancel = &asker->stopping,
                                    .body = answer,
                                    .body_max = OIDC_DOCUMENT_MAX};
    return push_fetch(asker->poster, &what, len, why);
}

static void ask_provider(struct asker *asker, struct asker_result *result)
{
    const struct asker_job *job = &result->job;
    const struct oidc_attempt attempt = {job->state, job->nonce, job->verifier};
    const struct oidc_time time_now = {.now_ms = (int64_t)(uv_hrtime() / 1000000),
                                       .now_s = (int64_t)time(NULL)};
    if (!asker->provider) {
        result->result = OIDC_AWAY;
        (void)snprintf(result->why, sizeof result->why, "out of memory");
    } else if (job->comes_back) {
        result->result = oidc_finish(asker->provider, time_now, &attempt, job->code,
                                     result->subject, result->why);
    } else {
        result->result = oidc_begin(asker->provider, time_now, &attempt, result->url, result->why);
    }
}

/* With the mutex held: the one that was given first. */
static struct place *find_place(struct asker *asker, enum place_state state)
{
    struct place *found = NULL;
    for (unsigned at = 0; at < ASKER_PLACES; at++) {
        struct place *place = &asker->places[at];
        if (place->state == state && (!found || place->order < found->order))
            found = place;
    }
    return found;
}

/* With the mutex held, but for while it asks. */
static void serve_jobs(struct asker *asker)
{
    struct place *place;
    while (!atomic_load(&asker->stopping)) {
        if (!(place = find_place(asker, PLACE_GIVEN))) {
            uv_cond_wait(&asker->work, &asker->mutex);
            continue;
        }
        place->state = PLACE_ASKING;
        uv_mutex_unlock(&asker->mutex);
        ask_provider(asker, &place->result);
        uv_mutex_lock(&asker->mutex);
        place->state = PLACE_DONE;
        asker->wake(asker->ctx);
    }
}

static void run_asker(void *arg)
{
    struct asker *asker = arg;
    const struct oidc_fetcher fetcher = {fetch_text, asker};
    signals_block();
    asker->poster = push_poster_create();
    if (asker->poster)
        asker->provider = oidc_provider_create(asker->options, &fetcher);
    uv_mutex_lock(&asker->mutex);
    serve_jobs(asker);
    uv_mutex_unlock(&asker->mutex);
    oidc_provider_destroy(asker->provider);
    push_poster_destroy(asker->poster);
}

/* ---- the loop's side */

struct asker *asker_create(const struct oidc_options *options, void (*wake)(void *ctx), void *ctx)
{
    struct asker *asker = calloc(1, sizeof *asker);
    if (!asker)
        return NULL;
    asker->options = options;
    asker->wake = wake;
    asker->ctx = ctx;
    if (uv_mutex_init(&asker->mutex) != 0)
        goto free_all;
    if (uv_cond_init(&asker->work) != 0)
        goto destroy_mutex;
    return asker;
destroy_mutex:
    uv_mutex_destroy(&asker->mutex);
free_all:
    free(asker);
    return NULL;
}

void asker_destroy(struct asker *asker)
{
    if (!asker)
        return;
    uv_mutex_lock(&asker->mutex);
    atomic_store(&asker->stopping, true);
    uv_cond_broadcast(&asker->work);
    uv_mutex_unlock(&asker->mutex);
    if (asker->begun)
        uv_thread_join(&asker->thread);
    if (asker->fetching)
        push_posting_end();
    uv_cond_destroy(&asker->work);
    uv_mutex_destroy(&asker->mutex);
    free(asker);
}

static bool begin_thread(struct asker *asker)
{
    char message[PUSH_MESSAGE_MAX];
    if (!asker->fetching) {
        asker->fetching = push_posting_begin(message);
        if (!asker->fetching)
            log_text(LOG_ERROR, "sign_in_unavailable", "why", message);
    }
    asker->begun = asker->begun ||
                   (asker->fetching && uv_thread_create(&asker->thread, run_asker, asker) == 0);
    return asker->begun;
}

bool asker_give(struct asker *asker, const struct asker_job *job)
{
    if (!begin_thread(asker))
        return false;
    uv_mutex_lock(&asker->mutex);
    struct place *place = find_place(asker, PLACE_EMPTY);
    if (place) {
        place->result = (struct asker_result){.job = *job};
        place->order = ++asker->given;
        place->state = PLACE_GIVEN;
        uv_cond_signal(&asker->work);
    }
    uv_mutex_unlock(&asker->mutex);
    return place != NULL;
}

bool asker_take(struct asker *asker, struct asker_result *result)
{
    uv_mutex_lock(&asker->mutex);
    struct place *place = find_place(asker, PLACE_DONE);
    if (place) {
        *result = place->result;
        place->state = PLACE_EMPTY;
    }
    uv_mutex_unlock(&asker->mutex);
    return place != NULL;
}
