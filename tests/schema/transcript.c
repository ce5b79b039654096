/*
 * Prints the messages of a short match from beginning to end, with a comment on each step;
 * transcript.mjs turns them into protocol/transcript.md. The lines are those of driver.h, and
 * {"note": "..."}.
 */
#include "driver.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <taluva/game.h>
#include <totem/game.h>

static struct client *const ana = &clients[0];
static struct client *const bo = &clients[1];
static struct client *const chi = &clients[2];
static char room[9];
static char token[64]; /* of Bo */
static char move[128];

static void note(const char *text)
{
    printf("{\"note\":\"%s\"}\n", text);
}

/* Sends a request about the room; `more`: further members. */
static void in_room(struct client *client, const char *op, const char *more)
{
    ask(client, "\"op\":\"%s\",\"room\":\"%s\"%s}", op, room, more);
}

/* Takes move number `at` of the last answer to `moves`. */
static void take_move(const struct client *client, size_t at)
{
    const json_t *moves = json_object_get(ok_of(client), "moves");
    assert(json_array_size(moves) > at);
    (void)snprintf(move, sizeof move, ",\"move\":\"%s\"",
                   json_string_value(json_array_get(moves, at)));
}

static void make_move(struct client *client, size_t at)
{
    pass(4000);
    take_move(client, at);
    in_room(client, "move", move);
}

static void meet(void)
{
    note("Ana connects and says hello. She has no token yet, so the server creates a session for "
         "her. She stores its token.");
    ana->id = 4871;
    connect_client(ana);
    ask(ana, "\"op\":\"hello\",\"name\":\"Ana\",\"client\":\"taluva 0.1.0\"}");
    note("She creates a room. Everything that she leaves out has a default.");
    ask(ana,
        "\"op\":\"create\",\"title\":\"Friday\",\"clock\":{\"kind\":\"fischer\",\"bank_s\":600,"
        "\"increment_s\":10}}");
    assert(strlen(ok_text(ana, "room")) < sizeof room);
    memcpy(room, ok_text(ana, "room"), strlen(ok_text(ana, "room")) + 1);
    note("Creating a room does not take a seat, so she joins it. The reply is a view of the room "
         "with "
         "the whole state, because she has no state yet. Her taking the seat was event 2, which "
         "this "
         "state includes.");
    in_room(ana, "join", ",\"colour\":\"red\"");
    note("Bo finds the room in the list and joins. Ana is sent the event, with the patch "
         "from her state at 2 to the state at 3, and who is online.");
    bo->id = 100;
    connect_client(bo);
    ask(bo, "\"op\":\"hello\",\"name\":\"Bo\"}");
    assert(strlen(ok_text(bo, "token")) < sizeof token);
    memcpy(token, ok_text(bo, "token"), strlen(ok_text(bo, "token")) + 1);
    ask(bo, "\"op\":\"rooms\"}");
    in_room(bo, "join", "");
}

static void begin(void)
{
    note("Both are ready, each with a nonce of their own for the deal. The push of an event comes "
         "before the reply to the request that caused it.");
    in_room(ana, "ready", ",\"ready\":true,\"nonce\":\"9f86d081884c7d659a2feaa0c55ad015\"");
    in_room(bo, "ready", ",\"ready\":true,\"nonce\":\"60303ae22b998861bce3b28f33eec1be\"");
    note("Ana starts. The order of the stack is computed from both nonces and the server's "
         "secret, whose hash is fair.commitment. The first tile is drawn.");
    in_room(ana, "start", "");
}

/* The first player was drawn at random: it is the client for whom `moves` succeeds. */
static struct client *asks_for_moves(void)
{
    in_room(ana, "moves", "");
    if (ok_of(ana))
        return ana;
    in_room(bo, "moves", "");
    return bo;
}

static void turns(void)
{
    note("The seats in acting may move. A client can ask for the legal moves.");
    struct client *first = asks_for_moves();
    struct client *second = first == ana ? bo : ana;
    make_move(first, 0);
    note(
        "The tile is placed; the same seat builds next. A refused request changes nothing, and the "
        "error says why.");
    in_room(first, "move", ",\"move\":\"hut@0,0\"");
    note("Until the build, the placement can be taken back.");
    in_room(first, "undo", "");
    in_room(first, "move", move);
    note("A repeat: the client does not know whether its request arrived, and sends it again with "
         "the "
         "same id. The move is not made twice, and the answer is the same.");
    first->id--;
    in_room(first, "move", move);
    in_room(first, "moves", "");
    make_move(first, 0);
    note("The build, the end of the turn and the next tile were one event. Now Bo's turn.");
    in_room(second, "moves", "");
    make_move(second, 0);
    in_room(second, "moves", "");
    make_move(second, 0);
}

static void come_back(void)
{
    note("Chi watches the match.");
    chi->id = 7;
    connect_client(chi);
    ask(chi, "\"op\":\"hello\",\"name\":\"Chi\"}");
    in_room(chi, "watch", "");
    note("Bo's connection is lost, and the others see that he is away. Ana sends a chat line, "
         "which he "
         "does not get, and offers to pause, which is an event.");
    disconnect(bo);
    pass(2000);
    in_room(ana, "say", ",\"text\":\"Bo?\"");
    in_room(ana, "offer", ",\"what\":\"pause\"");
    note("Bo connects again with the token of his session. He sends the seq of his state and gets "
         "what "
         "he missed: a view without state, then the missed pushes. Chat is not repeated.");
    connect_client(bo);
    ask(bo, "\"op\":\"hello\",\"token\":\"%s\"}", token);
    in_room(bo, "watch", ",\"have\":12");
    in_room(ana, "withdraw", ",\"what\":\"pause\"");
}

static void end(void)
{
    note("Bo resigns, which ends a match of two players. The same event reveals the secret.");
    in_room(bo, "resign", "");
    note("The record has the whole match, and shows that the deal was fair.");
    in_room(ana, "record", "");
    note("A rematch, with the seats rotated.");
    in_room(ana, "rematch", "");
    note("Ana leaves the room.");
    in_room(ana, "leave", "");
}

int main(void)
{
    static const struct game_type *const games[] = {&game_type_taluva, &game_type_totem, NULL};
    start_hub(games, 7);
    meet();
    begin();
    turns();
    come_back();
    end();
    stop_hub();
    return 0;
}
