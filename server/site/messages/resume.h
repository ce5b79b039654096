/*
 * A client goes on in a part that somebody else has now, without noticing more than a pause:
 *
 *     part is lost         its port is there without a peer (port->lost), and is waited for
 *     part is served       it is connected again; each room is followed from the last event that
 *                          the client was sent
 *     rooms are followed   what was not answered is asked again, and what has come meanwhile is
 *                          sent: all is as before, and each event comes before the reply to its
 *                          cause, though a room may wait for the store before it is followed
 *
 * A change that is asked again with its id is carried out once (protocol, "Repeats"), and questions
 * change nothing. What can be neither (REQUEST_ONCE: `say`, `link`) is refused: try again. Anything
 * that cannot be gone on with, and a part that nobody takes in time, closes the client with 1012,
 * so that it comes again and finds out.
 *
 * At home a client is known by the hash of its device's token; the token is not kept. The part's
 * store decides whether it is still good.
 */
#ifndef SITE_RESUME_H
#define SITE_RESUME_H

#include <stdbool.h>

struct client;
struct hub_head;
struct port;
struct site;

/* Its part has been lost: waits for it, or ends the port if there is nothing to go on with. */
void resume_lost(struct site *site, struct port *port);
/* A lost one, whose part is served. */
void resume_port(struct site *site, struct port *port);
/* It was refused because there is no place now: later again. */
void resume_later(struct site *site, struct port *port);
/* What a port has answered to hub_follow. */
void resume_answer(struct site *site, struct port *port, const struct hub_head *head);
/* It is time for something. */
void resume_due(struct site *site, struct client *client);

#endif
