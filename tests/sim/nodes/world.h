/*
 * The simulator of several nodes: one seed is one world, as in ../sim.h.
 *
 *      ../client.c --texts--> people.c --site_receive--> the site of a node --> hubs --> store.c
 *           ^                     |                       |          ^                     |
 *           '------ messages -----'                    links.c <--> other nodes       database.c
 *
 * Real: hubs, rooms, sites, and membership_follow and membership_decide. Models: what the store
 * (server/postgres), the keeper and the net do around them, the links and the database. Clients
 * and most of what is held against them are those of the other simulator. What is true is what a
 * standby has, so that nobody may be told what a failover can take away.
 *
 * A node that is stopped does nothing; what comes to it waits, as in its sockets.
 */
#ifndef NODES_WORLD_H
#define NODES_WORLD_H

#include "../sim.h"
#include "marks.h"
#include "mutants.h"
#include <postgres/membership.h>
#include <site/site.h>

enum { NODES = 3, PARTS = 5 };

/* Where things happen: the nodes are 0 to NODES - 1. */
enum { AT_DATABASE = NODES, AT_PEOPLE, PLACES, AT_WORLD = PLACES };

/* What event.c of EVENT_NODES says. event.at: where it happens; .from: who sent it there. */
enum what {
    /* at a node */
    NODE_CONNECT,    /* wire `a` of generation `b` */
    NODE_TICK,       /* a deadline */
    NODE_BEAT,       /* the keeper's turn */
    NODE_SAW,        /* ... it has an answer: `text` is a struct membership_look */
    NODE_LOCKED,     /* part `a`: connection `b` has the lock, or has seen who has */
    NODE_TAKEN,      /* part `a`: transaction `b` has been answered */
    NODE_LOADED,     /* part `a` of connection `b` */
    NODE_CONNECTED,  /* part `a`: connection `b`, or a refusal in `len` */
    NODE_ANSWER,     /* part `a`: to transaction `b` */
    NODE_REST,       /* the other half of transaction `b` is sent */
    NODE_LATE,       /* transaction `b` of part `a` has no answer */
    NODE_RETRY,      /* part `a`: what could not be sent is tried again */
    NODE_CONN_LOST,  /* connection `b` of part `a` */
    NODE_READ,       /* part `a`, of term `b`, room `text` */
    NODE_LIST,       /* part `a`, of term `b`, `text` is a struct store_list */
    NODE_DIAL,       /* node `a` */
    NODE_ACCEPT,     /* node `a` has made cable `b` */
    NODE_ACCEPTED,   /* cable `b` to node `a` */
    NODE_FRAME,      /* from node `a` by cable `b` */
    NODE_CABLE_LOST, /* cable `b` to node `a` */
    /* at the database */
    DB_BEAT,       /* node `a` of life `b` raises its counter and looks */
    DB_LOCK,       /* connection `b` wants the lock of its part */
    DB_END_HOLDER, /* ... and ends who has it */
    DB_CONNECT,    /* connection `b` is made again, for its term */
    DB_SEND,       /* transaction `b`, the first half */
    DB_REST,       /* ... the second */
    DB_FLUSH,      /* ... is on the disk */
    DB_REPLICATE,  /* what is on the disk of the first is at the standby */
    DB_CLOSE,      /* connection `b` */
    DB_UP,
    /* in the world */
    WORLD_CHAOS,
    WORLD_START,     /* node `a` */
    WORLD_GO_ON,     /* node `a`, stopped for the `b`-th time */
    WORLD_IMPATIENT, /* the client of wire `a` of generation `b` has waited long enough */
};

/* ---- the database */

enum answer { ANSWER_OK, ANSWER_ALREADY, ANSWER_FENCED, ANSWER_BEHIND };

struct conn {
    unsigned node, part;
    uint64_t life, term;
    uint64_t tx; /* under way there; 0: none */
    bool open, ended;
};

enum tx_state { TX_SENT, TX_WAITS, TX_LOCKED, TX_FLUSHED, TX_VISIBLE, TX_ENDED };

struct tx {
    uint64_t id, conn, term;
    unsigned node, part;
    uint64_t life;
    int64_t number;           /* 0: it takes the part */
    struct store_batch batch; /* a copy */
    enum tx_state state;
    bool rest; /* all of it has come */
    bool replicated;
    bool warned; /* nobody waited until it was at the standby */
    enum answer answer;
};

struct row { /* of a part */
    uint64_t term;
    int64_t batch;
    int node; /* -1: nobody's */
};

struct table { /* all of a part */
    struct row row;
    struct model_store seen, safe; /* what others see; what is at the standby */
    struct row safe_row;
    uint64_t lock;       /* the connection that has it; 0: nobody */
    uint64_t row_lock;   /* the transaction that has it */
    bool waited_for;     /* perhaps others wait for that */
    bool holder_ended;   /* before the part was taken last: it had been silent for long */
    uint64_t ended_term; /* whose connection was ended last */
    uint64_t *log;       /* transactions at the standby, in order */
    size_t log_count, log_size;
    uint64_t told_term; /* the last one of whose batches clients were told something */
};

struct database {
    bool up;
    uint64_t next_term, next_life;
    struct conn *conns; /* by number; 0 is none */
    size_t conn_count, conn_size;
    struct tx **txs; /* by number; 0 is none */
    size_t tx_count, tx_size;
    struct table tables[PARTS];
    uint64_t wal[64]; /* on the first's disk, not at the standby */
    size_t wal_count;
    bool replicating;
    int64_t slow_until_ms, lag_until_ms;
    struct membership_node rows[NODES]; /* life 0: there is none */
};

/* ---- a node */

enum part_state { PART_NONE, PART_OPENING, PART_SERVED, PART_DRAINING };

struct held_part {
    enum part_state state;
    struct hub *hub;
    uint64_t term, conn;
    const struct store_batch *batch; /* NULL: none is out */
    const struct store_batch *now;   /* what is sent: that, or nothing to confirm it */
    uint64_t tx;                     /* under way; 0: none */
    int64_t number, done_number;
    bool doubtful, given_up, confirming, connecting;
    int64_t doubtful_ms, begun_ms, proven_ms, connect_ms;
    bool mute;
    /* while it is opened */
    int64_t wait_ms, looked_ms, silent_ms;
    uint64_t seen_term;
    int64_t seen_batch;
};

struct cable_end {
    struct site_link *link; /* NULL: there is none */
    uint64_t cable;
    int64_t sent_ms; /* the last arrival that is planned */
    size_t under_way;
    bool dialling;
};

struct node {
    bool up, stopped;
    uint64_t life, stops;
    int64_t stopped_ms, skew_ms; /* its clock: the world's and so much */
    struct site *site;
    struct held_part parts[PARTS];
    struct cable_end cables[NODES];
    struct membership_watch watch;
    int64_t name_life; /* in its row */
    bool asking;       /* the keeper waits for an answer */
    int64_t asked_ms;
    int64_t tick_ms;     /* planned, by the world's clock */
    struct event *later; /* what came while it was stopped */
    size_t later_count, later_size;
};

struct world {
    struct sim sim; /* first */
    unsigned parts;
    struct site_config site_config;
    struct node nodes[NODES];
    struct database db;
    int64_t blocked_ms[PLACES][PLACES]; /* until then nothing arrives */
    int64_t sent_db_ms[PLACES];
    uint64_t next_cable, next_life;
    unsigned kill, stop, part_in_two, db_fault, leave, slow_link; /* chances of each fault */
    int64_t slow_link_until_ms;
    int stop_in_pipeline; /* this node, when it next sends half a batch; -1: none */
    unsigned slow_from, slow_to;
    int64_t calm_ms; /* when all faults were over */
};

/* A mutant that is in force in this process; MUTANT_NONE usually. */
extern enum mutant world_mutant;

static inline struct world *world_of(struct sim *sim)
{
    return (struct world *)sim;
}

uint64_t world_run(const struct sim_plan *plan);

/* world.c: events that arrive, if their process still lives then. */
void world_post(struct world *world, unsigned from, unsigned at, int64_t in_ms, struct event event);
bool world_reaches(const struct world *world, unsigned from, unsigned at);
int64_t world_between(struct world *world, int64_t from, int64_t to);
bool world_chance(struct world *world, unsigned in_thousand);

/* node.c */
void node_start(struct world *world, unsigned at);
void node_kill(struct world *world, unsigned at);
void node_stop(struct world *world, unsigned at, int64_t ms);
void node_go_on(struct world *world, unsigned at);
int64_t node_ms(const struct world *world, const struct node *node); /* by its clock */
void node_event(struct world *world, struct event *event);
void node_settle(struct world *world, unsigned at); /* after anything that it has done */

/* keeper.c: which parts a node has. */
void keeper_event(struct world *world, const struct event *event);
void part_serve(struct world *world, unsigned at, unsigned part);
void part_end(struct world *world, unsigned at, unsigned part);   /* it is lost */
void part_drain(struct world *world, unsigned at, unsigned part); /* it is to be given back */
void part_drained(struct world *world, unsigned at);

/* store.c: batches of a part that is served. */
void store_take(struct world *world, unsigned at, unsigned part);
void store_event(struct world *world, const struct event *event);

/* database.c */
void database_init(struct world *world);
void database_release(struct world *world);
void database_event(struct world *world, const struct event *event);
uint64_t database_conn(struct world *world, unsigned node, unsigned part, uint64_t term);
/* Copies the batch. */
struct tx *database_tx(struct world *world, const struct held_part *held, unsigned node,
                       unsigned part, const struct store_batch *batch, int64_t number);
void database_fails(struct world *world, bool over); /* over: to the standby */
void database_node_gone(struct world *world, unsigned node);

/* links.c */
void links_event(struct world *world, const struct event *event);
void links_send(struct world *world, unsigned at);
void links_lost(struct world *world, unsigned at); /* the process is gone */
void links_cut(struct world *world, unsigned one, unsigned other);
void links_deaf(struct world *world, unsigned at, unsigned other, int64_t ms);
void links_start(struct world *world, unsigned at);

/* people.c */
void people_event(struct world *world, const struct event *event);
void people_read(struct world *world, unsigned at); /* what a site has for them */
void people_lost(struct world *world, unsigned at);

/* check_nodes.c */
void check_owner(struct world *world, unsigned at, const char *text, size_t len);
void check_asked(const struct world *world, const char *text);
void check_served(struct world *world);
/* What is asked by now has an answer a while later, and what has happened is known. */
struct expected {
    int64_t asks[SIM_CLIENTS][CLIENT_ASKS];
    size_t counts[256]; /* of events, of the first rooms */
};
void check_later(const struct world *world, struct expected *expected);
void check_ends(struct world *world, const struct expected *expected);

#endif
