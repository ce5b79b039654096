/*
 * Prints a conversation with the hub, for validate.mjs:
 *
 *     talk SEED GAMES
 *
 * First a script with every operation and nearly every error code; then whole games with random
 * options, random legal moves and, now and then, another request. The same seed prints the same
 * conversation.
 */
#include "driver.h"
#include "talk_people.h"
#include <assert.h>
#include <cards.h>
#include <protocol/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taluva/game.h>
#include <totem/game.h>
#include <totem_moves.h>

static void copy(char *out, size_t size, const char *text)
{
    assert(strlen(text) < size);
    memcpy(out, text, strlen(text) + 1);
}

static void hello_all(void)
{
    static const char *const NAMES[CLIENTS] = {"Ana", "Bo", "Chi", "Dee", "Eva", "Flo"};
    for (int i = 0; i < CLIENTS; i++) {
        clients[i].id = i * 1000;
        connect_client(&clients[i]);
        ask(&clients[i], "\"op\":\"hello\",\"name\":\"%s\"}", NAMES[i]);
    }
}

/* ---- the script */

struct room_text {
    char id[PROTOCOL_ROOM_BYTES + 1];
    char code[PROTOCOL_CODE_BYTES + 1];
};

static void create(struct client *host, struct room_text *room, const char *more)
{
    ask(host, "\"op\":\"create\"%s}", more);
    copy(room->id, sizeof room->id, ok_text(host, "room"));
    copy(room->code, sizeof room->code, ok_text(host, "code"));
}

/* Sends a request about a room; `more`: further members. */
static void in_room(struct client *client, const struct room_text *room, const char *op,
                    const char *more)
{
    char code[64] = "";
    if (room->code[0] && (strcmp(op, "join") == 0 || strcmp(op, "watch") == 0))
        (void)snprintf(code, sizeof code, ",\"code\":\"%s\"", room->code);
    ask(client, "\"op\":\"%s\",\"room\":\"%s\"%s%s}", op, room->id, code, more);
}

static void ready(struct client *client, const struct room_text *room)
{
    in_room(client, room, "ready",
            ",\"ready\":true,\"nonce\":\"0123456789abcdef0123456789ABCDEF\"");
}

static void bad_messages(struct client *client)
{
    say(client, "nonsense", false);
    say(client, "{\"id\":1,\"id\":2,\"op\":\"ping\"}", false);
    say(client, "[[[[[[[[[[]]]]]]]]]]", false);
    say(client, "{\"op\":\"ping\"}", false);
    say(client, "{\"id\":1,\"op\":\"sing\"}", false);
    say(client, "{\"id\":1,\"op\":\"ping\",\"x\":1}", false);
    say(client, "{\"id\":1,\"op\":\"undo\",\"room\":\"x\"}", false);
    say(client, "{\"id\":1,\"op\":\"create\",\"options\":{\"players\":7}}", false);
    say(client, "{\"id\":1,\"op\":\"create\",\"game\":\"chess\"}", false);
    ask(client, "\"op\":\"create\",\"game\":\"totem\",\"hints\":true}");
    ask(client, "\"op\":\"watch\",\"room\":\"00000000\"}");
    ask(client, "\"op\":\"hello\"}");
}

static void before_hello(void)
{
    struct client client = {.id = 1};
    clients[0] = client;
    connect_client(&clients[0]);
    ask(&clients[0], "\"op\":\"ping\"}");
    ask(&clients[0], "\"op\":\"hello\",\"token\":\"__r18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ\"}");
    disconnect(&clients[0]);
}

static void lobby(struct room_text *room)
{
    struct client *ana = &clients[0], *bo = &clients[1], *chi = &clients[2];
    create(ana, room,
           ",\"access\":\"code\",\"title\":\"Friday\",\"clock\":{\"kind\":\"fischer\",\"bank_s\":"
           "300,\"increment_s\":5,\"on_timeout\":\"computer\"},\"hints\":true");
    ask(bo, "\"op\":\"join\",\"room\":\"%s\"}", room->id);
    ask(bo, "\"op\":\"join\",\"room\":\"%s\",\"code\":\"0000000000000000\"}", room->id);
    in_room(bo, room, "say", ",\"text\":\"let me in\"");
    in_room(ana, room, "join", ",\"colour\":\"black\"");
    in_room(bo, room, "join", ",\"colour\":\"black\"");
    in_room(bo, room, "join", ",\"seat\":0");
    in_room(bo, room, "join", ",\"seat\":9");
    in_room(bo, room, "join", "");
    in_room(chi, room, "join", "");
    in_room(chi, room, "watch", "");
    in_room(chi, room, "start", "");
    in_room(bo, room, "join", ",\"seat\":0");
    in_room(bo, room, "bot", "");
    in_room(ana, room, "start", "");
    in_room(bo, room, "sit", ",\"colour\":\"red\"");
    in_room(bo, room, "sit", ",\"colour\":\"pink\"");
    in_room(bo, room, "leave", "");
    in_room(ana, room, "unseat", ",\"seat\":1");
    in_room(ana, room, "bot", ",\"seat\":1,\"level\":16");
    in_room(ana, room, "bot", ",\"seat\":1,\"level\":1");
    in_room(ana, room, "unseat", ",\"seat\":1");
    in_room(bo, room, "join", ",\"seat\":1");
    in_room(chi, room, "say", ",\"text\":\"hello from the gallery\"");
    in_room(ana, room, "move", ",\"move\":\"draw\"");
    in_room(ana, room, "rematch", "");
    ready(ana, room);
    ready(bo, room);
    in_room(bo, room, "ready", ",\"ready\":false");
    ready(bo, room);
}

/* Finds the acting client of a room: sends `moves` for each until one has legal moves. */
static struct client *mover(const struct room_text *room)
{
    for (int i = 0; i < CLIENTS; i++) {
        if (!clients[i].link.open)
            continue;
        in_room(&clients[i], room, "moves", "");
        if (json_array_size(json_object_get(ok_of(&clients[i]), "moves")) > 0 ||
            json_object_size(json_object_get(ok_of(&clients[i]), "asked")) > 0)
            return &clients[i];
    }
    return NULL;
}

static unsigned below_by_chance(struct chance *chance, unsigned n)
{
    (void)chance;
    return below(n);
}

/* One of the moves, or one that follows from what is asked; false: the time has run out. */
static bool pick_move(const json_t *answer, char *move, size_t size)
{
    const json_t *moves = json_object_get(answer, "moves");
    struct chance chance = {below_by_chance};
    bool compose = json_array_size(moves) == 0 || below(2);
    if (compose && totem_compose(json_object_get(answer, "asked"), &chance, move, size))
        return true;
    if (json_array_size(moves) == 0)
        return false;
    size_t at = below((unsigned)json_array_size(moves));
    copy(move, size, json_string_value(json_array_get(moves, at)));
    return true;
}

/* A random one of the moves that `moves` has just told; none are left if its time has run out. */
static void random_move(struct client *client, const struct room_text *room)
{
    char move[PROTOCOL_MOVE_BYTES + 1], more[PROTOCOL_MOVE_BYTES + 64];
    if (!pick_move(ok_of(client), move, sizeof move))
        return;
    (void)snprintf(more, sizeof more, ",\"move\":\"%s\"", move);
    if (below(8) == 0)
        in_room(client, room, "check", more);
    if (below(2) == 0)
        in_room(client, room, "move", more);
    (void)snprintf(more, sizeof more, ",\"move\":\"%s\",\"confirm\":true", move);
    in_room(client, room, "move", more);
}

/* The request `id` once more. */
static void hint_again(struct client *client, const struct room_text *room, int64_t id)
{
    int64_t next = client->id;
    client->id = id;
    in_room(client, room, "hint", "");
    client->id = next;
}

static void match(const struct room_text *room)
{
    struct client *ana = &clients[0], *bo = &clients[1], *chi = &clients[2];
    in_room(bo, room, "start", "");
    in_room(ana, room, "sit", ",\"colour\":\"brown\"");
    struct client *first = mover(room);
    struct client *other = first == ana ? bo : ana;
    in_room(other, room, "moves", "");
    in_room(other, room, "move", ",\"move\":\"JJ@0,0:0\"");
    in_room(first, room, "move", ",\"move\":\"nonsense\"");
    in_room(first, room, "move", ",\"move\":\"hut@0,0\"");
    in_room(chi, room, "move", ",\"move\":\"hut@0,0\"");
    in_room(chi, room, "resign", "");
    in_room(chi, room, "hint", "");
    in_room(other, room, "hint", "");
    int64_t hint = first->id;
    in_room(first, room, "hint", "");
    in_room(first, room, "undo", "");
    (void)mover(room);
    random_move(first, room);
    hint_again(first, room, hint);
    in_room(first, room, "undo", "");
    in_room(ana, room, "record", "");
    in_room(ana, room, "past", ",\"have\":3");
    in_room(chi, room, "past", ",\"have\":1000000");
    in_room(chi, room, "past", ",\"have\":0,\"as\":\"watcher\"");
    in_room(chi, room, "past", ",\"have\":0,\"as\":\"server\"");
    in_room(chi, room, "past", ",\"have\":0,\"as\":5");
    in_room(ana, room, "withdraw", ",\"what\":\"pause\"");
    in_room(ana, room, "offer", ",\"what\":\"resume\"");
    in_room(ana, room, "offer", ",\"what\":\"pause\"");
    in_room(ana, room, "offer", ",\"what\":\"pause\"");
    in_room(ana, room, "withdraw", ",\"what\":\"pause\"");
    in_room(ana, room, "offer", ",\"what\":\"pause\"");
    in_room(bo, room, "offer", ",\"what\":\"pause\"");
    in_room(first, room, "move", ",\"move\":\"draw\"");
    in_room(ana, room, "offer", ",\"what\":\"resume\"");
    in_room(bo, room, "offer", ",\"what\":\"resume\"");
}

/* The player to move times out; the computer plays for the seat until the player returns. */
static void times_out(const struct room_text *room)
{
    struct client *late = mover(room);
    int64_t id = late->id;
    char token[64] = "";
    disconnect(late);
    pass(310000);
    connect_client(late);
    ask(late, "\"op\":\"hello\"}");
    copy(token, sizeof token, ok_text(late, "token"));
    assert(token[0]);
    disconnect(late);
    connect_client(late);
    ask(late, "\"op\":\"hello\",\"token\":\"%s\"}", token);
    late->id = id;
}

/* A link that is used twice, a phrase, a name for the new device, and its end. */
static void several_devices(struct client *phone)
{
    static const char unknown[] = "7zk3f09qa5vtd2e8r1x6mhbw4cbv";
    struct client *ana = &clients[0];
    char pass[32] = "";
    ask(ana, "\"op\":\"phrase\"}");
    ask(ana, "\"op\":\"link\"}");
    copy(pass, sizeof pass, ok_text(ana, "pass"));
    assert(pass[0]);
    disconnect(phone);
    connect_client(phone);
    ask(phone, "\"op\":\"hello\",\"pass\":\"%s\"}", unknown);
    ask(phone, "\"op\":\"hello\",\"pass\":\"%s\",\"client\":\"a phone\"}", pass);
    ask(phone, "\"op\":\"devices\"}");
    ask(phone, "\"op\":\"rename\",\"device\":\"00000000\",\"name\":\"My desk\"}");
    ask(ana, "\"op\":\"forget\",\"device\":\"ffffffff\"}");
    ask(phone, "\"op\":\"forget\",\"device\":\"00000000\"}");
    struct client *both[] = {ana, phone};
    for (size_t i = 0; i < 2; i++) {
        disconnect(both[i]);
        connect_client(both[i]);
        ask(both[i], "\"op\":\"hello\"}");
    }
}

static void rooms_and_names(void)
{
    ask(&clients[3], "\"op\":\"rooms\"}");
    ask(&clients[3], "\"op\":\"rooms\",\"after\":\"00000000\"}");
    ask(&clients[3], "\"op\":\"games\",\"after\":\"00000000\"}");
    ask(&clients[3], "\"op\":\"rename\",\"name\":\"Dee \xf0\x9f\x8c\x8b\"}");
    ask(&clients[3],
        "\"op\":\"notify\",\"endpoint\":\"https://push.example/"
        "1\",\"p256dh\":\"%s\",\"auth\":\"%s\"}",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg");
    ask(&clients[3], "\"op\":\"unnotify\"}");
    ask(&clients[3], "\"op\":\"ping\"}");
}

/* The computer takes over a seat whose player timed out, and gives it back to the owner. */
static void computer_takes_over(void)
{
    struct client *ana = &clients[0], *bo = &clients[1];
    struct room_text room;
    create(ana, &room,
           ",\"clock\":{\"kind\":\"byoyomi\",\"bank_s\":1,\"periods\":2,\"period_s\":2,"
           "\"on_timeout\":\"computer\"}");
    in_room(ana, &room, "join", "");
    in_room(bo, &room, "join", "");
    ready(ana, &room);
    ready(bo, &room);
    in_room(ana, &room, "start", "");
    struct client *late = mover(&room);
    pass(10000);
    in_room(late, &room, "move", ",\"move\":\"draw\"");
    in_room(late, &room, "join", "");
    in_room(ana, &room, "offer", ",\"what\":\"computer\""); /* nobody is away, and there is a */
    in_room(bo, &room, "offer", ",\"what\":\"computer\"");  /* clock */
    in_room(ana, &room, "offer", ",\"what\":\"call_off\"");
    in_room(bo, &room, "offer", ",\"what\":\"call_off\"");
    in_room(bo, &room, "rematch", "");
    in_room(ana, &room, "rematch", "");
    in_room(ana, &room, "record", "");
}

/* One player resigns, and cannot do so twice; another times out; the third has won. */
static void drop_outs(void)
{
    struct room_text room;
    create(&clients[0], &room,
           ",\"options\":{\"players\":3},\"clock\":{\"kind\":\"move\",\"move_s\":10}");
    for (int i = 0; i < 3; i++) {
        in_room(&clients[i], &room, "join", "");
        ready(&clients[i], &room);
    }
    in_room(&clients[0], &room, "start", "");
    in_room(&clients[2], &room, "resign", "");
    in_room(&clients[2], &room, "resign", "");
    in_room(&clients[0], &room, "analysis", "");
    pass(60000);
    in_room(&clients[0], &room, "record", "");
    in_room(&clients[0], &room, "analysis", "");
    in_room(&clients[1], &room, "analysis", "");
}

static void store_trouble(void)
{
    struct room_text room;
    create(&clients[4], &room, ",\"clock\":{\"kind\":\"none\"}");
    in_room(&clients[4], &room, "join", "");
    store_fails = true;
    in_room(&clients[4], &room, "sit", ",\"colour\":\"black\"");
    in_room(&clients[4], &room, "sit", ",\"colour\":\"brown\"");
    store_fails = false;
    pass(60000);
    in_room(&clients[4], &room, "sit", ",\"colour\":\"brown\"");
}

/* An id is reused, for the same request and for another one. */
static void repeats(void)
{
    struct room_text room;
    char text[256];
    create(&clients[5], &room, "");
    in_room(&clients[5], &room, "join", "");
    (void)snprintf(text, sizeof text, "{\"id\":9000,\"op\":\"sit\",\"room\":\"%s\",\"seat\":1}",
                   room.id);
    say(&clients[5], text, true);
    say(&clients[5], text, true);
    (void)snprintf(text, sizeof text, "{\"id\":9000,\"op\":\"sit\",\"room\":\"%s\",\"seat\":0}",
                   room.id);
    say(&clients[5], text, true);
}

static void no_analysis(void)
{
    struct room_text room;
    create(&clients[4], &room, ",\"game\":\"totem\"");
    in_room(&clients[4], &room, "analysis", "");
}

static void script(void)
{
    struct room_text room;
    before_hello();
    hello_all();
    bad_messages(&clients[5]);
    rooms_and_names();
    talk_accounts();
    talk_passkeys();
    talk_programs(&clients[5]);
    talk_quick_match();
    talk_lobby();
    talk_events();
    lobby(&room);
    match(&room);
    times_out(&room);
    computer_takes_over();
    drop_outs();
    store_trouble();
    repeats();
    no_analysis();
    for (size_t i = 0; i < 6; i++)
        ask(&clients[i], "\"op\":\"games\"}");
    several_devices(&clients[5]);
}

/* ---- random games */

static const char *yes_or_no(unsigned n)
{
    return below(n) == 0 ? "true" : "false";
}

static unsigned random_room(struct client *host, struct room_text *room)
{
    static const char *const ZONES[] = {"none", "none", "beginner", "player", "expert"};
    static const char *const CLOCKS[] = {
        "{\"kind\":\"none\"}",
        "{\"kind\":\"move\",\"move_s\":60}",
        "{\"kind\":\"fischer\",\"bank_s\":60,\"increment_s\":10}",
        "{\"kind\":\"byoyomi\",\"bank_s\":20,\"periods\":3,\"period_s\":5}",
        "{\"kind\":\"days\",\"days\":1,\"on_timeout\":\"computer\"}",
    };
    unsigned players = 2 + below(4);
    bool teams = players == 4 && below(2);
    char more[512];
    (void)snprintf(more, sizeof more,
                   ",\"options\":{\"players\":%u,\"tiles\":%u,\"teams\":%s,\"ranking\":%s,"
                   "\"boats\":%s,\"two_hex\":%s,\"zone\":\"%s\",\"huts\":\"%s\"},\"clock\":%s",
                   players, players == 5 ? 60 : 48, teams ? "true" : "false",
                   teams ? "false" : yes_or_no(3), yes_or_no(2), yes_or_no(2), ZONES[below(5)],
                   below(3) ? "isolated" : "anywhere", CLOCKS[below(5)]);
    create(host, room, more);
    return players;
}

/* A game with hidden hands, in which several seats choose at once. */
static unsigned random_cards(struct client *host, struct room_text *room)
{
    unsigned players = 2 + below(4);
    char more[128];
    (void)snprintf(more, sizeof more, ",\"game\":\"cards\",\"options\":{\"players\":%u}", players);
    create(host, room, more);
    return players;
}

/* Hidden spells and what is written in secret; few rounds, as a round is long. */
static unsigned random_totem(struct client *host, struct room_text *room)
{
    static const char *const SPELLS[] = {"turns", "A", "B"};
    static const char *const MEALS[] = {"owner", "A", "B"};
    unsigned players = 2 + below(3);
    char more[512];
    (void)snprintf(
        more, sizeof more,
        ",\"game\":\"totem\",\"options\":{\"players\":%u,\"rounds\":%u,\"first\":\"%s\","
        "\"village\":%s,\"spells\":\"%s\",\"meals\":\"%s\",\"totem_a\":%s,\"totem_b\":%s}",
        players, 1 + below(3), below(2) ? "drawn" : "G", yes_or_no(2), SPELLS[below(3)],
        MEALS[below(3)], yes_or_no(2), yes_or_no(2));
    create(host, room, more);
    in_room(host, room, "join", ",\"colour\":\"yellow\""); /* the first seat is red */
    return players;
}

/* Something that looks like a move, at a place and in a way that chance chose. */
static void wild_move(struct client *client, const struct room_text *room)
{
    static const char *const VERBS[] = {"hut", "tower", "temple", "boat", "expand"};
    char more[PROTOCOL_MOVE_BYTES + 64];
    int q = (int)below(9) - 4, r = (int)below(9) - 4;
    const char *legal =
        json_string_value(json_array_get(json_object_get(ok_of(client), "moves"), 0));
    unsigned verb = below(5);
    if (legal && strchr(legal, ':'))
        (void)snprintf(more, sizeof more, ",\"move\":\"%.*s@%d,%d:%u\"", (int)strcspn(legal, "@"),
                       legal, q, r, below(6));
    else
        (void)snprintf(more, sizeof more, ",\"move\":\"%s@%d,%d%s\"", VERBS[verb], q, r,
                       verb == 4 ? "=J" : "");
    in_room(client, room, "check", more);
}

/* A random client sends something other than a move. */
static void interlude(const struct room_text *room, unsigned players)
{
    struct client *client = &clients[below(CLIENTS)];
    char more[64];
    switch (below(12)) {
    case 0:
        in_room(client, room, "undo", "");
        in_room(client, room, "hint", "");
        break;
    case 1:
        in_room(client, room, "record", "");
        break;
    case 2:
        (void)snprintf(more, sizeof more, ",\"have\":%u", 1 + below(40));
        in_room(client, room, "watch", more);
        break;
    case 3:
        in_room(client, room, "say", ",\"text\":\"well \\\"played\\\" \xe6\x98\x8e\"");
        break;
    case 4:
        in_room(client, room, "move", ",\"move\":\"hut@0,0\"");
        break;
    case 5:
        if (players > 2 && below(4) == 0)
            in_room(client, room, "resign", "");
        break;
    case 6:
        pass(1000 * below(20));
        break;
    case 7:
        in_room(client, room, "offer", ",\"what\":\"pause\"");
        break;
    case 8:
        in_room(client, room, "leave", "");
        in_room(client, room, "watch", "");
        break;
    default:
        break;
    }
}

static void random_game(unsigned (*make_room)(struct client *host, struct room_text *room))
{
    struct room_text room;
    struct client *host = &clients[below(CLIENTS)];
    unsigned players = make_room(host, &room);
    unsigned people = 1 + below(players);
    for (unsigned i = 0; i < people; i++) {
        in_room(&clients[i], &room, "join", "");
        ready(&clients[i], &room);
    }
    for (unsigned i = people; i < players; i++)
        in_room(host, &room, "bot", "");
    for (unsigned i = people; i < CLIENTS; i++)
        in_room(&clients[i], &room, "watch", "");
    in_room(&clients[0], &room, "start", "");
    for (unsigned turn = 0; turn < 400; turn++) {
        struct client *client = mover(&room);
        for (unsigned i = below(4); client && i > 0; i--) {
            wild_move(client, &room);
            in_room(client, &room, "moves", "");
        }
        if (client)
            random_move(client, &room);
        else
            pass(5000);
        if (below(10) == 0)
            interlude(&room, players);
        in_room(&clients[0], &room, "moves", "");
        const char *code =
            json_string_value(json_object_get(json_object_get(clients[0].reply, "error"), "code"));
        if (code && strcmp(code, "is_over") == 0)
            break;
    }
    in_room(&clients[5], &room, "record", "");
    for (unsigned i = 0; i < CLIENTS; i++)
        in_room(&clients[i], &room, "leave", "");
}

int main(int argc, char **argv)
{
    static const struct game_type *const games[] = {&game_type_taluva, &game_type_totem,
                                                    &cards_game, NULL};
    int matches = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 10;
    lobby_talks = true;
    start_hub(games, argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    script();
    for (int i = 0; i < matches; i++)
        random_game(i % 4 == 3 ? random_cards : i % 2 == 1 ? random_totem : random_room);
    drain_hub();
    ask(&clients[3], "\"op\":\"create\"}");
    stop_hub();
    return 0;
}
