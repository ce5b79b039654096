/*
 * A document of the site (hub/store_document.h), which an operator changes now and then. What is
 * expected: one that is said to be kept is durable; whoever comes up again has the last one that
 * is, and never an older one than anybody was told of.
 */
#ifndef SIM_DOCUMENTS_H
#define SIM_DOCUMENTS_H

#include <hub/store.h>
#include <stdint.h>

struct model_store;
struct sim;

struct documents {
    int64_t durable, told; /* revisions; 0: none */
    uint64_t text;         /* of the durable one: a number */
    int64_t putting;       /* the revision that is being put; 0: none is */
    uint64_t putting_text;
    int64_t known; /* to the server that runs */
};

/* What the batch says has become durable. */
void documents_apply(struct sim *sim, const struct store_batch *batch);
/* The operator may want another one. */
void documents_want(struct sim *sim);
/* What the hub says of the one that is being put. */
void documents_fetch(struct sim *sim);
/* A server has come up. */
void documents_restored(struct sim *sim);

#endif
