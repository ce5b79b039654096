/*
 * The bans of a site, which all its parts have. What brings them is in site/operator.h.
 */
#ifndef SITE_BANS_H
#define SITE_BANS_H

#include <hub/admin_request.h>
#include <protocol/buffer.h>
#include <protocol/reply.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;

struct site_bans {
    char *text; /* what holds; NULL: it is not known */
    size_t len;
    int64_t revision;
    bool late;     /* not all hubs have had the memory for it */
    size_t closed; /* connections of whom is banned, since this was set to 0 */
};

void bans_release(struct site *site);

/* `bans`; and the text as `ban`, `silence` and `lift` make it. False: refused. */
bool bans_show(const struct site *site, const struct admin_request *request, struct buffer *line,
               struct refusal *refusal);
bool bans_change(const struct site *site, const struct admin_request *request, size_t most,
                 struct buffer *changed, struct refusal *refusal);

#endif
