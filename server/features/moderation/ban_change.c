#include "ban_change.h"

#include "ban_list.h"
#include <hub/ban_target.h>
#include <string.h>

enum { MARGIN_BYTES = 1024 };
enum { MEMBERS_NEEDED = MEMBER_TARGET | MEMBER_FOR, MEMBERS_MAY = MEMBER_FORCE | MEMBER_REASON };

const struct operator_word ban_word = {"ban", true, MEMBERS_NEEDED, MEMBERS_MAY};
const struct operator_word silence_word = {"silence", true, MEMBERS_NEEDED, MEMBERS_MAY};
const struct operator_word lift_word = {"lift", true, MEMBER_TARGET, 0};

static bool refuse_change(struct refusal *refusal, const char *code, const char *text)
{
    *refusal = (struct refusal){.code = code, .text = text};
    return false;
}

static bool refuse_memory(struct refusal *refusal)
{
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    return false;
}

static bool refuse_many(struct refusal *refusal)
{
    return refuse_change(refusal, "too_many_bans", "There are too many bans; lift some.");
}

static bool may_put(const struct admin_request *request, struct refusal *refusal)
{
    if (!request->force && ban_target_is_dangerous(&request->target))
        return refuse_change(refusal, "too_wide",
                             "That would be nearly everybody, or everybody behind a proxy on this "
                             "machine; it needs force.");
    return true;
}

static bool put_ban(const struct ban_change *change, struct ban_list *bans, struct refusal *refusal)
{
    const struct admin_request *request = change->request;
    struct ban ban = {.target = request->target,
                      .silence = request->word == &silence_word,
                      .since_ms = change->now_ms,
                      .until_ms = change->now_ms + request->for_s * 1000};
    memcpy(ban.reason, request->text, sizeof ban.reason);
    if (!may_put(request, refusal))
        return false;
    if (ban_list_put(bans, &ban) < 0)
        return refuse_memory(refusal);
    return bans->count <= change->most || refuse_many(refusal);
}

static bool make_change(const struct ban_change *change, struct ban_list *bans,
                        struct refusal *refusal)
{
    if (change->request->word != &lift_word)
        return put_ban(change, bans, refusal);
    return ban_list_lift(bans, &change->request->target) > 0 ||
           refuse_change(refusal, "not_banned", "There is no ban or silence for just that.");
}

/* An answer that lists them all must have room for them, and for a little more. */
static bool write_text(const struct ban_list *bans, struct buffer *text, struct refusal *refusal)
{
    ban_list_write(bans, text);
    if (text->len > ADMIN_ANSWER_BYTES - MARGIN_BYTES)
        return refuse_many(refusal);
    return !text->failed || refuse_memory(refusal);
}

bool ban_change_decide(const struct ban_change *change, const struct ban_list *before,
                       struct ban_list *bans, struct buffer *text, struct refusal *refusal)
{
    if (ban_list_copy(bans, before, change->hub, change->now_ms) < 0)
        return refuse_memory(refusal);
    return make_change(change, bans, refusal) && write_text(bans, text, refusal);
}

/* ---- answers */

void ban_change_list(const struct ban_list *bans, const struct hub *hub, int64_t now_ms,
                     struct writer *writer)
{
    writer_key_array(writer, "bans");
    for (size_t i = 0; i < bans->count; i++) {
        struct ban ban = bans->items[i];
        ban.until_ms = ban_until_ms(&ban, hub);
        if (ban.until_ms <= now_ms)
            continue;
        writer_object(writer);
        ban_write(&ban, writer);
        writer_end(writer);
    }
    writer_end(writer);
}

void ban_change_write(const struct admin_request *request, int64_t now_ms, size_t closed,
                      struct writer *writer)
{
    char target[BAN_TARGET_TEXT];
    ban_target_format(&request->target, target);
    writer_key_string(writer, "target", target);
    if (request->word != &lift_word)
        writer_key_int(writer, "until", now_ms + request->for_s * 1000);
    if (request->word == &ban_word)
        writer_key_int(writer, "closed", (int64_t)closed);
}
