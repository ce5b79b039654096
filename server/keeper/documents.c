#include "documents.h"

#include "call.h"
#include "keeper_private.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct followed *find_document(struct keeper *keeper, const char *name)
{
    for (size_t at = 0; at < keeper->followed_count; at++) {
        if (strcmp(keeper->followed[at].name, name) == 0)
            return &keeper->followed[at];
    }
    return NULL;
}

/* What was not taken is told again with a later beat. */
static bool tell_document(struct keeper *keeper, struct followed *document, const char *text,
                          size_t len, int64_t revision)
{
    bool taken = true;
    pthread_mutex_lock(&keeper->mutex);
    if (keeper_begin_call(keeper)) {
        taken =
            keeper->callbacks.document(keeper->callbacks.ctx, document->name, text, len, revision);
        keeper_end_call(keeper);
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
        keeper_say(keeper, "document_not_read", message, result);
    document->failed = failed && (document->failed || !keeper->away);
}

/* False: it could not be read, or was not taken. */
static bool follow_document(struct keeper *keeper, struct followed *document)
{
    char message[STORE_MESSAGE_MAX] = "", *text = NULL;
    int64_t revision = document->revision;
    size_t len;
    const enum store_result result =
        membership_document(keeper->membership, document->name, &revision, &text, &len, message);
    bool taken = result == STORE_OK;
    say_not_read(keeper, document, result, message);
    if (text)
        taken = tell_document(keeper, document, text, len, revision);
    free(text);
    return taken;
}

void documents_follow(struct keeper *keeper)
{
    bool all = keeper->said_all || keeper->followed_count == 0;
    for (size_t at = 0; at < keeper->followed_count; at++)
        all = follow_document(keeper, &keeper->followed[at]) && all;
    keeper->known_all |= all;
}

bool documents_said(struct keeper *keeper)
{
    keeper->said_all |= keeper->says_all;
    return keeper->said_all && !keeper->known_all;
}

bool documents_are_known(const struct keeper *keeper)
{
    return keeper->known_all;
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
        keeper_say(keeper, "document_not_changed", what, result);
    return result;
}

static void tell_kept(struct keeper *keeper, const struct followed *document,
                      enum store_result result)
{
    pthread_mutex_lock(&keeper->mutex);
    if (keeper_begin_call(keeper)) {
        keeper->callbacks.document_kept(keeper->callbacks.ctx, document->name, result);
        keeper_end_call(keeper);
    }
    pthread_mutex_unlock(&keeper->mutex);
}

void documents_change(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    char *const text = keeper->change_text;
    struct followed *document = keeper->changed_document;
    const int64_t revision = keeper->change_before;
    if (!keeper->spreading)
        keeper->change_text = NULL;
    pthread_mutex_unlock(&keeper->mutex);
    if (!text || keeper->spreading)
        return;
    const enum store_result result = put_document(keeper, document, text, revision);
    free(text);
    if (result != STORE_OK) {
        tell_kept(keeper, document, result);
        return;
    }
    keeper->spreading = document;
    keeper->spread_revision = document->revision;
    keeper->spread_since_ms = keeper_now_ms();
}

bool documents_wait(const struct keeper *keeper)
{
    return keeper->holds || (keeper->change_text && !keeper->spreading);
}

/* ---- where they hold */

bool documents_say(struct keeper *keeper)
{
    char text[MEMBERSHIP_DOCUMENTS_MAX + 1] = "";
    size_t len = 0, held = 0;
    pthread_mutex_lock(&keeper->mutex);
    const bool news = keeper->holds;
    keeper->holds = false;
    for (size_t at = 0; at < keeper->followed_count && len < sizeof text; at++) {
        const struct followed *document = &keeper->followed[at];
        held += document->held >= 0;
        if (document->held >= 0)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s=%" PRId64,
                                    len > 0 ? " " : "", document->name, document->held);
    }
    pthread_mutex_unlock(&keeper->mutex);
    keeper->says_all = held == keeper->followed_count;
    membership_say(keeper->membership, text);
    return news;
}

void keeper_document_holds(struct keeper *keeper, const char *name, int64_t revision)
{
    pthread_mutex_lock(&keeper->mutex);
    struct followed *document = find_document(keeper, name);
    if (document && document->held < revision) {
        document->held = revision;
        keeper->holds = true;
        pthread_cond_broadcast(&keeper->changed);
    }
    pthread_mutex_unlock(&keeper->mutex);
}

static bool holds_here(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    const bool holds = keeper->spreading->held >= keeper->spread_revision;
    pthread_mutex_unlock(&keeper->mutex);
    return holds;
}

bool documents_hold_elsewhere(const struct membership_watch *watch, const char *self,
                              int64_t silent_ms, const char *name, int64_t revision)
{
    const struct membership_look *look = &watch->look;
    for (size_t at = 0; at < look->nodes; at++) {
        const int64_t said = membership_says(&look->node[at], name);
        if (strcmp(look->node[at].name, self) != 0 && said >= 0 && said < revision &&
            membership_lives(watch, at, silent_ms))
            return false;
    }
    return true;
}

void documents_spread(struct keeper *keeper)
{
    const struct followed *document = keeper->spreading;
    if (!document)
        return;
    const bool seen = keeper->watch.look.at_ms >= keeper->spread_since_ms || !keeper->member;
    const bool holds =
        seen && holds_here(keeper) &&
        documents_hold_elsewhere(&keeper->watch, keeper->holdings.self, keeper->pace.silent_ms,
                                 document->name, keeper->spread_revision);
    const bool late = keeper_now_ms() - keeper->spread_since_ms >=
                      keeper->pace.silent_ms + 2 * keeper->pace.beat_ms;
    if (!holds && !late)
        return;
    keeper->spreading = NULL;
    if (!holds)
        keeper_say(keeper, "document_late", document->name, STORE_REFUSED);
    tell_kept(keeper, document, holds ? STORE_OK : STORE_REFUSED);
}

/* ---- asked from any thread */

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

void documents_begin(struct keeper *keeper)
{
    const char *const *names = keeper->callbacks.documents;
    for (; names && names[keeper->followed_count]; keeper->followed_count++) {
        assert(keeper->followed_count < STORE_DOCUMENTS_MAX);
        keeper->followed[keeper->followed_count] =
            (struct followed){.name = names[keeper->followed_count], .revision = -1, .held = -1};
    }
}
