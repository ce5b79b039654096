/*
 * What is asked of a part by HTTP: a page, or that it takes what is sent. Of a part here, or over a
 * link, where it is a frame.
 */
#ifndef SITE_ASK_H
#define SITE_ASK_H

#include <hub/hub.h>
#include <stdbool.h>
#include <stdint.h>

struct frame;
struct site_link;

enum { ASK_PATH_BYTES = 256 };

/* Borrows all of it. */
struct ask {
    const char *path;
    const uint8_t *address;           /* who pays for it; NULL: nobody */
    const struct hub_http_post *post; /* NULL: it is a GET */
};

/* As hub_http_get. */
bool ask_hub(struct hub *hub, const struct ask *ask, int64_t now_ms, struct hub_http_answer *answer,
             uint64_t *ticket);
/* False: it cannot be sent now. */
bool ask_link(struct site_link *link, uint64_t question, unsigned part, const struct ask *ask);

/* One that another node has sent, and what it borrows; the body is the frame's. */
struct ask_read {
    unsigned part;
    char path[ASK_PATH_BYTES], host[HUB_HTTP_NAME_MAX + 1], origin[HUB_HTTP_NAME_MAX + 1];
    struct hub_http_post post;
    struct ask ask;
};
/* False: it is none. */
bool ask_read(struct ask_read *read, struct frame *frame, unsigned parts);

#endif
