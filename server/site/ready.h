/* Can this node serve clients? */
#ifndef SITE_READY_H
#define SITE_READY_H

struct hub_http_answer;
struct site;

/*
 * Why clients that need this part cannot be served; NULL: they can. A part that has just been lost
 * is expected back: what is asked of it waits.
 */
const char *ready_fault(const struct site *site, unsigned part);
/* 200, or 503 with the reason. */
void ready_answer(const struct site *site, struct hub_http_answer *answer);

#endif
