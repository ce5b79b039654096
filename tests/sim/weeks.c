/*
 * Everybody at once for weeks, at a fiftieth of the usual limits: sessions and matches with days
 * for each move are made from few networks, whichever /64 they come from, at a site of several
 * parts, which are started again each day. Somebody new comes each hour, from an address that
 * nobody has used, says hello and makes a table; and two people from two addresses, who look at
 * their match once a day, find it as it was. The real hub, and the model of a store.
 *
 *     weeks [DAYS [ipv4|64|56|48]]     1 if somebody new was not served, or a match was lost
 */
#include "cards.h"
#include "model_store.h"
#include <assert.h>
#include <base/program.h>
#include <hub/hub.h>
#include <hub/store_tables.h>
#include <inttypes.h>
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORKS = 2, PER_HOUR = 10, HOURS = 24, HOUR_MS = 3600000, ANSWER_BYTES = 16384 };
enum { PARTS = 2, SESSIONS = 2000, ROOMS = 600, PAIRS = 2, ROOM_BYTES = 8, TOKEN_BYTES = 43 };
static const int64_t begun_ms = INT64_C(1790000000000);

/* Of how wide a network those who attack have each address. */
enum width { IPV4, WIDTH_64, WIDTH_56, WIDTH_48, WIDTHS };
static const char *const width_names[WIDTHS] = {"ipv4", "64", "56", "48"};

/* Two people of two addresses, with a match of theirs. */
struct pair {
    char room[ROOM_BYTES + 1], tokens[2][TOKEN_BYTES + 1];
};

struct place { /* a part of the site, and what it keeps */
    struct hub *hub;
    struct model_store store;
    struct pair pairs[PAIRS];
};

struct site {
    struct hub_config config;
    struct place places[PARTS];
    int64_t now_ms;
    uint64_t random;
    enum width width;
    char answers[2][ANSWER_BYTES]; /* the last of two connections */
    struct hub_peer peers[2];
    uint64_t made, came, served, looked, kept;
};

static void fill_random(void *ctx, void *bytes, size_t len)
{
    struct site *site = ctx;
    uint8_t *to = bytes;
    for (size_t at = 0; at < len; at++) {
        site->random = site->random * UINT64_C(6364136223846793005) + 1442695040888963407U;
        to[at] = (uint8_t)(site->random >> 33);
    }
}

/* ---- where they come from */

static void ipv6_of(const uint8_t prefix[static 8], uint8_t address[static 16])
{
    memset(address, 0, 16);
    memcpy(address, prefix, 8);
    address[15] = 1;
}

/* Somebody of one network that attacks: each time another address, as wide as it is. */
static void attacker_of(struct site *site, unsigned network, uint8_t address[static 16])
{
    uint8_t prefix[8] = {0x20, 0x01, 0x0d, 0xb8, 0, (uint8_t)network, 1, 1};
    uint8_t drawn[2];
    fill_random(site, drawn, sizeof drawn);
    if (site->width == IPV4) {
        const uint8_t ipv4[16] = {
            [10] = 0xff, [11] = 0xff, [12] = 20, [13] = (uint8_t)network, [15] = 1};
        memcpy(address, ipv4, 16);
        return;
    }
    if (site->width >= WIDTH_56)
        prefix[7] = drawn[0];
    if (site->width == WIDTH_48)
        prefix[6] = drawn[1];
    ipv6_of(prefix, address);
}

/* An address that nobody else has. */
static void newcomer_of(const struct site *site, uint64_t number, uint8_t address[static 16])
{
    const uint8_t ipv4[16] = {[10] = 0xff,
                              [11] = 0xff,
                              [12] = (uint8_t)(100 + (number >> 16)),
                              [13] = (uint8_t)(number >> 8),
                              [14] = (uint8_t)number,
                              [15] = 1};
    const uint8_t prefix[8] = {0x2a, (uint8_t)(number >> 16), (uint8_t)(number >> 8),
                               (uint8_t)number};
    if (site->width == IPV4)
        memcpy(address, ipv4, 16);
    else
        ipv6_of(prefix, address);
}

/* ---- what a net does */

static void store(struct site *site, struct place *place)
{
    const struct store_batch *batch;
    struct store_query query;
    char room[9];
    while ((batch = hub_batch_take(place->hub)) != NULL) {
        const enum store_result result = model_commit(&place->store, batch);
        assert(result == STORE_OK);
        hub_batch_done(place->hub, result, 1000, site->now_ms);
    }
    while (hub_read_take(place->hub, room))
        model_read(&place->store, place->hub, room, site->now_ms);
    while (hub_query_take(place->hub, &query))
        model_query(&place->store, place->hub, &query, site->now_ms);
}

static bool is_peer(struct hub_peer one, struct hub_peer other)
{
    return one.index == other.index && one.generation == other.generation;
}

/* Of what is sent the last reply is kept, of either connection. */
static void deliver(struct site *site, const struct place *place)
{
    struct hub_peer peer;
    while (hub_next_ready(place->hub, &peer)) {
        const unsigned char *bytes;
        size_t len;
        char *const answer = site->answers[is_peer(peer, site->peers[1])];
        while ((bytes = hub_output(place->hub, peer, &len)) != NULL) {
            const size_t kept = len < ANSWER_BYTES ? len : ANSWER_BYTES - 1;
            if (len > 5 && memcmp(bytes, "{\"id\"", 5) == 0) {
                memcpy(answer, bytes, kept);
                answer[kept] = '\0';
            }
            hub_sent(place->hub, peer);
        }
        if (hub_close_code(place->hub, peer) != 0)
            snprintf(answer, ANSWER_BYTES, "closed");
    }
}

static void settle(struct site *site, struct place *place)
{
    while (hub_deadline_ms(place->hub) <= site->now_ms) {
        hub_tick(place->hub, site->now_ms);
        store(site, place);
    }
    store(site, place);
    deliver(site, place);
}

static bool ask(struct site *site, struct place *place, unsigned who, const char *text)
{
    site->answers[who][0] = '\0';
    hub_receive(place->hub, site->peers[who], text, strlen(text), site->now_ms);
    settle(site, place);
    return strstr(site->answers[who], "\"ok\":") != NULL;
}

static bool ask_of_room(struct site *site, struct place *place, unsigned who, const char *op,
                        const char *room, const char *more)
{
    char text[160];
    snprintf(text, sizeof text, "{\"id\":%d,\"op\":\"%s\",\"room\":\"%s\"%s}",
             10 + (int)(site->random >> 40 & 0xfffff), op, room, more);
    (void)fill_random(site, &(uint8_t){0}, 1);
    return ask(site, place, who, text);
}

/* The string behind that key in the last answer. */
static void read_string(const struct site *site, unsigned who, const char *key, char *into,
                        size_t len)
{
    const char *at = strstr(site->answers[who], key);
    into[0] = '\0';
    if (at && strlen(at) > strlen(key) + len) {
        memcpy(into, at + strlen(key), len);
        into[len] = '\0';
    }
}

/* ---- people */

static bool come(struct site *site, struct place *place, unsigned who,
                 const uint8_t address[static 16], const char *token)
{
    char text[128];
    if (hub_connect(place->hub, address, site->now_ms, &site->peers[who]) != 0)
        return false;
    snprintf(text, sizeof text, "{\"id\":1,\"op\":\"hello\",%s\"%s\"}",
             token[0] ? "\"token\":" : "\"name\":", token[0] ? token : "Ana");
    return ask(site, place, who, text);
}

static void go(struct site *site, struct place *place, unsigned who)
{
    hub_disconnect(place->hub, site->peers[who], site->now_ms);
    settle(site, place);
}

/* A table of two with so many days for each move. */
static bool make_table(struct site *site, struct place *place, char room[ROOM_BYTES + 1])
{
    const bool made = ask(site, place, 0,
                          "{\"id\":3,\"op\":\"create\",\"game\":\"cards\",\"options\":{\"players\":"
                          "2},\"clock\":{\"kind\":"
                          "\"days\",\"days\":30}}");
    read_string(site, 0, "\"room\":\"", room, ROOM_BYTES);
    return made && room[0];
}

static bool begin(struct site *site, struct place *place, const char *room)
{
    bool begun = true;
    for (unsigned who = 0; who < 2; who++)
        begun = begun && ask_of_room(site, place, who, "join", room, "") &&
                ask_of_room(site, place, who, "ready", room, ",\"ready\":true");
    return begun && ask_of_room(site, place, 0, "start", room, "");
}

/* Each lays a card. */
static bool move(struct site *site, struct place *place, const char *room)
{
    enum { CARD_BYTES = 5 };
    char card[CARD_BYTES + 1], more[32];
    bool moved = true;
    for (unsigned who = 0; who < 2; who++) {
        moved = moved && ask_of_room(site, place, who, "moves", room, "");
        read_string(site, who, "\"moves\":[\"", card, CARD_BYTES);
        snprintf(more, sizeof more, ",\"move\":\"%s\"", card);
        moved = moved && ask_of_room(site, place, who, "move", room, more);
    }
    return moved;
}

/* A match of two sessions of one network, which are kept for weeks. */
static void attack(struct site *site, struct place *place, unsigned network)
{
    uint8_t addresses[2][16];
    char room[ROOM_BYTES + 1];
    bool there = true;
    for (unsigned who = 0; who < 2; who++) {
        attacker_of(site, network, addresses[who]);
        there = there && come(site, place, who, addresses[who], "");
        if (there)
            (void)ask(site, place, who, "{\"id\":2,\"op\":\"phrase\"}");
    }
    if (there && make_table(site, place, room))
        site->made += begin(site, place, room);
    go(site, place, 0);
    go(site, place, 1);
}

static void come_new(struct site *site, struct place *place)
{
    uint8_t address[16];
    char room[ROOM_BYTES + 1];
    newcomer_of(site, ++site->came, address);
    site->served += come(site, place, 0, address, "") && make_table(site, place, room);
    go(site, place, 0);
}

static void pair_address(const struct site *site, unsigned number, unsigned who,
                         uint8_t address[static 16])
{
    newcomer_of(site, 0x10000 + 2 * number + who, address);
}

static void begin_pair(struct site *site, struct place *place, unsigned number)
{
    struct pair *pair = &place->pairs[number];
    uint8_t address[16];
    bool there = true;
    for (unsigned who = 0; who < 2; who++) {
        pair_address(site, number, who, address);
        there = there && come(site, place, who, address, "");
        read_string(site, who, "\"token\":\"", pair->tokens[who], TOKEN_BYTES);
    }
    const bool begun = there && make_table(site, place, pair->room) &&
                       begin(site, place, pair->room) && move(site, place, pair->room);
    assert(begun);
    (void)begun;
    go(site, place, 0);
    go(site, place, 1);
}

/* Both come back, and look at their match. */
static void look(struct site *site, struct place *place, unsigned number)
{
    struct pair *pair = &place->pairs[number];
    uint8_t address[16];
    for (unsigned who = 0; who < 2; who++) {
        pair_address(site, number, who, address);
        site->looked++;
        site->kept += come(site, place, who, address, pair->tokens[who]) &&
                      ask_of_room(site, place, who, "watch", pair->room, "") &&
                      strstr(site->answers[who], "\"phase\":\"playing\"");
    }
    go(site, place, 0);
    go(site, place, 1);
}

/* ---- all of it */

static void start(struct site *site, unsigned part)
{
    struct place *place = &site->places[part];
    const struct hub_env env = {.random = fill_random,
                                .ctx = site,
                                .server = "weeks",
                                .games = test_games,
                                .features = registry,
                                .part = part,
                                .parts = PARTS};
    store_tables_of(registry);
    place->hub = hub_create(&site->config, &env);
    assert(place->hub);
    const int restored = model_restore(&place->store, place->hub, site->now_ms);
    assert(restored == 0);
    (void)restored;
}

static void restart(struct site *site)
{
    for (unsigned part = 0; part < PARTS; part++) {
        hub_destroy(site->places[part].hub);
        start(site, part);
    }
}

static void pass_hour(struct site *site)
{
    for (unsigned at = 0; at < NETWORKS * PER_HOUR; at++) {
        for (unsigned part = 0; part < PARTS; part++)
            attack(site, &site->places[part], at % NETWORKS);
        site->now_ms += HOUR_MS / (NETWORKS * PER_HOUR);
    }
    for (unsigned part = 0; part < PARTS; part++)
        come_new(site, &site->places[part]);
}

static void pass_day(struct site *site)
{
    for (int hour = 0; hour < HOURS; hour++)
        pass_hour(site);
    for (unsigned part = 0; part < PARTS; part++) {
        for (unsigned number = 0; number < PAIRS; number++)
            look(site, &site->places[part], number);
    }
    restart(site);
}

static void report(const struct site *site, int days)
{
    printf("%d days, %s: %" PRIu64 " matches were made by %d networks; of %" PRIu64
           " newcomers %" PRIu64 " were served; of %" PRIu64 " visits to a match %" PRIu64
           " found it\n",
           days, width_names[site->width], site->made, NETWORKS, site->came, site->served,
           site->looked, site->kept);
    fflush(stdout);
}

static enum width read_width(const char *word)
{
    enum width width = IPV4;
    while (width < WIDTHS && strcmp(word, width_names[width]) != 0)
        width++;
    assert(width < WIDTHS);
    return width;
}

static int run_all(int argc, char **argv)
{
    static struct site site;
    const int days = argc > 1 ? atoi(argv[1]) : 3;
    site.width = argc > 2 ? read_width(argv[2]) : IPV4;
    site.now_ms = begun_ms;
    site.random = 1;
    hub_config_init(&site.config);
    site.config.sessions = SESSIONS;
    site.config.rooms = ROOMS;
    for (unsigned part = 0; part < PARTS; part++) {
        model_init(&site.places[part].store);
        start(&site, part);
        for (unsigned number = 0; number < PAIRS; number++)
            begin_pair(&site, &site.places[part], number);
    }
    for (int day = 1; day <= days; day++) {
        pass_day(&site);
        report(&site, day);
    }
    for (unsigned part = 0; part < PARTS; part++) {
        hub_destroy(site.places[part].hub);
        model_release(&site.places[part].store);
    }
    return site.served == site.came && site.kept == site.looked ? 0 : 1;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("weeks", run_all(argc, argv));
}
