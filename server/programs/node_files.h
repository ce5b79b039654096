/* The files of a node's links: named by options, or credentials of the service. */
#ifndef SERVER_NODE_FILES_H
#define SERVER_NODE_FILES_H

#include "options.h"
#include <net/nodes.h>
#include <stdbool.h>

struct node_files {
    struct net_relay_options relay; /* names of files may be in `paths` */
    char paths[3][OPTIONS_PATH_MAX + 16];
};

/* For a node with --relay. False: not all three are there. */
bool node_files_find(struct node_files *files, const struct options *options);

#endif
