/*
 * net_bans and net_bans_kept come from any thread: they leave what they say in a mailbox of one
 * place each, and wake the loop.
 */
#include "site_bans.h"

#include "net_private.h"
#include <net/clock.h>
#include <net/log.h>
#include <site/bans.h>
#include <site/operator.h>
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

void net_bans_kept(struct net *net, enum bans_kept kept)
{
    struct net_bans *bans = &net->bans;
    uv_mutex_lock(&bans->mutex);
    bans->said = true;
    bans->kept = kept;
    uv_mutex_unlock(&bans->mutex);
    uv_async_send(&bans->mail);
}

/* ---- on the loop's thread */

/* The text can be read: what is missing is memory, and some time later there may be some. */
static void say_applied(struct net *net, bool good)
{
    struct net_bans *bans = &net->bans;
    const long long revision = site_bans_revision(net->site);
    if (good && !site_is_lone(net->site))
        log_number(LOG_INFO, "bans", "revision", revision);
    else if (!good && !bans->late)
        log_number(LOG_ERROR, "bans_no_memory", "revision", revision);
    bans->late = !good;
    if (good && net->options->bans_hold)
        net->options->bans_hold(net->options->part_ctx, revision);
    net_touch(net);
}

void site_bans_read_mail(struct net *net)
{
    struct net_bans *bans = &net->bans;
    uv_mutex_lock(&bans->mutex);
    struct bans_text next = bans->next;
    const bool said = bans->said;
    const enum bans_kept kept = bans->kept;
    const int64_t damaged = bans->damaged;
    bans->next = (struct bans_text){0};
    bans->said = false;
    bans->damaged = 0;
    uv_mutex_unlock(&bans->mutex);
    if (next.text)
        say_applied(net, site_bans(net->site, next.text, next.len, next.revision, net_now_ms(net)));
    if (damaged)
        site_bans_unreadable(net->site, damaged);
    if (said)
        site_bans_kept(net->site, kept);
    if (said)
        net_touch(net);
}

void site_bans_retry(struct net *net)
{
    if (net->bans.late)
        say_applied(net, site_bans_again(net->site, net_now_ms(net)));
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
    uv_mutex_destroy(&net->bans.mutex);
}
