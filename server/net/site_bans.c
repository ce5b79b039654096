/*
 * net_bans and net_bans_kept come from any thread: they leave what they say in a mailbox of one
 * place each, and wake the loop.
 */
#include "site_bans.h"

#include "admin.h"
#include "net_private.h"
#include "part.h"
#include <hub/bans.h>
#include <net/clock.h>
#include <net/log.h>
#include <site/site.h>
#include <stdlib.h>
#include <string.h>

/* ---- the mailbox */

bool net_bans(struct net *net, const char *text, size_t len, int64_t revision)
{
    struct net_bans *bans = &net->bans;
    char *copy = malloc(len + 1);
    if (!copy) {
        log_event(LOG_ERROR, "bans_no_memory");
        return false;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    uv_mutex_lock(&bans->mutex);
    free(bans->next.text);
    bans->next = (struct bans_text){copy, len, revision};
    bans->damaged = 0;
    uv_mutex_unlock(&bans->mutex);
    uv_async_send(&bans->mail);
    return true;
}

void net_bans_damaged(struct net *net, int64_t revision)
{
    struct net_bans *bans = &net->bans;
    uv_mutex_lock(&bans->mutex);
    bans->damaged = revision;
    uv_mutex_unlock(&bans->mutex);
    uv_async_send(&bans->mail);
}

void net_bans_kept(struct net *net, enum net_bans_kept kept)
{
    struct net_bans *bans = &net->bans;
    uv_mutex_lock(&bans->mutex);
    bans->said = true;
    bans->kept = kept;
    uv_mutex_unlock(&bans->mutex);
    uv_async_send(&bans->mail);
}

/* ---- on the loop's thread */

bool site_bans_give(const struct net *net, struct hub *hub)
{
    size_t closed;
    const struct bans_text *now = &net->bans.now;
    if (!now->text)
        return !net->options->change_bans;
    return hub_bans_replace(hub, now->text, now->len, net_now_ms(net), &closed);
}

/* Hubs without memory keep what they had. */
static bool apply_to_all(struct net *net, const struct bans_text *text)
{
    bool good = true;
    for (struct served_part *part = net->parts.first; part; part = part->next) {
        size_t closed = 0;
        if (part_works(part))
            good = hub_bans_replace(part->hub, text->text, text->len, net_now_ms(net), &closed) &&
                   good;
        net->bans.closed += closed;
    }
    return good;
}

/* The text can be read: what is missing is memory, and some time later there may be some. */
static void apply(struct net *net)
{
    struct net_bans *bans = &net->bans;
    const bool late = bans->late;
    bans->late = !apply_to_all(net, &bans->now);
    if (!bans->late && !site_is_lone(net->site))
        log_number(LOG_INFO, "bans", "revision", (long long)bans->now.revision);
    else if (bans->late && !late)
        log_number(LOG_ERROR, "bans_no_memory", "revision", (long long)bans->now.revision);
    net_touch(net);
}

void site_bans_read_mail(struct net *net)
{
    struct net_bans *bans = &net->bans;
    uv_mutex_lock(&bans->mutex);
    struct bans_text next = bans->next;
    const bool said = bans->said;
    const enum net_bans_kept kept = bans->kept;
    const int64_t damaged = bans->damaged;
    bans->next = (struct bans_text){0};
    bans->said = false;
    bans->damaged = 0;
    uv_mutex_unlock(&bans->mutex);
    if (next.text) {
        free(bans->now.text);
        bans->now = next;
    }
    if (next.text || bans->late)
        apply(net);
    if (damaged)
        bans->now.revision = damaged;
    if (said)
        admin_bans_kept(net, kept);
}

void site_bans_retry(struct net *net)
{
    if (net->bans.late)
        apply(net);
}

static void on_mail(uv_async_t *mail)
{
    site_bans_read_mail(mail->loop->data);
}

/* ---- beginning and end */

bool site_bans_init(struct net *net)
{
    return uv_mutex_init(&net->bans.mutex) == 0;
}

void site_bans_open(struct net *net)
{
    uv_async_init(&net->loop, &net->bans.mail, on_mail);
}

void site_bans_close(struct net *net)
{
    uv_close((uv_handle_t *)&net->bans.mail, NULL);
}

void site_bans_release(struct net *net)
{
    free(net->bans.next.text);
    free(net->bans.now.text);
    uv_mutex_destroy(&net->bans.mutex);
}
