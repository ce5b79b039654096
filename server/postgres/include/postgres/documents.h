/*
 * A document of a site (hub/store_document.h) over a connection of its own: for what a server needs
 * before it serves, and for commands. A membership reads and changes them while it serves. The
 * schema is made if there is none.
 */
#ifndef POSTGRES_DOCUMENTS_H
#define POSTGRES_DOCUMENTS_H

#include <postgres/parts.h>

struct postgres_document {
    const char *name;
    int64_t revision;
    char *text; /* 0-terminated */
    size_t len;
};

/* The text is for free(). */
enum postgres_problem postgres_document_get(const char *url, struct postgres_document *document,
                                            struct postgres_said *said);
/* In place of that revision. *changed false: somebody else has changed it meanwhile. */
enum postgres_problem postgres_document_put(const char *url,
                                            const struct postgres_document *document, bool *changed,
                                            struct postgres_said *said);

#endif
