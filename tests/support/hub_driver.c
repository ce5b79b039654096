#include "hub_driver.h"

bool hub_is_far;

bool hub_get_from(uint8_t host, struct hub *hub, const char *path, int64_t now_ms,
                  struct hub_http_answer *answer, uint64_t *ticket)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = host};
    return hub_http_get(hub, path, address, now_ms, answer, ticket);
}

int hub_link_connect(struct hub_link *link, struct hub *hub, uint8_t host, int64_t now_ms)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = host};
    int refused = hub_connect(hub, address, now_ms, &link->peer);
    link->open = refused == 0;
    return refused;
}

void hub_link_disconnect(struct hub_link *link, struct hub *hub, int64_t now_ms)
{
    link->open = false;
    hub_disconnect(hub, link->peer, now_ms);
}

static void fetch(const struct hub_driver *driver, size_t index)
{
    const struct hub_link *link = driver->link_at(driver->ctx, index);
    const unsigned char *bytes;
    size_t len;
    while ((bytes = hub_output(driver->hub, link->peer, &len)) != NULL) {
        driver->message(driver->ctx, index, bytes, len);
        hub_sent(driver->hub, link->peer);
    }
}

void hub_driver_read(const struct hub_driver *driver, size_t index, int64_t now_ms)
{
    struct hub_link *link = driver->link_at(driver->ctx, index);
    int close_code = hub_close_code(driver->hub, link->peer);
    if (!driver->is_reading || driver->is_reading(driver->ctx, index, close_code))
        fetch(driver, index);
    if (close_code == 0)
        return;
    if (driver->closed)
        driver->closed(driver->ctx, index, close_code);
    hub_link_disconnect(link, driver->hub, now_ms);
}

static bool find(const struct hub_driver *driver, struct hub_peer peer, size_t *index)
{
    const struct hub_link *link;
    for (*index = 0; (link = driver->link_at(driver->ctx, *index)) != NULL; ++*index) {
        if (link->open && link->peer.index == peer.index &&
            link->peer.generation == peer.generation)
            return true;
    }
    return false;
}

bool hub_driver_deliver(const struct hub_driver *driver, int64_t now_ms)
{
    struct hub_peer peer;
    bool all_known = true;
    while (hub_next_ready(driver->hub, &peer)) {
        size_t index;
        if (find(driver, peer, &index))
            hub_driver_read(driver, index, now_ms);
        else
            all_known = false;
    }
    return all_known;
}
