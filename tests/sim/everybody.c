/*
 * Everybody at once, at the limits that a server has if nobody says otherwise: twenty addresses
 * make all the sessions and rooms that they may, in simulated time, and somebody new comes each
 * minute from an address that nobody has used, says hello and makes a table. The real hub, and a
 * store that stores everything at once and keeps nothing.
 *
 *     everybody [MINUTES [ipv6]]     1 if somebody new was not served
 */
#include "cards.h"
#include <assert.h>
#include <base/program.h>
#include <hub/hub.h>
#include <hub/store_tables.h>
#include <inttypes.h>
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATTACKERS = 20, PER_MIN = 60, MINUTE_MS = 60000, REPORT_MINUTES = 240, ANSWER_BYTES = 8192 };
static const int64_t begun_ms = INT64_C(1790000000000);

struct crowd {
    struct hub *hub;
    struct hub_config config;
    int64_t now_ms;
    uint64_t random;
    bool ipv6;
    char answer[ANSWER_BYTES];    /* the last, to whoever is connected */
    uint64_t made[2], refused[2]; /* sessions and rooms of attackers */
    uint64_t came, served, tables;
};

static void fill_random(void *ctx, void *bytes, size_t len)
{
    struct crowd *crowd = ctx;
    uint8_t *to = bytes;
    for (size_t at = 0; at < len; at++) {
        crowd->random = crowd->random * UINT64_C(6364136223846793005) + 1442695040888963407U;
        to[at] = (uint8_t)(crowd->random >> 33);
    }
}

/* Of one that attacks, each in a network of its own; or of who comes once. */
static void address_of(const struct crowd *crowd, unsigned network, unsigned host,
                       uint8_t address[static 16])
{
    memset(address, 0, 16);
    if (crowd->ipv6) {
        const uint8_t six[] = {0x20,
                               0x01,
                               (uint8_t)(network >> 8),
                               (uint8_t)network,
                               (uint8_t)(host >> 16),
                               (uint8_t)(host >> 8),
                               (uint8_t)host};
        memcpy(address, six, sizeof six);
        address[15] = 1;
        return;
    }
    address[10] = address[11] = 0xff;
    address[12] = (uint8_t)network;
    address[13] = (uint8_t)(host >> 16);
    address[14] = (uint8_t)(host >> 8);
    address[15] = (uint8_t)host;
}

/* ---- what a net does */

static void store(struct crowd *crowd)
{
    char room[9];
    while (hub_batch_take(crowd->hub))
        hub_batch_done(crowd->hub, STORE_OK, 1000, crowd->now_ms);
    while (hub_read_take(crowd->hub, room))
        hub_read_done(crowd->hub, room, STORE_FAILED, NULL, crowd->now_ms);
}

static void deliver(struct crowd *crowd)
{
    struct hub_peer peer;
    while (hub_next_ready(crowd->hub, &peer)) {
        const unsigned char *bytes;
        size_t len;
        while ((bytes = hub_output(crowd->hub, peer, &len)) != NULL) {
            const size_t kept = len < ANSWER_BYTES ? len : ANSWER_BYTES - 1;
            memcpy(crowd->answer, bytes, kept);
            crowd->answer[kept] = '\0';
            hub_sent(crowd->hub, peer);
        }
        if (hub_close_code(crowd->hub, peer) != 0)
            snprintf(crowd->answer, ANSWER_BYTES, "closed");
    }
}

static void settle(struct crowd *crowd)
{
    while (hub_deadline_ms(crowd->hub) <= crowd->now_ms)
        hub_tick(crowd->hub, crowd->now_ms);
    store(crowd);
    deliver(crowd);
}

static bool ask(struct crowd *crowd, struct hub_peer peer, const char *text)
{
    crowd->answer[0] = '\0';
    hub_receive(crowd->hub, peer, text, strlen(text), crowd->now_ms);
    settle(crowd);
    return strstr(crowd->answer, "\"ok\":") != NULL;
}

/* ---- people */

/* Says hello and makes a table; `stays`: becomes one who is kept for weeks. A bit for each that was
 * granted. */
static unsigned visit(struct crowd *crowd, unsigned network, unsigned host, bool stays)
{
    uint8_t address[16];
    struct hub_peer peer;
    unsigned granted = 0;
    address_of(crowd, network, host, address);
    if (hub_connect(crowd->hub, address, crowd->now_ms, &peer) != 0)
        return 0;
    if (ask(crowd, peer, "{\"id\":1,\"op\":\"hello\",\"name\":\"Ana\"}")) {
        granted = 1;
        if (stays)
            (void)ask(crowd, peer, "{\"id\":2,\"op\":\"phrase\"}");
        granted |= ask(crowd, peer, "{\"id\":3,\"op\":\"create\"}") ? 2U : 0;
    }
    hub_disconnect(crowd->hub, peer, crowd->now_ms);
    settle(crowd);
    return granted;
}

static void pass_minute(struct crowd *crowd)
{
    for (unsigned at = 0; at < ATTACKERS * PER_MIN; at++) {
        const unsigned granted = visit(crowd, 20 + at % ATTACKERS, 1, true);
        for (unsigned what = 0; what < 2; what++) {
            crowd->made[what] += granted >> what & 1;
            crowd->refused[what] += !(granted >> what & 1);
        }
        crowd->now_ms += MINUTE_MS / (ATTACKERS * PER_MIN);
    }
    const unsigned granted = visit(crowd, 100, (unsigned)(++crowd->came) << 8, false);
    crowd->served += granted & 1;
    crowd->tables += granted >> 1;
}

/* ---- all of it */

static struct hub *create(struct crowd *crowd)
{
    const struct hub_env env = {.random = fill_random,
                                .ctx = crowd,
                                .server = "everybody",
                                .games = test_games,
                                .features = registry,
                                .parts = 1};
    store_tables_of(registry);
    hub_config_init(&crowd->config);
    struct hub *const hub = hub_create(&crowd->config, &env);
    assert(hub);
    const struct store_sink sink = hub_sink(hub);
    const int opened = sink.opened(sink.ctx, 1);
    const int restored = hub_restored(hub, crowd->now_ms);
    assert(opened >= 0 && restored >= 0);
    (void)opened, (void)restored;
    return hub;
}

static void report(const struct crowd *crowd, int minutes)
{
    printf("%d minutes, %s: %" PRIu64 " sessions and %" PRIu64
           " rooms were made by %d networks, %" PRIu64 " and %" PRIu64 " refused; of %" PRIu64
           " newcomers %" PRIu64 " were served, %" PRIu64 " with a table\n",
           minutes, crowd->ipv6 ? "IPv6" : "IPv4", crowd->made[0], crowd->made[1], ATTACKERS,
           crowd->refused[0], crowd->refused[1], crowd->came, crowd->served, crowd->tables);
    fflush(stdout);
}

static int run_all(int argc, char **argv)
{
    static struct crowd crowd;
    const int minutes = argc > 1 ? atoi(argv[1]) : 60;
    crowd.now_ms = begun_ms;
    crowd.random = 1;
    crowd.ipv6 = argc > 2;
    crowd.hub = create(&crowd);
    for (int minute = 1; minute <= minutes; minute++) {
        pass_minute(&crowd);
        if (minute % REPORT_MINUTES == 0 || minute == minutes)
            report(&crowd, minute);
    }
    hub_destroy(crowd.hub);
    return crowd.served == crowd.came && crowd.tables == crowd.came ? 0 : 1;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("everybody", run_all(argc, argv));
}
