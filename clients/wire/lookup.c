#include "lookup.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Owned by the loop's thread until it is abandoned, then by the thread that resolves; whichever of
 * the two is the last frees it, see `mutex`.
 */
struct lookup {
    struct lookup *next;
    struct lookups *all;
    lookup_resolve_fn *resolve;
    char host[WIRE_URL_HOST];
    uv_async_t *ready; /* freed when it is closed */

    pthread_mutex_t mutex;
    bool finished, abandoned; /* guarded */
    struct lookup_result result;
};

struct lookups {
    uv_loop_t *loop;
    lookup_resolve_fn *resolve;
    lookup_done_fn *done;
    void *user;
    struct lookup *first;
    int count;
};

/* ---- resolving */

bool lookup_is_address(const char *host)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

void lookup_resolve(const char *host, struct lookup_result *result)
{
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *all = NULL;
    result->error = getaddrinfo(host, NULL, &wanted, &all);
    if (result->error != 0)
        return;
    for (const struct addrinfo *at = all; at && result->count < LOOKUP_ADDRESSES_MAX;
         at = at->ai_next) {
        char *address = result->addresses[result->count];
        if (getnameinfo(at->ai_addr, at->ai_addrlen, address, LOOKUP_ADDRESS, NULL, 0,
                        NI_NUMERICHOST) == 0)
            result->count++;
    }
    freeaddrinfo(all);
    if (result->count == 0)
        result->error = EAI_NONAME;
}

/* ---- the thread */

static void lookup_free(struct lookup *lookup)
{
    pthread_mutex_destroy(&lookup->mutex);
    free(lookup);
}

static void *run_lookup(void *any)
{
    struct lookup *lookup = any;
    struct lookup_result result = {0};
    lookup->resolve(lookup->host, &result);
    pthread_mutex_lock(&lookup->mutex);
    const bool abandoned = lookup->abandoned;
    lookup->result = result;
    lookup->finished = true;
    if (!abandoned)
        uv_async_send(lookup->ready);
    pthread_mutex_unlock(&lookup->mutex);
    if (abandoned)
        lookup_free(lookup);
    return NULL;
}

/* Signals are for the loop's thread. */
static bool start_thread(struct lookup *lookup)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, NULL, run_lookup, lookup) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    return started;
}

/* ---- the loop's side */

static void on_closed(uv_handle_t *handle)
{
    free(handle);
}

/* From now on it is the thread's, unless that has finished with it. */
static void lookup_leave(struct lookup *lookup)
{
    uv_async_t *ready = lookup->ready;
    pthread_mutex_lock(&lookup->mutex);
    const bool finished = lookup->finished;
    lookup->abandoned = true;
    pthread_mutex_unlock(&lookup->mutex);
    if (finished)
        lookup_free(lookup);
    uv_close((uv_handle_t *)ready, on_closed);
}

static void unlink_lookup(struct lookup *lookup)
{
    struct lookup **at = &lookup->all->first;
    while (*at != lookup)
        at = &(*at)->next;
    *at = lookup->next;
    lookup->all->count--;
}

static void on_ready(uv_async_t *ready)
{
    struct lookup *lookup = ready->data;
    struct lookups *all = lookup->all;
    char host[WIRE_URL_HOST];
    pthread_mutex_lock(&lookup->mutex);
    const struct lookup_result result = lookup->result;
    pthread_mutex_unlock(&lookup->mutex);
    snprintf(host, sizeof host, "%s", lookup->host);
    unlink_lookup(lookup);
    lookup_leave(lookup);
    all->done(all->user, host, &result);
}

static struct lookup *lookup_create(struct lookups *all, const char *host)
{
    struct lookup *lookup = calloc(1, sizeof *lookup);
    uv_async_t *ready = malloc(sizeof *ready);
    if (!lookup || !ready || uv_async_init(all->loop, ready, on_ready) != 0) {
        free(lookup);
        free(ready);
        return NULL;
    }
    lookup->all = all;
    lookup->resolve = all->resolve;
    lookup->ready = ready;
    ready->data = lookup;
    pthread_mutex_init(&lookup->mutex, NULL);
    snprintf(lookup->host, sizeof lookup->host, "%s", host);
    return lookup;
}

bool lookups_ask(struct lookups *lookups, const char *host)
{
    for (const struct lookup *at = lookups->first; at; at = at->next) {
        if (strcmp(at->host, host) == 0)
            return true;
    }
    struct lookup *lookup =
        lookups->count < LOOKUP_AT_ONCE_MAX ? lookup_create(lookups, host) : NULL;
    if (!lookup)
        return false;
    if (!start_thread(lookup)) {
        lookup->finished = true;
        lookup_leave(lookup);
        return false;
    }
    lookup->next = lookups->first;
    lookups->first = lookup;
    lookups->count++;
    return true;
}

struct lookups *lookups_create(uv_loop_t *loop, lookup_done_fn *done, void *user)
{
    struct lookups *lookups = malloc(sizeof *lookups);
    if (lookups)
        *lookups =
            (struct lookups){.loop = loop, .resolve = lookup_resolve, .done = done, .user = user};
    return lookups;
}

void lookups_resolve_with(struct lookups *lookups, lookup_resolve_fn *resolve)
{
    lookups->resolve = resolve;
}

void lookups_destroy(struct lookups *lookups)
{
    if (!lookups)
        return;
    while (lookups->first) {
        struct lookup *lookup = lookups->first;
        unlink_lookup(lookup);
        lookup_leave(lookup);
    }
    free(lookups);
}
