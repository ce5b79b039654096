/*
 * Which parts are served, and how each begins and ends.
 */
#ifndef NET_PARTS_H
#define NET_PARTS_H

#include <stdbool.h>

struct net;

bool parts_init(struct net *net); /* False: the mailbox cannot be made */
/* Finishes what was given to the stores and ends their threads. Nothing more is taken from them. */
void parts_join(struct net *net);
/* Everything else of net is gone. */
void parts_release(struct net *net);

/* Takes what net_document, net_give, net_take_back and net_lost have left, in this order. */
void parts_read_mail(struct net *net);
/* All are given back. */
void parts_drain(struct net *net);
/* To be called before the loop sleeps, and now and then: a part whose state is over gets the next
 * one. */
void parts_pump(struct net *net);
/* None is served, and none is ending. */
bool parts_are_gone(const struct net *net);

#endif
