#include <local/server.h>

#include <assert.h>
#include <hub/hub.h>
#include <hub/store_tables.h>
#include <hub/think.h>
#include <identity/identity.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* A move and a question of a person at once; memory is used as far as a level needs it. */
enum { THOUGHTS = 2, THOUGHT_BYTES = 32 << 20 };

struct line {
    struct line *next;
    struct local_server *server;
    struct hub_peer peer;
    bool announced;                          /* its owner knows that it is open */
    int close_code;                          /* its owner is to be told that it ended; 0: open */
    const struct wire_socket_events *events; /* NULL: closed, to be freed */
    void *user;
};

struct thought {
    uv_work_t work;
    struct local_server *server; /* NULL: free */
    struct think_job *job;
    void *memory;
    uint64_t begun_ns;
};

struct local_server {
    uv_loop_t *loop;
    struct hub *hub;
    struct line *lines;
    uv_timer_t pump;     /* at once: something is to be fetched from the hub */
    uv_timer_t deadline; /* the hub's */
    int64_t began_ms;    /* since 1970 */
    uint64_t began_ns;   /* the same moment by a clock that never goes back */
    int open_handles;
    bool ending;
    struct thought thoughts[THOUGHTS];
};

static int64_t now_ms(const struct local_server *server)
{
    return server->began_ms + (int64_t)((uv_hrtime() - server->began_ns) / 1000000);
}

static void on_pump(uv_timer_t *timer);

static void pump_soon(struct local_server *server)
{
    if (!server->ending)
        uv_timer_start(&server->pump, on_pump, 0, 0);
}

/* ---- thinking */

static bool is_thinking(const struct local_server *server)
{
    for (size_t i = 0; i < THOUGHTS; i++) {
        if (server->thoughts[i].server)
            return true;
    }
    return false;
}

/* Once nothing calls back any more. */
static void free_when_quiet(struct local_server *server)
{
    if (!server->ending || server->open_handles > 0 || is_thinking(server))
        return;
    hub_destroy(server->hub);
    free(server);
}

static void run_thought(uv_work_t *work)
{
    struct thought *thought = work->data;
    hub_think_run(thought->job, thought->memory, THOUGHT_BYTES);
}

static void on_thought(uv_work_t *work, int status)
{
    struct thought *thought = work->data;
    struct local_server *server = thought->server;
    (void)status;
    free(thought->memory);
    thought->server = NULL;
    if (server->ending) {
        free_when_quiet(server);
        return;
    }
    hub_think_done(server->hub, thought->job, (int64_t)((uv_hrtime() - thought->begun_ns) / 1000),
                   now_ms(server));
    pump_soon(server);
}

static void give_job(struct local_server *server, struct think_job *job)
{
    size_t i = 0;
    while (server->thoughts[i].server)
        i++;
    assert(i < THOUGHTS);
    struct thought *thought = &server->thoughts[i];
    *thought = (struct thought){
        .server = server, .job = job, .memory = malloc(THOUGHT_BYTES), .begun_ns = uv_hrtime()};
    thought->work.data = thought;
    const int queued = uv_queue_work(server->loop, &thought->work, run_thought, on_thought);
    assert(queued == 0);
}

/* ---- what the hub hands out */

/* True if there was something. Finished rooms never leave the hub: whatever it misses is nowhere.
 */
static bool pump_store(struct local_server *server)
{
    static const struct store_room_read nothing = {.room = NULL};
    char room[9];
    bool busy = false;
    while (hub_batch_take(server->hub)) {
        hub_batch_done(server->hub, STORE_OK, 0, now_ms(server));
        busy = true;
    }
    while (hub_read_take(server->hub, room)) {
        hub_read_done(server->hub, room, STORE_OK, &nothing, now_ms(server));
        busy = true;
    }
    return busy;
}

static void pump_thinking(struct local_server *server)
{
    struct think_job *job;
    while ((job = hub_think_take(server->hub)))
        give_job(server, job);
}

static struct line *line_of(const struct local_server *server, struct hub_peer peer)
{
    struct line *line = server->lines;
    while (line && (line->peer.index != peer.index || line->peer.generation != peer.generation))
        line = line->next;
    return line;
}

/* The owner may ask for more while it hears a message, or close: so it gets a copy. */
static void hand_over(struct line *line)
{
    struct hub *hub = line->server->hub;
    const unsigned char *bytes;
    size_t len;
    while (line->events && (bytes = hub_output(hub, line->peer, &len))) {
        char *copy = malloc(len);
        if (copy)
            memcpy(copy, bytes, len);
        hub_sent(hub, line->peer);
        if (!copy) {
            line->close_code = WIRE_CLOSED_LOST; /* what is missing comes after the return */
            return;
        }
        line->events->message(line->user, copy, len);
        free(copy);
    }
}

static bool pump_output(struct local_server *server)
{
    struct hub_peer peer;
    bool busy = false;
    while (hub_next_ready(server->hub, &peer)) {
        struct line *line = line_of(server, peer);
        busy = true;
        if (!line)
            continue;
        hand_over(line);
        if (line->events && line->close_code == 0)
            line->close_code = hub_close_code(server->hub, peer);
    }
    return busy;
}

/* ---- connections */

/* Tells an owner what has become of the connection. */
static void tell_owner(struct line *line)
{
    const struct wire_socket_events *events = line->events;
    if (line->close_code != 0) {
        line->events = NULL;
        events->closed(line->user, line->close_code, "");
    } else if (!line->announced) {
        line->announced = true;
        events->opened(line->user);
    }
}

static void free_closed_lines(struct local_server *server)
{
    struct line **link = &server->lines;
    while (*link) {
        struct line *line = *link;
        if (line->events) {
            link = &line->next;
            continue;
        }
        *link = line->next;
        hub_disconnect(server->hub, line->peer, now_ms(server));
        free(line);
    }
}

/* Owners may open and close connections meanwhile: new ones come in front, none is freed. */
static void look_after_lines(struct local_server *server)
{
    for (struct line *line = server->lines; line; line = line->next) {
        if (line->events)
            tell_owner(line);
    }
    free_closed_lines(server);
}

static void *open_line(void *ctx, const struct wire_url *url,
                       const struct wire_socket_events *events, void *user)
{
    static const uint8_t address[16] = {[15] = 1};
    struct local_server *server = ctx;
    (void)url;
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    *line = (struct line){.server = server, .events = events, .user = user};
    if (server->ending || hub_connect(server->hub, address, now_ms(server), &line->peer) != 0) {
        free(line);
        return NULL;
    }
    line->next = server->lines;
    server->lines = line;
    pump_soon(server);
    return line;
}

static bool send_text(void *connection, const char *bytes, size_t len)
{
    struct line *line = connection;
    if (line->server->ending || line->close_code != 0 || !line->announced)
        return false;
    hub_receive(line->server->hub, line->peer, bytes, len, now_ms(line->server));
    pump_soon(line->server);
    return true;
}

static void close_line(void *connection)
{
    struct line *line = connection;
    line->events = NULL;
    pump_soon(line->server);
}

static void cut_line(void *connection)
{
    struct line *line = connection;
    line->close_code = WIRE_CLOSED_LOST;
    pump_soon(line->server);
}

static const char *line_waits_for(void *connection)
{
    (void)connection;
    return "it does not answer";
}

struct wire_carrier local_server_carrier(struct local_server *server)
{
    return (struct wire_carrier){
        .loop = server->loop,
        .ctx = server,
        .open = open_line,
        .send = send_text,
        .close = close_line,
        .cut = cut_line,
        .waits_for = line_waits_for,
    };
}

/* ---- the loop */

static void on_deadline(uv_timer_t *timer)
{
    struct local_server *server = timer->data;
    hub_tick(server->hub, now_ms(server));
    pump_soon(server);
}

static void set_deadline(struct local_server *server)
{
    const int64_t deadline_ms = hub_deadline_ms(server->hub), now = now_ms(server);
    if (deadline_ms == INT64_MAX)
        uv_timer_stop(&server->deadline);
    else
        uv_timer_start(&server->deadline, on_deadline,
                       deadline_ms > now ? (uint64_t)(deadline_ms - now) : 0, 0);
}

static void on_pump(uv_timer_t *timer)
{
    struct local_server *server = timer->data;
    bool busy = true;
    while (busy) {
        look_after_lines(server);
        busy = pump_store(server);
        pump_thinking(server);
        busy = pump_output(server) || busy;
    }
    look_after_lines(server);
    set_deadline(server);
}

/* ---- creating and destroying */

/* Limits keep strangers apart; here everybody sits at one terminal. */
static void set_limits(struct hub_config *limits, int64_t computer_ms)
{
    enum { PLENTY = 1000000, LONG_MS = 600000 };
    hub_config_init(limits);
    limits->requests_per_s = limits->requests_burst = PLENTY;
    limits->requests_per_address_per_s = limits->requests_per_address_burst = PLENTY;
    limits->work_per_s = limits->work_burst = PLENTY;
    limits->says_per_min = limits->says_burst = PLENTY;
    limits->says_per_address_per_min = limits->says_per_address_burst = PLENTY;
    limits->hints_per_min = limits->hints_burst = PLENTY;
    limits->hints_per_address_per_min = limits->hints_per_address_burst = PLENTY;
    limits->think_alone_per_min = limits->think_alone_burst = PLENTY;
    limits->rooms_per_session = PLENTY / 10;
    limits->over_idle_ms = INT64_C(2592000000);
    limits->hint_wait_ms = LONG_MS;
    limits->think_wait_ms = LONG_MS; /* the machine may be slow, but the level is kept */
    limits->computer_ms = computer_ms;
}

static void draw_random(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    randombytes_buf(bytes, len);
}

static struct hub *make_hub(const struct local_server_config *config, int64_t at_ms)
{
    struct hub_config limits;
    static const struct feature *const features[] = {&feature_identity, NULL};
    const struct hub_env env = {.random = draw_random,
                                .server = config->name,
                                .games = config->games,
                                .features = features,
                                .parts = 1};
    set_limits(&limits, config->computer_ms);
    store_tables_of(features);
    struct hub *hub = sodium_init() < 0 ? NULL : hub_create(&limits, &env);
    if (!hub)
        return NULL;
    if (hub_restored(hub, at_ms) < 0) {
        hub_destroy(hub);
        return NULL;
    }
    hub_think_workers(hub, THOUGHTS, THOUGHT_BYTES);
    return hub;
}

struct local_server *local_server_create(uv_loop_t *loop, const struct local_server_config *config)
{
    struct local_server *server = calloc(1, sizeof *server);
    uv_timeval64_t now;
    if (!server)
        return NULL;
    server->loop = loop;
    server->began_ns = uv_hrtime();
    if (uv_gettimeofday(&now) == 0)
        server->began_ms = now.tv_sec * 1000 + now.tv_usec / 1000;
    server->hub = make_hub(config, server->began_ms);
    if (!server->hub) {
        free(server);
        return NULL;
    }
    uv_timer_init(loop, &server->pump);
    uv_timer_init(loop, &server->deadline);
    server->pump.data = server->deadline.data = server;
    server->open_handles = 2;
    return server;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct local_server *server = handle->data;
    server->open_handles--;
    free_when_quiet(server);
}

void local_server_destroy(struct local_server *server)
{
    if (!server)
        return;
    server->ending = true;
    while (server->lines) {
        struct line *line = server->lines;
        server->lines = line->next;
        free(line);
    }
    for (size_t i = 0; i < THOUGHTS; i++) {
        if (server->thoughts[i].server)
            hub_think_cancel(server->thoughts[i].job);
    }
    uv_close((uv_handle_t *)&server->pump, on_handle_closed);
    uv_close((uv_handle_t *)&server->deadline, on_handle_closed);
}
