/*
 * The one change of the operator of a node that waits (site/operator.h).
 */
#ifndef SITE_OPERATOR_PRIVATE_H
#define SITE_OPERATOR_PRIVATE_H

#include <hub/admin_request.h>
#include <site/documents.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct document_row;
struct site;
struct site_document;

/*
 *     NOTHING --asked--> PART --stored, or not--> NOTHING
 *                          '--it has left--> LEFT --said--> NOTHING
 *             --asked--> DOCUMENT --kept, or not--> KEPT --said--> NOTHING
 *             --a part has asked--> FEATURE --kept, or not--> NOTHING
 */
enum operator_waits {
    OPERATOR_NOTHING,
    OPERATOR_PART, /* for the store of a part */
    OPERATOR_LEFT,
    OPERATOR_DOCUMENT, /* for who keeps the documents */
    OPERATOR_KEPT,
    OPERATOR_FEATURE, /* none of the operator's: a feature changes its document */
};

struct operator_change {
    enum operator_waits waits;
    unsigned part;
    enum document_kept kept;
    struct site_document *document;
    const struct document_row *row; /* of it */
    struct admin_request request;
    int64_t asked_ms;
    char said[160]; /* the sentence of a refusal */
};

/* The part is not here any more. */
void operator_part_left(struct site *site, unsigned part);

#endif
