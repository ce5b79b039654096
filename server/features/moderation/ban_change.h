/*
 * `ban`, `silence` and `lift`: what they make of a list of bans.
 */
#ifndef MODERATION_BAN_CHANGE_H
#define MODERATION_BAN_CHANGE_H

#include "ban_list.h"
#include <hub/admin_request.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

extern const struct operator_word ban_word, silence_word, lift_word;

struct ban_change {
    const struct admin_request *request;
    const struct hub *hub; /* as of ban_until_ms */
    int64_t now_ms;
    size_t most; /* that may hold */
};

/* `bans`, which the caller releases in any case, are `before` as they are to be, and `text` is to
 * be kept. False: `refusal` says why not. */
bool ban_change_decide(const struct ban_change *change, const struct ban_list *before,
                       struct ban_list *bans, struct buffer *text, struct refusal *refusal);

/* Those that hold, as the member "bans". */
void ban_change_list(const struct ban_list *bans, const struct hub *hub, int64_t now_ms,
                     struct writer *writer);
/* What has come of it, as members. */
void ban_change_write(const struct admin_request *request, int64_t now_ms, size_t closed,
                      struct writer *writer);

#endif
