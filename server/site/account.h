/*
 * The account of a client's session: its home says which it has, in the answers to `hello` and
 * `claim` and in the push `account`, and the other parts that the client is in are told.
 */
#ifndef SITE_ACCOUNT_H
#define SITE_ACCOUNT_H

#include "pieces.h"

struct client;
struct port;
struct site;

/* From what has it as its member. */
void account_read(const struct site *site, struct client *client, struct piece ok);
/* The first message of the port is about to be sent, or kept for the client. */
void account_follow(struct site *site, const struct port *port);

#endif
