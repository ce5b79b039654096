/* How people sign in elsewhere (--accounts external), from the options and the server's keys. */
#ifndef PROGRAMS_SIGN_IN_H
#define PROGRAMS_SIGN_IN_H

#include "options.h"
#include <hub/hub.h>
#include <net/net.h>
#include <oidc/provider.h>
#include <store/site_keys.h>

enum { SIGN_IN_URL_MAX = 300 };

struct sign_in {
    struct hub_external hub;
    struct net_enter net;
    struct oidc_options oidc;
    char secret[OIDC_SECRET_MAX + 1], redirect[SIGN_IN_URL_MAX + 1];
};

/* Before the hub is made. An exit status; what is wrong has been said. */
int sign_in_begin(struct sign_in *sign_in, const struct options *options);
/* With the keys of the site, which all its servers have, from which that of vouchers follows. */
void sign_in_open(struct sign_in *sign_in, const struct site_keys *keys);

#endif
