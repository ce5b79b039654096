/* What the files of a keeper share. */
#ifndef KEEPER_PRIVATE_H
#define KEEPER_PRIVATE_H

#include "holdings.h"
#include <keeper/keeper.h>
#include <pthread.h>

/* Openings wait for the database most of the time. */
enum { WORKERS = 4, OPENINGS_MAX = WORKERS - 1 };

struct told { /* about one other node */
    char name[POSTGRES_NODE_MAX + 1], relay[POSTGRES_RELAY_MAX + 1];
};

struct followed { /* a document */
    const char *name;
    int64_t revision; /* that was told; -1: none was */
    bool failed;      /* to be read; it has been said */
    int64_t held;     /* that holds here; shared */
};

struct keeper {
    struct keeper_callbacks callbacks;
    struct keeper_pace pace;

    /* The thread that decides: all of this is its own. */
    struct membership *membership;
    struct membership_watch watch;
    struct membership_look look;
    struct told told[MEMBERSHIP_NODES_MAX];
    size_t told_count;
    bool member;
    bool away;          /* the database; it has been said */
    bool clock_differs; /* that was said */
    bool cut_off;       /* that was told */
    struct followed followed[STORE_DOCUMENTS_MAX];
    size_t followed_count;
    /* Of all of them: the next beat says what holds here; one that did was acknowledged; and they
     * were read after that. */
    bool says_all, said_all, known_all;
    struct followed *spreading; /* a document that was changed here; NULL: none */
    int64_t spread_revision, spread_since_ms;

    /* What the threads share. */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct holdings holdings;
    int64_t beat_ms;   /* the last one that was acknowledged */
    bool stopping;     /* no callbacks but `close` */
    bool ending;       /* the threads end when everything is closed */
    unsigned calls;    /* of callbacks, under way */
    char *change_text; /* of a document, that is to be kept; NULL: none */
    struct followed *changed_document;
    int64_t change_before;
    bool holds; /* something holds that has not been said to the others */

    char links[MEMBERSHIP_LINKS_MAX + 1];
    bool links_changed;
    struct membership_facts facts;

    pthread_t decider, workers[WORKERS];
    unsigned started; /* workers */
};

#endif
