#include <keeper/keeper.h>

#include "holdings.h"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Openings wait for the database most of the time. */
enum { HANDS = 4, OPENINGS_MAX = HANDS - 1 };

const struct keeper_pace keeper_usual = {
    .look_ms = 250,
    .beat_ms = MEMBERSHIP_BEAT_MS,
    .silent_ms = POSTGRES_SILENT_MS,
    .settle_ms = 5000,
    .between_ms = 1000,
    .retry_ms = 500,
    .retry_max_ms = 30000,
    .damaged_ms = 60000,
    .forget_ms = 3600000,
};

struct told { /* about one other node */
    char name[POSTGRES_NODE_MAX + 1], relay[POSTGRES_RELAY_MAX + 1];
};

struct followed { /* a document */
    const char *name;
    int64_t revision; /* that was told; -1: none was */
    bool failed;      /* to be read; it has been said */
};

struct keeper {
    struct keeper_callbacks callbacks;
    struct keeper_pace pace;

    /* The thread that decides: all of this is its own. */
    struct membership *membership;
    struct membership_watch watch;
    struct membership_look look;
    struct told told[MEMBERSHIP_NODES_MAX];
    size_t told_count;
    bool member;
    bool away; /* the database; it has been said */
    struct followed followed[STORE_DOCUMENTS_MAX];
    size_t followed_count;

    /* What the threads share. */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct holdings holdings;
    int64_t beat_ms;   /* the last one that was acknowledged */
    bool stopping;     /* no callbacks but `close` */
    bool ending;       /* the threads end when everything is closed */
    unsigned calls;    /* of callbacks, under way */
    char *change_text; /* of a document, that is to be kept; NULL: none */
    struct followed *changed_document;
    int64_t change_before;

    pthread_t decider, hands[HANDS];
    unsigned started; /* hands */
};

/* With all time in which we stood still. */
static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void say(const struct keeper *keeper, const char *event, const char *message,
                enum store_result result)
{
    if (keeper->callbacks.say)
        keeper->callbacks.say(event, message, result);
}

static void say_part(const struct keeper *keeper, const char *event, unsigned part,
                     const char *message, enum store_result result)
{
    char what[STORE_MESSAGE_MAX + 32];
    snprintf(what, sizeof what, "part %u%s%s", part, message[0] ? ": " : "", message);
    say(keeper, event, what, result);
}

/* ---- callbacks: with the mutex held, which they are called without */

static bool begin_call(struct keeper *keeper)
{
    if (keeper->stopping)
        return false;
    keeper->calls++;
    pthread_mutex_unlock(&keeper->mutex);
    return true;
}

static void end_call(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    keeper->calls--;
    pthread_cond_broadcast(&keeper->changed);
}

/* ---- threads that open and close; with the mutex held */

static void open_one(struct keeper *keeper, const struct holding *holding)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct keeper_part opened = holding->part;
    const struct postgres_holder silent = holding->silent;
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
        holdings_failed(&keeper->holdings, part, result, now_ms());
        return;
    }
    holdings_opened(&keeper->holdings, part, &opened);
    if (holding->state != HOLDING_OPENING || !begin_call(keeper))
        return;
    keeper->callbacks.give(keeper->callbacks.ctx, &opened);
    end_call(keeper);
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
        say(keeper, away ? "membership_away" : "membership_back", away ? message : "it answers",
            result);
    keeper->away = away;
}

static void is_replaced(struct keeper *keeper, const char *message)
{
    say(keeper, "node_replaced", message, STORE_FENCED);
    keeper->member = false;
    pthread_mutex_lock(&keeper->mutex);
    holdings_leave(&keeper->holdings, false);
    if (begin_call(keeper)) {
        keeper->callbacks.replaced(keeper->callbacks.ctx, message);
        end_call(keeper);
    }
    pthread_mutex_unlock(&keeper->mutex);
}

static void beat(struct keeper *keeper)
{
    char message[STORE_MESSAGE_MAX] = "";
    const enum store_result result = membership_beat(keeper->membership, message);
    if (result == STORE_FENCED) {
        is_replaced(keeper, message);
        return;
    }
    say_away(keeper, result, message);
    if (result != STORE_OK)
        return;
    pthread_mutex_lock(&keeper->mutex);
    keeper->beat_ms = now_ms();
    pthread_mutex_unlock(&keeper->mutex);
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
    if (!note_nodes(keeper, places, count) || !begin_call(keeper))
        return;
    for (size_t at = 0; at < count; at++)
        nodes[at] = (struct keeper_node){keeper->told[at].name, keeper->told[at].relay};
    keeper->callbacks.nodes(keeper->callbacks.ctx, nodes, count);
    end_call(keeper);
}

/* With the mutex held. */
static void take_back(struct keeper *keeper, unsigned part)
{
    if (!begin_call(keeper))
        return;
    say_part(keeper, "part_given_up", part, "another node has fewer", STORE_OK);
    keeper->callbacks.take_back(keeper->callbacks.ctx, part);
    end_call(keeper);
}

/* With the mutex held. What has ended meanwhile is said for nothing. */
static void tell_lost(struct keeper *keeper)
{
    for (uint64_t lost = holdings_lost(&keeper->holdings, &keeper->watch); lost; lost &= lost - 1) {
        const unsigned part = (unsigned)__builtin_ctzll(lost);
        if (!begin_call(keeper))
            return;
        keeper->callbacks.lost(keeper->callbacks.ctx, part, (uint64_t)keeper->look.part[part].term);
        end_call(keeper);
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
        say(keeper, "node_forgotten", node->name, STORE_OK);
}

static void look(struct keeper *keeper)
{
    char message[STORE_MESSAGE_MAX];
    if (membership_see(keeper->membership, &keeper->look, message) != STORE_OK)
        return; /* the next beat connects again, or says why not */
    membership_follow(&keeper->watch, &keeper->look);
    pthread_mutex_lock(&keeper->mutex);
    const int part = holdings_decide(&keeper->holdings, &keeper->watch);
    pthread_cond_broadcast(&keeper->changed);
    tell_nodes(keeper);
    if (part >= 0)
        take_back(keeper, (unsigned)part);
    tell_lost(keeper);
    pthread_mutex_unlock(&keeper->mutex);
    forget_dead(keeper);
}

/* ---- documents */

/* What was not taken is told again with a later beat. */
static bool tell_document(struct keeper *keeper, struct followed *document, const char *text,
                          size_t len, int64_t revision)
{
    bool taken = true;
    pthread_mutex_lock(&keeper->mutex);
    if (begin_call(keeper)) {
        taken =
            keeper->callbacks.document(keeper->callbacks.ctx, document->name, text, len, revision);
        end_call(keeper);
    }
    pthread_mutex_unlock(&keeper->mutex);
    if (taken)
        document->revision = revision;
    return taken;
}

/* While the database is away that is what has been said. */
static void say_not_read(struct keeper *keeper, struct followed *document, enum store_result result,
                         const char *message)
{
    const bool failed = result != STORE_OK;
    if (failed && !document->failed && !keeper->away)
        say(keeper, "document_not_read", message, result);
    document->failed = failed && (document->failed || !keeper->away);
}

static void follow_document(struct keeper *keeper, struct followed *document)
{
    char message[STORE_MESSAGE_MAX] = "", *text = NULL;
    int64_t revision = document->revision;
    size_t len;
    const enum store_result result =
        membership_document(keeper->membership, document->name, &revision, &text, &len, message);
    say_not_read(keeper, document, result, message);
    if (text)
        (void)tell_document(keeper, document, text, len, revision);
    free(text);
}

/* Also of a node that is leaving: what it still has is to know them as well. */
static void follow_documents(struct keeper *keeper)
{
    for (size_t at = 0; at < keeper->followed_count; at++)
        follow_document(keeper, &keeper->followed[at]);
}

static bool all_are_known(const struct keeper *keeper)
{
    size_t at = 0;
    while (at < keeper->followed_count && keeper->followed[at].revision >= 0)
        at++;
    return at == keeper->followed_count;
}

static enum store_result put_document(struct keeper *keeper, struct followed *document,
                                      const char *text, int64_t revision)
{
    char message[STORE_MESSAGE_MAX] = "this node is leaving", what[STORE_MESSAGE_MAX + 64];
    enum store_result result = STORE_FAILED;
    if (keeper->member)
        result =
            membership_put_document(keeper->membership, document->name, text, &revision, message);
    if (result == STORE_OK && !tell_document(keeper, document, text, strlen(text), revision)) {
        snprintf(message, sizeof message, "it is kept, but this node cannot read it yet");
        result = STORE_FAILED;
    }
    snprintf(what, sizeof what, "%s: %s", document->name, message);
    if (result == STORE_FAILED)
        say(keeper, "document_not_changed", what, result);
    return result;
}

/* Without a connection it is not tried: whoever asks can ask again. */
static void change_document(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    char *const text = keeper->change_text;
    struct followed *document = keeper->changed_document;
    const int64_t revision = keeper->change_before;
    keeper->change_text = NULL;
    pthread_mutex_unlock(&keeper->mutex);
    if (!text)
        return;
    const enum store_result result = put_document(keeper, document, text, revision);
    free(text);
    pthread_mutex_lock(&keeper->mutex);
    if (begin_call(keeper)) {
        keeper->callbacks.document_kept(keeper->callbacks.ctx, document->name, result);
        end_call(keeper);
    }
    pthread_mutex_unlock(&keeper->mutex);
}

static struct followed *find_document(struct keeper *keeper, const char *name)
{
    for (size_t at = 0; at < keeper->followed_count; at++) {
        if (strcmp(keeper->followed[at].name, name) == 0)
            return &keeper->followed[at];
    }
    return NULL;
}

bool keeper_change_document(struct keeper *keeper, const char *name, const char *text, size_t len,
                            int64_t revision)
{
    char *copy = malloc(len + 1);
    if (!copy)
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    pthread_mutex_lock(&keeper->mutex);
    struct followed *document = find_document(keeper, name);
    const bool wanted = document && !keeper->change_text;
    if (wanted) {
        keeper->change_text = copy;
        keeper->changed_document = document;
        keeper->change_before = revision;
        pthread_cond_broadcast(&keeper->changed);
    }
    pthread_mutex_unlock(&keeper->mutex);
    if (!wanted)
        free(copy);
    return wanted;
}

static void follow_none_yet(struct keeper *keeper)
{
    const char *const *names = keeper->callbacks.documents;
    for (; names && names[keeper->followed_count]; keeper->followed_count++) {
        assert(keeper->followed_count < STORE_DOCUMENTS_MAX);
        keeper->followed[keeper->followed_count] =
            (struct followed){.name = names[keeper->followed_count], .revision = -1};
    }
}

/* ---- the thread itself */

/* Before its parts are closed: the others shall not wait for it to take its share. */
static void leave(struct keeper *keeper)
{
    if (keeper->member)
        membership_leave(keeper->membership);
    keeper->member = false;
}

/* With the mutex held; not as long if all is to be given up. */
static void wait_until(struct keeper *keeper, int64_t until_ms)
{
    const bool left = keeper->holdings.leaving;
    const int64_t ms = until_ms - now_ms();
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
    while (!keeper->ending && !keeper->change_text && left == keeper->holdings.leaving) {
        if (pthread_cond_timedwait(&keeper->changed, &keeper->mutex, &until) != 0)
            return;
    }
}

static void *decide(void *ctx)
{
    struct keeper *keeper = ctx;
    int64_t look_ms = now_ms(), beat_ms = look_ms + keeper->pace.beat_ms;
    follow_documents(keeper);
    pthread_mutex_lock(&keeper->mutex);
    while (!keeper->ending) {
        const bool leaving = keeper->holdings.leaving;
        pthread_mutex_unlock(&keeper->mutex);
        if (leaving)
            leave(keeper);
        change_document(keeper);
        if (now_ms() >= beat_ms) {
            if (keeper->member)
                beat(keeper);
            follow_documents(keeper);
            beat_ms = now_ms() + keeper->pace.beat_ms;
        }
        if (keeper->member && all_are_known(keeper))
            look(keeper);
        look_ms = now_ms() + keeper->pace.look_ms;
        pthread_mutex_lock(&keeper->mutex);
        wait_until(keeper, look_ms);
    }
    pthread_mutex_unlock(&keeper->mutex);
    leave(keeper);
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
    follow_none_yet(keeper);
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
        pthread_join(keeper->hands[--keeper->started], NULL);
}

enum store_result keeper_start(struct keeper *keeper, char message[static STORE_MESSAGE_MAX])
{
    const enum store_result result = membership_join(keeper->membership, message);
    if (result != STORE_OK)
        return result;
    keeper->member = true;
    keeper->beat_ms = now_ms();
    while (keeper->started < HANDS &&
           pthread_create(&keeper->hands[keeper->started], NULL, open_and_close, keeper) == 0)
        keeper->started++;
    if (keeper->started == HANDS && pthread_create(&keeper->decider, NULL, decide, keeper) == 0)
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX, "no thread can be started");
    end_threads(keeper);
    leave(keeper);
    return STORE_FAILED;
}

void keeper_ended(struct keeper *keeper, unsigned part, enum store_result why)
{
    pthread_mutex_lock(&keeper->mutex);
    holdings_ended(&keeper->holdings, part, why, now_ms());
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

void keeper_figures(struct keeper *keeper, struct keeper_figures *figures)
{
    pthread_mutex_lock(&keeper->mutex);
    *figures = keeper->holdings.figures;
    figures->parts = keeper->holdings.parts;
    figures->had = holdings_had(&keeper->holdings);
    figures->since_beat_ms = now_ms() - keeper->beat_ms;
    pthread_mutex_unlock(&keeper->mutex);
}
