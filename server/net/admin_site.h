/*
 * What the operator asks (hub/admin.h): lists and figures are of all parts that
 * are here; what is about one room goes to the part that has it, or says at which node that is; a
 * ban holds for the whole site, and is kept by who keeps the parts (net_options, change_bans).
 */
#ifndef NET_ADMIN_SITE_H
#define NET_ADMIN_SITE_H

#include <hub/admin.h>
#include <net/net.h>

struct admin_change;
struct served_part;

/* As hub_admin, but for ADMIN_SAVES. ADMIN_WAITS: for the hub of `*asked`; NULL: for
 * net_bans_kept. */
enum admin_outcome admin_site_ask(struct net *net, const struct admin_request *request,
                                  struct buffer *line, struct refusal *refusal,
                                  struct served_part **asked);
/* ADMIN_DONE or ADMIN_REFUSED. */
enum admin_outcome admin_site_bans_kept(struct net *net, enum net_bans_kept kept,
                                        const struct admin_change *change, struct buffer *line,
                                        struct refusal *refusal);

/* Why a part here says nothing; "": it is not mute. */
enum { MUTE_WHY_BYTES = 80 };
void admin_site_mute_why(struct served_part *part, char why[static MUTE_WHY_BYTES]);

#endif
