/* Who has which part, as it changes. */
#ifndef SITE_OWNER_H
#define SITE_OWNER_H

#include <stdint.h>

struct site;
struct site_link;

/* The other node says that it serves the part. Nothing that is older than what is known counts. */
void owner_found(struct site *site, unsigned part, struct site_link *link, uint64_t term);
/* It does not any more, or the link is gone. No effect if it did not. */
void owner_lost(struct site *site, unsigned part, struct site_link *link);

#endif
