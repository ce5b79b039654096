/* Where programs ask by HTTP (site/program.h). */
#ifndef SITE_PROGRAM_PAGE_H
#define SITE_PROGRAM_PAGE_H

#include <protocol/limits.h>
#include <stdbool.h>

struct site_page;

/* What is asked of which page. */
enum { PROGRAM_OP_BYTES = 24 };
struct program_page {
    bool gets;
    const char *scope;                   /* that it takes */
    char op[PROGRAM_OP_BYTES];           /* of what gets: `hello` alone, or that behind it */
    char after[PROTOCOL_ROOM_BYTES + 1]; /* "": from the newest on */
    bool bad;                            /* what follows the path is none of its */
};

/* False: there is none. */
bool program_page_find(const char *path, struct program_page *page);

/* Is that such a path? Then *page says what can be asked of it. */
bool program_page_describe(const char *path, struct site_page *page);

#endif
