/* `taluvad check-node`: whether a node would have all that it needs, before it is started, or while
 * it runs. */
#ifndef SERVER_CHECK_NODE_H
#define SERVER_CHECK_NODE_H

#include "options.h"

/* Checks one thing after the other, and prints a line for each. An exit status, that of the first
 * that is wrong. */
int check_node(const struct options *options);

#endif
