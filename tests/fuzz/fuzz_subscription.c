/*
 * A browser's subscription as a client may make it up: an endpoint, a line feed, and the bytes of a
 * key. What is allowed must lead where libcurl goes with it: to an origin of the list and to nobody
 * else, by whatever part of the text it is hidden. A key is a point that can be encrypted for, or
 * refused.
 */
#include "fuzz.h"
#include <curl/curl.h>
#include <push/message.h>
#include <push/service.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const named[] = {"http://127.0.0.1:8080", "https://push.club.example", NULL};

static void hold(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool ends_with(const char *text, const char *tail)
{
    const size_t len = strlen(text), tail_len = strlen(tail);
    return len > tail_len && strcmp(text + len - tail_len, tail) == 0;
}

static bool is_known(const char *host)
{
    bool found = false;
    for (const char *const *known = push_known_services; *known && !found; known++)
        found = **known == '*' ? ends_with(host, *known + 1) : strcmp(host, *known) == 0;
    return found;
}

static char *part(CURLU *url, CURLUPart what)
{
    char *text = NULL;
    return curl_url_get(url, what, &text, 0) == CURLUE_OK ? text : NULL;
}

/* The same origin as libcurl reads it, and nothing that would send more than a path and a query. */
static void hold_target(const char *endpoint, const struct push_target *target)
{
    char origin[PUSH_ORIGIN_MAX + 8];
    CURLU *url = curl_url();
    hold(url != NULL, "no memory");
    hold(curl_url_set(url, CURLUPART_URL, endpoint, 0) == CURLUE_OK, "libcurl cannot read it");
    char *scheme = part(url, CURLUPART_SCHEME), *host = part(url, CURLUPART_HOST);
    char *port = part(url, CURLUPART_PORT), *user = part(url, CURLUPART_USER);
    char *password = part(url, CURLUPART_PASSWORD), *fragment = part(url, CURLUPART_FRAGMENT);
    hold(scheme && host && !user && !password && !fragment, "it has more than an endpoint has");
    snprintf(origin, sizeof origin, "%s://%s%s%s", scheme, host, port ? ":" : "", port ? port : "");
    hold(strcmp(origin, target->origin) == 0, "libcurl goes elsewhere");
    hold(target->named || (strcmp(scheme, "https") == 0 && !port && is_known(host)),
         "it is of no known service");
    char *parts[] = {scheme, host, port, user, password, fragment};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        curl_free(parts[i]);
    curl_url_cleanup(url);
}

static void try_endpoint(const char *endpoint)
{
    struct push_target target;
    if (push_endpoint_allowed(endpoint, push_known_services, &target)) {
        hold(!target.named, "nobody has named it");
        hold_target(endpoint, &target);
    }
    if (push_endpoint_allowed(endpoint, named, &target)) {
        bool found = false;
        for (const char *const *origin = named; *origin && !found; origin++)
            found = strcmp(*origin, target.origin) == 0;
        hold(found, "it is not of the list");
        hold_target(endpoint, &target);
    }
}

static void try_key(const uint8_t *bytes, size_t len)
{
    struct push_receiver to = {.auth = {1}};
    uint8_t body[PUSH_BODY_MAX];
    size_t body_len = 0;
    memcpy(to.point, bytes, len < sizeof to.point ? len : sizeof to.point);
    const bool valid = push_point_is_valid(to.point);
    hold(push_encrypt(&to, "text", 4, body, &body_len) == valid, "a key is one or is none");
    hold(!valid || body_len == PUSH_HEAD_BYTES + 4 + 1 + 16, "a body of another length");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char endpoint[PUSH_ENDPOINT_MAX + 2];
    const uint8_t *end = memchr(data, '\n', size);
    const size_t len = end ? (size_t)(end - data) : size;
    if (len >= sizeof endpoint || memchr(data, '\0', len))
        return 0; /* no request has such a text */
    memcpy(endpoint, data, len);
    endpoint[len] = '\0';
    try_endpoint(endpoint);
    if (end)
        try_key(end + 1, size - len - 1);
    return 0;
}
