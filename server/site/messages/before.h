/*
 * What nodes of the version before do not say beside their text (hub/facts.h) is read out of it,
 * and told as this version says it. To go as soon as no upgrade begins at that version any more,
 * with pieces.h, which nothing else includes.
 */
#ifndef SITE_BEFORE_H
#define SITE_BEFORE_H

#include <stddef.h>

struct hub_head;
struct hub_http_answer;
struct port;
struct site;

/* As arrive_told, of a node that says no facts. */
void before_told(struct site *site, struct port *port, const struct hub_head *head,
                 const unsigned char *bytes, size_t len);
/* The page of a list of rooms, as this version would have sent it. */
void before_page(struct hub_http_answer *page);

#endif
