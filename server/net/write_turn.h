/*
 * What a turn of the loop writes to clients. What is said to many (a line of talk, a move that
 * hundreds look on) is written in several turns: between them the loop reads what others ask, and
 * writes to who waits for something first (site_next_ready).
 */
#ifndef NET_WRITE_TURN_H
#define NET_WRITE_TURN_H

#include <stdbool.h>

struct net;

void write_turn_begin(struct net *net);
/* Until nobody is ready, or the turn has written enough. */
void write_turn_go_on(struct net *net);
/* Is something left for the next turn? Not while nothing may be written (lease.h). */
bool write_turn_leaves(struct net *net);

#endif
