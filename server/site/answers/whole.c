#include "whole.h"

#include "clients/client.h"
#include "parts/port.h"
#include "site_private.h"

/* So long after an answer that was incomplete: a part that is slow is no reason to be told all the
 * time. */
enum { SETTLED_MS = 1000 };

void whole_misses(struct site *site, struct client *client)
{
    client->misses_parts = true;
    site->missed_ms = site->now_ms;
}

static bool is_whole(const struct site *site)
{
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (!site->parts[part].link && !part_tells(&site->parts[part]))
            return false;
    }
    return true;
}

void whole_tell(struct site *site)
{
    size_t at = 0;
    struct client *client;
    if (site->missed_ms == 0 || site->now_ms - site->missed_ms < SETTLED_MS || !is_whole(site))
        return;
    site->missed_ms = 0;
    while ((client = client_next(&site->clients, &at)) != NULL) {
        if (client->misses_parts && client->close_code == 0)
            client_notify(site, client, PROTOCOL_NOTICE_WHOLE, NULL,
                          "Tables that could not be listed are there again.");
        client->misses_parts = false;
    }
}
