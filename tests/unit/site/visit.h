/*
 * Somebody who asks a site by HTTP, and the last answer that came.
 */
#ifndef VISIT_H
#define VISIT_H

#include "nodes.h"
#include <hub/hub.h>

enum { VISIT_BYTES = 1 << 20 };

struct visit {
    struct hub_http_answer answer; /* without its body: */
    char body[VISIT_BYTES];        /* ended by a 0 */
    size_t len;
};

extern const uint8_t visit_asker[16]; /* the address */

/* Takes the body of the answer over, which is released. */
void visit_keep(struct visit *visit);
/* 0: it is answered, else the ticket. */
uint64_t visit_ask(struct visit *visit, struct nodes *nodes, int node, const char *path);
/* The answer that the ticket waits for is there. */
bool visit_is_answered(struct visit *visit, struct nodes *nodes, int node, uint64_t ticket);
/* The status, of an answer that comes by itself. */
int visit_get(struct visit *visit, struct nodes *nodes, int node, const char *path);

#endif
