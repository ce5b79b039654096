/* `taluvad status` and `taluvad forget`: a site as its database shows it, and a name less in it. */
#ifndef SERVER_SITE_STATUS_H
#define SERVER_SITE_STATUS_H

#include "options.h"

/* Each looks for some seconds, as nobody's clock is asked, and returns an exit status; what is
 * wrong has been said. SITE_STATUS_WRONG: something is wrong with the site. */
enum { SITE_STATUS_WRONG = 1 };
int site_status(const struct options *options);
int site_forget(const struct options *options);

#endif
