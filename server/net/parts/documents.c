/*
 * net_document and what goes with it come from any thread: they leave what they say in a mailbox,
 * of one place for each document, and wake the loop.
 */
#include "documents.h"

#include "net_private.h"
#include "part.h"
#include <hub/document.h>
#include <net/clock.h>
#include <net/log.h>
#include <site/documents.h>
#include <site/operator.h>
#include <stdlib.h>
#include <string.h>

/* ---- the mailbox */

/* With the mutex held. NULL: there are as many as there may be. */
static struct document_mail *mail_of(struct net_documents *documents, const char *name)
{
    size_t at = 0;
    while (at < documents->count && strcmp(documents->mail[at].name, name) != 0)
        at++;
    if (at == STORE_DOCUMENTS_MAX)
        return NULL;
    if (at == documents->count)
        documents->mail[documents->count++] = (struct document_mail){.name = name};
    return &documents->mail[at];
}

static bool put_text(struct net *net, const char *name, char *text, size_t len, int64_t revision)
{
    struct net_documents *documents = &net->documents;
    uv_mutex_lock(&documents->mutex);
    struct document_mail *mail = mail_of(documents, name);
    if (mail) {
        free(mail->text);
        *mail = (struct document_mail){name, text, len, revision, 0};
    }
    uv_mutex_unlock(&documents->mutex);
    return mail;
}

bool net_document(struct net *net, const char *name, const char *text, size_t len, int64_t revision)
{
    char *copy = malloc(len + 1);
    if (copy && len > 0)
        memcpy(copy, text, len);
    if (copy)
        copy[len] = '\0';
    if (!copy || !put_text(net, name, copy, len, revision)) {
        free(copy);
        log_text(LOG_ERROR, "document_no_memory", "name", name);
        return false;
    }
    uv_async_send(&net->documents.wake);
    return true;
}

void net_document_damaged(struct net *net, const char *name, int64_t revision)
{
    struct net_documents *documents = &net->documents;
    uv_mutex_lock(&documents->mutex);
    struct document_mail *mail = mail_of(documents, name);
    if (mail)
        mail->damaged = revision;
    uv_mutex_unlock(&documents->mutex);
    uv_async_send(&documents->wake);
}

void net_document_kept(struct net *net, enum document_kept kept)
{
    struct net_documents *documents = &net->documents;
    uv_mutex_lock(&documents->mutex);
    documents->said = true;
    documents->kept = kept;
    uv_mutex_unlock(&documents->mutex);
    uv_async_send(&documents->wake);
}

/* ---- on the loop's thread */

static void say_it_holds(struct net *net, const struct document_mail *mail)
{
    log_text_number(LOG_INFO, "document", "name", mail->name, "revision", mail->revision);
    if (net->options->document_holds)
        net->options->document_holds(net->options->part_ctx, mail->name, mail->revision);
    net->documents.late = false;
    net_touch(net);
}

/* Whoever has brought the text could read it: what is missing is memory, and some time later there
 * may be some. What has come meanwhile is newer. */
static void keep_for_later(struct net *net, struct document_mail *late)
{
    struct net_documents *documents = &net->documents;
    if (!documents->late)
        log_text_number(LOG_ERROR, "document_no_memory", "name", late->name, "revision",
                        late->revision);
    documents->late = true;
    uv_mutex_lock(&documents->mutex);
    struct document_mail *mail = mail_of(documents, late->name);
    if (mail && !mail->text) {
        mail->text = late->text;
        mail->len = late->len;
        mail->revision = late->revision;
        late->text = NULL;
    }
    uv_mutex_unlock(&documents->mutex);
}

/* All but that a change was kept, which goes behind it. */
static void read_one(struct net *net, struct document_mail *mail)
{
    if (mail->text) {
        if (site_document(net->site, mail->name, mail->text, mail->len, mail->revision,
                          net_now_ms(net)))
            say_it_holds(net, mail);
        else
            keep_for_later(net, mail);
    }
    if (mail->damaged)
        site_document_unreadable(net->site, mail->name, mail->damaged);
    free(mail->text);
}

static bool take_mail(struct net_documents *documents, size_t at, struct document_mail *mail)
{
    uv_mutex_lock(&documents->mutex);
    const bool there = at < documents->count;
    if (there) {
        *mail = documents->mail[at];
        documents->mail[at] = (struct document_mail){.name = mail->name};
    }
    uv_mutex_unlock(&documents->mutex);
    return there;
}

void net_documents_read_mail(struct net *net)
{
    struct net_documents *documents = &net->documents;
    struct document_mail mail;
    uv_mutex_lock(&documents->mutex);
    const bool said = documents->said;
    const enum document_kept kept = documents->kept;
    documents->said = false;
    uv_mutex_unlock(&documents->mutex);
    for (size_t at = 0; take_mail(documents, at, &mail); at++)
        read_one(net, &mail);
    if (said)
        site_document_kept(net->site, kept);
    if (said)
        net_touch(net);
}

void net_documents_retry(struct net *net)
{
    if (net->documents.late)
        net_documents_read_mail(net);
}

/* What features want theirs to be. */
static void change_asked(struct net *net)
{
    const struct net_options *options = net->options;
    struct hub_document_asked asked;
    while (site_document_asked(net->site, &asked, net_now_ms(net))) {
        if (!options->change_document ||
            !options->change_document(options->part_ctx, asked.name, asked.text, asked.len,
                                      asked.revision))
            site_document_kept(net->site, DOCUMENT_FAILED);
    }
}

void net_documents_fetch(struct net *net)
{
    bool stored;
    change_asked(net);
    for (struct served_part *part = net->parts.first; part; part = part->next) {
        if (net->options->document_stored && hub_document_next(part->hub, &stored))
            net->options->document_stored(net->options->part_ctx, part->hub, stored);
    }
}

static void on_wake(uv_async_t *wake)
{
    net_documents_read_mail(wake->loop->data);
}

/* ---- beginning and end */

bool net_documents_init(struct net *net)
{
    return uv_mutex_init(&net->documents.mutex) == 0;
}

void net_documents_open(struct net *net)
{
    uv_async_init(&net->loop, &net->documents.wake, on_wake);
}

void net_documents_close(struct net *net)
{
    uv_close((uv_handle_t *)&net->documents.wake, NULL);
}

void net_documents_release(struct net *net)
{
    for (size_t at = 0; at < net->documents.count; at++)
        free(net->documents.mail[at].text);
    uv_mutex_destroy(&net->documents.mutex);
}
