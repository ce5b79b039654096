#include "host_name.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PORT_DIGITS = 5, PORT_MAX = 65535 };

static bool read_port(struct host_port *host, const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > PORT_DIGITS || text[digits])
        return false;
    host->port = (int)strtol(text, NULL, 10);
    return host->port <= PORT_MAX;
}

bool host_port_read(struct host_port *host, const char *text)
{
    const char *end = *text == '[' ? strchr(text, ']') : NULL;
    if (*text == '[' && !end)
        return false;
    end = end ? end + 1 : text + strcspn(text, ":");
    *host = (struct host_port){.name = text, .len = (size_t)(end - text), .port = -1};
    if (host->len == 0 || (*end && *end != ':'))
        return false;
    return !*end || read_port(host, end + 1);
}

bool host_name_is_valid(const char *name)
{
    static const char signs[] = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
    return strcmp(name, "*") == 0 || (*name && strspn(name, signs) == strlen(name));
}

/* ---- names that nobody elsewhere can have */

static bool is_name(const struct host_port *host, const char *name, size_t len)
{
    return host->len == len && strncasecmp(host->name, name, len) == 0;
}

static bool is_address(const struct host_port *host)
{
    char text[INET_ADDRSTRLEN];
    struct in_addr address;
    if (*host->name == '[')
        return true; /* nothing else has brackets */
    if (host->len >= sizeof text)
        return false;
    memcpy(text, host->name, host->len);
    text[host->len] = '\0';
    return inet_pton(AF_INET, text, &address) == 1;
}

static bool is_local(const struct host_port *host)
{
    static const char last[] = ".localhost";
    const size_t len = sizeof last - 1;
    if (!memchr(host->name, '.', host->len))
        return true;
    return host->len > len && strncasecmp(host->name + host->len - len, last, len) == 0;
}

/* ---- names that were given */

static bool is_listed(const struct host_port *host, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(*names, "*") == 0 || is_name(host, *names, strlen(*names)))
            return true;
    }
    return false;
}

static bool is_of_origin(const struct host_port *host, const char *const *origins)
{
    for (; *origins; origins++) {
        struct host_port of;
        const char *scheme = strstr(*origins, "://");
        if (scheme && host_port_read(&of, scheme + 3) && is_name(host, of.name, of.len))
            return true;
    }
    return false;
}

/* "localhost." is the same name as "localhost". */
static bool read_name(struct host_port *host, const char *text)
{
    if (!host_port_read(host, text))
        return false;
    if (host->len > 1 && host->name[host->len - 1] == '.')
        host->len--;
    return true;
}

bool host_is_named(const char *text, const char *const *names)
{
    struct host_port host;
    return read_name(&host, text) && is_listed(&host, names);
}

bool host_is_known(const char *text, const char *const *names, const char *const *origins)
{
    struct host_port host;
    if (!read_name(&host, text))
        return false;
    return is_address(&host) || is_local(&host) || is_listed(&host, names) ||
           is_of_origin(&host, origins);
}
