/*
 * Any bytes, as what happens to a server: clients come, act, say things that are almost right, are
 * cut off, stall; time jumps; the store is slow, full, failing, lost; memory runs out; the process
 * dies and another one takes over what was durable. The world is the simulator's (tests/sim), with
 * all that it holds true after every event; only what happens is said by the bytes.
 *
 * Two bytes are one event: what, and a number for it. Everything random follows from the numbers.
 */
#include "../sim/client.h"
#include "../support/failing_alloc.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 5, LIAR = 4, EVENTS_MAX = 400, LAST_STEPS = 400, FRAME_MAX = 600, NEAR_MS = 1000 };

struct tape {
    const uint8_t *at;
    size_t left;
};

static unsigned pull(struct tape *tape)
{
    if (tape->left == 0)
        return 0;
    tape->left--;
    return *tape->at++;
}

/* ---- frames: ' stands for ", $ and a letter for what expand() puts there */

static const char *const frames[] = {
    "{'id':$i,'op':'hello','name':'Bo'}",
    "{'id':$i,'op':'hello','token':'$t'}",
    "{'id':$i,'op':'rename','name':'Chi'}",
    "{'id':$i,'op':'create','options':{'players':$p,'tiles':$n}}",
    "{'id':$i,'op':'create','access':'code','options':{'players':2,'boats':$b}}",
    "{'id':$i,'op':'create','options':{'players':2},'clock':{'kind':'move','move_s':$n}}",
    "{'id':$i,'op':'rooms'}",
    "{'id':$i,'op':'rooms','after':'$r'}",
    "{'id':$i,'op':'join','room':'$r'}",
    "{'id':$i,'op':'join','room':'$r','code':'$c','have':$n}",
    "{'id':$i,'op':'watch','room':'$r','have':$n}",
    "{'id':$i,'op':'watch','room':'$r','code':'$c'}",
    "{'id':$i,'op':'sit','room':'$r','seat':$s}",
    "{'id':$i,'op':'unseat','room':'$r','seat':$s}",
    "{'id':$i,'op':'bot','room':'$r'}",
    "{'id':$i,'op':'bot','room':'$r','level':1}",
    "{'id':$i,'op':'ready','room':'$r','ready':$b}",
    "{'id':$i,'op':'start','room':'$r'}",
    "{'id':$i,'op':'moves','room':'$r'}",
    "{'id':$i,'op':'move','room':'$r','move':'$m','confirm':$b}",
    "{'id':$i,'op':'check','room':'$r','move':'$m'}",
    "{'id':$i,'op':'undo','room':'$r'}",
    "{'id':$i,'op':'resign','room':'$r'}",
    "{'id':$i,'op':'offer','room':'$r','what':'$o'}",
    "{'id':$i,'op':'withdraw','room':'$r','what':'$o'}",
    "{'id':$i,'op':'say','room':'$r','text':'well played'}",
    "{'id':$i,'op':'record','room':'$r'}",
    "{'id':$i,'op':'rematch','room':'$r'}",
    "{'id':$i,'op':'leave','room':'$r'}",
    "{'id':$i,'op':'ping'}",
    "{'id':$i,'op':'create','game':'totem','options':{'players':$p,'rounds':$n,'spells':'$v'}}",
    ("{'id':$i,'op':'create','game':'totem','options':{'players':$p,'meals':'$v','village':$b},"
     "'clock':{'kind':'move','move_s':$n,'on_timeout':'computer'}}"),
    "{'id':$i,'op':'create','hints':$b,'options':{'players':2}}",
    "{'id':$i,'op':'hint','room':'$r'}",
    "{'id':$i,'op':'analysis','room':'$r'}",
};

static const char *const moves[] = {
    "draw",           "CJ@0,0:0",      "CJ@0,0:9",          "JJ@1,-1:3",          "hut@0,1",
    "hut@1,0",        "none",          "2VV@0,0:0",         "settle@R=wwm/WM/me", "choose@G=GTH",
    "cast@B=T:R1",    "pass@Y",        "write@G=I:R2,H:B1", "reveal@R=-",         "reveal@G=T",
    "starve@R=b/-/m", "take@B=R:-/e/-"};
static const char *const variants[] = {"turns", "A", "B", "owner"};
static const char *const offers[] = {"pause", "resume", "call_off", "computer", "claim"};

static const char *word(struct sim *sim, const struct client *client, char slot, unsigned number)
{
    static char text[24];
    const struct client_room *own =
        client->room_count ? &client->rooms[number % client->room_count] : NULL;
    switch (slot) {
    case 'r':
        return own && number < 192 ? own->id : sim->open_rooms[number % 8];
    case 'c':
        return own && number < 192 ? own->code : sim->codes[number % 8];
    case 't':
        return sim->clients[number % CLIENTS].token;
    case 'm':
        return moves[number % (sizeof moves / sizeof moves[0])];
    case 'v':
        return variants[number % (sizeof variants / sizeof variants[0])];
    case 'o':
        return offers[number % (sizeof offers / sizeof offers[0])];
    case 'b':
        return number % 2 ? "true" : "false";
    case 'i':
        (void)snprintf(text, sizeof text, "%lld",
                       (long long)(number < 32 ? client->next_id - number : client->next_id));
        return text;
    case 's':
        number %= 6;
        break;
    case 'p':
        number = 1 + number % 5;
        break;
    }
    (void)snprintf(text, sizeof text, "%u", number);
    return text;
}

static void expand(struct tape *tape, struct sim *sim, const struct client *client,
                   const char *frame, char out[static FRAME_MAX])
{
    size_t len = 0;
    for (; *frame && len < FRAME_MAX - TOKEN_SPACE; frame++) {
        if (*frame == '$')
            len += (size_t)snprintf(&out[len], FRAME_MAX - len, "%s",
                                    word(sim, client, *++frame, pull(tape)));
        else
            out[len++] = *frame == '\'' ? '"' : *frame;
    }
    out[len] = '\0';
}

/* The liar says it, as nobody takes its word for what it knows. */
static void say(struct tape *tape, struct sim *sim, unsigned number)
{
    char text[FRAME_MAX];
    struct client *liar = &sim->clients[LIAR];
    if (liar->wire < 0)
        return;
    expand(tape, sim, liar, frames[number % (sizeof frames / sizeof frames[0])], text);
    liar->next_id++;
    wire_send(sim, (unsigned)liar->wire, text);
}

static void say_bytes(struct tape *tape, struct sim *sim, unsigned len)
{
    char text[256];
    const struct client *liar = &sim->clients[LIAR];
    for (unsigned i = 0; i < len; i++)
        text[i] = (char)pull(tape);
    text[len] = '\0';
    if (liar->wire >= 0)
        wire_send(sim, (unsigned)liar->wire, text);
}

/* ---- what happens */

/* Only what is near, or a turn clock would be run down while nobody acts. */
static void steps(struct sim *sim, unsigned n)
{
    for (; n > 0 && sim_next_ms(sim) <= sim->now_ms + NEAR_MS; n--)
        sim_step(sim);
}

static void time_passes(struct sim *sim, unsigned number)
{
    static const int64_t spans_ms[] = {1, 100, 5000, 30000, 400000, 4000000, 100000000, 300000000};
    sim->now_ms += spans_ms[number % 8] * (1 + number / 8);
    sim_schedule(sim, 0, (struct event){.kind = EVENT_TICK});
}

static void disk_turns(struct sim *sim, unsigned number)
{
    sim->disk.mode = (enum disk_mode)(number % (DISK_FAILING + 1));
    sim->faults.fence = number >= 250 ? 1000 : 0;
}

static void happen(struct tape *tape, struct sim *sim)
{
    const unsigned what = pull(tape), number = pull(tape);
    /* Never the same twice, so that what must be unique is. */
    sim->rng.state += UINT64_C(0x9e3779b97f4a7c15) * number;
    switch (what % 16) {
    default: /* the most, so that scripts get somewhere */
        client_act(sim, &sim->clients[number % CLIENTS]);
        steps(sim, 1 + number / 32);
        break;
    case 5:
        say(tape, sim, number);
        break;
    case 6:
        say_bytes(tape, sim, number % 64);
        break;
    case 7:
        client_lie(sim, &sim->clients[LIAR]);
        break;
    case 8:
        steps(sim, number);
        break;
    case 9:
        time_passes(sim, number);
        break;
    case 10:
        disk_turns(sim, number);
        break;
    case 11:
        wire_cut(sim, number % 8);
        break;
    case 12:
        wire_stall(sim, number % 8);
        break;
    case 13:
        sim->faults.memory = number < 128 ? 0 : number * 2;
        break;
    case 14:
        sim_look_at_pages(sim);
        break;
    case 15:
        if (number % 4 == 0)
            sim_crash(sim);
        break;
    }
}

/* The other way round from a crash: everything is answered that can be, and nothing is left. */
static void come_to_rest(struct sim *sim)
{
    sim_calm(sim);
    while (!sim->hub) /* it comes up again, and what it left is taken up */
        sim_step(sim);
    steps(sim, LAST_STEPS);
    check_at_end(sim);
}

static struct sim *make_world(void)
{
    static const enum client_kind kinds[CLIENTS] = {CLIENT_HONEST, CLIENT_HONEST, CLIENT_LEAVER,
                                                    CLIENT_REPEATER, CLIENT_LIAR};
    struct sim *sim = sim_create(&(struct sim_plan){.seed = 1});
    sim->client_count = CLIENTS;
    sim->faults.lie = 100;
    for (unsigned i = 0; i < CLIENTS; i++)
        sim->clients[i] =
            (struct client){.index = i, .wire = -1, .kind = kinds[i], .next_id = 100 * (i + 1)};
    sim_start(sim);
    return sim;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    struct tape tape = {data, size};
    if (!ready) {
        failing_alloc_init();
        json_object_seed(1);
        ready = true;
    }
    struct sim *sim = make_world();
    for (unsigned i = 0; i < EVENTS_MAX && tape.left > 0; i++)
        happen(&tape, sim);
    come_to_rest(sim);
    sim_destroy(sim);
    return 0;
}
