#include "loop.h"

#include "admin.h"
#include "bell.h"
#include "http.h"
#include "link.h"
#include "listen.h"
#include "metrics.h"
#include "mute.h"
#include "net_private.h"
#include "pushers.h"
#include "thinkers.h"
#include "transport.h"
#include "worker.h"
#include "ws.h"
#include <net/clock.h>
#include <net/log.h>

enum {
    SWEEP_MS = NET_CLOCK_PULSE_MS,
    FAREWELL_MS = 1000,
    CLOSE_RESTART = 1012,
};

static void look_if_mute(struct net *net)
{
    if (!mute_ends(net))
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

/* At the end nobody is to wait any more. */
static bool commit_is_due(struct net *net)
{
    return net->run.state != NET_SERVING ||
           pacing_due_us(&net->run.pacing, hub_batch_ops(net->hub)) <= net_clock_monotonic_us();
}

static void pump_store(struct net *net)
{
    char room_id[9];
    while (hub_read_take(net->hub, room_id)) {
        if (!worker_read(net->worker, room_id))
            hub_read_done(net->hub, room_id, STORE_FAILED, NULL, net_now_ms(net));
    }
    struct store_list list;
    while (hub_list_take(net->hub, &list)) {
        list.result = STORE_FAILED;
        if (!worker_list(net->worker, &list))
            hub_list_done(net->hub, &list, net_now_ms(net));
    }
    if (!hub_batch_ready(net->hub) || net->run.unread || !commit_is_due(net))
        return;
    pacing_begin(&net->run.pacing, net_clock_monotonic_us(), hub_batch_ops(net->hub));
    worker_commit(net->worker, hub_batch_take(net->hub));
}

static void pump_thinking(struct net *net)
{
    struct think_job *job;
    while ((job = hub_think_take(net->hub)))
        thinkers_give(net->thinkers, job, net->hub);
}

static void pump_pushes(struct net *net)
{
    struct hub_push_job job;
    while (net->pushers && !mute_is(net) && hub_push_take(net->hub, &job, net_now_ms(net))) {
        if (!pushers_give(net->pushers, &job, 0))
            hub_push_done(net->hub, job.ticket, HUB_PUSH_LATER, 0, net_now_ms(net));
    }
}

static void pump_output(struct net *net)
{
    struct hub_peer peer;
    uint64_t ticket;
    struct hub_http_answer answer;
    while (!mute_is(net) && hub_next_ready(net->hub, &peer))
        ws_flush_peer(net, &peer);
    while (!mute_is(net) && hub_http_next(net->hub, &ticket, &answer))
        http_answered(net, ticket, &answer);
    admin_pump(net);
}

static void on_hub_timer(uv_timer_t *timer)
{
    struct net *net = timer->loop->data;
    net->run.hub_deadline_ms = INT64_MAX;
    hub_tick(net->hub, net_now_ms(net));
    net_touch(net);
}

static void pump_deadline(struct net *net)
{
    int64_t deadline_ms = hub_deadline_ms(net->hub);
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

static void check_end(struct net *net)
{
    if (net->run.state == NET_CLOSING_ALL && net->links.count == 0)
        end_with(net, NET_DRAINED);
}

static void on_drain_timer(uv_timer_t *timer)
{
    struct net *net = timer->loop->data;
    if (net->run.state == NET_DRAINING)
        log_event(LOG_WARN, "drain_timeout");
    else
        log_number(LOG_INFO, "peers_cut", "sockets", (long long)net->links.count);
    end_with(net, net->run.state == NET_DRAINING ? NET_CUT : NET_DRAINED);
}

/* Everything is stored; peers have a little time left to answer the close frame. / */
static void pump_drain(struct net *net)
{
    if (net->run.state != NET_DRAINING || !hub_drained(net->hub))
        return;
    net->run.state = NET_CLOSING_ALL;
    hub_close_all(net->hub, CLOSE_RESTART);
    pump_output(net);
    set_timer(&net->run.drain_timer, on_drain_timer, FAREWELL_MS);
}

static void begin_drain(struct net *net, int signal)
{
    log_number(LOG_INFO, "draining", "signal", signal);
    net->run.state = NET_DRAINING;
    listen_close_all(net);
    hub_drain(net->hub, net_now_ms(net));
    set_timer(&net->run.drain_timer, on_drain_timer, net->config.drain_timeout_ms);
    net_touch(net);
}

static void on_signal(uv_signal_t *handle, int signal)
{
    struct net *net = handle->loop->data;
    if (signal == SIGHUP)
        transport_reload_tls(net);
    else if (net->run.state == NET_SERVING)
        begin_drain(net, signal);
    else
        end_with(net, NET_CUT);
}

/* ---- before the loop sleeps */

static void take_from_worker(struct net *net)
{
    enum store_result result;
    int64_t elapsed_us;
    struct worker_answer *answer;
    if (worker_take_commit(net->worker, &result, &elapsed_us))
        hub_batch_done(net->hub, result, elapsed_us, net_now_ms(net));
    while ((answer = worker_take_answer(net->worker))) {
        const struct store_read *read = answer->read;
        if (read)
            hub_read_done(net->hub, read->room_id, read->result, &read->rows, net_now_ms(net));
        else
            hub_list_done(net->hub, answer->list, net_now_ms(net));
        worker_answer_release(answer);
    }
    net_touch(net);
}

static void pump(struct net *net)
{
    while (net->run.dirty) {
        net->run.dirty = false;
        look_if_mute(net);
        pump_store(net);
        pump_thinking(net);
        pump_pushes(net);
        pump_output(net);
        pump_drain(net);
    }
}

/* While a commit is under way only if the interval is long: with very many moves each look at the
 * sockets finds some anyway, and they are better read before the next one begins. */
static bool may_rest(struct net *net)
{
    if (net->run.state != NET_SERVING || hub_drained(net->hub))
        return false;
    return hub_batch_ready(net->hub) ? !commit_is_due(net) : pacing_is_long(&net->run.pacing);
}

/* What is sent when a commit is back may be answered at once, so then the sockets are looked at. */
static int64_t rests_until_us(const struct net *net, int64_t now_us)
{
    const struct pacing *pacing = &net->run.pacing;
    return hub_batch_ready(net->hub) ? pacing_look_us(pacing, hub_batch_ops(net->hub), now_us)
                                     : pacing_due_us(pacing, 0);
}

/*
 * Until the next commit may begin, a move that is read now waits as long as one that is read a
 * little later. So while something waits for the store the loop rests, and then reads all that has
 * come together: with many moves a second it wakes up twice for each commit, when it is back and
 * when the next may begin, not for each move. With few there is no interval and no rest.
 */
static void rest(struct net *net)
{
    const int64_t begun_us = net_clock_monotonic_us();
    const int64_t until_us = rests_until_us(net, begun_us);
    if (begun_us >= until_us || !may_rest(net))
        return;
    net->run.unread = true;
    const bool told = bell_wait(&net->bell, until_us);
    net->run.rested_us += (uint64_t)(net_clock_monotonic_us() - begun_us);
    if (told) {
        take_from_worker(net);
        pump(net);
    }
    uv_update_time(&net->loop);
}

/* What waits for a commit that is not due yet, or for what has come while the loop rested, must not
 * wait for a socket: the loop looks at them and does not sleep. */
static void plan_commit(struct net *net)
{
    if (hub_batch_ready(net->hub))
        uv_idle_start(&net->run.no_sleep, on_no_sleep);
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct net *net = prepare->loop->data;
    pump(net);
    rest(net);
    while (!bell_begin_poll(&net->bell)) {
        take_from_worker(net);
        pump(net);
    }
    plan_commit(net);
    pump_deadline(net);
    check_end(net);
    if (hub_stopped(net->hub) != STORE_OK)
        end_with(net, NET_STORE);
    net_metrics_turn(&net->metrics, uv_hrtime(),
                     uv_metrics_idle_time(&net->loop) + net->run.rested_us * 1000);
}

/* ---- what wakes the loop */

static void on_check(uv_check_t *check)
{
    struct net *net = check->loop->data;
    bell_end_poll(&net->bell);
    net->run.unread = false;
}

static void on_worker_done(uv_async_t *async)
{
    take_from_worker(async->loop->data);
}

/* On the threads of the store. */
void loop_wake(void *ctx)
{
    uv_async_send(&((struct net *)ctx)->run.worker_done);
}

/* The endpoint is not logged: who has it can send messages to the browser. */
static void on_pushed(uv_async_t *async)
{
    struct net *net = async->loop->data;
    struct pushers_result result;
    while (pushers_take(net->pushers, &result)) {
        if (result.why[0])
            log_text(LOG_WARN, "push_service_not_reached", "why", result.why);
        else if (result.outcome == HUB_PUSH_REFUSED)
            log_number(LOG_WARN, "push_refused", "status", result.status);
        hub_push_done(net->hub, result.ticket, result.outcome, result.retry_after_ms,
                      net_now_ms(net));
    }
    net_touch(net);
}

void loop_pushed(void *ctx)
{
    uv_async_send(&((struct net *)ctx)->run.pushed);
}

static void on_thought(uv_poll_t *poll, int status, int events)
{
    struct net *net = poll->loop->data;
    struct think_job *job;
    void *hub;
    int64_t elapsed_us;
    (void)status;
    (void)events;
    while ((job = thinkers_take(net->thinkers, &hub, &elapsed_us)))
        hub_think_done(hub, job, elapsed_us, net_now_ms(net));
    net_touch(net);
}

bool loop_watch_thinkers(struct net *net)
{
    return uv_poll_init(&net->loop, &net->run.thought, thinkers_fd(net->thinkers)) == 0 &&
           uv_poll_start(&net->run.thought, UV_READABLE, on_thought) == 0;
}

static int64_t allowed_ms(const struct link *link)
{
    bool ending = link->state == LINK_ENDING || link->state == LINK_CUT;
    return ending ? link->net->config.close_timeout_ms : link->net->config.http_timeout_ms;
}

static void on_sweep_timer(uv_timer_t *timer)
{
    struct net *net = timer->loop->data;
    int64_t now_ms = net_now_ms(net);
    look_if_mute(net); /* said in time, though nobody asks for anything */
    for (struct link *link = net->links.first; link; link = link->next) {
        if (now_ms - link->since_ms >= allowed_ms(link))
            link_cut(link);
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
    if (uv_handle_get_type((uv_handle_t *)&net->run.thought) == UV_POLL)
        uv_close((uv_handle_t *)&net->run.thought, NULL);
    uv_close((uv_handle_t *)&net->run.hub_timer, NULL);
    uv_close((uv_handle_t *)&net->run.sweep_timer, NULL);
    uv_close((uv_handle_t *)&net->run.drain_timer, NULL);
    for (int at = 0; at < 3; at++)
        uv_close((uv_handle_t *)&net->run.signals[at], NULL);
}
