/*
 * The node that has a part is lost, and another one takes it, in the middle of a match: who stays
 * connected sees a pause. What they are told in all must be what `past` says that they were to be
 * told, once each, and nothing that is hidden from them.
 */
#include "nodes.h"
#include "suites.h"
#include "told.h"
#include <base/rng.h>
#include <hub/part.h>
#include <stdio.h>
#include <totem_moves.h>

enum { EDGE = 0, LOST = 1 /* the part */ };

static struct nodes nodes;
static char room[9];

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
    room[0] = '\0';
}

static void release(void)
{
    told_release();
    nodes_release(&nodes);
}

/* ---- who has the part */

static int other_than(int node)
{
    return node == 1 ? 2 : 1;
}

static void lose_by_leaving(void)
{
    const int node = nodes.places[LOST].node;
    nodes_lose(&nodes, LOST);
    nodes_settle(&nodes);
    nodes_serve(&nodes, LOST, (node + 1) % NODES);
}

static void lose_by_death(void)
{
    const int node = nodes.places[LOST].node;
    nodes_kill(&nodes, node);
    nodes_settle(&nodes);
    for (unsigned part = 0; part < PARTS; part++) {
        if (!nodes.places[part].hub)
            nodes_serve(&nodes, part, part == LOST ? other_than(node) : EDGE);
    }
    nodes_start(&nodes, node);
}

static void lose_link(void)
{
    nodes_cut(&nodes, EDGE, nodes.places[LOST].node);
    nodes_settle(&nodes);
    nodes.places[LOST].storing = STORED;
    nodes_settle(&nodes);
    nodes_join(&nodes, EDGE, nodes.places[LOST].node);
}

/* Another node has it, and what the old one has said comes later. */
static void lose_to_later_term(void)
{
    struct place *place = &nodes.places[LOST];
    struct node *old = &nodes.nodes[place->node];
    struct hub *hub = place->hub;
    place->storing = STORED;
    place->out = NULL;
    nodes_serve(&nodes, LOST, other_than(place->node));
    nodes_settle(&nodes);
    old->delayed[EDGE] = false;
    nodes_settle(&nodes);
    site_leave(old->site, LOST, nodes.now_ms);
    hub_destroy(hub);
}

static void (*const ways[])(void) = {lose_by_leaving, lose_by_death, lose_to_later_term, lose_link};
enum { WAYS = 4 };

/* ---- Totem, as people play it by chance */

struct person_chance {
    struct chance chance;
    struct rng rng;
};

static unsigned below(struct chance *chance, unsigned n)
{
    return rng_below(&((struct person_chance *)chance)->rng, n);
}

static struct person_chance luck = {{below}, {7}};

static void begin(const int players[2])
{
    json_t *ok = nodes_ok(&nodes, players[0], "create", "{s:s,s:{s:i,s:s}}", "game", "totem",
                          "options", "players", 2, "spells", "A");
    (void)snprintf(room, sizeof room, "%s", text_of(ok, "room"));
    json_decref(ok);
    ck_assert_uint_eq(part_of_room(room, PARTS), LOST);
    for (int seat = 0; seat < 2; seat++) {
        nodes_do(&nodes, players[seat], "join", "{s:s,s:i}", "room", room, "seat", seat);
        nodes_do(&nodes, players[seat], "ready", "{s:s,s:b}", "room", room, "ready", 1);
    }
}

/* A move that the seat may make now; false: none is found. */
static bool find_move(int guest, char move[PROTOCOL_MOVE_BYTES + 1])
{
    const int64_t moves = nodes_post(&nodes, guest, "moves", "{s:s}", "room", room);
    nodes_settle(&nodes);
    json_t *ok = told_reply(&nodes, guest, moves); /* or it is not its turn */
    const json_t *asked = json_object_get(json_object_get(ok, "ok"), "asked");
    bool found = false;
    for (int tries = 0; tries < 200 && !found && json_object_size(asked) > 0; tries++) {
        nodes.now_ms += 100;
        if (!totem_compose(asked, &luck.chance, move, PROTOCOL_MOVE_BYTES + 1))
            break;
        const int64_t id =
            nodes_post(&nodes, guest, "check", "{s:s,s:s}", "room", room, "move", move);
        nodes_settle(&nodes);
        json_t *reply = told_reply(&nodes, guest, id);
        found = json_object_get(reply, "ok");
        json_decref(reply);
    }
    json_decref(ok);
    return found;
}

/* The part is lost with the move under way. */
static void move_and_lose(int guest, const char *move, enum storing storing, void (*lose)(void))
{
    struct place *place = &nodes.places[LOST];
    place->storing = storing;
    nodes.nodes[place->node].delayed[EDGE] = lose == lose_to_later_term;
    const int64_t id = nodes_post(&nodes, guest, "move", "{s:s,s:s}", "room", room, "move", move);
    const int64_t ping = nodes_post(&nodes, guest, "ping", "");
    nodes_settle(&nodes);
    lose();
    nodes_settle(&nodes);
    told_check_reply(&nodes, guest, id, "");
    told_check_reply(&nodes, guest, ping, "");
}

/* `_i`: the way in which it is lost, and what has become of the batch. */
START_TEST(test_totem)
{
    enum { LOSSES = 12 };
    int players[2] = {guest_of_part(&nodes, LOST, "Host"), guest_of_part(&nodes, 0, "Ana")};
    const int watcher = guest_of_part(&nodes, 3, "Watcher");
    char move[PROTOCOL_MOVE_BYTES + 1];
    int losses = 0, moves = 0;
    begin(players);
    nodes_do(&nodes, watcher, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, players[0], "start", "{s:s}", "room", room);
    for (int turn = 0; turn < 400 && losses < LOSSES; turn++) {
        const int guest = players[turn % 2];
        if (!find_move(guest, move))
            continue;
        if (++moves % 4 == 0) {
            move_and_lose(guest, move, (enum storing)(_i / WAYS), ways[_i % WAYS]);
            losses++;
        } else {
            nodes_do(&nodes, guest, "move", "{s:s,s:s}", "room", room, "move", move);
        }
        told_listen(&nodes, room, players[0]);
        told_listen(&nodes, room, players[1]);
        told_listen(&nodes, room, watcher);
    }
    ck_assert_int_eq(losses, LOSSES);
    told_check(&nodes, room, players[0]);
    told_check(&nodes, room, players[1]);
    told_check(&nodes, room, watcher);
    ck_assert(!json_equal(told_events(players[0]), told_events(watcher)));
}
END_TEST

Suite *takeover_suite(void)
{
    Suite *suite = suite_create("a part changes hands");
    TCase *tcase = tcase_create("takeover");
    tcase_add_checked_fixture(tcase, three_nodes, release);
    tcase_set_timeout(tcase, 60);
    /* A hub that was fenced is no use any more, though the link to it is back. */
    tcase_add_loop_test(tcase, test_totem, 0, 4 * WAYS - 1);
    suite_add_tcase(suite, tcase);
    return suite;
}
