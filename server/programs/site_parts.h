/* `taluvad parts`: into how many parts the site of a database is divided. */
#ifndef SERVER_SITE_PARTS_H
#define SERVER_SITE_PARTS_H

#include "options.h"

/* Says it, or sets it; an exit status, what is wrong has been said. */
int site_parts(const struct options *options);

#endif
