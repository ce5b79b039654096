#include <wire/url.h>

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char PAGE[] = "/index.html";

static bool skip(const char **text, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strncmp(*text, prefix, len) != 0)
        return false;
    *text += len;
    return true;
}

/* The text up to one of `stops`; moves behind it. Lower case, as host names do not care. */
static bool take_host(char host[WIRE_URL_HOST], const char **text, const char *allowed,
                      const char *stops)
{
    size_t len = strcspn(*text, stops);
    if (len == 0 || len >= WIRE_URL_HOST)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)(*text)[i];
        if (!isalnum(c) && !strchr(allowed, c))
            return false;
        host[i] = (char)tolower(c);
    }
    host[len] = '\0';
    *text += len;
    return true;
}

static bool take_port(uint16_t *port, const char **text)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    unsigned long number = strtoul(*text, &end, 10);
    if (number < 1 || number > 65535)
        return false;
    *port = (uint16_t)number;
    *text = end;
    return true;
}

/* What a browser shows of the page: the server is the one that the page is from. */
static bool is_page(const char *text, size_t len)
{
    return len == 0 || (len == 1 && *text == '/') ||
           (len == sizeof PAGE - 1 && memcmp(text, PAGE, len) == 0);
}

static bool take_path(char path[WIRE_URL_PATH], const char *text, bool of_page)
{
    const size_t len = of_page ? strcspn(text, "?#") : strlen(text);
    if (is_page(text, len)) {
        strcpy(path, "/ws");
        return true;
    }
    if (len >= WIRE_URL_PATH || text[len] != '\0')
        return false;
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c <= ' ' || c >= 0x7f || c == '?' || c == '#')
            return false;
    }
    memcpy(path, text, len + 1);
    return true;
}

/* How it is written for a browser means the same server, at that scheme's own port. */
static bool take_scheme(struct wire_url *url, const char **text, bool *of_page)
{
    static const struct {
        const char *prefix;
        bool tls;
        uint16_t port;
    } schemes[] = {{"ws://", false, 7400},
                   {"wss://", true, 443},
                   {"http://", false, 80},
                   {"https://", true, 443}};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const size_t len = strlen(schemes[i].prefix);
        if (strncasecmp(*text, schemes[i].prefix, len) != 0)
            continue;
        *text += len;
        *of_page = schemes[i].prefix[0] == 'h';
        url->tls = schemes[i].tls;
        url->port = schemes[i].port;
        return true;
    }
    return !strstr(*text, "://");
}

bool wire_url_parse(struct wire_url *url, const char *text)
{
    *url = (struct wire_url){.port = 7400};
    bool of_page = false;
    (void)skip(&text, "\xef\xbb\xbf"); /* a byte order mark, of a file that it was copied from */
    if (!take_scheme(url, &text, &of_page))
        return false;
    if (skip(&text, "[")) {
        if (!take_host(url->host, &text, ":.", "]") || !skip(&text, "]"))
            return false;
    } else if (!take_host(url->host, &text, "-._", ":/?#")) {
        return false;
    }
    if (skip(&text, ":") && !take_port(&url->port, &text))
        return false;
    if (*text != '\0' && !strchr("/?#", *text))
        return false;
    return take_path(url->path, text, of_page);
}

static bool is_ipv6(const struct wire_url *url)
{
    return strchr(url->host, ':') != NULL;
}

void wire_url_host_header(const struct wire_url *url, char text[WIRE_URL_HOST_HEADER])
{
    const char *open = is_ipv6(url) ? "[" : "", *shut = *open ? "]" : "";
    if (url->port == (url->tls ? 443 : 80))
        snprintf(text, WIRE_URL_HOST_HEADER, "%s%s%s", open, url->host, shut);
    else
        snprintf(text, WIRE_URL_HOST_HEADER, "%s%s%s:%u", open, url->host, shut, url->port);
}

void wire_url_format(const struct wire_url *url, char text[WIRE_URL_TEXT])
{
    const char *open = is_ipv6(url) ? "[" : "", *shut = *open ? "]" : "";
    snprintf(text, WIRE_URL_TEXT, "%s://%s%s%s:%u%s", url->tls ? "wss" : "ws", open, url->host,
             shut, url->port, url->path);
}

bool wire_url_is_local(const struct wire_url *url)
{
    enum { LOOPBACK_NET = 127 };
    struct in_addr ipv4;
    struct in6_addr ipv6;
    if (inet_pton(AF_INET, url->host, &ipv4) == 1)
        return ntohl(ipv4.s_addr) >> 24 == LOOPBACK_NET;
    if (inet_pton(AF_INET6, url->host, &ipv6) == 1)
        return IN6_IS_ADDR_LOOPBACK(&ipv6);
    return strcmp(url->host, "localhost") == 0;
}
