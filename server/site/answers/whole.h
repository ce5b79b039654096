/*
 * Answers that leave something out, as a part is nobody's or has not answered in time: they say so
 * (`incomplete`), and the client is told once when all parts are served again.
 */
#ifndef SITE_WHOLE_H
#define SITE_WHOLE_H

struct client;
struct site;

/* An answer to this client is incomplete. */
void whole_misses(struct site *site, struct client *client);
/* Now and then: tells those who miss something if there is nothing to be missed any more. */
void whole_tell(struct site *site);

#endif
