/*
 * A page of rows of the whole site that a feature asks for (hub/call.h): a leaderboard, a search.
 * It is read beside the loop, and is what is durable, whoever owns the rows.
 */
#ifndef HUB_KERNEL_QUERY_H
#define HUB_KERNEL_QUERY_H

#include <hub/store_row.h>
#include <stdbool.h>
#include <stdint.h>

/* What a feature keeps of a request until its page is here, the head of the feature's own struct.
 */
struct kernel_kept {
    void (*destroy)(struct kernel_kept *kept);
};

struct kernel_query {
    const struct store_table *table;
    unsigned index;    /* of the table's */
    uint32_t limit;    /* rows; 1 to STORE_QUERY_ROWS_MAX (hub/store.h) */
    bool behind;       /* only rows behind `from`: the last one of the page before */
    uint8_t behind_by; /* with `behind`: the column of `from` by which that row is looked up; if
                          there is none the page is empty. 0: all of it is known */
    const void *from;  /* a row, of which the first columns of the index count, and if `behind` all
                          by which it orders */
    struct kernel_kept *kept; /* handed back in the call, and then destroyed; NULL: nothing. Of a
                                 page of HTTP see features/feature.h */
};

#endif
