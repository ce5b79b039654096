#include "operator.h"

#include <check.h>
#include <hub/bans.h>
#include <string.h>

char operator_kept[1 << 16];
bool operator_full;
static struct world *w;

void operator_init(struct world *world)
{
    w = world;
    operator_kept[0] = '\0';
    operator_full = false;
}

/* ---- bans, which are kept beside the hub */

bool operator_restore(size_t *closed)
{
    return hub_bans_replace(w->hub, operator_kept, strlen(operator_kept), w->now_ms, closed);
}

/* How many connections were closed by that. */
static size_t keep_bans(const struct buffer *changed)
{
    size_t closed;
    ck_assert_uint_lt(changed->len, sizeof operator_kept);
    memcpy(operator_kept, buffer_payload(changed), changed->len);
    operator_kept[changed->len] = '\0';
    ck_assert(operator_restore(&closed));
    return closed;
}

static enum admin_outcome change_bans(const struct admin_request *request, struct buffer *line,
                                      struct refusal *refusal)
{
    const uint64_t session = request->op == ADMIN_LIFT ? 0 : request->target.session;
    struct buffer changed;
    if (session && !hub_has_session(w->hub, session)) {
        *refusal = (struct refusal){.code = "unknown_session", .text = "?"};
        return ADMIN_REFUSED;
    }
    buffer_init(&changed, 0, ADMIN_ANSWER_BYTES);
    bool good = bans_text_change(operator_kept, strlen(operator_kept), request, w->now_ms,
                                 (size_t)w->config.bans, &changed, refusal);
    if (good && operator_full) {
        *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
        good = false;
    }
    if (good)
        bans_text_changed(request, w->now_ms, keep_bans(&changed), line);
    buffer_release(&changed);
    return good ? ADMIN_DONE : ADMIN_REFUSED;
}

/* ---- all of it */

static enum admin_outcome carry_out(const struct admin_request *request, struct buffer *line,
                                    struct refusal *refusal)
{
    if (request->op == ADMIN_BAN || request->op == ADMIN_SILENCE || request->op == ADMIN_LIFT)
        return change_bans(request, line, refusal);
    if (request->op != ADMIN_BANS)
        return hub_admin(w->hub, request, w->now_ms, line, refusal);
    ck_assert(bans_text_show(operator_kept, strlen(operator_kept), request->id, w->now_ms, line));
    return ADMIN_DONE;
}

enum admin_outcome operator_ask(const char *text, struct buffer *line)
{
    struct admin_request request;
    struct refusal refusal = {0};
    enum admin_outcome outcome = ADMIN_REFUSED;
    if (admin_request_read(&request, text, strlen(text), &refusal))
        outcome = carry_out(&request, line, &refusal);
    if (outcome == ADMIN_REFUSED)
        admin_write_refusal(request.id, &refusal, line);
    return outcome;
}

enum admin_outcome operator_waited(struct buffer *line)
{
    struct refusal refusal = {0};
    const enum admin_outcome outcome = hub_admin_next(w->hub, line, &refusal);
    if (outcome == ADMIN_REFUSED)
        admin_write_refusal(1, &refusal, line);
    return outcome;
}

json_t *operator_asked(const char *text)
{
    struct buffer line;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    const enum admin_outcome outcome = operator_ask(text, &line);
    if (outcome == ADMIN_WAITS) {
        world_settle(w);
        ck_assert_int_ne(operator_waited(&line), ADMIN_WAITS);
        ck_assert_int_eq(operator_waited(&line), ADMIN_WAITS);
    }
    ck_assert(!line.failed);
    ck_assert_int_eq(buffer_payload(&line)[line.len - 1], '\n');
    json_t *answer = json_loadb(buffer_payload(&line), line.len, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(answer);
    buffer_release(&line);
    world_settle(w);
    return answer;
}

json_t *operator_granted(const char *text)
{
    json_t *answer = operator_asked(text);
    json_t *ok = json_incref(json_object_get(answer, "ok"));
    ck_assert_msg(ok, "%s: %s", text, str(json_object_get(answer, "error"), "code"));
    json_decref(answer);
    return ok;
}

void operator_denied(const char *text, const char *code)
{
    json_t *answer = operator_asked(text);
    ck_assert_msg(strcmp(str(json_object_get(answer, "error"), "code"), code) == 0, "%s: %s", text,
                  str(json_object_get(answer, "error"), "code"));
    json_decref(answer);
}
