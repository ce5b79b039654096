/*
 * Bans and silences: a banned session or network cannot connect, a silenced one cannot speak.
 */
#ifndef HUB_ADMIN_BAN_H
#define HUB_ADMIN_BAN_H

#include <hub/admin_request.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <stdbool.h>
#include <stddef.h>

struct hub;

/* Those that hold, as the member "bans". */
void admin_ban_list(const struct hub *hub, struct writer *writer);

/*
 * `ban`, `silence` and `lift`: checks, and leaves the bans as they are to be with admin_wait_save
 * and their text in `text`. False with *refusal, and nothing has changed.
 */
bool admin_ban_decide(struct hub *hub, const struct admin_request *request, struct buffer *text,
                      struct refusal *refusal);
/* Closes who is banned now: how many connections, but for those of clients that are at home in
 * another part. */
size_t admin_ban_close(struct hub *hub);
/* They are kept: makes them hold, closes who is banned now, and writes the answer's members. */
void admin_ban_apply(struct hub *hub, struct writer *writer);

#endif
