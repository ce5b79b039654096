/*
 * Who has blocked somebody, by every door: each is tried by the one towards the other with no block
 * (then it is open, or the test would show nothing), with a block by whoever is looked for, and by
 * whoever looks; at one server, and where both are at home at different nodes. Which operations are
 * doors is said here of each that there is.
 */
#include "nodes.h"
#include "suites.h"
#include <check.h>
#include <protocol/request.h>
#include <stdio.h>
#include <string.h>

enum blocked { NOBODY, BY_THE_OTHER, BY_ONESELF, BLOCKS };
enum { LONE, SEVERAL, KINDS };

static struct nodes nodes;
static int ana, bo, chi; /* bo tries to come to ana */
static enum blocked is_blocked;

/* At home in that part, if there are several; from an address of their own. */
static int person(unsigned part, const char *handle, uint8_t host)
{
    const int node = nodes.parts > 1 ? (int)part % 3 : 0;
    int guest = nodes_guest_from(&nodes, node, handle, host);
    while (nodes.parts > 1 && home_of(&nodes, guest) != part) {
        nodes_disconnect(&nodes, guest);
        nodes_forget(&nodes, guest);
        guest = nodes_guest_from(&nodes, node, handle, host);
    }
    nodes_do(&nodes, guest, "claim", "{s:s}", "handle", handle);
    return guest;
}

static void set_up(int kind)
{
    if (kind == LONE)
        nodes_init_lone(&nodes);
    else
        nodes_init(&nodes, 3, 4);
    ana = person(1, "Ana-1", 21);
    bo = person(2, "Bo-1", 22);
    chi = person(3, "Chi-1", 23);
}

/* Is it granted? Refused it is with this code alone. */
static bool is_granted(int64_t id, const char *code)
{
    nodes_settle(&nodes);
    json_t *reply = nodes_reply(&nodes, bo, id);
    ck_assert_ptr_nonnull(reply);
    const bool granted = json_object_get(reply, "ok");
    if (!granted)
        ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), code);
    json_decref(reply);
    return granted;
}

static bool has_push(int guest, const char *push)
{
    for (size_t at = 0; at < nodes.guests[guest].count; at++) {
        if (strcmp(text_of(nodes.guests[guest].inbox[at], "push"), push) == 0)
            return true;
    }
    return false;
}

static void block(void)
{
    if (is_blocked == BY_THE_OTHER)
        nodes_do(&nodes, ana, "block", "{s:s}", "handle", "Bo-1");
    else if (is_blocked == BY_ONESELF)
        nodes_do(&nodes, bo, "block", "{s:s}", "handle", "Ana-1");
    nodes_settle(&nodes);
}

/* ---- doors: each says whether it is open to bo */

static bool sits_down(int host, int other)
{
    char room[9];
    nodes_room(&nodes, host, room);
    if (other >= 0)
        nodes_do(&nodes, other, "join", "{s:s,s:i}", "room", room, "seat", 0);
    return is_granted(nodes_post(&nodes, bo, "join", "{s:s,s:i}", "room", room, "seat", 1),
                      "seat_refused");
}

static bool at_her_table(void)
{
    return sits_down(ana, -1);
}

static bool where_she_sits(void)
{
    return sits_down(chi, ana);
}

static bool with_an_invitation(void)
{
    json_t *ok = nodes_ok(&nodes, ana, "create", "{s:s}", "access", "code");
    const int64_t id = nodes_post(&nodes, bo, "join", "{s:s,s:s,s:i}", "room", text_of(ok, "room"),
                                  "code", text_of(ok, "code"), "seat", 1);
    json_decref(ok);
    return is_granted(id, "seat_refused");
}

static void play(char room[static 9])
{
    const int players[2] = {ana, bo};
    nodes_room(&nodes, ana, room);
    nodes_begin(&nodes, players, room);
    block();
}

static bool plays_again(void)
{
    char room[9];
    play(room);
    nodes_do(&nodes, bo, "resign", "{s:s}", "room", room);
    return is_granted(nodes_post(&nodes, bo, "rematch", "{s:s}", "room", room), "seat_refused");
}

/* A match that both play in goes on to its end, with all that is of the match. */
static bool offers(void)
{
    char room[9];
    play(room);
    nodes_forget(&nodes, ana);
    nodes_do(&nodes, bo, "offer", "{s:s,s:s}", "room", room, "what", "pause");
    return has_push(ana, "event");
}

static bool speaks_in_a_match(void)
{
    char room[9];
    play(room);
    nodes_forget(&nodes, ana);
    nodes_do(&nodes, bo, "say", "{s:s,s:s}", "room", room, "text", "hi");
    return has_push(ana, "said");
}

static bool is_heard(void)
{
    char room[9];
    nodes_room(&nodes, chi, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, bo, "watch", "{s:s}", "room", room);
    nodes_forget(&nodes, ana);
    nodes_do(&nodes, bo, "say", "{s:s,s:s}", "room", room, "text", "hi");
    return has_push(ana, "said");
}

/* Does that one hear it, of what is said last? */
static bool hears_in_lobby(int speaker, int listener)
{
    nodes_do(&nodes, speaker, "chat_say", "{s:s}", "text", "hi");
    json_t *ok = nodes_ok(&nodes, listener, "chat", "");
    const bool hears = json_array_size(json_object_get(ok, "lines")) == 1;
    json_decref(ok);
    return hears;
}

static bool is_heard_in_lobby(void)
{
    return hears_in_lobby(bo, ana);
}

static bool hears_her_in_lobby(void)
{
    return hears_in_lobby(ana, bo);
}

/* It waits for what will be said. */
static bool is_heard_at_once(void)
{
    json_t *ok = nodes_ok(&nodes, ana, "chat", "");
    const int64_t id =
        nodes_post(&nodes, ana, "chat", "{s:I}", "have", (json_int_t)number_of(ok, "have"));
    nodes_settle(&nodes);
    nodes_do(&nodes, bo, "chat_say", "{s:s}", "text", "hi");
    json_decref(ok);
    json_t *reply = nodes_reply(&nodes, ana, id);
    const bool heard = reply;
    json_decref(reply);
    return heard;
}

/* Who has blocked the other one is told so; who is blocked is told nothing, and nor is she. */
static bool challenges(void)
{
    const int64_t id = nodes_post(&nodes, bo, "seek", "{s:s}", "handle", "Ana-1");
    ck_assert(is_granted(id, "seat_refused") == (is_blocked != BY_ONESELF));
    nodes_pass(&nodes, 3000);
    return has_push(ana, "challenged");
}

static bool is_found(void)
{
    nodes_do(&nodes, ana, "seek", "");
    nodes_do(&nodes, bo, "seek", "");
    for (int at = 0; at < 60 && !has_push(bo, "found"); at++)
        nodes_pass(&nodes, 1000);
    ck_assert(has_push(bo, "found") == has_push(ana, "found"));
    return has_push(bo, "found");
}

/* Of whom bo follows: is it so that that one has this member? */
static bool sees(const char *member)
{
    size_t at;
    const json_t *one;
    bool found = false;
    json_t *ok = nodes_ok(&nodes, bo, "friends", "");
    json_array_foreach(json_object_get(ok, "friends"), at, one)
    {
        const json_t *value = json_object_get(one, member);
        if (strcmp(text_of(one, "handle"), "Ana-1") == 0)
            found = json_is_true(value) || json_is_string(value);
    }
    json_decref(ok);
    return found;
}

static void follow_each_other(void)
{
    nodes_do(&nodes, ana, "follow", "{s:s}", "handle", "Bo-1");
    nodes_do(&nodes, bo, "follow", "{s:s}", "handle", "Ana-1");
}

static bool sees_her_there(void)
{
    follow_each_other();
    return sees("online");
}

static bool sees_where_she_plays(void)
{
    char room[9];
    const int players[2] = {ana, chi};
    nodes_room(&nodes, ana, room);
    nodes_begin(&nodes, players, room);
    follow_each_other();
    return sees("room");
}

/* To follow somebody is one's own affair, of which nobody is told, and shows nothing. */
static bool follows_her(void)
{
    return is_granted(nodes_post(&nodes, bo, "follow", "{s:s}", "handle", "Ana-1"), "");
}

/* What everybody may see anybody may see. */
static bool watches_her(void)
{
    char room[9];
    nodes_room(&nodes, ana, room);
    return is_granted(nodes_post(&nodes, bo, "watch", "{s:s}", "room", room), "");
}

static bool looks_her_up(void)
{
    return is_granted(nodes_post(&nodes, bo, "profile", "{s:s}", "handle", "Ana-1"), "");
}

static const struct {
    enum request_op op;
    bool (*tries)(void);
    bool open[BLOCKS];
    bool late; /* it blocks by itself, once they play */
} doors[] = {
    {REQUEST_JOIN, at_her_table, {true, false, false}, false},
    {REQUEST_JOIN, where_she_sits, {true, false, false}, false},
    {REQUEST_JOIN, with_an_invitation, {true, false, false}, false},
    {REQUEST_REMATCH, plays_again, {true, false, false}, true},
    {REQUEST_OFFER, offers, {true, true, true}, true},
    {REQUEST_SAY, is_heard, {true, false, true}, false}, /* who has blocked is heard as before */
    {REQUEST_SAY, speaks_in_a_match, {true, false, true}, true},
    {REQUEST_CHAT_SAY, is_heard_in_lobby, {true, false, true}, false},
    {REQUEST_CHAT_SAY, is_heard_at_once, {true, false, true}, false},
    {REQUEST_CHAT, hears_her_in_lobby, {true, true, false}, false},
    {REQUEST_SEEK, challenges, {true, false, false}, false},
    {REQUEST_SEEK, is_found, {true, false, false}, false},
    {REQUEST_FRIENDS, sees_her_there, {true, false, false}, false},
    {REQUEST_FRIENDS, sees_where_she_plays, {true, false, false}, false},
    {REQUEST_FOLLOW, follows_her, {true, true, true}, false},
    {REQUEST_WATCH, watches_her, {true, true, true}, false},
    {REQUEST_PROFILE, looks_her_up, {true, true, true}, false},
};
enum { DOORS = sizeof doors / sizeof *doors };

START_TEST(test_a_door)
{
    const int door = _i / (BLOCKS * KINDS), kind = _i % KINDS;
    is_blocked = (enum blocked)(_i / KINDS % BLOCKS);
    set_up(kind);
    if (!doors[door].late)
        block();
    ck_assert_msg(doors[door].tries() == doors[door].open[is_blocked],
                  "door %d, blocked %d, several nodes %d", door, (int)is_blocked, kind);
    nodes_release(&nodes);
}
END_TEST

/* ---- whatever leads to nobody */

/* By these one does something with what is one's own, or of a room that one has come into: so has
 * whoever is adopted, and nobody at the table is told that it is one; in an event all may meet who
 * have entered it, whoever has blocked whom (protocol/README.md, 2.22). */
static const enum request_op no_doors[] = {
    REQUEST_ADOPT,        REQUEST_ANALYSIS,      REQUEST_APPEAL,      REQUEST_BLOCK,
    REQUEST_BLOCKS,       REQUEST_BOT,           REQUEST_BOTS,        REQUEST_BOT_ACCOUNT,
    REQUEST_CASES,        REQUEST_CHAT_DROP,     REQUEST_CHAT_REPORT, REQUEST_CHECK,
    REQUEST_CLAIM,        REQUEST_CLOSE_ACCOUNT, REQUEST_CREATE,      REQUEST_DEVICES,
    REQUEST_EVENT,        REQUEST_EVENTS,        REQUEST_EVENT_ACT,   REQUEST_EVENT_ENTER,
    REQUEST_EVENT_HERE,   REQUEST_EVENT_LEAVE,   REQUEST_EVENT_LOG,   REQUEST_EVENT_MAKE,
    REQUEST_EXPORT,       REQUEST_FORGET,        REQUEST_GAMES,       REQUEST_HEED,
    REQUEST_HELLO,        REQUEST_HINT,          REQUEST_INVITE,      REQUEST_INVITES,
    REQUEST_JUDGE,        REQUEST_KEEP_ACCOUNT,  REQUEST_KEPT,        REQUEST_KEPT_AT_DESK,
    REQUEST_LEAVE,        REQUEST_LINK,          REQUEST_MOVE,        REQUEST_MOVES,
    REQUEST_NOTIFY,       REQUEST_PASSKEY,       REQUEST_PASSKEYS,    REQUEST_PASSKEY_ADD,
    REQUEST_PASSKEY_DROP, REQUEST_PAST,          REQUEST_PHRASE,      REQUEST_PING,
    REQUEST_PRESENCE,     REQUEST_PROFILE_SHOW,  REQUEST_PROVE,       REQUEST_QUIET,
    REQUEST_READY,        REQUEST_RECORD,        REQUEST_REDEEM,      REQUEST_RENAME,
    REQUEST_REPORT,       REQUEST_RESIGN,        REQUEST_ROOMS,       REQUEST_SIGN_IN,
    REQUEST_SIGN_IN_DROP, REQUEST_SIT,           REQUEST_START,       REQUEST_TOKENS,
    REQUEST_TOKEN_ADD,    REQUEST_TOKEN_DROP,    REQUEST_UNBLOCK,     REQUEST_UNDO,
    REQUEST_UNFOLLOW,     REQUEST_UNNOTIFY,      REQUEST_UNSEAT,      REQUEST_UNSEEK,
    REQUEST_WITHDRAW,
};

/* An operation that is new is a door, with a row of its own above, or is said to be none. */
START_TEST(test_each_operation_is_a_door_or_none)
{
    int said[REQUEST_OPS] = {0};
    for (size_t at = 0; at < DOORS; at++)
        said[doors[at].op] = 1;
    for (size_t at = 0; at < sizeof no_doors / sizeof *no_doors; at++)
        said[no_doors[at]]++;
    for (int op = 0; op < REQUEST_OPS; op++)
        ck_assert_msg(said[op] == 1, "%s: said %d times", request_op_name((enum request_op)op),
                      said[op]);
}
END_TEST

Suite *doors_suite(void)
{
    Suite *suite = suite_create("doors");
    TCase *tests = tcase_create("doors to who has blocked");
    tcase_add_loop_test(tests, test_a_door, 0, DOORS * BLOCKS * KINDS);
    tcase_add_test(tests, test_each_operation_is_a_door_or_none);
    suite_add_tcase(suite, tests);
    return suite;
}
