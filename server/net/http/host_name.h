/*
 * By which names a server may be called. A web page of anybody's can be opened under a name that
 * its owner lets point here afterwards (DNS rebinding), and is then of the same origin as whatever
 * answers: so a name that nobody could have told it belongs to no page of ours.
 */
#ifndef NET_HOST_NAME_H
#define NET_HOST_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* "name", "name:port", "[address]" or "[address]:port": a part of the text that was read. */
struct host_port {
    const char *name; /* with its brackets */
    size_t len;
    int port; /* -1: none */
};

/* False: it is none of these. */
bool host_port_read(struct host_port *host, const char *text);

/* As an option names one: lower case, no port; or "*", which is any. */
bool host_name_is_valid(const char *name);

/*
 * Known are addresses, localhost and what ends so, names without a dot, which the public DNS does
 * not have, and those of two lists, which end with NULL: names, and origins.
 */
bool host_is_known(const char *host, const char *const *names, const char *const *origins);
/* Is it one of these, or is "*" among them? */
bool host_is_named(const char *host, const char *const *names);

#endif
