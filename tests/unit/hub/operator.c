#include "operator.h"

#include <check.h>
#include <hub/bans.h>
#include <string.h>

char operator_kept[1 << 16];
bool operator_full;
static struct world *w;
static bool drains;

void operator_init(struct world *world)
{
    w = world;
    operator_kept[0] = '\0';
    operator_full = drains = false;
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

/* ---- what is asked of all parts of a site, of which there is one here */

static void drain(const struct admin_request *request, struct writer *writer)
{
    drains = !request->cancel;
    (drains ? hub_drain : hub_drain_cancel)(w->hub, w->now_ms);
    writer_key_bool(writer, "draining", drains);
}

static void announce(const struct admin_request *request, struct writer *writer)
{
    writer_key_int(writer, "connections", (int64_t)hub_announce(w->hub, request->text, w->now_ms));
}

static enum admin_outcome change(const struct admin_request *request, struct buffer *line)
{
    struct writer writer;
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    (request->op == ADMIN_DRAIN ? drain : announce)(request, &writer);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    return ADMIN_DONE;
}

static enum admin_outcome look(const struct admin_request *request, struct buffer *line)
{
    const struct admin_hubs hubs = {.hubs = &w->hub,
                                    .count = 1,
                                    .server = w->env.server,
                                    .now_ms = w->now_ms,
                                    .draining = drains};
    hub_admin_look(&hubs, request, line);
    return ADMIN_DONE;
}

/* ---- all of it */

static enum admin_outcome carry_out_in_all(const struct admin_request *request, struct buffer *line,
                                           struct refusal *refusal)
{
    switch (request->op) {
    case ADMIN_STATUS:
    case ADMIN_ROOMS:
    case ADMIN_SESSIONS:
    case ADMIN_ADDRESSES:
        return look(request, line);
    case ADMIN_DRAIN:
    case ADMIN_ANNOUNCE:
        return change(request, line);
    case ADMIN_BAN:
    case ADMIN_SILENCE:
    case ADMIN_LIFT:
        return change_bans(request, line, refusal);
    case ADMIN_BANS:
        ck_assert(
            bans_text_show(operator_kept, strlen(operator_kept), request->id, w->now_ms, line));
        return ADMIN_DONE;
    case ADMIN_ROOM:
    case ADMIN_CLOSE:
    case ADMIN_OP_COUNT:
        break;
    }
    return ADMIN_REFUSED;
}

/* What neither the hub nor a feature answers is asked of all parts together. */
static enum admin_outcome carry_out(const struct admin_request *request, struct buffer *line,
                                    struct refusal *refusal)
{
    const enum admin_outcome outcome = hub_admin(w->hub, request, w->now_ms, line, refusal);
    const bool unknown = outcome == ADMIN_REFUSED && refusal->error == PROTOCOL_UNKNOWN_OP;
    return unknown ? carry_out_in_all(request, line, refusal) : outcome;
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
