/*
 * A document of the site (hub/store_document.h), the welcome of the guest book of the tests, which
 * an operator changes now and then, or the guest book itself. What is expected: one that is said to
 * be kept is durable, and the guest book goes by it; what it wants to change is what it goes by;
 * whoever comes up again has the last one that is, and never an older one than anybody was told of.
 */
#ifndef SIM_DOCUMENTS_H
#define SIM_DOCUMENTS_H

#include <hub/store.h>
#include <stdbool.h>
#include <stdint.h>

struct model_store;
struct sim;

struct documents {
    int64_t durable, told; /* revisions; 0: none */
    uint64_t text;         /* of the durable one: a number */
    int64_t putting;       /* the revision that is being put; 0: none is */
    uint64_t putting_text;
    bool by_feature; /* the guest book has asked for that */
    int64_t known;   /* to the server that runs, */
    uint64_t known_text;
    void *value; /* and what the guest book has read of it */
};

/* What the batch says has become durable. */
void documents_apply(struct sim *sim, const struct store_batch *batch);
/* The operator may want another one. */
void documents_want(struct sim *sim);
/* What the hub says of the one that is being put. */
void documents_fetch(struct sim *sim);
/* A server has come up. */
void documents_restored(struct sim *sim);
void documents_release(struct sim *sim);

#endif
