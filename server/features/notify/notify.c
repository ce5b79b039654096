#include <notify/notify.h>

#include "browser.h"
#include "op_notify.h"
#include "push_queue.h"
#include "state.h"
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/prometheus.h>
#include <notify/browser_table.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <stdio.h>
#include <string.h>

static int begin_feature(struct hub *hub)
{
    push_queue_init(hub);
    return 0;
}

/* ---- what is told of it */

/* Browsers are told to take messages of this key's owner; none if no messages are sent. */
static void write_hello(const struct hub *hub, const struct session *session, struct writer *writer)
{
    const struct hub_push *push = kernel_env(hub)->push;
    (void)session;
    if (!push)
        return;
    writer_key_object(writer, "push");
    writer_key_string(writer, "key", push->key);
    writer_key_int(writer, "slow_s", kernel_config(hub)->push_slow_s);
    writer_end(writer);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    static const char *const outcomes[HUB_PUSH_OUTCOMES] = {"taken", "gone", "refused", "later"};
    const struct notify *notify = notify_of(hub);
    prometheus_count(out, "push_waiting", "gauge", "Messages to browsers that are not sent yet.",
                     notify->queue.count - notify->queue.out);
    prometheus_count(out, "push_running", "gauge", "Messages to browsers that are being sent.",
                     notify->queue.out);
    prometheus_head(out, "push_sent_total", "counter",
                    "Tries to send a message to a browser by what its push service answered.");
    for (int outcome = 0; outcome < HUB_PUSH_OUTCOMES; outcome++)
        prometheus_labelled(out, "push_sent_total", "outcome", outcomes[outcome],
                            notify->outcomes[outcome]);
    prometheus_count(out, "push_needless_total", "counter",
                     "Messages not sent because the player had moved or was watching.",
                     notify->needless);
    prometheus_count(out, "push_lost_total", "counter",
                     "Messages not sent because too many waited.", notify->lost);
}

/* Of where it is told no more than the service: whoever has the rest can send messages there. */
static void write_browser(const struct browser *browser, struct writer *writer)
{
    char device[PROTOCOL_DEVICE_BYTES + 1], service[HUB_PUSH_ENDPOINT_MAX + 1];
    const char *begin = strstr(browser->endpoint, "://");
    const char *host = begin ? begin + 3 : browser->endpoint;
    (void)snprintf(service, sizeof service, "%.*s", (int)strcspn(host, "/"), host);
    device_encode(device, browser->device);
    writer_object(writer);
    writer_key_string(writer, "device", device);
    writer_key_string(writer, "service", service);
    writer_key_int(writer, "since", browser->since_ms);
    writer_end(writer);
}

static void write_kept(const struct hub *hub, uint64_t id, bool at_desk, struct writer *writer)
{
    const struct session *session = kernel_session_find(hub, id);
    const struct browser *browser =
        session && !at_desk ? notify_of_session(hub, session)->browsers : NULL;
    if (!browser)
        return;
    writer_key_array(writer, "messages");
    for (; browser; browser = browser->next)
        write_browser(browser, writer);
    writer_end(writer);
}

/* ---- sessions */

static int64_t wait_ms(const struct hub *hub, const struct session *session,
                       const struct request *request)
{
    (void)request;
    return notify_wait_ms(hub, session);
}

static void session_gone(struct hub *hub, struct session *session)
{
    browsers_release(&notify_of_session(hub, session)->browsers);
}

static bool keeps_session(const struct hub *hub, const struct session *session)
{
    return notify_of_session(hub, session)->browsers != NULL;
}

/* They are kept for a server that sends none at present, too. */
static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    const struct browser_row *push = row;
    struct session *session = kernel_session_find(hub, push->session);
    (void)table;
    return !session || browser_restore(&notify_of_session(hub, session)->browsers, push);
}

/* Messages to a device end with it. */
static size_t drop_device(struct hub *hub, const struct session *session, uint32_t device,
                          bool store)
{
    const struct browser *browser = notify_of_session(hub, session)->browsers;
    size_t ops = 0;
    for (; browser; browser = browser->next) {
        if (browser->device != device)
            continue;
        ops++;
        if (store)
            browser_drop(hub, kernel_session_id(session), browser->key);
    }
    return ops;
}

static void device_dropped(struct hub *hub, struct session *session, uint32_t device)
{
    browsers_drop_device(&notify_of_session(hub, session)->browsers, device);
}

/* ---- the feature */

static const struct request_row requests[] = {
    {REQUEST_NOTIFY, REQUEST_AT_HOME, op_notify},
    {REQUEST_UNNOTIFY, REQUEST_AT_HOME, op_unnotify},
};

static const struct feature_devices devices = {
    .ops_max = BROWSERS_MAX, .drop = drop_device, .dropped = device_dropped};

static const struct feature_poster poster = {.take = push_queue_take,
                                             .done = push_queue_done,
                                             .write_turn = push_queue_write_turn,
                                             .tell = push_queue_tell};

static const struct store_table *const tables[] = {&browser_table, NULL};

const struct feature feature_notify = {
    .name = "notify",
    .memory = &notify_memory,
    .begin = begin_feature,
    .end = push_queue_release,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .wait_ms = wait_ms,
    .write_hello = write_hello,
    .write_kept = write_kept,
    .write_figures = write_figures,
    .session_gone = session_gone,
    .keeps_session = keeps_session,
    .devices = &devices,
    .tables = tables,
    .restore_row = restore_row,
    .room_durable = push_queue_follow,
    .deadline_ms = push_queue_deadline_ms,
    .poster = &poster,
};
