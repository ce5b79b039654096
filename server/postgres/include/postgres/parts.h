/* Into how many parts a site is divided: asked and set by the operator, while nobody serves it. */
#ifndef POSTGRES_PARTS_H
#define POSTGRES_PARTS_H

#include <postgres/store.h>

struct postgres_said {
    char name[256]; /* of the database, as postgres_store_name */
    char message[STORE_MESSAGE_MAX];
};

/* Changes nothing: a database that holds nothing yet is a site of one part. */
enum postgres_problem postgres_parts_get(const char *url, unsigned *parts,
                                         struct postgres_said *said);

/*
 * 1 to PARTS_MAX. POSTGRES_TAKEN while any part is taken; POSTGRES_PARTS if devices would not be
 * found where their sessions are (hub/part.h). So it is set before there are sessions, or later to
 * a divisor of what it was. Whoever has lost the connection meanwhile cannot go on.
 */
enum postgres_problem postgres_parts_set(const char *url, unsigned parts,
                                         struct postgres_said *said);

#endif
