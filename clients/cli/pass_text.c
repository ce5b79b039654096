#include "pass_text.h"

#include <ctype.h>
#include <protocol/encoding.h>
#include <stdio.h>
#include <string.h>

static const char MARK[] = "#link=";

/* Digits that look alike are the same. */
static char digit_of(char typed)
{
    const char digit = (char)tolower((unsigned char)typed);
    if (digit == 'o')
        return '0';
    return digit == 'i' || digit == 'l' ? '1' : digit;
}

static bool read_digits(char pass[PROTOCOL_PASS_BYTES + 1], const char *typed)
{
    size_t len = 0;
    for (; *typed; typed++) {
        if (isspace((unsigned char)*typed) || *typed == '-')
            continue;
        if (len == PROTOCOL_PASS_BYTES)
            return false;
        pass[len++] = digit_of(*typed);
    }
    pass[len] = '\0';
    return pass_valid(pass, len);
}

/* Scheme, host and port: the page's own path is none of the WebSocket's. */
static bool read_server(char server[WIRE_URL_TEXT], const char *link, size_t len)
{
    struct wire_url url;
    const char *begin = link + strspn(link, " \t"), *scheme = strstr(begin, "://");
    const char *host = scheme && scheme < link + len ? scheme + 3 : begin;
    size_t keep = (size_t)(host - begin) + strcspn(host, "/#");
    if (keep >= WIRE_URL_TEXT)
        return false;
    memcpy(server, begin, keep);
    server[keep] = '\0';
    return wire_url_parse(&url, server);
}

bool pass_text_read(struct pass_text *text, const char *typed)
{
    const char *mark = strstr(typed, MARK);
    *text = (struct pass_text){.pass = ""};
    if (!mark)
        return read_digits(text->pass, typed);
    return read_digits(text->pass, mark + strlen(MARK)) &&
           read_server(text->server, typed, (size_t)(mark - typed));
}

void pass_text_group(char grouped[PASS_GROUPED], const char *pass)
{
    size_t at = 0;
    for (size_t i = 0; i < PROTOCOL_PASS_BYTES; i++) {
        if (i > 0 && i % 4 == 0)
            grouped[at++] = ' ';
        grouped[at++] = pass[i];
    }
    grouped[at] = '\0';
}

void pass_text_link(char link[PASS_LINK], const struct wire_url *url, const char *pass)
{
    char host[WIRE_URL_HOST_HEADER];
    wire_url_host_header(url, host);
    (void)snprintf(link, PASS_LINK, "%s://%s/%s%s", url->tls ? "https" : "http", host, MARK, pass);
}
