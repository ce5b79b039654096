/*
 * Hello: which part is a client's home, and what its answer says of the other parts.
 *
 * A new client is a stranger to one part, its home for the time being: that part watches over it,
 * counts it, and answers what it says before hello. A credential belongs to a part; if that
 * part knows that it leads to another one, the hello is said there. Without a secret the session is
 * made where the client is.
 */
#ifndef SITE_GREET_H
#define SITE_GREET_H

#include "messages/piece.h"
#include <hub/hub.h>
#include <stdbool.h>

struct client;
struct port;
struct request;
struct site;
struct site_link;

/* False: no part may or can have it, and `*code` is the close code to give; CLOSE_RESTART: no part
 * is served at the moment. */
bool greet_stranger(struct site *site, struct client *client, int *code);
/* The part that this hello is for. */
unsigned greet_part(const struct site *site, const struct client *client,
                    const struct request *request);
/*
 * Its home says that the secret of its hello leads to another part (hub_elsewhere): the hello
 * waits to be said there. False: that cannot be.
 */
bool greet_elsewhere(struct site *site, struct client *client, unsigned part);
/* Of a part: what the hello that leads elsewhere answers. It is brought there before that. */
void greet_challenged(const struct site *site, struct client *client, unsigned part,
                      const uint8_t challenge[static HUB_CHALLENGE_BYTES]);
/* The hello is answered, or is not said there: the challenge is of no use any more. */
void greet_forget_challenge(struct client *client);
/* That part is served: hands the hello over. */
void greet(struct site *site, struct client *client, unsigned part, const struct hub_decoded *said);
/* A message of its home while it is CLIENT_GREETING. True: it was the answer, and is dealt with. */
bool greet_answer(struct site *site, const struct port *port, const struct hub_head *head,
                  struct piece text);
/* Another node says which seats the session of this question has there. Whose it is; NULL: nobody's
 * any more. */
struct client *greet_seated(struct site *site, const struct site_link *link, uint64_t question,
                            const struct hub_seat *seats, size_t count);
/* The time is over: what has not been answered is left out. */
void greet_late(struct site *site, struct client *client);
/* Its home is lost. If that has answered, the client is known, and what others have not said is
 * left out; */
void greet_settle(struct site *site, struct client *client);
/* if not, its hello waits to be said again, before anything else. */
void greet_back(struct site *site, struct client *client);
/* This link answers no more. */
void greet_forget(struct site *site, const struct site_link *link);
void greet_end(struct site *site, struct client *client);

/* The seats of a session in the parts that are here, but for one; at most GREET_SEATS. */
enum { GREET_SEATS = 256 };
size_t greet_seats(const struct site *site, uint64_t session, unsigned except,
                   struct hub_seat seats[static GREET_SEATS]);

#endif
