/*
 * The connections of a test that drives the hub: opens them, and after each call of the hub takes
 * its output for them and closes those that the hub wants closed.
 *
 * The test owns the links. Its callbacks decide which links read at the moment and what happens to
 * a message. The test itself handles batches, reads and time.
 */
#ifndef SUPPORT_HUB_DRIVER_H
#define SUPPORT_HUB_DRIVER_H

#include <hub/hub.h>

/* One connection, as the hub sees it. */
struct hub_link {
    struct hub_peer peer;
    bool open;
};

struct hub_driver {
    struct hub *hub;
    void *ctx;
    /* The links, numbered from 0; NULL behind the last. */
    struct hub_link *(*link_at)(void *ctx, size_t index);
    /* Does it read now? `close_code` is the hub's, 0: none. NULL: all links always read. */
    bool (*is_reading)(void *ctx, size_t index, int close_code);
    /* A message to it; the bytes are valid until this returns. */
    void (*message)(void *ctx, size_t index, const unsigned char *bytes, size_t len);
    /* The hub closes it; its peer is still valid. May be NULL. */
    void (*closed)(void *ctx, size_t index, int close_code);
};

/* Its clients are connected to another node (far_hub.c). */
extern bool hub_is_far;

/* From 10.0.0.`host`. 0, or the close code of a refusal, and then the link stays closed. */
int hub_link_connect(struct hub_link *link, struct hub *hub, uint8_t host, int64_t now_ms);
/* hub_http_get from there. */
bool hub_get_from(uint8_t host, struct hub *hub, const char *path, int64_t now_ms,
                  struct hub_http_answer *answer, uint64_t *ticket);
void hub_link_disconnect(struct hub_link *link, struct hub *hub, int64_t now_ms);

/* Fetches and closes for one open link, as if it had become ready. */
void hub_driver_read(const struct hub_driver *driver, size_t index, int64_t now_ms);
/* ... for all that are ready. False: one of them is no open link of this driver. */
bool hub_driver_deliver(const struct hub_driver *driver, int64_t now_ms);

#endif
