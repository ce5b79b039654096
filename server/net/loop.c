#include "loop.h"

#include "admin/admin.h"
#include "audit_moderators.h"
#include "connection.h"
#include "http/enter.h"
#include "http/http.h"
#include "listen.h"
#include "metrics.h"
#include "net_private.h"
#include "parts/documents.h"
#include "parts/lease.h"
#include "parts/part.h"
#include "parts/parts.h"
#include "read_turn.h"
#include "relay/neighbours.h"
#include "rest.h"
#include "tell_facts.h"
#include "threads/bell.h"
#include "threads/pushers.h"
#include "threads/thinkers.h"
#include "threads/worker.h"
#include "transport.h"
#include "write_turn.h"
#include "ws/ws.h"
#include <hub/log_line.h>
#include <inttypes.h>
#include <net/clock.h>
#include <net/log.h>
#include <site/site.h>
#include <stdio.h>

enum { SWEEP_MS = NET_CLOCK_PULSE_MS, FAREWELL_MS = 1000, CLOSE_RESTART = 1012 };

static struct served_part *first_part(const struct net *net)
{
    return net->parts.first;
}

static void look_at_leases(struct net *net)
{
    if (!lease_comes_back(net))
        return;
    ws_flush_all(net);
    http_go_on(net);
}

/* ---- what is done before the loop sleeps */

static void set_timer(uv_timer_t *timer, uv_timer_cb callback, int64_t delay_ms)
{
    uv_timer_start(timer, callback, delay_ms > 0 ? (uint64_t)delay_ms : 0, 0);
}

static void on_no_sleep(uv_idle_t *idle)
{
    net_touch(idle->loop->data);
    uv_idle_stop(idle);
}

static void pump_reads(struct served_part *part)
{
    char room_id[9];
    while (hub_read_take(part->hub, room_id)) {
        if (worker_read(part->worker, room_id))
            continue;
        hub_read_done(part->hub, room_id, STORE_FAILED, NULL, net_now_ms(part->net));
        net_touch(part->net);
    }
}

static void pump_queries(struct served_part *part)
{
    struct store_query query;
    while (hub_query_take(part->hub, &query)) {
        query.result = STORE_FAILED;
        if (worker_query(part->worker, &query))
            continue;
        hub_query_done(part->hub, &query, net_now_ms(part->net));
        net_touch(part->net);
    }
}

/* Not behind a commit that is under way, and not at the end. */
static void pump_trim(struct served_part *part)
{
    struct store_trim trim;
    if (part->net->run.state != NET_SERVING || part->state != PART_SERVING ||
        !worker_is_idle(part->worker) || !hub_trim_take(part->hub, &trim))
        return;
    trim.result = STORE_FAILED;
    if (!worker_trim(part->worker, &trim))
        hub_trim_done(part->hub, &trim, net_now_ms(part->net));
}

static void pump_store(struct served_part *part)
{
    if (!part_stores(part))
        return;
    pump_reads(part);
    pump_queries(part);
    pump_trim(part);
    if (!hub_batch_ready(part->hub) || part->net->run.unread || !rest_commit_is_due(part))
        return;
    pacing_begin(&part->pacing, net_clock_monotonic_us(), hub_batch_ops(part->hub));
    worker_commit(part->worker, hub_batch_take(part->hub));
}

/* The parts have their turns, beginning behind the one that has had the last. */
static bool think_of_one(struct net *net)
{
    const uint64_t last = net->run.thought_last;
    for (int round = 0; round < 2; round++) {
        for (struct served_part *part = first_part(net); part; part = part->next) {
            struct think_job *job = NULL;
            if ((part->serial > last) == (round == 0) && part_works(part))
                job = hub_think_take(part->hub);
            if (!job)
                continue;
            thinkers_give(net->thinkers, job, part);
            part->thinking++;
            net->run.thought_last = part->serial;
            return true;
        }
    }
    return false;
}

static void pump_thinking(struct net *net)
{
    while (net->thinkers && thinkers_have_place(net->thinkers) && think_of_one(net))
        continue;
}

static bool push_one(struct served_part *part)
{
    struct net *net = part->net;
    struct hub_push_job job;
    if (!part_works(part) || lease_is_lost(part) || !pushers_have_place(net->pushers) ||
        !hub_push_take(part->hub, &job, net_now_ms(net)))
        return false;
    if (!pushers_give(net->pushers, &job, part->serial)) {
        hub_push_done(part->hub, job.ticket, HUB_PUSH_LATER, 0, net_now_ms(net));
        net_touch(net);
    }
    return true;
}

static void pump_pushes(struct net *net)
{
    for (bool more = net->pushers; more;) {
        more = false;
        for (struct served_part *part = first_part(net); part; part = part->next)
            more = push_one(part) || more;
    }
}

static void write_log(struct served_part *part)
{
    struct hub_log_line line;
    char session[17];
    while (hub_log_take(part->hub, &line)) {
        snprintf(session, sizeof session, "%016" PRIx64, line.session);
        log_text(line.is_warning ? LOG_WARN : LOG_INFO, line.event, "session", session);
    }
}

static void pump_output(struct net *net)
{
    uint64_t ticket;
    struct hub_http_answer answer;
    write_turn_go_on(net);
    while (!lease_holds_back(net) && site_http_next(net->site, &ticket, &answer))
        http_answered(net, ticket, &answer);
    for (struct served_part *part = first_part(net); part; part = part->next)
        write_log(part);
    audit_moderators_write(net);
    net_documents_fetch(net);
    admin_pump(net);
}

/* What one part has for another is brought there, so it comes before what goes to the stores. */
static void pump_site(struct net *net)
{
    (void)lease_holds_back(net);
    site_pump(net->site, net_now_ms(net));
    neighbours_flush(net);
}

static void tick_part(struct served_part *part)
{
    part->ticked_ms = net_now_ms(part->net);
    if (part_works(part) && hub_deadline_ms(part->hub) <= part->ticked_ms)
        hub_tick(part->hub, part->ticked_ms);
}

static void on_hub_timer(uv_timer_t *timer)
{
    struct net *net = timer->loop->data;
    net->run.hub_deadline_ms = INT64_MAX;
    for (struct served_part *part = first_part(net); part; part = part->next)
        tick_part(part);
    site_tick(net->site, net_now_ms(net));
    net_touch(net);
}

/* What is due and cannot be taken from a part without its lease is no reason to tick it again. */
static int64_t part_deadline_ms(const struct served_part *part)
{
    const int64_t deadline_ms = part_works(part) ? hub_deadline_ms(part->hub) : INT64_MAX;
    return part->lease_lost && deadline_ms <= part->ticked_ms ? INT64_MAX : deadline_ms;
}

static int64_t next_deadline_ms(const struct net *net)
{
    int64_t next_ms = site_deadline_ms(net->site);
    for (const struct served_part *part = first_part(net); part; part = part->next) {
        const int64_t deadline_ms = part_deadline_ms(part);
        if (deadline_ms < next_ms)
            next_ms = deadline_ms;
    }
    const int64_t audit_ms = audit_moderators_deadline_ms(net);
    return audit_ms < next_ms ? audit_ms : next_ms;
}

static void pump_deadline(struct net *net)
{
    const int64_t deadline_ms = next_deadline_ms(net);
    if (deadline_ms == net->run.hub_deadline_ms)
        return;
    net->run.hub_deadline_ms = deadline_ms;
    if (deadline_ms == INT64_MAX)
        uv_timer_stop(&net->run.hub_timer);
    else
        set_timer(&net->run.hub_timer, on_hub_timer, deadline_ms - net_now_ms(net));
}

/* ---- the end */

static void end_with(struct net *net, enum net_end end)
{
    net->run.end = end;
    net->run.state = NET_ENDED;
    uv_stop(&net->loop);
}

void net_stop(struct net *net)
{
    end_with(net, NET_STOPPED);
}

static void check_end(struct net *net)
{
    if (net->run.state == NET_CLOSING_ALL && net->connections.count == 0)
        end_with(net, NET_DRAINED);
}

static void on_drain_timer(uv_timer_t *timer)
{
    struct net *net = timer->loop->data;
    if (net->run.state == NET_DRAINING)
        log_event(LOG_WARN, "drain_timeout");
    else
        log_number(LOG_INFO, "peers_cut", "sockets", (long long)net->connections.count);
    end_with(net, net->run.state == NET_DRAINING ? NET_CUT : NET_DRAINED);
}

/* Everything is stored; peers have a little time left to answer the close frame. / */
static void pump_drain(struct net *net)
{
    if (net->run.state != NET_DRAINING || !parts_are_gone(net))
        return;
    net->run.state = NET_CLOSING_ALL;
    ws_reject_all(net, CLOSE_RESTART);
    pump_output(net);
    set_timer(&net->run.drain_timer, on_drain_timer, FAREWELL_MS);
}

static void begin_drain(struct net *net, int signal)
{
    log_number(LOG_INFO, "draining", "signal", signal);
    net->run.state = NET_DRAINING;
    listen_close_all(net);
    site_end(net->site, net_now_ms(net));
    parts_drain(net);
    set_timer(&net->run.drain_timer, on_drain_timer, net->config.drain_timeout_ms);
    net_touch(net);
}

static void on_signal(uv_signal_t *handle, int signal)
{
    struct net *net = handle->loop->data;
    if (signal == SIGHUP) {
        transport_reload_tls(net);
        neighbours_reload(net);
        if (net->options->hangup)
            net->options->hangup(net->options->hangup_ctx);
        return;
    }
    if (net->run.state == NET_SERVING)
        begin_drain(net, signal);
    else
        end_with(net, NET_CUT);
}

/* ---- before the loop sleeps */

static void take_from_worker(struct served_part *part)
{
    struct net *net = part->net;
    enum store_result result;
    int64_t elapsed_us;
    struct worker_answer *answer;
    if (worker_take_commit(part->worker, &result, &elapsed_us))
        hub_batch_done(part->hub, result, elapsed_us, net_now_ms(net));
    while ((answer = worker_take_answer(part->worker))) {
        const struct store_read *read = answer->read;
        if (read)
            hub_read_done(part->hub, read->room_id, read->result, &read->rows, net_now_ms(net));
        else if (answer->query)
            hub_query_done(part->hub, answer->query, net_now_ms(net));
        else
            hub_trim_done(part->hub, answer->trim, net_now_ms(net));
        worker_answer_release(answer);
    }
}

static void take_from_workers(struct net *net)
{
    for (struct served_part *part = first_part(net); part; part = part->next)
        take_from_worker(part);
    net_touch(net);
}

static void pump_dirty(struct net *net)
{
    while (net->run.dirty) {
        net->run.dirty = false;
        look_at_leases(net);
        pump_site(net);
        for (struct served_part *part = first_part(net); part; part = part->next)
            pump_store(part);
        pump_thinking(net);
        pump_pushes(net);
        pump_output(net);
        parts_pump(net);
        pump_drain(net);
    }
}

/*
 * Until the next commit may begin, a move that is read now waits as long as one that is read a
 * little later. So while something waits for a store the loop rests, and then reads all that has
 * come together: with many moves a second it wakes up twice for each commit, when it is back and
 * when the next may begin, not for each move. With few there is no interval and no rest.
 */
static void rest_until_due(struct net *net)
{
    const int64_t begun_us = net_clock_monotonic_us();
    const int64_t until_us = rest_until_us(net, begun_us);
    if (until_us == 0 || site_is_ready(net->site) || read_turn_leaves(net))
        return;
    net->run.unread = true;
    const bool told = bell_wait(&net->bell, until_us);
    net->run.rested_us += (uint64_t)(net_clock_monotonic_us() - begun_us);
    if (told) {
        take_from_workers(net);
        pump_dirty(net);
    }
    uv_update_time(&net->loop);
}

/* What waits for a commit that is not due yet, or for what has come while the loop rested, must not
 * wait for a socket: the loop looks at them and does not sleep. */
static void plan_commits(struct net *net)
{
    for (const struct served_part *part = first_part(net); part; part = part->next) {
        if (part_stores(part) && hub_batch_ready(part->hub))
            uv_idle_start(&net->run.no_sleep, on_no_sleep);
    }
}

/* What is left to be read and written is the next turn's. */
static void plan_next_turn(struct net *net)
{
    if (!write_turn_leaves(net) && !read_turn_leaves(net))
        return;
    net->metrics.turns_left++;
    uv_idle_start(&net->run.no_sleep, on_no_sleep);
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct net *net = prepare->loop->data;
    write_turn_begin(net);
    read_turn_begin(net);
    transport_read_on(net);
    pump_dirty(net);
    rest_until_due(net);
    while (!bell_begin_poll(&net->bell)) {
        take_from_workers(net);
        pump_dirty(net);
    }
    plan_commits(net);
    plan_next_turn(net);
    pump_deadline(net);
    check_end(net);
    net_metrics_turn(&net->metrics, uv_hrtime(),
                     uv_metrics_idle_time(&net->loop) + net->run.rested_us * 1000);
}

/* ---- what wakes the loop */

static void on_check(uv_check_t *check)
{
    struct net *net = check->loop->data;
    bell_end_poll(&net->bell);
    neighbours_read(net);
    net->run.unread = false;
}

static void on_worker_done(uv_async_t *async)
{
    take_from_workers(async->loop->data);
}

/* On the threads of the store. */
void loop_wake(void *ctx)
{
    uv_async_send(&((struct net *)ctx)->run.worker_done);
}

static void on_pushed(uv_async_t *async)
{
    struct net *net = async->loop->data;
    struct pushers_result result;
    while (pushers_take(net->pushers, &result)) {
        pushers_say(net->pushers, &result, (int64_t)uv_now(&net->loop));
        const struct served_part *part = part_find(net, result.owner);
        if (part)
            hub_push_done(part->hub, result.ticket, result.outcome, result.retry_after_ms,
                          net_now_ms(net));
    }
    net_touch(net);
}

void loop_pushed(void *ctx)
{
    uv_async_send(&((struct net *)ctx)->run.pushed);
}

static void on_asked(uv_async_t *async)
{
    enter_go_on(async->loop->data);
}

static void on_thought(uv_poll_t *poll, int status, int events)
{
    struct net *net = poll->loop->data;
    struct think_job *job;
    void *owner;
    int64_t elapsed_us;
    (void)status;
    (void)events;
    while ((job = thinkers_take(net->thinkers, &owner, &elapsed_us))) {
        struct served_part *part = owner;
        part->thinking--;
        hub_think_done(part->hub, job, elapsed_us, net_now_ms(net));
    }
    net_touch(net);
}

bool loop_watch_thinkers(struct net *net)
{
    return uv_poll_init(&net->loop, &net->run.thought, thinkers_fd(net->thinkers)) == 0 &&
           uv_poll_start(&net->run.thought, UV_READABLE, on_thought) == 0;
}

static void on_mail(uv_async_t *async)
{
    parts_read_mail(async->loop->data);
}

static int64_t allowed_ms(const struct connection *connection)
{
    bool ending = connection->state == CONNECTION_ENDING || connection->state == CONNECTION_CUT;
    return ending ? connection->net->config.close_timeout_ms
                  : connection->net->config.http_timeout_ms;
}

static void on_sweep_timer(uv_timer_t *timer)
{
    struct net *net = timer->loop->data;
    int64_t now_ms = net_now_ms(net);
    look_at_leases(net); /* said in time, though nobody asks for anything */
    for (struct served_part *part = first_part(net); part; part = part->next) {
        if (part->lease_lost)
            tick_part(part);
    }
    net_documents_retry(net);
    net_facts_look(net);
    net_touch(net);
    for (struct connection *connection = net->connections.first; connection;
         connection = connection->next) {
        if (now_ms - connection->since_ms >= allowed_ms(connection))
            connection_cut(connection);
    }
    ws_ping_some(net, now_ms, SWEEP_MS);
}

/* ---- its handles */

void loop_init(struct net *net)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    uv_loop_t *loop = &net->loop;
    loop->data = net;
    uv_prepare_init(loop, &net->run.prepare);
    uv_prepare_start(&net->run.prepare, on_prepare);
    uv_check_init(loop, &net->run.check);
    uv_check_start(&net->run.check, on_check);
    uv_idle_init(loop, &net->run.no_sleep);
    uv_async_init(loop, &net->run.worker_done, on_worker_done);
    uv_async_init(loop, &net->run.pushed, on_pushed);
    uv_async_init(loop, &net->run.asked, on_asked);
    uv_async_init(loop, &net->parts.mail, on_mail);
    net_documents_open(net);
    uv_timer_init(loop, &net->run.hub_timer);
    uv_timer_init(loop, &net->run.sweep_timer);
    uv_timer_start(&net->run.sweep_timer, on_sweep_timer, SWEEP_MS, SWEEP_MS);
    uv_timer_init(loop, &net->run.drain_timer);
    for (int at = 0; at < 3; at++) {
        uv_signal_init(loop, &net->run.signals[at]);
        uv_signal_start(&net->run.signals[at], on_signal, numbers[at]);
    }
}

void loop_close(struct net *net)
{
    uv_close((uv_handle_t *)&net->run.prepare, NULL);
    uv_close((uv_handle_t *)&net->run.check, NULL);
    uv_close((uv_handle_t *)&net->run.no_sleep, NULL);
    uv_close((uv_handle_t *)&net->run.worker_done, NULL);
    uv_close((uv_handle_t *)&net->run.pushed, NULL);
    uv_close((uv_handle_t *)&net->run.asked, NULL);
    uv_close((uv_handle_t *)&net->parts.mail, NULL);
    net_documents_close(net);
    if (uv_handle_get_type((uv_handle_t *)&net->run.thought) == UV_POLL)
        uv_close((uv_handle_t *)&net->run.thought, NULL);
    uv_close((uv_handle_t *)&net->run.hub_timer, NULL);
    uv_close((uv_handle_t *)&net->run.sweep_timer, NULL);
    uv_close((uv_handle_t *)&net->run.drain_timer, NULL);
    for (int at = 0; at < 3; at++)
        uv_close((uv_handle_t *)&net->run.signals[at], NULL);
}
