/*
 * The messages of a short match from beginning to end, with a comment on each step: transcript.mjs
 * makes protocol/transcript.md of it. Lines are those of driver.h, and {"note": "..."}.
 */
#include "driver.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

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

/* "op" with the room, and whatever else. */
static void in_room(struct client *client, const char *op, const char *more)
{
    ask(client, "\"op\":\"%s\",\"room\":\"%s\"%s}", op, room, more);
}

/* The one that `moves` has just told as number `at`. */
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
    note("Ana connects and says hello. She has no token yet, so the server makes a session for "
         "her; the token is hers to keep.");
    ana->id = 4871;
    connect_client(ana);
    ask(ana, "\"op\":\"hello\",\"name\":\"Ana\",\"client\":\"taluva 0.1.0\"}");
    note("She makes a room. All that she does not say has a default.");
    ask(ana,
        "\"op\":\"create\",\"title\":\"Friday\",\"clock\":{\"kind\":\"fischer\",\"bank_s\":600,"
        "\"increment_s\":10}}");
    assert(strlen(ok_text(ana, "room")) < sizeof room);
    memcpy(room, ok_text(ana, "room"), strlen(ok_text(ana, "room")) + 1);
    note("Making a room takes no seat. She joins; the reply is the view of the room, with its "
         "whole state, for she has nothing yet. Her own sitting down was event 2, which the state "
         "has already.");
    in_room(ana, "join", ",\"colour\":\"red\"");
    note("Bo finds the room in the list and joins. Ana hears of it: an event with the patch that "
         "leads from her state at 2 to the one at 3, and who is online.");
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
         "before the reply to the request that made it.");
    in_room(ana, "ready", ",\"ready\":true,\"nonce\":\"9f86d081884c7d659a2feaa0c55ad015\"");
    in_room(bo, "ready", ",\"ready\":true,\"nonce\":\"60303ae22b998861bce3b28f33eec1be\"");
    note("Ana starts. The stack is shuffled from the server's secret, which it has committed to "
         "in fair.commitment, and both nonces; the first tile is drawn.");
    in_room(ana, "start", "");
}

/* Who has the first turn was drawn: the seat that `moves` has something for. */
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
    note("Whoever is in acting may move. A client may ask what is possible.");
    struct client *first = asks_for_moves();
    struct client *second = first == ana ? bo : ana;
    make_move(first, 0);
    note("The tile lies, the same seat builds next. A refusal changes nothing and says why.");
    in_room(first, "move", ",\"move\":\"hut@0,0\"");
    note("Before the building is made, the placement can be taken back.");
    in_room(first, "undo", "");
    in_room(first, "move", move);
    note("A repeat: the client was not sure that its request arrived, and sends it again with the "
         "same id. Nothing happens twice, and the answer is the same.");
    first->id--;
    in_room(first, "move", move);
    in_room(first, "moves", "");
    make_move(first, 0);
    note("The turn passes and the next tile is drawn, all in one event.");
    in_room(second, "moves", "");
    make_move(second, 0);
    in_room(second, "moves", "");
    make_move(second, 0);
}

static void come_back(void)
{
    note("Somebody else watches, and says something.");
    chi->id = 7;
    connect_client(chi);
    ask(chi, "\"op\":\"hello\",\"name\":\"Chi\"}");
    in_room(chi, "watch", "");
    note("Bo's connection breaks. The others see that he is away. Ana says something that he does "
         "not hear, and offers to pause, which is an event.");
    disconnect(bo);
    pass(2000);
    in_room(ana, "say", ",\"text\":\"Bo?\"");
    in_room(ana, "offer", ",\"what\":\"pause\"");
    note("Bo is back, with the token of his session. He says which seq he holds and gets what he "
         "missed: a view without state, and the pushes right behind it. Talk is not repeated.");
    connect_client(bo);
    ask(bo, "\"op\":\"hello\",\"token\":\"%s\"}", token);
    in_room(bo, "watch", ",\"have\":12");
    in_room(ana, "withdraw", ",\"what\":\"pause\"");
}

static void end(void)
{
    note("Bo resigns; with two players that is the end. The same event reveals the secret.");
    in_room(bo, "resign", "");
    note("The record says everything about the match, and proves the deal.");
    in_room(ana, "record", "");
    note("Once more, with the seats rotated.");
    in_room(ana, "rematch", "");
    note("Goodbye.");
    in_room(ana, "leave", "");
}

int main(void)
{
    start_hub(7);
    meet();
    begin();
    turns();
    come_back();
    end();
    stop_hub();
    return 0;
}
