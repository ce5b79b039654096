/*
 * net_give, net_take_back and net_lost come from any thread. They leave a note for each part in a
 * mailbox of fixed size, so that none can fail, and wake the loop.
 */
#include "parts.h"

#include "audit_moderators.h"
#include "documents.h"
#include "net_private.h"
#include "part.h"
#include "threads/thinkers.h"
#include "threads/worker.h"
#include <assert.h>
#include <base/signals.h>
#include <net/clock.h>
#include <net/log.h>
#include <site/documents.h>
#include <site/site.h>

/* With many moves there is always something to store: then its clients are sent to another node
 * first, if there are any. */
enum { LEAVE_MS = 500 };

/* ---- the list */

static void add_part(struct net *net, struct served_part *part)
{
    struct served_part **last = &net->parts.first;
    while (*last)
        last = &(*last)->next;
    *last = part;
    part->serial = ++net->parts.served;
    net->parts.count++;
}

static void take_out(struct net *net, const struct served_part *part)
{
    struct served_part **link = &net->parts.first;
    while (*link != part)
        link = &(*link)->next;
    *link = part->next;
}

static struct served_part *find_number(const struct net *net, unsigned number)
{
    struct served_part *part = net->parts.first;
    while (part && part->its.part != number)
        part = part->next;
    return part;
}

bool parts_are_gone(const struct net *net)
{
    return net->parts.count == 0;
}

/* ---- the beginning */

/* The clock is one for all parts; those that are here already are not to be charged for that. */
static void set_clock(struct net *net, int64_t known_ms)
{
    const int64_t since_ms = net_now_ms(net);
    net_clock_begin_at(net->clock, known_ms);
    for (struct served_part *part = net->parts.first; part && known_ms > since_ms;
         part = part->next) {
        if (part_works(part))
            hub_clock_set(part->hub, since_ms, net_now_ms(net));
    }
}

enum net_result net_serve(struct net *net, const struct net_part *from)
{
    struct served_part *part;
    net_documents_read_mail(net);
    part =
        site_documents_give(net->site, from->hub, net_now_ms(net)) ? part_create(net, from) : NULL;
    if (!part)
        return NET_NO_MEMORY;
    set_clock(net, hub_known_ms(part->hub));
    add_part(net, part);
    site_serve(net->site, from->part, from->term, from->hub, net_now_ms(net));
    if (net->admin.drains)
        hub_drain(part->hub, net_now_ms(net));
    net_touch(net);
    return NET_OK;
}

/* ---- the end */

static void tell_ended(const struct net *net, const struct net_part *part, enum store_result why)
{
    if (net->options->part_ended)
        net->options->part_ended(net->options->part_ctx, part, why);
}

static void leave_part(struct served_part *part)
{
    struct net *net = part->net;
    if (!part_works(part))
        return;
    site_leave(net->site, part->its.part, net_now_ms(net));
    part->state = PART_LEFT;
    net_touch(net);
}

static void end_part(struct served_part *part, enum store_result why)
{
    leave_part(part);
    if (part->net->thinkers)
        thinkers_cancel(part->net->thinkers, part);
    part->state = PART_ENDING;
    part->why = why;
    net_touch(part->net);
}

static void join_thread(uv_work_t *work)
{
    part_join(work->data);
}

static void on_joined(uv_work_t *work, int status)
{
    struct served_part *part = work->data;
    struct net *net = part->net;
    const struct net_part its = part->its;
    const enum store_result why = part->why;
    (void)status;
    audit_moderators_part_gone(net, its.hub);
    part_free(part);
    net->parts.count--;
    net_touch(net);
    if (!site_is_lone(net->site))
        log_number(why == STORE_OK ? LOG_INFO : LOG_ERROR,
                   why == STORE_OK ? "part_given_back" : "part_lost", "part", (long long)its.part);
    tell_ended(net, &its, why);
}

/* Its threads may still be tidying up, or wait for the database. */
static void begin_join(struct served_part *part)
{
    take_out(part->net, part);
    part->state = PART_JOINING;
    sigset_t before;
    signals_hold(&before); /* the first starts libuv's own threads */
    const int code = uv_queue_work(&part->net->loop, &part->joining, join_thread, on_joined);
    signals_release(&before);
    assert(code == 0);
    (void)code;
}

static void advance_part(struct served_part *part, int64_t now_ms)
{
    if (part_stores(part) && hub_stopped(part->hub) != STORE_OK)
        end_part(part, hub_stopped(part->hub));
    if (part->state == PART_DRAINING && (hub_drained(part->hub) || now_ms >= part->leave_ms))
        leave_part(part);
    if (part->state == PART_LEFT && hub_drained(part->hub))
        end_part(part, STORE_OK);
    if (part->state == PART_LEFT && now_ms >= part->end_ms)
        end_part(part, STORE_FAILED);
    if (part->state == PART_ENDING && part->thinking == 0 && worker_is_idle(part->worker))
        begin_join(part);
}

void parts_pump(struct net *net)
{
    struct served_part *part, *next;
    for (part = net->parts.first; part; part = next) {
        next = part->next;
        advance_part(part, net_now_ms(net));
    }
}

static void give_back(struct served_part *part)
{
    struct net *net = part->net;
    const int64_t now_ms = net_now_ms(net);
    if (part->state != PART_SERVING)
        return;
    part->state = PART_DRAINING;
    part->end_ms = now_ms + net->config.drain_timeout_ms;
    part->leave_ms = site_is_lone(net->site) ? part->end_ms : now_ms + LEAVE_MS;
    if (site_is_lone(net->site)) /* else nobody has to do anything, and nothing is refused */
        hub_drain(part->hub, now_ms);
    net_touch(net);
}

void parts_drain(struct net *net)
{
    for (struct served_part *part = net->parts.first; part; part = part->next)
        give_back(part);
}

/* ---- the mailbox */

bool parts_init(struct net *net)
{
    return uv_mutex_init(&net->parts.mutex) == 0;
}

void net_give(struct net *net, const struct net_part *part)
{
    struct net_parts *parts = &net->parts;
    assert(part->part < PARTS_MAX);
    uv_mutex_lock(&parts->mutex);
    parts->given[part->part] = *part;
    parts->given_set |= UINT64_C(1) << part->part;
    parts->back_set &= ~(UINT64_C(1) << part->part);
    uv_mutex_unlock(&parts->mutex);
    uv_async_send(&parts->mail);
}

void net_take_back(struct net *net, unsigned part)
{
    struct net_parts *parts = &net->parts;
    assert(part < PARTS_MAX);
    uv_mutex_lock(&parts->mutex);
    parts->back_set |= UINT64_C(1) << part;
    uv_mutex_unlock(&parts->mutex);
    uv_async_send(&parts->mail);
}

void net_lost(struct net *net, unsigned part, uint64_t term)
{
    struct net_parts *parts = &net->parts;
    assert(part < PARTS_MAX);
    uv_mutex_lock(&parts->mutex);
    parts->lost_term[part] = term;
    parts->lost_set |= UINT64_C(1) << part;
    uv_mutex_unlock(&parts->mutex);
    uv_async_send(&parts->mail);
}

void net_cut_off(struct net *net, bool cut_off)
{
    struct net_parts *parts = &net->parts;
    uv_mutex_lock(&parts->mutex);
    parts->cut_off = cut_off;
    uv_mutex_unlock(&parts->mutex);
    uv_async_send(&parts->mail);
}

static void take_cut_off(struct net *net)
{
    uv_mutex_lock(&net->parts.mutex);
    const bool cut_off = net->parts.cut_off;
    uv_mutex_unlock(&net->parts.mutex);
    site_cut_off(net->site, cut_off);
}

/* Not at the end any more. */
static void take_given(struct net *net, const struct net_part *part)
{
    if (net->run.state != NET_SERVING)
        tell_ended(net, part, STORE_OK);
    else if (net_serve(net, part) != NET_OK)
        tell_ended(net, part, STORE_FAILED);
    else
        log_number(LOG_INFO, "part_served", "part", (long long)part->part);
}

/* False: there is none. */
static bool next_given(struct net_parts *parts, struct net_part *part)
{
    uv_mutex_lock(&parts->mutex);
    const bool any = parts->given_set;
    if (any) {
        *part = parts->given[__builtin_ctzll(parts->given_set)];
        parts->given_set &= parts->given_set - 1;
    }
    uv_mutex_unlock(&parts->mutex);
    return any;
}

static uint64_t take_backs(struct net_parts *parts)
{
    uv_mutex_lock(&parts->mutex);
    const uint64_t backs = parts->back_set;
    parts->back_set = 0;
    uv_mutex_unlock(&parts->mutex);
    return backs;
}

/* False: there is none. */
static bool next_lost(struct net_parts *parts, unsigned *number, uint64_t *term)
{
    uv_mutex_lock(&parts->mutex);
    const bool any = parts->lost_set;
    if (any) {
        *number = (unsigned)__builtin_ctzll(parts->lost_set);
        *term = parts->lost_term[*number];
        parts->lost_set &= parts->lost_set - 1;
    }
    uv_mutex_unlock(&parts->mutex);
    return any;
}

/* It may have been opened here again meanwhile, later than there. */
static void end_lost(struct net *net, unsigned number, uint64_t term)
{
    struct served_part *part = find_number(net, number);
    if (!part || !part_stores(part) || part->its.term >= term)
        return;
    if (part_works(part)) /* what its hub still has for clients may be too old: see lease.h */
        site_hold(net->site, number, true, net_now_ms(net));
    end_part(part, STORE_FENCED);
}

void parts_read_mail(struct net *net)
{
    struct net_part given;
    net_documents_read_mail(net);
    /* What is to be given back was given before. */
    uint64_t backs = take_backs(&net->parts);
    while (next_given(&net->parts, &given))
        take_given(net, &given);
    for (; backs; backs &= backs - 1) {
        struct served_part *part = find_number(net, (unsigned)__builtin_ctzll(backs));
        if (part)
            give_back(part);
    }
    unsigned number;
    uint64_t term;
    while (next_lost(&net->parts, &number, &term))
        end_lost(net, number, term);
    take_cut_off(net);
}

/* ---- the end of it all */

void parts_join(struct net *net)
{
    for (struct served_part *part = net->parts.first; part; part = part->next)
        part_join(part);
}

void parts_release(struct net *net)
{
    struct net_part given;
    struct served_part *part;
    while ((part = net->parts.first)) {
        const struct net_part its = part->its;
        const enum store_result stopped = hub_stopped(part->hub);
        net->parts.first = part->next;
        if (part_works(part))
            site_leave(net->site, its.part, net_now_ms(net));
        audit_moderators_part_gone(net, its.hub);
        part_free(part);
        tell_ended(net, &its, stopped == STORE_OK ? STORE_FAILED : stopped);
    }
    while (next_given(&net->parts, &given))
        tell_ended(net, &given, STORE_OK);
    uv_mutex_destroy(&net->parts.mutex);
}
