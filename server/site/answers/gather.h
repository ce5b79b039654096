/*
 * The list of rooms: every part that is served is asked for its own, and the pages are made one.
 *
 * A part knows what is behind a room of its own only. So it is kept which room of each part a
 * client was shown last: each part is asked for what comes behind that one. Parts that nobody has,
 * or that do not answer in time, are left out.
 */
#ifndef SITE_GATHER_H
#define SITE_GATHER_H

#include "messages/piece.h"
#include <stdbool.h>

struct client;
struct hub_head;
struct port;
struct request;
struct site;

/* No other is under way. */
void gather_begin(struct site *site, struct client *client, const struct request *request);
/* A message that came by a port. True: it was an answer to that, or to one before that was answered
 * without it, and is dealt with. */
bool gather_answer(struct site *site, struct port *port, const struct hub_head *head,
                   struct piece text);
/* A port that is about to be closed by its hub answers no more. */
void gather_lost(struct site *site, struct port *port);
/* Its time is over: answers with what there is. */
void gather_late(struct site *site, struct client *client);
void gather_end(struct site *site, struct client *client); /* without an answer */
void shown_release(struct client *client);

#endif
