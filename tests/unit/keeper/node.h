/*
 * A keeper of a node with a real database. What it opens is a store without a hub; a thread serves
 * it as net would: it commits now and then, and gives back what it is asked for.
 */
#ifndef TESTS_UNIT_KEEPER_NODE_H
#define TESTS_UNIT_KEEPER_NODE_H

#include <check.h>
#include <keeper/keeper.h>
#include <pthread.h>

enum { PARTS = 6 };

extern const struct keeper_pace pace;

struct node {
    const char *name;
    struct keeper *keeper;
    pthread_t server;
    bool stops;
    bool unreached; /* it has no links with others */
    pthread_mutex_t mutex;
    struct keeper_part parts[PARTS];
    bool serves[PARTS], asked[PARTS];
    bool waits;           /* whoever serves its parts commits nothing */
    uint64_t lost[PARTS]; /* the term that another node has, as it was told */
    int opened, closed, replaced, tries;
    enum store_result fails;               /* of part 0 */
    char others[64], bans[16], other[16];  /* of its documents */
    int64_t bans_revision, other_revision; /* -1: it has not heard of any */
    int bans_kept;                         /* a result of either; 1: none yet */
    bool slow;                             /* it is told of bans, and they do not hold there yet */
    int bans_refused;                      /* so often from now on */
};

void begin_nodes(void); /* before each test: an empty database */

void prepare(struct node *node, const char *name);
void start(struct node *node);
/* As a program that is asked to end: everything is given back, then the keeper leaves. */
void end(struct node *node);

struct keeper_figures figures_of(struct node *node);
void until_it_has(struct node *node, unsigned parts);
void pause_ms(long ms);

/* Of documents, by any node: the last, and how often. */
const char *last_said(void);
int count_said(void);

#endif
