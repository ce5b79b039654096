/* What can be asked of a page of HTTP. */
#ifndef SITE_PAGE_H
#define SITE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

struct site_page {
    bool gets;
    bool stored;           /* of what the store has: no node without a lease may speak of it */
    const char *post_type; /* of what can be sent to it; NULL: nothing can */
    size_t post_bytes;
    bool by_token; /* it is a program's: see site/program.h */
};

#endif
