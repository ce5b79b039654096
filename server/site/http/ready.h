/*
 * Can this node serve clients? That a part is nobody's is the trouble of who asks for its rooms,
 * wherever they are connected: sending them all elsewhere would help nobody. So it is while no node
 * can do anything.
 */
#ifndef SITE_READY_H
#define SITE_READY_H

struct hub_http_answer;
struct site;

/* 200, or 503 with the reason. */
void ready_answer(struct site *site, struct hub_http_answer *answer);

#endif
