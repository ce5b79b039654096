/*
 * Bans and silences: a banned session or network cannot connect, a silenced one cannot speak. All
 * parts of a site have the same ones, which are kept elsewhere, as a text. "" is no bans.
 */
#ifndef HUB_BANS_H
#define HUB_BANS_H

#include <hub/admin_request.h>
#include <protocol/buffer.h>
#include <protocol/reply.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

/* The text as `ban`, `silence` or `lift` make it; at most `most` are to hold. False: `refusal` says
 * why not. Sessions are not looked for. */
bool bans_text_change(const char *text, size_t len, const struct admin_request *request,
                      int64_t now_ms, size_t most, struct buffer *changed, struct refusal *refusal);
/* Is it such a text? And is something in it? False as well: no memory. */
bool bans_text_good(const char *text, size_t len);
bool bans_text_any(const char *text, size_t len);
/* The answer to `bans`; false: it is no such text, or no memory. And to what has changed them, of
 * whose targets so many were `closed`. */
bool bans_text_show(const char *text, size_t len, int64_t id, int64_t now_ms, struct buffer *line);
void bans_text_changed(const struct admin_request *request, int64_t now_ms, size_t closed,
                       struct buffer *line);

/* What has become of a text that was to be kept for all nodes. */
enum bans_kept {
    BANS_KEPT,
    BANS_OTHERS, /* somebody has changed them meanwhile */
    BANS_LATE,   /* it is kept, but some node has not taken it in time */
    BANS_FAILED,
};

/* These hold from now on, and who is banned is closed. False: it is no such text, or no memory, and
 * nothing has changed. `closed`: connections of those whose home the hub is. */
bool hub_bans_replace(struct hub *hub, const char *text, size_t len, int64_t now_ms,
                      size_t *closed);
/* Is there such a session, of which the hub is the home? */
bool hub_has_session(const struct hub *hub, uint64_t session);

#endif
