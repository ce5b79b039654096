/*
 * Several servers, called nodes, on one site: what the keeper of a node needs to know which parts
 * it should have.
 *
 * Each node has a row in the database with a counter that it raises twice a second, and each part
 * has the number of its last commit. Nobody compares clocks: who has something is silent when
 * somebody has looked often enough, for long enough, and the number stood still. A part changes
 * hands when another store of it is opened (store.h), whose term keeps the one before out: when its
 * owner has given it up, or has been silent for so long that its lease is lost. Nothing else takes
 * it, not even that the owner's connection and lock are gone, nor that it has come again with its
 * name.
 *
 * A membership is used by one thread.
 */
#ifndef POSTGRES_MEMBERSHIP_H
#define POSTGRES_MEMBERSHIP_H

#include <hub/part.h>
#include <postgres/store.h>

enum {
    MEMBERSHIP_NODES_MAX = 64,
    MEMBERSHIP_VERSION_MAX = 63,
    MEMBERSHIP_DOCUMENTS_MAX = 511,
    MEMBERSHIP_LINKS_MAX = MEMBERSHIP_NODES_MAX * (POSTGRES_NODE_MAX + 1),
    MEMBERSHIP_BEAT_MS = POSTGRES_SIGN_MS,
    MEMBERSHIP_LEFT_OVER_MS = 5000,
    MEMBERSHIP_CUT_OFF_MS = 1000,
    MEMBERSHIP_CLOCK_DIFFERS_MS = 1000,
    MEMBERSHIP_CLOCK_WRONG_MS = 10000
};

struct membership_self {
    const char *name, *relay, *version; /* of this node: where it is asked; of its program */
};

/* What a node tells of itself, for people. */
struct membership_facts {
    int64_t set_aside;     /* damaged rooms in its parts, which are not served */
    int64_t jumps;         /* how often its system's clock was set since it was started, ... */
    int64_t jumped_ms;     /* ... and by how much the last time */
    int64_t certificate_s; /* when the certificate of its links ends, since 1970; 0: none */
};

struct membership_node {
    char name[POSTGRES_NODE_MAX + 1], relay[POSTGRES_RELAY_MAX + 1],
        version[MEMBERSHIP_VERSION_MAX + 1];
    int64_t life;                                 /* another one each time that the name is taken */
    int64_t beat;                                 /* its counter */
    char documents[MEMBERSHIP_DOCUMENTS_MAX + 1]; /* as it has said (membership_say) */
    bool away;                                    /* nobody is connected who has its name */
    /* The nodes of the look that it has a link with, as it says, a bit each. A link has two ends,
     * and is one if both say so; of what says nothing, as it needs no links or is of an earlier
     * version, the other end is believed. */
    bool says_links;
    uint64_t links;
    bool says_clock;
    int64_t ahead_ms; /* its system's clock, of the database's */
    bool says_facts;
    struct membership_facts facts;
};

struct membership_part {
    int64_t term, batch; /* as struct postgres_owner has them */
    char node[POSTGRES_NODE_MAX + 1], relay[POSTGRES_RELAY_MAX + 1]; /* "": nobody's */
    bool held; /* somebody is connected who has its lock */
};

/* What was seen in one look. */
struct membership_look {
    int64_t at_ms; /* by our own clock, which counts while we stand still as well */
    unsigned parts;
    size_t nodes; /* the first MEMBERSHIP_NODES_MAX by name */
    struct membership_part part[PARTS_MAX];
    struct membership_node node[MEMBERSHIP_NODES_MAX];
};

/* ---- the database */

struct membership;

/* Texts that are too long are cut. NULL: out of memory. `timeouts` NULL: the usual, of a standby.
 */
struct membership *membership_create(const char *url, const struct postgres_timeouts *timeouts,
                                     const struct membership_self *self);

/*
 * Takes the name. STORE_FENCED: another process that lives has it, which is found out by its
 * counter, if it is connected, for up to timeouts.silent_ms. What can be done is done again by
 * calling this again.
 */
enum store_result membership_join(struct membership *membership,
                                  char message[static STORE_MESSAGE_MAX]);

/*
 * Raises the counter, connecting again if need be. STORE_FENCED: another process has taken the name
 * meanwhile; STORE_FAILED: not now.
 */
enum store_result membership_beat(struct membership *membership,
                                  char message[static STORE_MESSAGE_MAX]);

/* How far the system's clock is ahead of the database's, which is the time of the site; below 0:
 * behind. As measured when the name was taken, or with the last beat. */
int64_t membership_ahead_ms(const struct membership *membership);

/* Is that more than MEMBERSHIP_CLOCK_DIFFERS_MS, in one direction or the other? `what` says it. */
enum { MEMBERSHIP_CLOCK_BYTES = 96 };
bool membership_clock_differs(int64_t ahead_ms, char what[static MEMBERSHIP_CLOCK_BYTES]);

/* Names of the nodes with which there is a link, each with a space behind it, for the next beats;
 * of a membership whose `relay` is not "", else nobody is told. Copied, as far as it fits. */
void membership_set_links(struct membership *membership, const char *names);

/* Said with the next beat, and all later ones. */
void membership_set_facts(struct membership *membership, const struct membership_facts *facts);

/*
 * Which documents hold at this node, as "NAME=REVISION NAME=REVISION", for the others: said with
 * the next beat and all later ones. What is too long is not said.
 */
void membership_say(struct membership *membership, const char *documents);
/* What a node says of one of them; -1: nothing, as one of the version before. */
int64_t membership_says(const struct membership_node *node, const char *document);

/*
 * Without a name, to look only: this or membership_join is called first. STORE_CORRUPT: the
 * database holds no site, or one of version 1, which knows no nodes; STORE_FAILED: see
 * membership_problem.
 */
enum store_result membership_open(struct membership *membership,
                                  char message[static STORE_MESSAGE_MAX]);

/* One round trip. STORE_FAILED: not now. */
enum store_result membership_see(struct membership *membership, struct membership_look *look,
                                 char message[static STORE_MESSAGE_MAX]);

/*
 * Takes the row of a node away that was seen so, if it has no part, nobody is connected who has its
 * name, and it has not beaten since. A process that comes back after that finds that its name is
 * another's. STORE_FENCED: one of these is not so any more.
 */
enum store_result membership_forget(struct membership *membership,
                                    const struct membership_node *node,
                                    char message[static STORE_MESSAGE_MAX]);

/*
 * A document of the site (hub/store_document.h), by its name.
 *
 * membership_document: if it is not of *revision, which begins as -1; *text is for free(), NULL: it
 * still is. STORE_FAILED too: it is longer than it may be, or was there and is missing.
 * membership_put_document: in place of that revision, which *revision says, and then the new one.
 * STORE_FENCED: somebody else has changed it meanwhile.
 */
enum store_result membership_document(struct membership *membership, const char *name,
                                      int64_t *revision, char **text, size_t *len,
                                      char message[static STORE_MESSAGE_MAX]);
enum store_result membership_put_document(struct membership *membership, const char *name,
                                          const char *text, int64_t *revision,
                                          char message[static STORE_MESSAGE_MAX]);

/* The node is gone, if it can be said. Then only membership_document, as long as there is a
 * connection, and membership_destroy may follow. */
void membership_leave(struct membership *membership);
void membership_destroy(struct membership *membership); /* takes NULL */

/* For messages, as postgres_store_name; and why something has failed. */
enum postgres_problem membership_problem(const struct membership *membership);
const char *membership_url_name(const struct membership *membership);

/* ---- what follows from looks: no database, no clock */

/* The last look, and since when each counter stands still. Begins as zeros. */
struct membership_watch {
    bool begun;
    struct membership_look look;
    int64_t news_ms;                             /* since when no counter at all has moved */
    int64_t node_since_ms[MEMBERSHIP_NODES_MAX]; /* as look.node */
    int64_t node_away_ms[MEMBERSHIP_NODES_MAX];  /* since when it is away, or by now */
    int64_t node_known_ms[MEMBERSHIP_NODES_MAX]; /* since when it has been there with this life */
    int64_t node_out_ms[MEMBERSHIP_NODES_MAX];   /* since when it lives outside the group; 0: not */
    bool node_proven[MEMBERSHIP_NODES_MAX];      /* it has been in the group in this life */
    int64_t part_since_ms[PARTS_MAX];
};

/*
 * A gap between two looks proves nothing: perhaps the database stood still. Nor does it that nobody
 * has written anything for a while, not even this node: perhaps nobody can. Then all begins anew.
 */
void membership_follow(struct membership_watch *watch, const struct membership_look *look);

/*
 * Does this node of the last look live? Not if it has been silent for `silent_ms`, or has lost its
 * connection and not made it again within a moment: that is enough to expect no help of it, while
 * what it has stays its own.
 */
bool membership_lives(const struct membership_watch *watch, size_t node, int64_t silent_ms);

/* Have these two nodes of a look a link with each other, as both say? */
bool membership_are_linked(const struct membership_look *look, size_t one, size_t other);

/*
 * The group: nodes that live and have links with each other, and clocks that differ from the
 * database's by no more than MEMBERSHIP_CLOCK_WRONG_MS, unless all do; as many as can be found; of
 * two that are as large the one with the node that has lived longest. Parts are for it alone, as a
 * client of any of its nodes reaches all of them. `places` of the last look, a bit each.
 */
uint64_t membership_group(const struct membership_watch *watch, int64_t silent_ms);

/*
 * Is this node of the last look of no use to clients? It has never been in the group, or not for
 * MEMBERSHIP_CUT_OFF_MS: a link that is lost for a moment is no reason to move anything.
 */
bool membership_is_cut_off(const struct membership_watch *watch, size_t node);

/* One whose row is of no use any more: it is away and silent for so long, and no part names it. Its
 * place in the look; -1: none. */
int membership_dead(const struct membership_watch *watch, int64_t dead_ms);

struct membership_plan {
    uint64_t take; /* parts that may be had, a bit each */
    /* Of them those that nobody else has taken, though they are not its share: one of these that it
     * has not just tried in vain. */
    uint64_t left_over;
    bool give_up; /* one of its own, so that others have as many */
    bool cut_off; /* one of its own, as others have to have them all */
};

/*
 * For the node `self` that has the parts `mine`. A fair share is as many parts as there are for
 * each node that lives, rounded up; only while somebody has less than that rounded down it is as
 * many, so that a new node finds something. What is taken was given up, or is of who has been
 * silent for `silent_ms`; that may be a process before that had the name `self`. What is silent is
 * shared by those alone who can know it: a node that has come meanwhile would have to listen first.
 * When there is nothing to be taken, who has most of all gives up one. What is free and has stood
 * still for MEMBERSHIP_LEFT_OVER_MS, as who should have it cannot open it perhaps, is for anybody.
 * Nothing is for who is not in the group, and who is cut off gives up everything; but while it may
 * be about to be reached its share is left to it.
 */
struct membership_plan membership_decide(const struct membership_watch *watch, const char *self,
                                         uint64_t mine, int64_t silent_ms);

#endif
