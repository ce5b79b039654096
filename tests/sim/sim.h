/*
 * The simulator: one seed is one world.
 *
 * The real hub with real rooms; everything around it is simulated: clients, wires, a disk, a clock.
 * A world is a queue of events in its own time; each is carried out, and then everything that must
 * hold always is looked at. Whatever is random comes out of the seed, so a world that goes wrong
 * can be run again, step by step.
 *
 *      client.c  --texts-->  wire.c  --hub_receive-->  the hub  --batches-->  disk.c
 *         ^                    |                         |                      |
 *         '---- messages ------'<------- outboxes -------'         oracle.c <---'  what is durable
 *
 * The oracle replays what has become durable and nothing else. Clients hold what they are told
 * against it: whoever is told more than is durable, or something else, is told wrong.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "../support/hub_driver.h"
#include "../support/model_store.h"
#include "../support/rng.h"
#include "annuls.h"
#include "documents.h"
#include "lobby.h"
#include "marks.h"
#include "oracle.h"
#include <hub/hub.h>
#include <hub/pacing.h>
#include <hub/think.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SIM_CLIENTS = 12,
    SIM_WIRES = 64,
    SIM_THINKERS = 3,
    CLIENT_ROOMS = 12,
    CLIENT_ASKS = 6,
    TICKS_AT_ONCE = 50, /* each of them does something, and more comes of it */
    ROOM_SPACE = 12,
    TOKEN_SPACE = 48,
    RATED_EACH = 8, /* a world in so many is one in which people seek rated matches */
    RATED_AT = 3,
    TEAMS_EACH = 2, /* of those one in so many is one of teams */
    TEAMS_AT = 1,
    TEAMS_CLIENTS = 8,
    TEAMS_ACCEPT_MS = 90000, /* four are seldom all there at once */
};

#define SIM_START_MS INT64_C(1790000000000)

/* ---- events */

enum event_kind {
    EVENT_THINK,   /* client `a` does something */
    EVENT_UP,      /* `text` arrives at the hub over wire `a` of generation `b` */
    EVENT_DOWN,    /* `text` arrives at the client */
    EVENT_CLOSED,  /* the client learns that the wire is closed, with code `c` */
    EVENT_GONE,    /* the hub learns that the wire is cut */
    EVENT_UNSTALL, /* the reader goes on reading */
    EVENT_COMMIT,  /* the disk has an answer */
    EVENT_READ,    /* ... to a read of room `text` */
    EVENT_QUERY,   /* ... to a page of rows, of which `text` is the struct store_query */
    EVENT_PACE,    /* the next commit is due */
    EVENT_TICK,    /* the hub's deadline */
    EVENT_CHAOS,   /* something goes wrong */
    EVENT_START,   /* the server comes up again */
    EVENT_HTTP,    /* somebody looks at a page */
    EVENT_THOUGHT, /* thinker `a` has an answer, if the server is still the `b`-th */
    EVENT_NODES,   /* of a world of several nodes: `c` says what (nodes/world.h) */
};

struct event {
    int64_t at_ms;
    uint64_t order;
    enum event_kind kind;
    unsigned a;
    uint64_t b;
    int c;
    char *text;
    /* Of a world of several nodes: how long the text is, where it comes from, and where it happens,
     * in which life of the process. */
    size_t len;
    unsigned from, at;
    uint64_t life;
};

struct queue {
    struct event *heap;
    size_t count, size;
    uint64_t next_order;
};

/* ---- wires */

struct wire {
    struct hub_link link; /* open for the hub */
    bool connected;       /* for the client */
    bool stalled;         /* nobody reads what comes out of the hub */
    uint64_t generation;
    unsigned client;
    unsigned node; /* of several nodes: where it ends, in which life of the process */
    uint64_t life;
    int64_t up_ms, down_ms; /* the last arrival that is planned; order is kept */
    uint64_t received, replied;
};

/* ---- clients */

enum client_kind { CLIENT_HONEST, CLIENT_LIAR, CLIENT_REPEATER, CLIENT_SLEEPER, CLIENT_LEAVER };
enum { CLIENT_KINDS = CLIENT_LEAVER + 1 };

struct client_room {
    char id[ROOM_SPACE], code[20];
    bool following; /* over the wire of now */
    bool asked;     /* a watch or join is under way */
    int seat;       /* -1: none */
    json_t *state;  /* NULL: nothing */
    uint64_t seq;
    uint64_t again_upto; /* may be told twice, as it asked to be */
    json_t *old_state;   /* what a leaver comes back with */
    uint64_t old_seq;
};

struct ask {    /* a request without an answer yet */
    int64_t id; /* 0: no ask */
    char op[12];
    char room[ROOM_SPACE];
    char *text;
    bool sent;      /* over the wire of now */
    json_t *answer; /* it was answered before: the same must come again */
    int division;   /* sim->divisions when it was sent first */
    json_t *base;   /* the state at `have` */
    uint64_t have;
    bool as_server;  /* of `past`: with everything shown */
    int64_t sent_ms; /* first, */
    int start;       /* ... to which of the servers */
};

struct client {
    enum client_kind kind;
    unsigned index;
    int wire; /* -1: none */
    bool greeted;
    char token[TOKEN_SPACE];
    uint64_t session;
    bool has_handle; /* it has been told so */
    int64_t next_id;
    int64_t back_off_ms;
    struct client_room rooms[CLIENT_ROOMS];
    size_t room_count;
    struct ask asks[CLIENT_ASKS];
    unsigned lobby_room; /* in which it is */
    int64_t lobby_have;  /* 0: nothing of it */
    struct ask last;     /* the last one that changed something, with its answer */
    int last_start;      /* sim->starts when it came */
};

/* ---- the disk */

enum disk_mode { DISK_GOOD, DISK_SLOW, DISK_FULL, DISK_FAILING };

struct disk {
    enum disk_mode mode;
    int64_t mode_until_ms;
    struct pacing pacing;
    bool paced;                      /* the next commit is planned */
    const struct store_batch *batch; /* NULL: none is out */
    enum store_result result;        /* planned */
    bool written;                    /* it is on the disk although `result` says no */
    unsigned reads;                  /* under way */
    uint64_t generation;             /* of the batch, so that an answer after a crash is known */
    bool
        lied; /* something was written after all, and the server that thinks otherwise still runs */
    bool ever_lied;
    char refused[9];     /* the room that was refused last, in a world of such */
    unsigned again_left; /* the next batches that it is refused with */
};

/* ---- worker threads that think */

struct thought {
    struct think_job *job; /* NULL: the thinker has nothing to do */
    int fate;
};

/* ---- the whole */

struct faults { /* which there are in this world, in thousandths of a chance each time */
    unsigned cut, stall, crash, jump, memory, disk, fence, refuse, lie, think, poison;
};

struct sim_plan {
    const char *program; /* that can run it again; NULL: none can */
    uint64_t seed;
    unsigned steps; /* before all is calm */
    bool verbose;
};

struct sim {
    struct sim_plan plan;
    struct rng rng;
    int64_t now_ms;
    struct hub_config config;
    struct hub *hub; /* NULL: down */
    struct model_store store;
    struct oracle oracle;
    struct disk disk;
    struct documents documents;
    struct annuls annuls;
    struct lobby lobby;
    struct thought thoughts[SIM_THINKERS];
    unsigned thinkers; /* there are; 0: every choice is quick */
    struct queue events;
    struct wire wires[SIM_WIRES];
    struct client clients[SIM_CLIENTS];
    unsigned client_count;
    struct faults faults;
    bool calm; /* nothing goes wrong any more, and matches are played to their end */
    const struct client *missing; /* ... without this one, who never comes back; NULL: all do */
    int64_t tick_ms;              /* planned; INT64_MAX: none */
    int64_t ticked_ms;            /* when the hub had its last ticks, and how many of them */
    unsigned ticks_now;
    char *recent[32]; /* requests that somebody has sent */
    unsigned recent_at;
    char open_rooms[8][ROOM_SPACE];
    char codes[8][20]; /* of open_rooms */
    unsigned open_room_at;
    uint64_t trace; /* hash of all that has happened */
    uint64_t steps;
    int starts;    /* of the server */
    int divisions; /* of the site into another number of parts */
    bool rated;    /* people seek rated matches */
    bool teams;    /* ... most of them two against two, of whom there are more then */
    bool guests;   /* sessions write into the guest book */
    bool talks;    /* clients talk in the lobby, and nobody lies */
    bool plain;    /* mostly the game of cards: what is played is not what this world is about */
};

/* Prints what, where and when, and exits. */
__attribute__((format(printf, 2, 3), noreturn)) void sim_fail(const struct sim *sim,
                                                              const char *format, ...);
__attribute__((format(printf, 2, 3))) void sim_log(struct sim *sim, const char *format, ...);

/* Is it a world of teams, of those that are rated? The seed says so. */
bool sim_has_teams(const struct sim *sim);

/* One world from beginning to end; the hash of its trace. */
uint64_t sim_run(const struct sim_plan *plan);

/* An empty world, without anybody in it: who makes one says what happens. */
struct sim *sim_create(const struct sim_plan *plan);
void sim_destroy(struct sim *sim);
int64_t sim_next_ms(const struct sim *sim); /* when the next event is; INT64_MAX: there is none */
struct event sim_next(struct sim *sim);     /* takes it off the queue */
void sim_put_back(struct sim *sim, struct event event); /* for later, as it was in the order */
void sim_forget(struct sim *sim);                       /* frees what base.c has */
const char *sim_running_match(const struct sim *sim);   /* NULL: there is none */
bool sim_knows_session(const struct sim *sim, uint64_t session); /* durably */
void sim_step(struct sim *sim);                                  /* the next event */
void sim_calm(struct sim *sim); /* everybody is cut off, and nothing goes wrong any more */
void sim_start(struct sim *sim);
void sim_look_at_pages(struct sim *sim);

void sim_schedule(struct sim *sim, int64_t in_ms, struct event event);
void sim_trace(struct sim *sim, const void *bytes, size_t len);
/* Chance: so many in a thousand. */
bool sim_chance(struct sim *sim, unsigned in_thousand);
void sim_crash(struct sim *sim);

/* Calls of the hub go between these: memory may run out in there, and then what came is fetched. */
void hub_begin(struct sim *sim);
void hub_end(struct sim *sim);

/* wire.c */
int wire_open(struct sim *sim, unsigned client); /* -1: refused */
void wire_send(struct sim *sim, unsigned wire, const char *text);
void wire_cut(struct sim *sim, unsigned wire);
void wire_stall(struct sim *sim, unsigned wire); /* for a while */
void wires_lost(struct sim *sim);                /* the server has gone */
void wires_drain(struct sim *sim);               /* outboxes onto the wires */
void wire_event(struct sim *sim, const struct event *event);

/* disk.c */
void disk_take(struct sim *sim); /* a batch, reads */
void disk_event(struct sim *sim, const struct event *event);
void disk_lost(struct sim *sim);
void disk_chaos(struct sim *sim);
void disk_start(struct sim *sim);  /* the server is about to */
void disk_poison(struct sim *sim); /* an earlier one has left a letter that nobody can apply */

/* thinkers.c */
void thinkers_start(struct sim *sim); /* with the server */
void thinkers_take(struct sim *sim);
void thinkers_event(struct sim *sim, const struct event *event);
bool thinkers_busy(const struct sim *sim);                 /* somebody waits for an answer */
void thinkers_look(const unsigned char *page, size_t len); /* at the server's figures */
/* Of all of them; for whoever works on nothing else meanwhile. */
void *thinkers_memory(size_t *size);

/* client.c */
void client_think(struct sim *sim, struct client *client); /* acts, and will think again */
void client_act(struct sim *sim, struct client *client);
void client_receive(struct sim *sim, struct client *client, json_t *message);
void client_closed(struct sim *sim, struct client *client, int code);
void client_release(struct client *client);
/* Something that is no request, or not one of its own. */
void client_lie(struct sim *sim, struct client *client);

/* check_thought.c: the answers to `hint` and `analysis`, and why there is none. */
void check_hint(const struct sim *sim, const struct client *client, const struct ask *ask,
                const json_t *ok);
void check_analysis(struct sim *sim, const struct ask *ask, const json_t *ok);
void check_no_thought(const struct sim *sim, const struct ask *ask, const char *code);

/* check.c */
void check_outgoing(struct sim *sim, unsigned wire, const char *text, size_t len, json_t *message);
/* A page, read by nobody in particular; it may be a record. */
void check_page(const struct sim *sim, const unsigned char *bytes, size_t len);
void check_always(struct sim *sim);
/* What the store has for a page of this session's finished matches. */
void check_list(const struct sim *sim, uint64_t session);
void check_at_end(struct sim *sim);

#endif
