/*
 * A node of a site (`taluvad --node`): a keeper, which opens parts and closes them, and hands them
 * to a net, which serves them through a site.
 *
 *     node_open, node_start   before and after the net is made
 *     net_run
 *     node_stop, net_destroy, node_close
 */
#ifndef SERVER_NODE_H
#define SERVER_NODE_H

#include "choose_store.h"
#include "hub_maker.h"
#include "node_files.h"
#include <net/net.h>
#include <stdatomic.h>

struct node {
    struct hub_maker maker;
    const char *url;
    unsigned parts;
    struct site *site;
    struct keeper *keeper;
    struct net *net;
    struct node_files files; /* without a name: no links */
    bool started;
    atomic_bool replaced; /* another process has its name */

    /* Of the thread that brings bans. */
    bool bans_known;      /* a text that can be read was brought */
    bool takes_old;       /* those of a server that was alone are being kept */
    bool old_failed;      /* to be read or kept; it has been said */
    int64_t bans_damaged; /* the revision of which that was said last, +1 */
};

/* Asks the database for the number of parts. `maker` is copied, what it borrows is not. An exit
 * status; what is wrong has been said, here and below. node_close may follow in any case. */
int node_open(struct node *node, const struct store_choice *choice, const struct hub_maker *maker);
/* What the net needs to know of it. */
void node_options(struct node *node, struct net_options *options);
/* Takes the name. `net` is not run yet. */
int node_start(struct node *node, struct net *net);
/* The net has run. An exit status, `status` unless the node was replaced. */
int node_stop(struct node *node, int status);
void node_close(struct node *node);

#endif
