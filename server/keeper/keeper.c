#include <keeper/keeper.h>

#include "call.h"
#include "documents.h"
#include "holdings.h"
#include "keeper_private.h"
#include <base/signals.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct keeper_pace keeper_usual = {
    .look_ms = 250,
    .beat_ms = MEMBERSHIP_BEAT_MS,
    .silent_ms = POSTGRES_SILENT_MS,
    .settle_ms = 5000,
    .between_ms = 1000,
    .retry_ms = 500,
    .retry_max_ms = 2000, /* what keeps a part closed for ten seconds shall not do so for fifty */
    .damaged_ms = 60000,
    .forget_ms = 3600000,
};

static void say_part(const struct keeper *keeper, const char *event, unsigned part,
                     const char *message, enum store_result result)
{
    char what[STORE_MESSAGE_MAX + 32];
    snprintf(what, sizeof what, "part %u%s%s", part, message[0] ? ": " : "", message);
    keeper_say(keeper, event, what, result);
}

/* ---- threads that open and close; with the mutex held */

static void open_one(struct keeper *keeper, const struct holding *holding)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct keeper_part opened = holding->part;
    const struct postgres_owner silent = holding->silent;
    const unsigned part = opened.part;
    pthread_mutex_unlock(&keeper->mutex);
    const enum store_result result =
        keeper->callbacks.open(keeper->callbacks.ctx, &silent, &opened, message);
    if (result == STORE_OK || result == STORE_FENCED)
        say_part(keeper, result == STORE_OK ? "part_taken" : "part_is_another_ones", part, message,
                 STORE_OK);
    else
        say_part(keeper, "part_failed", part, message, result);
    pthread_mutex_lock(&keeper->mutex);
    if (result != STORE_OK) {
        holdings_failed(&keeper->holdings, part, result, keeper_now_ms());
        return;
    }
    holdings_opened(&keeper->holdings, part, &opened);
    if (holding->state != HOLDING_OPENING || !keeper_begin_call(keeper))
        return;
    keeper->callbacks.give(keeper->callbacks.ctx, &opened);
    keeper_end_call(keeper);
    holdings_given(&keeper->holdings, part);
}

static void close_one(struct keeper *keeper, const struct holding *holding)
{
    struct keeper_part closed = holding->part;
    pthread_mutex_unlock(&keeper->mutex);
    keeper->callbacks.close(keeper->callbacks.ctx, &closed);
    say_part(keeper, "part_closed", closed.part, "", STORE_OK);
    pthread_mutex_lock(&keeper->mutex);
    holdings_closed(&keeper->holdings, closed.part);
}

static void *open_and_close(void *ctx)
{
    struct keeper *keeper = ctx;
    signals_block();
    pthread_mutex_lock(&keeper->mutex);
    while (!keeper->ending || !holdings_empty(&keeper->holdings)) {
        struct holding *holding = holdings_next(&keeper->holdings, OPENINGS_MAX);
        if (!holding)
            pthread_cond_wait(&keeper->changed, &keeper->mutex);
        else if (holding->state == HOLDING_CLOSING)
            close_one(keeper, holding);
        else
            open_one(keeper, holding);
        if (holding)
            pthread_cond_broadcast(&keeper->changed);
    }
    pthread_mutex_unlock(&keeper->mutex);
    return NULL;
}

/* ---- the thread that decides */

/* One line while the database is away, and one when it is back. */
static void say_away(struct keeper *keeper, enum store_result result, const char *message)
{
    const bool away = result == STORE_FAILED;
    if (away != keeper->away)
        keeper_say(keeper, away ? "membership_away" : "membership_back",
                   away ? message : "it answers", result);
    keeper->away = away;
}

static void is_replaced(struct keeper *keeper, const char *message)
{
    keeper_say(keeper, "node_replaced", message, STORE_FENCED);
    keeper->member = false;
    pthread_mutex_lock(&keeper->mutex);
    holdings_leave(&keeper->holdings, false);
    if (keeper_begin_call(keeper)) {
        keeper->callbacks.replaced(keeper->callbacks.ctx, message);
        keeper_end_call(keeper);
    }
    pthread_mutex_unlock(&keeper->mutex);
}

/* Once while it differs, and once when it does not any more. */
static void say_clock(struct keeper *keeper, int64_t ahead_ms)
{
    char what[MEMBERSHIP_CLOCK_BYTES];
    const bool differs = membership_clock_differs(ahead_ms, what);
    if (differs == keeper->clock_differs)
        return;
    keeper->clock_differs = differs;
    keeper_say(keeper, differs ? "clock_differs" : "clock_agrees", what, STORE_OK);
}

static void take_what_to_say(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    membership_set_facts(keeper->membership, &keeper->facts);
    membership_set_links(keeper->membership, keeper->links);
    keeper->links_changed = false;
    pthread_mutex_unlock(&keeper->mutex);
}

/* True: it was acknowledged. */
static bool beat_node(struct keeper *keeper)
{
    char message[STORE_MESSAGE_MAX] = "";
    take_what_to_say(keeper);
    const enum store_result result = membership_beat(keeper->membership, message);
    if (result == STORE_FENCED) {
        is_replaced(keeper, message);
        return false;
    }
    say_away(keeper, result, message);
    if (result != STORE_OK)
        return false;
    pthread_mutex_lock(&keeper->mutex);
    keeper->beat_ms = keeper_now_ms();
    keeper->holdings.figures.ahead_ms = membership_ahead_ms(keeper->membership);
    pthread_mutex_unlock(&keeper->mutex);
    say_clock(keeper, membership_ahead_ms(keeper->membership));
    return true;
}

static bool note_nodes(struct keeper *keeper, const size_t places[], size_t count)
{
    bool same = count == keeper->told_count;
    for (size_t at = 0; at < count; at++) {
        const struct membership_node *node = &keeper->watch.look.node[places[at]];
        struct told *told = &keeper->told[at];
        same = same && strcmp(told->name, node->name) == 0 && strcmp(told->relay, node->relay) == 0;
        snprintf(told->name, sizeof told->name, "%s", node->name);
        snprintf(told->relay, sizeof told->relay, "%s", node->relay);
    }
    keeper->told_count = count;
    return !same;
}

/* With the mutex held. */
static void tell_nodes(struct keeper *keeper)
{
    size_t places[MEMBERSHIP_NODES_MAX];
    struct keeper_node nodes[MEMBERSHIP_NODES_MAX];
    const size_t count = holdings_others(&keeper->holdings, &keeper->watch, places);
    if (!note_nodes(keeper, places, count) || !keeper_begin_call(keeper))
        return;
    for (size_t at = 0; at < count; at++)
        nodes[at] = (struct keeper_node){keeper->told[at].name, keeper->told[at].relay};
    keeper->callbacks.nodes(keeper->callbacks.ctx, nodes, count);
    keeper_end_call(keeper);
}

/* With the mutex held. */
static void tell_cut_off(struct keeper *keeper)
{
    const bool cut_off = keeper->holdings.cut_off;
    if (cut_off == keeper->cut_off || !keeper_begin_call(keeper))
        return;
    keeper->cut_off = cut_off;
    keeper_say(keeper, cut_off ? "node_cut_off" : "node_reached",
               cut_off ? "it has no links with the nodes that reach each other, or a wrong clock"
                       : "it has links with the others",
               STORE_OK);
    if (keeper->callbacks.cut_off)
        keeper->callbacks.cut_off(keeper->callbacks.ctx, cut_off);
    keeper_end_call(keeper);
}

/* With the mutex held. */
static void take_back(struct keeper *keeper, unsigned part)
{
    const char *why = keeper->holdings.cut_off ? "this node is cut off from the others"
                                               : "another node has fewer";
    if (!keeper_begin_call(keeper))
        return;
    say_part(keeper, "part_given_up", part, why, STORE_OK);
    keeper->callbacks.take_back(keeper->callbacks.ctx, part);
    keeper_end_call(keeper);
}

/* With the mutex held. What has ended meanwhile is said for nothing. */
static void tell_lost(struct keeper *keeper)
{
    for (uint64_t lost = holdings_lost(&keeper->holdings, &keeper->watch); lost; lost &= lost - 1) {
        const unsigned part = (unsigned)__builtin_ctzll(lost);
        if (!keeper_begin_call(keeper))
            return;
        keeper->callbacks.lost(keeper->callbacks.ctx, part, (uint64_t)keeper->look.part[part].term);
        keeper_end_call(keeper);
    }
}

/* Whoever is first; it does not matter if it is not done now. */
static void forget_dead(struct keeper *keeper)
{
    char message[STORE_MESSAGE_MAX];
    const int at = membership_dead(&keeper->watch, keeper->pace.forget_ms);
    if (keeper->pace.forget_ms == 0 || at < 0)
        return;
    const struct membership_node *node = &keeper->watch.look.node[at];
    if (membership_forget(keeper->membership, node, message) == STORE_OK)
        keeper_say(keeper, "node_forgotten", node->name, STORE_OK);
}

static void look_at_site(struct keeper *keeper)
{
    char message[STORE_MESSAGE_MAX];
    if (membership_see(keeper->membership, &keeper->look, message) != STORE_OK)
        return; /* the next beat connects again, or says why not */
    membership_follow(&keeper->watch, &keeper->look);
    pthread_mutex_lock(&keeper->mutex);
    int part = holdings_decide(&keeper->holdings, &keeper->watch);
    pthread_cond_broadcast(&keeper->changed);
    tell_nodes(keeper);
    tell_cut_off(keeper);
    for (; part >= 0; part = holdings_give_next(&keeper->holdings, &keeper->watch))
        take_back(keeper, (unsigned)part);
    tell_lost(keeper);
    pthread_mutex_unlock(&keeper->mutex);
    forget_dead(keeper);
}

/* ---- the thread itself */

/* Before its parts are closed: the others shall not wait for it to take its share. */
static void leave_site(struct keeper *keeper)
{
    if (keeper->member)
        membership_leave(keeper->membership);
    keeper->member = false;
}

/* With the mutex held; not as long if all is to be given up. */
static void wait_until(struct keeper *keeper, int64_t until_ms)
{
    const bool left = keeper->holdings.leaving;
    const int64_t ms = until_ms - keeper_now_ms();
    if (ms <= 0)
        return;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    while (!keeper->ending && !documents_wait(keeper) && left == keeper->holdings.leaving) {
        if (pthread_cond_timedwait(&keeper->changed, &keeper->mutex, &until) != 0)
            return;
    }
}

static void *run_deciding(void *ctx)
{
    struct keeper *keeper = ctx;
    int64_t look_ms = keeper_now_ms(), beat_ms = look_ms + keeper->pace.beat_ms;
    signals_block();
    documents_follow(keeper);
    pthread_mutex_lock(&keeper->mutex);
    while (!keeper->ending) {
        const bool leaving = keeper->holdings.leaving;
        if (keeper->links_changed)
            beat_ms = keeper_now_ms();
        pthread_mutex_unlock(&keeper->mutex);
        if (leaving)
            leave_site(keeper);
        documents_change(keeper);
        const bool news = documents_say(keeper);
        const bool beaten =
            keeper->member && (news || keeper_now_ms() >= beat_ms) && beat_node(keeper);
        if ((beaten && documents_said(keeper)) || keeper_now_ms() >= beat_ms) {
            documents_follow(keeper);
            beat_ms = keeper_now_ms() + keeper->pace.beat_ms;
        }
        if (keeper->member && documents_are_known(keeper))
            look_at_site(keeper);
        documents_spread(keeper);
        look_ms = keeper_now_ms() + keeper->pace.look_ms;
        pthread_mutex_lock(&keeper->mutex);
        wait_until(keeper, look_ms);
    }
    pthread_mutex_unlock(&keeper->mutex);
    leave_site(keeper);
    return NULL;
}

/* ---- begin and end */

struct keeper *keeper_create(const char *url, unsigned parts, const struct membership_self *self,
                             const struct keeper_pace *pace,
                             const struct keeper_callbacks *callbacks)
{
    struct postgres_timeouts timeouts = postgres_timeouts_standby;
    struct keeper *keeper = calloc(1, sizeof *keeper);
    if (!keeper)
        return NULL;
    timeouts.silent_ms = pace->silent_ms;
    keeper->callbacks = *callbacks;
    keeper->pace = *pace;
    documents_begin(keeper);
    keeper->holdings = (struct holdings){.pace = *pace, .self = self->name, .parts = parts};
    keeper->membership = membership_create(url, &timeouts, self);
    if (!keeper->membership) {
        free(keeper);
        return NULL;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&keeper->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&keeper->mutex, NULL);
    return keeper;
}

static void end_threads(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    keeper->ending = true;
    pthread_cond_broadcast(&keeper->changed);
    pthread_mutex_unlock(&keeper->mutex);
    while (keeper->started > 0)
        pthread_join(keeper->workers[--keeper->started], NULL);
}

enum store_result keeper_start(struct keeper *keeper, char message[static STORE_MESSAGE_MAX])
{
    const enum store_result result = membership_join(keeper->membership, message);
    if (result != STORE_OK)
        return result;
    keeper->member = true;
    keeper->beat_ms = keeper_now_ms();
    if (keeper->callbacks.clock)
        keeper->callbacks.clock(keeper->callbacks.ctx, membership_ahead_ms(keeper->membership));
    while (keeper->started < WORKERS &&
           pthread_create(&keeper->workers[keeper->started], NULL, open_and_close, keeper) == 0)
        keeper->started++;
    if (keeper->started == WORKERS &&
        pthread_create(&keeper->decider, NULL, run_deciding, keeper) == 0)
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX, "no thread can be started");
    end_threads(keeper);
    leave_site(keeper);
    return STORE_FAILED;
}

void keeper_ended(struct keeper *keeper, unsigned part, enum store_result why)
{
    pthread_mutex_lock(&keeper->mutex);
    holdings_ended(&keeper->holdings, part, why, keeper_now_ms());
    pthread_cond_broadcast(&keeper->changed);
    pthread_mutex_unlock(&keeper->mutex);
    if (why != STORE_OK)
        say_part(keeper, why == STORE_FENCED ? "part_lost" : "part_failed", part,
                 why == STORE_FENCED ? "another node has opened it" : "its store has failed", why);
}

void keeper_stop(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    keeper->stopping = true;
    holdings_leave(&keeper->holdings, false);
    pthread_cond_broadcast(&keeper->changed);
    while (keeper->calls > 0)
        pthread_cond_wait(&keeper->changed, &keeper->mutex);
    pthread_mutex_unlock(&keeper->mutex);
}

void keeper_leave(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    holdings_leave(&keeper->holdings, true);
    pthread_mutex_unlock(&keeper->mutex);
    end_threads(keeper);
    pthread_join(keeper->decider, NULL);
}

void keeper_destroy(struct keeper *keeper)
{
    if (!keeper)
        return;
    membership_destroy(keeper->membership);
    free(keeper->change_text);
    pthread_cond_destroy(&keeper->changed);
    pthread_mutex_destroy(&keeper->mutex);
    free(keeper);
}

void keeper_links(struct keeper *keeper, const char *names)
{
    pthread_mutex_lock(&keeper->mutex);
    snprintf(keeper->links, sizeof keeper->links, "%s", names);
    keeper->links_changed = true;
    pthread_mutex_unlock(&keeper->mutex);
}

void keeper_facts(struct keeper *keeper, const struct membership_facts *facts)
{
    pthread_mutex_lock(&keeper->mutex);
    keeper->facts = *facts;
    pthread_mutex_unlock(&keeper->mutex);
}

void keeper_figures(struct keeper *keeper, struct keeper_figures *figures)
{
    pthread_mutex_lock(&keeper->mutex);
    *figures = keeper->holdings.figures;
    figures->parts = keeper->holdings.parts;
    figures->had = holdings_had(&keeper->holdings);
    figures->since_beat_ms = keeper_now_ms() - keeper->beat_ms;
    pthread_mutex_unlock(&keeper->mutex);
}
