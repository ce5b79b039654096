#include "pages.h"

#include "online.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

enum {
    BUSY_TRIES = 60,
    BUSY_MS = 1000,
    STATUS_OK = 200,
    STATUS_NONE = 404,
    STATUS_TOO_MANY = 429,
    STATUS_BUSY = 503,
};

int pages_begin(struct pages *pages, const struct invocation *invocation, const char *server,
                const char *ca)
{
    struct invocation asking = *invocation;
    struct wire_url url;
    asking.online = (struct online_options){.server = server, .ca = ca};
    if (!online_find_server(&url, &asking))
        return EXIT_USAGE;
    if (ca && !online_ca_is_usable(ca))
        return EXIT_FILE;
    pages->fetcher = wire_fetcher_create(&url, ca);
    buffer_init(&pages->body, 0, PAGES_BYTES);
    return pages->fetcher ? EXIT_OK : EXIT_MEMORY;
}

void pages_end(struct pages *pages)
{
    buffer_release(&pages->body);
    wire_fetcher_destroy(pages->fetcher);
}

static int say_status(const struct pages *pages, const char *path, int status)
{
    if (status == 0)
        fprintf(stderr, "taluva: the server cannot be reached: %s: %s\n", path,
                wire_fetch_problem(pages->fetcher));
    else if (status == STATUS_NONE)
        fprintf(stderr, "taluva: %s: the server has no such page\n", path);
    else
        fprintf(stderr, "taluva: %s: the server answers with HTTP %d\n", path, status);
    return EXIT_NETWORK;
}

int pages_fetch(struct pages *pages, const char *path, bool *there)
{
    int status = 0;
    for (int tries = 0; tries < BUSY_TRIES; tries++) {
        status = wire_fetch(pages->fetcher, path, &pages->body);
        if (status != STATUS_TOO_MANY && status != STATUS_BUSY)
            break;
        uv_sleep(BUSY_MS);
    }
    if (there)
        *there = status == STATUS_OK;
    return status == STATUS_OK || (there && status == STATUS_NONE)
               ? EXIT_OK
               : say_status(pages, path, status);
}

int pages_lines(const struct pages *pages, bool (*line)(void *ctx, const struct json_t *object),
                void *ctx)
{
    const size_t all = pages->body.len;
    const char *at = all ? buffer_payload(&pages->body) : "", *end = at + all;
    bool goes_on = true;
    while (at < end && goes_on) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t len = (size_t)((stop ? stop : end) - at);
        json_t *object = json_loadb(at, len, JSON_REJECT_DUPLICATES, NULL);
        if (!json_is_object(object)) {
            json_decref(object);
            fputs("taluva: what the server has there cannot be read\n", stderr);
            return EXIT_DATA;
        }
        goes_on = line(ctx, object);
        json_decref(object);
        at += len + 1;
    }
    return EXIT_OK;
}
