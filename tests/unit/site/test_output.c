/* Whose turn it is to be written to. */
#include "clients/client.h"
#include "clients/output_queue.h"
#include "nodes.h"
#include "suites.h"
#include <string.h>

static struct output_queue queue;
static struct output_entry entries[8];

static void begin(void)
{
    memset(&queue, 0, sizeof queue);
    memset(entries, 0, sizeof entries);
}

static void add(int at, uint8_t group, bool hurries)
{
    if (!entries[at].turn.self)
        entries[at].turn.group = group;
    output_queue_add(&queue, &entries[at], hurries);
}

/* They come in this order, and then nobody. */
static void expect(const char *digits)
{
    for (; *digits; digits++) {
        ck_assert(!output_queue_is_empty(&queue));
        ck_assert_int_eq(output_queue_pop(&queue) - entries, *digits - '0');
    }
    ck_assert(output_queue_is_empty(&queue));
    ck_assert_ptr_null(output_queue_pop(&queue));
}

START_TEST(test_addresses_take_turns)
{
    for (int at = 0; at < 4; at++)
        add(at, 7, true);
    add(4, 9, true);
    add(5, 9, true);
    add(6, 8, true);
    expect("0461523");
    add(3, 7, true); /* and again, as before */
    add(4, 9, true);
    expect("34");
}
END_TEST

START_TEST(test_who_hurries_comes_first)
{
    add(0, 1, false);
    add(1, 1, false);
    add(2, 2, true);
    add(3, 3, true);
    expect("2301");
    for (int at = 0; at < 5; at++) /* but the others have a turn of four */
        add(at, 1, true);
    add(5, 1, false);
    add(6, 1, false);
    expect("0125346");
}
END_TEST

START_TEST(test_place_is_kept)
{
    add(0, 1, false);
    add(1, 1, false);
    add(2, 1, true);
    add(0, 1, false);
    add(2, 1, false);
    add(1, 1, true); /* hurries only now */
    expect("210");
}
END_TEST

START_TEST(test_who_is_gone)
{
    for (int at = 0; at < 4; at++)
        add(at, (uint8_t)(at / 2), at < 3);
    output_queue_remove(&queue, &entries[1]);
    output_queue_remove(&queue, &entries[2]); /* the only one of its address */
    output_queue_remove(&queue, &entries[2]);
    add(4, 0, true);
    expect("043");
    add(5, 1, true);
    output_queue_remove(&queue, &entries[5]);
    expect("");
    add(5, 1, true); /* its address is still on the list, empty */
    add(6, 1, true);
    expect("56");
}
END_TEST

START_TEST(test_groups)
{
    static const uint8_t one[16] = {[10] = 0xff, 0xff, 10, 1, 2, 3};
    static const uint8_t v6[16] = {0x20, 1, 0xd, 0xb8, [15] = 1};
    static const uint8_t same_net[16] = {0x20, 1, 0xd, 0xb8, [15] = 2};
    static const uint8_t same_customer[16] = {0x20, 1, 0xd, 0xb8, [6] = 7, 7, [15] = 2};
    static const uint8_t key[ADDRESS_GROUPS_KEY_BYTES] = {1};
    bool used[ADDRESS_GROUPS] = {false};
    int differ = 0;
    ck_assert_uint_eq(address_group_of(key, v6), address_group_of(key, same_net));
    ck_assert_uint_eq(address_group_of(key, v6), address_group_of(key, same_customer));
    for (int last = 0; last < 64; last++) {
        uint8_t other[16];
        memcpy(other, one, sizeof other);
        other[15] = (uint8_t)last;
        differ += !used[address_group_of(key, other)];
        used[address_group_of(key, other)] = true;
    }
    ck_assert_int_ge(differ, 48);
}
END_TEST

static uint8_t group_in(struct clients *clients, const uint8_t address[static 16])
{
    struct client *client = client_add(clients, address);
    ck_assert_ptr_nonnull(client);
    const uint8_t group = client->output.turn.group;
    client_remove(clients, client);
    return group;
}

/* Nobody who has many prefixes can tell which of them share the turns of somebody else. */
START_TEST(test_servers_group_otherwise)
{
    struct site_config config = site_usual;
    struct clients clients[3];
    int same = 0;
    for (int at = 0; at < 3; at++) {
        config.groups_key[ADDRESS_GROUPS_KEY_BYTES - 1] = (uint8_t)(at / 2);
        ck_assert_int_eq(clients_init(&clients[at], &config), 0);
    }
    for (int net = 0; net < 64; net++) {
        const uint8_t address[16] = {0x20, 1, 0xd, 0xb8, [5] = (uint8_t)net, [15] = 1};
        const uint8_t group = group_in(&clients[0], address);
        ck_assert_uint_eq(group_in(&clients[1], address), group); /* the same key */
        same += group_in(&clients[2], address) == group;
    }
    ck_assert_int_le(same, 8);
    for (int at = 0; at < 3; at++)
        clients_release(&clients[at]);
}
END_TEST

/* ---- in a site */

static struct nodes nodes;

static void lone(void)
{
    nodes_init_lone(&nodes);
}

static void release(void)
{
    nodes_release(&nodes);
}

/* The first two that are ready, of those whom nothing has been written to since. */
static void expect_first(int one, int other)
{
    struct hub_peer peer;
    struct site *site = nodes.nodes[0].site;
    bool found[2] = {false};
    site_pump(site, nodes.now_ms);
    for (int at = 0; at < 2; at++) {
        ck_assert(site_is_ready(site) && site_next_ready(site, &peer));
        found[0] = found[0] || peer.index == nodes.guests[one].peer.index;
        found[1] = found[1] || peer.index == nodes.guests[other].peer.index;
    }
    ck_assert(found[0] && found[1]);
    ck_assert(site_is_ready(site));
}

/* A line of talk, and a move to those who look on, wait for what others wait for. */
START_TEST(test_who_looks_on_waits)
{
    char room[9];
    int players[2];
    for (int seat = 0; seat < 2; seat++)
        players[seat] = nodes_guest(&nodes, 0, seat ? "Bo" : "Ana");
    nodes_room(&nodes, players[0], room);
    nodes_begin(&nodes, players, room);
    for (int at = 0; at < 8; at++)
        nodes_do(&nodes, nodes_guest(&nodes, 0, "Wat"), "watch", "{s:s}", "room", room);
    const int chi = nodes_guest(&nodes, 0, "Chi");
    (void)nodes_post(&nodes, players[0], "say", "{s:s,s:s}", "room", room, "text", "hi");
    (void)nodes_post(&nodes, chi, "ping", "");
    expect_first(players[0], chi); /* both have an answer, Ana behind the line */
}
END_TEST

START_TEST(test_who_plays_comes_first)
{
    char room[9];
    int players[2];
    for (int seat = 0; seat < 2; seat++)
        players[seat] = nodes_guest(&nodes, 0, seat ? "Bo" : "Ana");
    nodes_room(&nodes, players[0], room);
    nodes_begin(&nodes, players, room);
    for (int at = 0; at < 8; at++)
        nodes_do(&nodes, nodes_guest(&nodes, 0, "Wat"), "watch", "{s:s}", "room", room);
    (void)nodes_post(&nodes, players[0], "resign", "{s:s}", "room", room);
    struct hub *hub = nodes.places[0].hub;
    const struct store_batch *batch = hub_batch_take(hub);
    ck_assert_ptr_nonnull(batch);
    ck_assert_int_eq(model_commit(&nodes.places[0].store, batch), STORE_OK);
    hub_batch_done(hub, STORE_OK, 1500, nodes.now_ms);
    expect_first(players[0], players[1]);
}
END_TEST

Suite *output_suite(void)
{
    Suite *suite = suite_create("who is written to first");
    TCase *tcase = tcase_create("turns");
    tcase_add_checked_fixture(tcase, begin, NULL);
    tcase_add_test(tcase, test_addresses_take_turns);
    tcase_add_test(tcase, test_who_hurries_comes_first);
    tcase_add_test(tcase, test_place_is_kept);
    tcase_add_test(tcase, test_who_is_gone);
    tcase_add_test(tcase, test_groups);
    tcase_add_test(tcase, test_servers_group_otherwise);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("of a site");
    tcase_add_checked_fixture(tcase, lone, release);
    tcase_add_test(tcase, test_who_looks_on_waits);
    tcase_add_test(tcase, test_who_plays_comes_first);
    suite_add_tcase(suite, tcase);
    return suite;
}
