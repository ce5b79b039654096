/*
 * Whose passkeys the server takes: those of its own page, whose address `--origin` says. It is
 * fixed at the start, and never what a connection says: behind a proxy that is anything.
 */
#ifndef PROGRAMS_PASSKEYS_H
#define PROGRAMS_PASSKEYS_H

#include <hub/hub.h>
#include <stdbool.h>

enum { PASSKEYS_RP_SIZE = 254 };

struct passkeys {
    char rp_id[PASSKEYS_RP_SIZE];
    struct hub_passkeys hub; /* points into this */
};

/*
 * By the first of the origins that is https://, or http://localhost, which is a browser's own
 * machine. False: there is none, or its host is an address, which passkeys are not made for.
 */
bool passkeys_of_origins(struct passkeys *passkeys, const char *const *origins);

/*
 * A name of the server (NULL: none) under which its page can neither make nor use them, or an
 * origin of the same kind: a browser wants the relying party to be the page's host or what that
 * ends with. NULL: they fit.
 */
const char *passkeys_host_left_out(const struct passkeys *passkeys, const char *const *hosts);
const char *passkeys_origin_left_out(const struct passkeys *passkeys, const char *const *origins);

#endif
