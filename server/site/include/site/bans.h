/*
 * The bans of a site (hub/bans.h), which are kept elsewhere for all its nodes.
 */
#ifndef SITE_SITE_BANS_H
#define SITE_SITE_BANS_H

#include <site/site.h>

/*
 * These hold from now on, in the parts that are here and in those that come: the text is taken
 * over, for free(). False: some hub has not the memory for it, and site_bans_again is to be called
 * some time later.
 */
bool site_bans(struct site *site, char *text, size_t len, int64_t revision, int64_t now_ms);
bool site_bans_again(struct site *site, int64_t now_ms);
/* That revision cannot be read: what holds goes on, and the next change is in place of that one. */
void site_bans_unreadable(struct site *site, int64_t revision);
/* Before site_serve. False: the bans are not known yet, or the hub has no memory for them. */
bool site_bans_give(struct site *site, struct hub *hub, int64_t now_ms);
int64_t site_bans_revision(const struct site *site);

#endif
