/*
 * The documents of a site, which all its parts share. What brings them is in site/operator.h.
 */
#ifndef SITE_SITE_DOCUMENTS_H
#define SITE_SITE_DOCUMENTS_H

#include <features/feature.h>
#include <hub/store_document.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct operator_word;
struct site;

struct site_document {
    const struct feature_document *type;
    void *value; /* what holds; NULL: it is not known */
    int64_t revision;
    size_t closed; /* connections, by what came since this was set to 0 */
};

struct site_documents {
    struct site_document list[STORE_DOCUMENTS_MAX];
    size_t count;
};

/* Those of its features, none of which is known. */
void documents_init(struct site *site);
void documents_release(struct site *site);

/* Of whose operations this is one, and which; NULL: none's. */
struct site_document *documents_find_row(struct site *site, const struct operator_word *word,
                                         const struct document_row **row);

#endif
