/* Where programs ask by HTTP (site/program.h). */
#ifndef SITE_PROGRAM_PAGE_H
#define SITE_PROGRAM_PAGE_H

#include <stdbool.h>

struct site_page;

struct program_page {
    const char *path;
    bool whole; /* else more may follow */
    bool gets;
    const char *scope; /* that it takes */
};

static const char program_games[] = "/api/me/games";

/* NULL: there is none. */
const struct program_page *program_page_find(const char *path);

/* Is that such a path? Then *page says what can be asked of it. */
bool program_page_describe(const char *path, struct site_page *page);

#endif
