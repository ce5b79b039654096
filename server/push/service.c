#include <push/service.h>

#include <stddef.h>
#include <string.h>

const char *const push_known_services[] = {
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.notify.windows.com",
    "*.push.apple.com",
    NULL,
};

/* The parts of scheme://host:port/path. */
struct parts {
    bool tls;
    const char *host, *port, *path; /* port: "" if there is none */
    size_t host_len, port_len;
};

static size_t host_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-");
}

/* Names and addresses of IPv4 in the one form that has one meaning. */
static bool host_is_valid(const char *host, size_t len)
{
    if (len == 0 || len > 253 || host[0] == '.' || host[len - 1] == '.')
        return false;
    for (size_t i = 1; i < len; i++) {
        if (host[i] == '.' && host[i - 1] == '.')
            return false;
    }
    return true;
}

static bool take_word(const char **at, const char *word)
{
    const size_t len = strlen(word);
    if (strncmp(*at, word, len) != 0)
        return false;
    *at += len;
    return true;
}

/* Everything up to the path. */
static bool split_url(const char *url, struct parts *parts)
{
    const char *at = url;
    parts->tls = take_word(&at, "https://");
    if (!parts->tls && !take_word(&at, "http://"))
        return false;
    parts->host = at;
    parts->host_len = host_length(at);
    at += parts->host_len;
    const bool has_port = take_word(&at, ":");
    parts->port = at;
    parts->port_len = has_port ? strspn(at, "0123456789") : 0;
    parts->path = at + parts->port_len;
    return host_is_valid(parts->host, parts->host_len) &&
           (!has_port || (parts->port_len > 0 && parts->port_len <= 5 && *parts->port != '0'));
}

/* Letters, digits and marks of a path and query; nothing that is to be escaped, and no fragment. */
static bool path_is_valid(const char *path)
{
    static const char MARKS[] = "/-._~!$&'()*+,;=:@%?";
    if (*path != '/')
        return false;
    for (; *path; path++) {
        const bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                           (*path >= '0' && *path <= '9');
        if (!plain && !strchr(MARKS, *path))
            return false;
    }
    return true;
}

static bool is_origin(const char *service)
{
    return strstr(service, "://") != NULL;
}

bool push_service_is_valid(const char *service)
{
    struct parts parts;
    if (strlen(service) >= PUSH_ORIGIN_MAX)
        return false;
    if (is_origin(service))
        return split_url(service, &parts) && *parts.path == '\0';
    const char *name = service;
    const bool below = take_word(&name, "*.");
    const size_t len = host_length(name);
    return name[len] == '\0' && host_is_valid(name, len) && (!below || memchr(name, '.', len));
}

static bool is_same_text(const char *text, size_t len, const char *other)
{
    return strlen(other) == len && memcmp(text, other, len) == 0;
}

/* The host, or one below it. */
static bool host_matches(const struct parts *parts, const char *service)
{
    if (!take_word(&service, "*"))
        return is_same_text(parts->host, parts->host_len, service);
    const size_t tail = strlen(service); /* ".push.apple.com" */
    return parts->host_len > tail &&
           memcmp(parts->host + parts->host_len - tail, service, tail) == 0;
}

static const char *service_of(const char *endpoint, const struct parts *parts,
                              const char *const services[])
{
    const size_t origin_len = (size_t)(parts->path - endpoint);
    for (; *services; services++) {
        if (is_origin(*services) ? is_same_text(endpoint, origin_len, *services)
                                 : parts->tls && parts->path == parts->host + parts->host_len &&
                                       host_matches(parts, *services))
            break;
    }
    return *services;
}

bool push_endpoint_allowed(const char *endpoint, const char *const services[],
                           struct push_target *target)
{
    struct parts parts;
    if (strlen(endpoint) > PUSH_ENDPOINT_MAX || !split_url(endpoint, &parts) ||
        !path_is_valid(parts.path))
        return false;
    const char *service = service_of(endpoint, &parts, services);
    const size_t origin_len = (size_t)(parts.path - endpoint);
    if (!service || origin_len >= sizeof target->origin)
        return false;
    memcpy(target->origin, endpoint, origin_len);
    target->origin[origin_len] = '\0';
    target->named = is_origin(service);
    return true;
}
