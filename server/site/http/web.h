/*
 * What is asked for by HTTP, here and at other nodes: each request is a VISIT to a part that knows,
 * which is here or over a link. The list of rooms is a visit to every part; all who ask for it
 * meanwhile get the same.
 */
#ifndef SITE_WEB_H
#define SITE_WEB_H

#include "links/frame.h"
#include <hub/hub.h>
#include <hub/part.h>

struct inquiry;
struct site;
struct site_link;
struct visit;

struct web {
    struct inquiry *inquiries; /* of who waits here */
    size_t count;
    struct visit *visits;
    uint64_t last_number; /* of an inquiry or of a question to another node */
    uint64_t missing;     /* bit set of the parts that the list is waiting for */
    int64_t list_due_ms;  /* how long it does; */
    int64_t list_old_ms;  /* until when the one that is there is shown */
    struct hub_http_answer list;
    struct hub_http_answer pages[PARTS_MAX];
};

/* The answers that the hub of a part here has. */
void web_fetch(struct site *site, unsigned part);
/* Who has the part is about to have it no more. */
void web_part_ends(struct site *site, unsigned part);
/* A part is held, or not any more: what it has said of its rooms is not shown again. */
void web_hold(struct site *site, unsigned part);
void web_forget(struct site *site, const struct site_link *link);
int64_t web_deadline_ms(const struct site *site);
void web_tick(struct site *site);
void web_release(struct site *site);

/* Frames of other nodes. */
void web_take_ask(struct site_link *link, struct frame *frame);
void web_take_answer(struct site_link *link, struct frame *frame);
void web_take_piece(struct site_link *link, const struct frame *frame);

#endif
