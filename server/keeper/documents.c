#include "documents.h"

#include "keeper_private.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void documents_follow(struct keeper *keeper)
{
    for (size_t at = 0; at < keeper->followed_count; at++)
        follow_document(keeper, &keeper->followed[at]);
}

bool documents_are_known(const struct keeper *keeper)
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
        keeper_say(keeper, "document_not_changed", what, result);
    return result;
}

void documents_change(struct keeper *keeper)
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
    if (keeper_begin_call(keeper)) {
        keeper->callbacks.document_kept(keeper->callbacks.ctx, document->name, result);
        keeper_end_call(keeper);
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

void documents_begin(struct keeper *keeper)
{
    const char *const *names = keeper->callbacks.documents;
    for (; names && names[keeper->followed_count]; keeper->followed_count++) {
        assert(keeper->followed_count < STORE_DOCUMENTS_MAX);
        keeper->followed[keeper->followed_count] =
            (struct followed){.name = names[keeper->followed_count], .revision = -1};
    }
}
