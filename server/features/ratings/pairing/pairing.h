/* A rated room for those who go together. */
#ifndef RATINGS_PAIRING_H
#define RATINGS_PAIRING_H

#include "pool/pool.h"

struct hub;

/* Opens it, durable with letters to all of them; until then they leave. False: not now. */
bool pairing_open(struct hub *hub, const struct group *group);

#endif
