#include "origin.h"

#include "host_name.h"
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *after_scheme(const char *origin)
{
    const char *colon = strstr(origin, "://");
    return colon && colon > origin ? colon + 3 : NULL;
}

bool origin_is_valid(const char *origin)
{
    const char *host = after_scheme(origin);
    if (!host || !*host)
        return false;
    size_t scheme_len = (size_t)(host - 3 - origin);
    if (strspn(origin, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != scheme_len)
        return false;
    return strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_:[]") == strlen(host);
}

/* -1: the scheme has none that we know. */
static int default_port(const char *origin)
{
    static const struct {
        const char *scheme;
        int port;
    } schemes[] = {{"http://", 80}, {"https://", 443}};
    for (size_t at = 0; at < sizeof schemes / sizeof schemes[0]; at++) {
        if (strncasecmp(origin, schemes[at].scheme, strlen(schemes[at].scheme)) == 0)
            return schemes[at].port;
    }
    return -1;
}

/* Browsers leave a default port out of Origin, programs and proxies may write it out. */
static bool is_of_host(const char *origin, const char *text)
{
    struct host_port of, host;
    const char *origin_host = after_scheme(origin);
    const int port = default_port(origin);
    if (!origin_host || !host_port_read(&of, origin_host) || !host_port_read(&host, text))
        return false;
    return of.len == host.len && strncasecmp(of.name, host.name, of.len) == 0 &&
           (of.port < 0 ? port : of.port) == (host.port < 0 ? port : host.port);
}

static bool is_same(const char *origin, const char *allowed)
{
    const char *host = after_scheme(allowed);
    const size_t scheme = host ? (size_t)(host - allowed) : 0;
    return host && strncasecmp(origin, allowed, scheme) == 0 && is_of_host(origin, host);
}

bool origin_is_allowed(const char *origin, const char *host, const char *const *allowed)
{
    if (is_of_host(origin, host))
        return true;
    for (; *allowed; allowed++) {
        if (is_same(origin, *allowed))
            return true;
    }
    return false;
}
