#include "hub_wire.h"

#include "../../support/hub_driver.h"
#include <assert.h>
#include <hub/hub.h>
#include <hub/store_tables.h>
#include <identity/identity.h>
#include <limits.h>
#include <line.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <taluva/game.h>
#include <totem/game.h>

enum { LINES = 128, INBOX = 512, PUMP_STEPS = 64 };

enum line_state { LINE_FREE, LINE_OPENING, LINE_OPEN, LINE_ENDING };

struct wire_socket {
    struct hub_link link;
    enum line_state state;
    unsigned number;
    bool reading;
    int code; /* ENDING: the close code */
    const struct wire_socket_events *events;
    void *user;
    char *inbox[INBOX];
    size_t head, count;
};

struct hub_wire hub_wire;
struct hub_wire_seen *hub_wire_seen;
static struct hub *hub;
static struct wire_socket lines[LINES];
static uv_timer_t pump;
static unsigned n_routes;
static int64_t now_ms;
static uint64_t random_state;

static void random_bytes(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    for (size_t i = 0; i < len; i++) {
        random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
        ((unsigned char *)bytes)[i] = (unsigned char)(random_state >> 56);
    }
}

static void start_hub(void)
{
    static const struct game_type *const games[] = {&game_type_taluva, &game_type_totem, NULL};
    struct hub_config config;
    static const struct feature *const features[] = {&feature_identity, NULL};
    const struct hub_env env = {
        .random = random_bytes, .server = "test", .games = games, .features = features, .parts = 1};
    hub_config_init(&config);
    config.requests_per_s = config.requests_burst = 1000000;
    config.requests_per_address_per_s = config.requests_per_address_burst = 1000000;
    config.work_per_s = config.work_burst = 1000000;
    config.rooms_per_session = 1000;
    if (hub_wire.resume_pushes > 0)
        config.resume_pushes = hub_wire.resume_pushes;
    now_ms = INT64_C(1790000000000);
    random_state = 1;
    store_tables_of(features);
    hub = hub_create(&config, &env);
    assert(hub && hub_restored(hub, now_ms) == 0);
}

static void forget_inbox(struct wire_socket *line)
{
    for (; line->count > 0; line->count--)
        free(line->inbox[line->head++ % INBOX]);
}

void hub_wire_setup(void)
{
    hub_wire = (struct hub_wire){.connections_max = UINT_MAX};
    memset(lines, 0, sizeof lines);
    hub = NULL;
    n_routes = 0;
    if (!hub_wire_seen)
        hub_wire_seen = mmap(NULL, sizeof *hub_wire_seen, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(hub_wire_seen != MAP_FAILED);
    memset(hub_wire_seen, 0, sizeof *hub_wire_seen);
}

void hub_wire_teardown(void)
{
    for (unsigned i = 0; i < LINES; i++) {
        if (lines[i].link.open)
            hub_link_disconnect(&lines[i].link, hub, now_ms);
        forget_inbox(&lines[i]);
    }
    if (hub)
        hub_destroy(hub);
}

/* ---- messages to clients */

static void put(struct wire_socket *line, char *text)
{
    assert(line->count < INBOX);
    line->inbox[(line->head + line->count++) % INBOX] = text;
}

static struct hub_link *link_at(void *ctx, size_t index)
{
    (void)ctx;
    return index < LINES ? &lines[index].link : NULL;
}

static void take_message(void *ctx, size_t index, const unsigned char *bytes, size_t len)
{
    struct wire_socket *line = &lines[index];
    (void)ctx;
    char *text = strndup((const char *)bytes, len);
    char *other = hub_wire.to_client ? hub_wire.to_client(line->number, text) : NULL;
    if (other) {
        free(text);
        text = other;
    }
    if (*text != '\0')
        put(line, text);
    else
        free(text);
}

static void on_hub_closed(void *ctx, size_t index, int code)
{
    (void)ctx;
    lines[index].state = LINE_ENDING;
    lines[index].code = code;
}

static void run_hub(void)
{
    const struct hub_driver driver = {
        .hub = hub, .link_at = link_at, .message = take_message, .closed = on_hub_closed};
    while (hub_batch_take(hub))
        hub_batch_done(hub, STORE_OK, 100, now_ms);
    bool all_known = hub_driver_deliver(&driver, now_ms);
    assert(all_known);
}

static void open_line(struct wire_socket *line)
{
    if (line->number < hub_wire.connections_max) {
        int refused = hub_link_connect(&line->link, hub, 1, now_ms);
        assert(refused == 0);
        line->state = LINE_OPEN;
        line->events->opened(line->user);
    } else {
        line->state = LINE_FREE;
        line->events->closed(line->user, WIRE_CLOSED_UNREACHABLE, "refused");
    }
}

static void end_line(struct wire_socket *line)
{
    if (line->link.open)
        hub_link_disconnect(&line->link, hub, now_ms);
    forget_inbox(line);
    line->state = LINE_FREE;
    line->events->closed(line->user, line->code, "the end");
}

static void hand_over(struct wire_socket *line)
{
    char *text = line->inbox[line->head++ % INBOX];
    line->count--;
    line->events->message(line->user, text, strlen(text));
    free(text);
}

bool hub_wire_step(void)
{
    bool busy = false;
    if (!hub)
        return false;
    now_ms++;
    run_hub();
    for (unsigned i = 0; i < LINES; i++) {
        struct wire_socket *line = &lines[i];
        const bool hears = line->state == LINE_OPEN && line->reading && line->count > 0;
        busy = busy || hears || line->state == LINE_OPENING || line->state == LINE_ENDING;
        if (hears)
            hand_over(line);
        else if (line->state == LINE_OPENING)
            open_line(line);
        else if (line->state == LINE_ENDING)
            end_line(line);
    }
    return busy;
}

void hub_wire_run(void)
{
    while (hub_wire_step())
        ;
}

static struct wire_socket *line_of(unsigned connection)
{
    for (unsigned i = 0; i < LINES; i++) {
        if (lines[i].state != LINE_FREE && lines[i].number == connection)
            return &lines[i];
    }
    assert(!"an open connection");
    return NULL;
}

void hub_wire_add(unsigned connection, const char *text)
{
    put(line_of(connection), strdup(text));
}

void hub_wire_end(unsigned connection, int code)
{
    struct wire_socket *line = line_of(connection);
    line->state = LINE_ENDING;
    line->code = code;
}

bool hub_wire_reads(unsigned connection)
{
    return line_of(connection)->reading;
}

unsigned hub_wire_open(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < LINES; i++)
        count += lines[i].link.open;
    return count;
}

/* ---- in the place of clients/load/line.c */

static void on_pump(uv_timer_t *timer)
{
    (void)timer;
    for (unsigned i = 0; i < PUMP_STEPS && hub_wire_step(); i++)
        ;
}

bool line_route_init(struct line_route *route, uv_loop_t *loop, const struct wire_url *url,
                     const char *source, unsigned answer_s)
{
    char *seen = hub_wire_seen->sources[n_routes++];
    *route = (struct line_route){.url = *url};
    hub_wire_seen->contexts++;
    hub_wire_seen->answer_s = answer_s;
    (void)snprintf(seen, sizeof hub_wire_seen->sources[0], "%s", source ? source : "");
    if (n_routes == 1) {
        (void)uv_timer_init(loop, &pump);
        (void)uv_timer_start(&pump, on_pump, 1, 1);
    }
    return true;
}

bool line_open(struct line *to, const struct line_route *route,
               const struct wire_socket_events *events, void *user)
{
    (void)route;
    if (!hub)
        start_hub();
    unsigned i = 0;
    while (i < LINES && lines[i].state != LINE_FREE)
        i++;
    assert(i < LINES);
    hub_wire_seen->opened++;
    lines[i] = (struct wire_socket){
        .state = LINE_OPENING,
        .number = hub_wire.opened++,
        .reading = true,
        .events = events,
        .user = user,
    };
    *to = (struct line){.full = &lines[i]};
    return true;
}

bool line_send(const struct line *to, const char *bytes, size_t len)
{
    const struct wire_socket *line = to->full;
    if (line->state != LINE_OPEN || !line->link.open)
        return false;
    char *text = strndup(bytes, len);
    if (!hub_wire.to_server || hub_wire.to_server(line->number, text))
        hub_receive(hub, line->link.peer, bytes, len, now_ms);
    free(text);
    return true;
}

void line_read(const struct line *to, bool on)
{
    to->full->reading = on;
}

void line_cut(const struct line *to)
{
    to->full->state = LINE_ENDING;
    to->full->code = WIRE_CLOSED_LOST;
}
