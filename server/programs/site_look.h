/* A site as somebody sees it who looks at its database for a while: who lives, who has what. */
#ifndef SERVER_SITE_LOOK_H
#define SERVER_SITE_LOOK_H

#include "choose_store.h"
#include <postgres/figures.h>

enum site_node_state { SITE_NODE_LIVES, SITE_NODE_SILENT, SITE_NODE_AWAY };
enum site_part_state {
    SITE_PART_SERVED,
    SITE_PART_SILENT, /* somebody is connected who has it, and commits nothing */
    SITE_PART_NOBODYS,
};

struct site_look {
    struct membership *membership;
    char name[256]; /* of the database, without a password */
    struct membership_look first, last;
    int64_t looked_ms;
    struct postgres_figures figures;
    bool uncounted; /* not all of the figures could be read in time */
    char why_uncounted[STORE_MESSAGE_MAX];
};

/* Looks until all nodes have beaten and all parts have committed, for `most_ms` at most. An exit
 * status; what is wrong has been said. */
int site_look_begin(struct site_look *look, const struct store_choice *choice, int64_t most_ms);
void site_look_end(struct site_look *look);

enum site_node_state site_node_state(const struct site_look *look, size_t node);
enum site_part_state site_part_state(const struct site_look *look, unsigned part);

#endif
