/*
 * What an operator asks of the database of a site, and not of a server: its schema, and into how
 * many parts it is divided.
 */
#ifndef POSTGRES_PARTS_H
#define POSTGRES_PARTS_H

#include <postgres/store.h>

struct postgres_said {
    char name[256]; /* of the database, as postgres_store_name */
    char message[STORE_MESSAGE_MAX];
};

/*
 * Makes the schema in an empty database, or brings it to this program's version; else it changes
 * nothing. Servers may go on meanwhile, but those that know version 1 or 2 alone (POSTGRES_TAKEN).
 */
struct postgres_versions {
    int before, now; /* of the schema; 0: there was none */
    int known;       /* to this program */
};
enum postgres_problem postgres_migrate(const char *url, struct postgres_versions *versions,
                                       struct postgres_said *said);

/* Changes nothing: a database that holds nothing yet is a site of one part. */
enum postgres_problem postgres_parts_get(const char *url, unsigned *parts,
                                         struct postgres_said *said);

/* Whether nobody was ever a player of it: it holds no session and no room. It changes nothing. */
enum postgres_problem postgres_is_empty(const char *url, bool *empty, struct postgres_said *said);

/* It changes nothing, and reads all events, which takes a while. */
struct postgres_times {
    int64_t now_ms;    /* as the database's clock says */
    int64_t latest_ms; /* that anything is stamped with; 0: there is nothing */
};
enum postgres_problem postgres_times_get(const char *url, struct postgres_times *times,
                                         struct postgres_said *said);

/*
 * 1 to PARTS_MAX, with all that the site holds (hub/part.h). POSTGRES_TAKEN while any part is
 * taken. Whoever has lost the connection meanwhile cannot go on.
 */
enum postgres_problem postgres_parts_set(const char *url, unsigned parts,
                                         struct postgres_said *said);

#endif
