#include "origin.h"

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

bool origin_is_allowed(const char *origin, const char *host, const char *const *allowed)
{
    const char *origin_host = after_scheme(origin);
    if (origin_host && *host && strcasecmp(origin_host, host) == 0)
        return true;
    for (; *allowed; allowed++) {
        if (strcasecmp(origin, *allowed) == 0)
            return true;
    }
    return false;
}
