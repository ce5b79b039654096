/*
 * What the operator asks of a running server: one line of JSON each way, as protocol/admin.md
 * describes them. No socket here and no clock; who may ask is decided by whoever has the socket.
 *
 *     line --admin_request_read--> request --hub_admin--> a line
 *
 * Lists come in pages of at most ADMIN_PAGE, so that no answer is long and none keeps the loop
 * busy.
 */
#ifndef HUB_ADMIN_H
#define HUB_ADMIN_H

#include <hub/admin_request.h>
#include <protocol/buffer.h>
#include <protocol/reply.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feature;
struct hub;
struct operator_row;

enum { ADMIN_VERSION = 1 /* of the lines */ };

/* The line that a connection begins with; `server` is what hub_env.server says. */
void admin_write_greeting(const char *server, struct buffer *line);
void admin_write_refusal(int64_t id, const struct refusal *refusal, struct buffer *line);

/*
 * Carries out what is about one room, `room` and `close`, and what features answer. The others are
 * of all parts together, as below, or about documents of the site (features/feature.h).
 *
 * ADMIN_DONE: the answer was appended to `line`. One that has failed (protocol/buffer.h) means that
 *     memory ran out.
 * ADMIN_REFUSED: `refusal` says why nothing was changed.
 * ADMIN_WAITS: for the store. hub_admin_next then says one of the two others, once; until then
 *     other requests that would have to wait are refused with `busy`.
 */
enum admin_outcome { ADMIN_DONE, ADMIN_REFUSED, ADMIN_WAITS, ADMIN_MOVED };
enum admin_outcome hub_admin(struct hub *hub, const struct admin_request *request, int64_t now_ms,
                             struct buffer *line, struct refusal *refusal);
/* What a feature answers; NULL: it is none of theirs, but the hub's own, or about a document. */
const struct operator_row *admin_operation(const struct feature *const *features,
                                           const struct operator_word *word);

/* What is asked of all parts that are here at once, as if they were one hub: there may be none. */
struct admin_hubs {
    struct hub *const *hubs;
    size_t count;
    const char *server; /* hub_env.server */
    int64_t now_ms;
    bool draining; /* the server; a hub whose part is given back drains as well */
    /* Writes what more there is of `status`; NULL: nothing. */
    void (*status)(void *ctx, struct writer *writer);
    void *ctx;
};
/* `status`, `rooms`, `sessions` and `addresses`: the answer is appended to `line`. */
void hub_admin_look(const struct admin_hubs *hubs, const struct admin_request *request,
                    struct buffer *line);
/* An announcement to those whose home the hub is, and to who has no session yet: how many. */
size_t hub_announce(struct hub *hub, const char *text, int64_t now_ms);
/* For the `status` of a site: what there is of one part, as members. */
void hub_admin_part(const struct hub *hub, struct writer *writer);

/*
 * ADMIN_WAITS: nothing waits, or it waits still. To be asked with what else is fetched.
 * ADMIN_MOVED: nothing was done, as it is about an account of another part, `*session`: it is to be
 * asked there, with that in the request.
 */
enum admin_outcome hub_admin_next(struct hub *hub, struct buffer *line, struct refusal *refusal,
                                  uint64_t *session);

#endif
