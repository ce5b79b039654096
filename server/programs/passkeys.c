#include "passkeys.h"

#include <stdio.h>
#include <string.h>

/* Where the host begins; NULL: no page of it is one for passkeys. */
static const char *secure_host(const char *origin)
{
    static const char https[] = "https://", local[] = "http://localhost";
    const size_t len = sizeof local - 1;
    if (strncmp(origin, https, sizeof https - 1) == 0)
        return origin + sizeof https - 1;
    return strncmp(origin, local, len) == 0 && (origin[len] == ':' || origin[len] == '\0')
               ? origin + len - strlen("localhost")
               : NULL;
}

static const char *first_secure_host(const char *const *origins)
{
    const char *host = NULL;
    for (; *origins && !host; origins++)
        host = secure_host(*origins);
    return host;
}

/* The last label of a name is no number; an address of IPv6 begins with a bracket. */
static bool is_name(const char *host)
{
    const char *dot = strrchr(host, '.');
    const char *last = dot ? dot + 1 : host;
    return last[0] != '\0' && host[0] != '[' && (last[0] < '0' || last[0] > '9');
}

bool passkeys_of_origins(struct passkeys *passkeys, const char *const *origins)
{
    const char *host = first_secure_host(origins);
    const size_t len = host ? strcspn(host, ":/") : 0;
    if (len == 0 || len >= sizeof passkeys->rp_id)
        return false;
    (void)snprintf(passkeys->rp_id, sizeof passkeys->rp_id, "%.*s", (int)len, host);
    if (!is_name(passkeys->rp_id))
        return false;
    passkeys->hub = (struct hub_passkeys){.rp_id = passkeys->rp_id, .origins = origins};
    return true;
}

static bool is_within(const char *host, size_t len, const char *domain)
{
    const size_t domain_len = strlen(domain);
    return len >= domain_len && strncmp(host + len - domain_len, domain, domain_len) == 0 &&
           (len == domain_len || host[len - domain_len - 1] == '.');
}

const char *passkeys_host_left_out(const struct passkeys *passkeys, const char *const *hosts)
{
    for (; hosts && *hosts; hosts++) {
        if (strcmp(*hosts, "*") != 0 && !is_within(*hosts, strcspn(*hosts, ":"), passkeys->rp_id))
            return *hosts;
    }
    return NULL;
}

const char *passkeys_origin_left_out(const struct passkeys *passkeys, const char *const *origins)
{
    for (; *origins; origins++) {
        const char *host = secure_host(*origins);
        if (!host || !is_within(host, strcspn(host, ":/"), passkeys->rp_id))
            return *origins;
    }
    return NULL;
}
