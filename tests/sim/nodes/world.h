/*
 * The simulator of several nodes: one seed is one world, as in ../sim.h.
 *
 *      ../client.c --texts--> people.c --site_receive--> the site of a node --> hubs --> store.c
 *           ^                     |                       |          ^                     |
 *           '------ messages -----'                    links.c <--> other nodes       database.c
 *
 * Real: hubs, rooms, sites, and what the keeper and membership decide (holdings.h, membership.h).
 * Models: what the store (server/postgres), the keeper's threads and the net do around them, the
 * links and the database. Clients
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
#include <holdings.h>
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
    NODE_LOOK,       /* the keeper's turn */
    NODE_SAW,        /* ... it has an answer: `text` is a struct seen_rows */
    NODE_LOCKED,     /* part `a`: connection `b` has the lock (`len`), or has seen who has */
    NODE_TAKEN,      /* part `a`: transaction `b` has been answered */
    NODE_LOADED,     /* part `a` of connection `b` */
    NODE_DEAF,       /* part `a`: does nobody receive what connection `b` sends, in step `len`? */
    NODE_OPEN_LATE,  /* ... connection `b` has not opened it in so many steps (`len`) */
    NODE_RELEASED,   /* part `a`: connection `b` can be closed */
    NODE_PUT,        /* the document that it has put: revision `b`, or it was not (`len`) */
    NODE_LEAVE_LATE, /* it is to be gone by now */
    NODE_CONNECTED,  /* part `a`: connection `b`, or a refusal in `len` */
    NODE_ANSWER,     /* part `a`: to transaction `b` */
    NODE_REST,       /* the other half of transaction `b` is sent */
    NODE_UNHEARD,    /* is nobody there who would receive transaction `b` of part `a`? */
    NODE_LATE,       /* ... it has no answer */
    NODE_RETRY,      /* part `a`: what could not be sent is tried again */
    NODE_CONN_LOST,  /* connection `b` of part `a` */
    NODE_READ,       /* part `a`, of term `b`, room `text` */
    NODE_QUERY,      /* part `a`, of term `b`, `text` is a struct store_query */
    NODE_DIAL,       /* node `a` */
    NODE_ACCEPT,     /* node `a` has made cable `b` */
    NODE_ACCEPTED,   /* cable `b` to node `a` */
    NODE_FRAME,      /* from node `a` by cable `b` */
    NODE_CABLE_LOST, /* cable `b` to node `a` */
    /* at the database */
    DB_LOOK,       /* node `a` of life `b` looks, and raises its counter (`len`) */
    DB_LEAVE,      /* ... takes its row away */
    DB_PUT,        /* ... puts a document in place of revision `b`, `text` is a struct put */
    DB_LOCK,       /* connection `b` wants the lock of its part */
    DB_END_HOLDER, /* ... and ends who has it, if its term is `len`, or 0: whoever it is */
    DB_RELEASE,    /* ... says that its term has given the part up */
    DB_CONNECT,    /* connection `b` is made again, for its term; `len`: it has waited for long */
    DB_SEND,       /* transaction `b`, the first half */
    DB_REST,       /* ... the second */
    DB_FLUSH,      /* ... is on the disk */
    DB_REPLICATE,  /* what is on the disk of the first is at the standby */
    DB_CLOSE,      /* connection `b` */
    DB_UP,
    /* in the world */
    WORLD_CHAOS,
    WORLD_WATCH,     /* has each part an owner? */
    WORLD_START,     /* node `a` */
    WORLD_DIVIDE,    /* does nobody use the site, so that it can be divided anew? */
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
    bool rest;   /* all of it has come */
    bool writes; /* ... and is on its way to the disk */
    bool shown;  /* others see it */
    bool is_true;
    bool gone;   /* ... and then the database has lost it */
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
    struct model_store base;       /* what was there when the site was divided last */
    struct row safe_row;
    uint64_t lock;     /* the connection that has it; 0: nobody */
    uint64_t row_lock; /* the transaction that has it */
    bool waited_for;   /* perhaps others wait for that */
    /* What check_nodes.c knows of it. */
    uint64_t told_term; /* the last one of whose batches clients were told something */
    struct row written; /* the last transaction that is true */
    int64_t gap_ms;     /* nobody has served it for so long, in all */
    int64_t unowned_ms; /* when it was last seen with an owner that can speak */
};

struct site_text { /* a document of the site (spreading.c) */
    int64_t revision;
    uint64_t number; /* its text */
};

struct look { /* what a node says with its look */
    int64_t said;
};

struct seen_rows { /* what a node sees when it looks */
    struct membership_node nodes[NODES];
    struct membership_part parts[PARTS];
    bool beaten; /* with a beat, after which the document was read */
    struct site_text document;
    int64_t said; /* what the beat has said of it; -1: nothing */
};

struct database {
    bool up;
    bool alone;     /* nobody waits for the standby: what is on the first's disk is true */
    uint64_t fails; /* how often it, or one of its connections, has gone */
    uint64_t next_term, next_life;
    struct conn *conns; /* by number; 0 is none */
    size_t conn_count, conn_size;
    struct tx **txs; /* by number; 0 is none */
    size_t tx_count, tx_size;
    struct table tables[PARTS];
    uint64_t *wal; /* on the first's disk, not at the standby */
    size_t wal_count, wal_size;
    uint64_t *log; /* at the standby, in order */
    size_t log_count, log_size;
    bool replicating;
    int64_t slow_until_ms, lag_until_ms;
    struct membership_node rows[NODES]; /* life 0: there is none */
    struct site_text document;
};

/* ---- a node */

enum part_state {
    PART_NONE,
    PART_OPENING,
    PART_SERVED,
    PART_DRAINING,
    PART_LEFT,    /* the site does not know it any more, its hub still writes */
    PART_CLOSING, /* only its connection is left */
};

struct held_part {
    enum part_state state;
    struct hub *hub;
    uint64_t term, conn;
    const struct store_batch *batch; /* NULL: none is out */
    const struct store_batch *now;   /* what is sent: that, or nothing to confirm it */
    uint64_t tx;                     /* under way; 0: none */
    int64_t number, done_number;
    bool doubtful, given_up, confirming, connecting;
    int64_t doubtful_ms, begun_ms, proven_ms;
    uint64_t connecting_conn;
    int64_t locked_out_ms; /* since then others have the lock; 0: not known */
    bool lease_lost;
    int64_t ticked_ms;        /* by the node's clock */
    int64_t taken_ms;         /* since then another has it, and it could know; 0: none has */
    bool lost;                /* the database has lost what it was told to be durable */
    int64_t lock_until_ms;    /* while it is opened */
    size_t steps;             /* the same */
    int64_t leave_ms, end_ms; /* while it is given back */
};

struct cable_end {
    struct site_link *link; /* NULL: there is none */
    uint64_t cable;
    int64_t sent_ms; /* the last arrival that is planned */
    size_t under_way;
    bool dialling;
};

struct node {
    bool up, stopped, leaving;
    uint64_t life, stops;
    int64_t stopped_ms, skew_ms; /* its clock: the world's and so much */
    int64_t system_ms;           /* the same of its machine's, with which it starts */
    struct site *site;
    struct held_part parts[PARTS];
    struct cable_end cables[NODES];
    struct holdings holdings;
    struct membership_watch watch;
    struct followed_text {
        int64_t held;      /* that the site has; -1: none */
        bool known;        /* the keeper may have parts (server/keeper/documents.h) */
        uint64_t number;   /* what that says */
        bool putting;      /* one is on its way, */
        bool by_feature;   /* which the guest book of a part has asked for */
        int64_t spreading; /* that was put here, and is not answered; 0: none */
        int64_t since_ms;  /* putting, or spreading */
        bool excused;      /* when one was answered it was taken for dead */
    } document;
    bool asking; /* the keeper waits for an answer */
    int64_t asked_ms, beat_ms;
    int64_t tick_ms;     /* planned, by the world's clock */
    struct event *later; /* what came while it was stopped */
    size_t later_count, later_size;
};

/* ---- what clients were told (told.c) */

enum { TOLD_ROOMS = 256 }; /* of the first rooms */

struct told {
    uint64_t seq, step; /* the last that somebody has got, and when */
};

struct asked {          /* when a request was sent */
    uint64_t seq, step; /* what had been told of its room by then */
};

enum { TIMED_SEATS = 6 };

struct timed { /* the last durable event of a room (clocks.c) */
    int64_t at_ms, gap_ms;
    int64_t left_ms[TIMED_SEATS];
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
    struct chances { /* of each fault, in thousandths each time */
        unsigned kill, stop, part_in_two, db_fault, give_back, leave, slow_link, conn, cancel,
            memory, divide;
    } chances;
    struct division { /* that an operator wants; parts 0: none does */
        unsigned parts;
        bool at_once;     /* all nodes are ended */
        int64_t until_ms; /* so long is tried */
        int64_t free_ms;  /* since then nobody has a lock; 0: somebody has */
    } division;
    int64_t slow_link_until_ms;
    int64_t pause_ms;     /* until then nothing else goes wrong */
    int stop_in_pipeline; /* this node, when it next sends half a batch; -1: none */
    unsigned slow_from, slow_to;
    uint64_t condition; /* of everything that a part needs to have an owner, as a number */
    int64_t trouble_ms; /* when that was last another one */
    int64_t calm_ms;    /* when all faults were over */
    struct told told[TOLD_ROOMS];
    struct timed timed[TOLD_ROOMS];
    int64_t apart_ms; /* how far the nodes' clocks were apart at the most */
    struct asked asked[SIM_CLIENTS][CLIENT_ASKS];
    unsigned page_node; /* who was asked for the page of the guest book, in which life */
    uint64_t page_life;
    int64_t document_told;       /* revision that somebody was told to hold everywhere */
    bool quick;                  /* nobody waits for a connection, and a part has little to load */
    bool lost;                   /* acknowledged batches: only nodes are looked at from then on */
    struct membership_look look; /* scratch */
};

/* A mutant that is in force in this process; MUTANT_NONE usually. */
extern enum mutant world_mutant;

static inline struct world *world_of(struct sim *sim)
{
    return (struct world *)sim;
}

uint64_t world_run(const struct sim_plan *plan);
/* Nobody is there, and nothing happens yet. */
struct world *world_create(const struct sim_plan *plan);
void world_destroy(struct world *world);
void world_begin(struct world *world); /* the nodes start */
void world_pass(struct world *world, int64_t until_ms);

/* visits.c: somebody writes into the guest book at that node, or reads it. */
void visits_happen(struct world *world, unsigned at);
void visits_read(struct world *world, unsigned at); /* answers of its site */
void visits_check_end(struct world *world);

/* faults.c */
void faults_init(struct world *world);
void faults_happen(struct world *world);
/* Node `at` wants the lock of the part. */
void faults_opening(struct world *world, unsigned at, unsigned part);
/* Nothing goes wrong any more; returns when the last cut is over. */
int64_t faults_end(struct world *world);

/* world.c: events that arrive, if their process still lives then. */
void world_post(struct world *world, unsigned from, unsigned at, int64_t in_ms, struct event event);
bool world_reaches(const struct world *world, unsigned from, unsigned at);
int64_t world_between(struct world *world, int64_t from, int64_t to);
bool world_chance(struct world *world, unsigned in_thousand);

/* node.c */
void node_start(struct world *world, unsigned at);
void node_kill(struct world *world, unsigned at);
void node_leave(struct world *world, unsigned at); /* SIGTERM */
void node_stop(struct world *world, unsigned at, int64_t ms);
void node_go_on(struct world *world, unsigned at);
int64_t node_ms(const struct world *world, const struct node *node); /* by its clock */
void node_event(struct world *world, struct event *event);
/* Calls of hubs and sites go between these: memory may run out in there. */
void node_enter(struct world *world);
void node_exit(struct world *world);
void node_settle(struct world *world, unsigned at); /* after anything that it has done */

/* keeper.c: which parts a node has. */
void keeper_init(struct world *world, unsigned at);
void keeper_event(struct world *world, const struct event *event);
void keeper_work(struct world *world, unsigned at); /* what is to be opened and closed */
bool keeper_conn_lost(struct world *world, const struct event *event); /* true: it was its own */
bool part_speaks(const struct held_part *held);                        /* the site knows it */
void part_end(struct world *world, unsigned at, unsigned part, enum store_result why);
void part_drain(struct world *world, unsigned at, unsigned part); /* it is to be given back */
void parts_leave(struct world *world, unsigned at); /* what is to be given back, if it can */

/* store.c: batches of a part that is served. */
void store_take(struct world *world, unsigned at, unsigned part);
void store_event(struct world *world, const struct event *event);
/* In the order in which they are sent. */
void store_post(struct world *world, unsigned at, int64_t in_ms, struct event event);

/* database.c: rows, transactions, disks. */
void database_init(struct world *world);
void database_release(struct world *world);
void database_event(struct world *world, const struct event *event);
/* Copies the batch. */
struct tx *database_tx(struct world *world, const struct held_part *held, unsigned node,
                       unsigned part, const struct store_batch *batch, int64_t number);
void database_fails(struct world *world, bool over); /* over: to the standby */
void database_cancel(struct world *world);           /* somebody's wait for the standby */

/* spreading.c: the document of the site at nodes. */
extern const struct feature *const documents_features[]; /* of the site: all, and one that has it */
void documents_start(struct node *node);
void documents_put(struct world *world, const struct event *event); /* at the database */
void documents_event(struct world *world, const struct event *event);
void documents_saw(struct world *world, unsigned at, const struct seen_rows *seen);
void documents_looked(struct world *world,
                      unsigned at);        /* after that the watch is as it was seen */
void documents_check(struct world *world); /* always */
void documents_check_end(struct world *world);

/* division.c: all nodes are ended, and the site is given another number of parts. */
void division_begin(struct world *world);
void division_event(struct world *world);
/* A match is over, and in no book yet: nobody is to have the time to enter it. */
bool division_is_rating(const struct world *world);
void division_give_up(struct world *world);

/* connections.c: of the database, and what they lock. */
uint64_t database_conn(struct world *world, unsigned node, unsigned part, uint64_t term);
void database_node_gone(struct world *world, unsigned node);
void database_cut(struct world *world, unsigned node); /* one of its connections */
void conn_event(struct world *world, const struct event *event);
void conn_tell(struct world *world, const struct conn *conn, enum what what, uint64_t id,
               size_t len, void *text);
void conn_terminate(struct world *world, uint64_t id);
void conn_all_lost(struct world *world);
void conn_free_lock(struct world *world, uint64_t id);

/* Is nobody there any more who would acknowledge what is sent? */
bool conn_unheard(const struct world *world, uint64_t id);

/* For both. */
int64_t database_delay_ms(struct world *world);
void tx_end(struct world *world, struct tx *tx);
void tx_cut_wait(struct world *world, struct tx *tx); /* nobody waits for the standby any more */

/* batch_copy.c */
struct store_batch batch_copy(const struct store_batch *batch);
void batch_free(struct store_batch *batch);

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
void people_lost(struct world *world, unsigned at, int code);

/* told.c */
void told_asked(struct world *world, const struct client *client, const char *text);
void told_received(struct world *world, const struct client *client, const json_t *message);

/* clocks.c */
void clocks_divided(struct world *world, unsigned before, unsigned parts); /* before it is */
void clocks_written(struct world *world, const struct store_batch *batch);
void clocks_watch(struct world *world, int64_t ms); /* that have gone by */

/* check_nodes.c */
void check_owner(struct world *world, unsigned at, const char *text, size_t len);
/* ... and this over a link */
void check_relayed(struct world *world, unsigned at, const char *text, size_t len);
void check_asked(const struct world *world, const char *text);
void check_written(struct world *world, const struct tx *tx); /* it is true now */
void check_lost(struct world *world);    /* the standby has taken over, and has not everything */
void check_noticed(struct world *world); /* everybody has found out what was lost */
void check_owned(struct world *world);   /* looks whether each part has an owner in time */
void check_served(struct world *world);  /* each has one */
/* What is asked by now has an answer a while later, and what has happened is known. */
struct expected {
    int64_t asks[SIM_CLIENTS][CLIENT_ASKS];
    size_t counts[TOLD_ROOMS]; /* of events, of the first rooms */
    bool away[SIM_CLIENTS];    /* it was sent away for a while */
};
void check_later(const struct world *world, struct expected *expected);
void check_ends(struct world *world, const struct expected *expected);

#endif
