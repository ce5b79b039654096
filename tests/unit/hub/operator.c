#include "operator.h"

#include <check.h>
#include <hub/document.h>
#include <moderation/moderation.h>
#include <string.h>

char operator_kept[1 << 16];
bool operator_full;
static struct world *w;
static bool drains;
static void *held; /* what the hub goes by; NULL: nothing */

void operator_init(struct world *world)
{
    w = world;
    feature_moderation.document->release(held); /* of a hub that is gone */
    held = NULL;
    operator_kept[0] = '\0';
    operator_full = drains = false;
}

/* ---- the document of the bans, which is kept beside the hub */

static const struct feature_document *bans(void)
{
    return feature_moderation.document;
}

/* What holds is the hub's until the next one does. */
static bool hold(const char *text, size_t len, size_t *closed)
{
    void *value = bans()->read(text, len), *before = held;
    if (!value)
        return false;
    *closed = hub_hold_document(w->hub, bans(), value, 0, w->now_ms);
    held = value;
    bans()->release(before);
    return true;
}

bool operator_holds(const char *text)
{
    size_t closed;
    return hold(text, strlen(text), &closed);
}

bool operator_restore(size_t *closed)
{
    return hold(operator_kept, strlen(operator_kept), closed);
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

unsigned operator_documents(void)
{
    struct hub_document_asked asked;
    unsigned count = 0;
    for (; hub_document_asked(w->hub, &asked); count++) {
        if (!operator_full) {
            (void)snprintf(operator_kept, sizeof operator_kept, "%s", asked.text);
            ck_assert(operator_holds(operator_kept));
        }
        hub_document_answer(w->hub, operator_full ? DOCUMENT_FAILED : DOCUMENT_KEPT, w->now_ms);
    }
    return count;
}

static const struct document_row *row_of(const struct operator_word *word)
{
    for (size_t at = 0; at < bans()->row_count; at++) {
        if (bans()->rows[at].word == word)
            return &bans()->rows[at];
    }
    return NULL;
}

static enum admin_outcome change_bans(const struct document_row *row,
                                      const struct admin_request *request, struct buffer *line,
                                      struct refusal *refusal)
{
    const struct document_asked asked = {
        .request = request, .now_ms = w->now_ms, .most = (size_t)w->config.bans, .home = w->hub};
    void *value = bans()->read(operator_kept, strlen(operator_kept));
    struct writer writer;
    struct buffer changed;
    ck_assert_ptr_nonnull(value);
    buffer_init(&changed, 0, ADMIN_ANSWER_BYTES);
    bool good = row->change(value, &asked, &changed, refusal);
    if (good && operator_full) {
        *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
        good = false;
    }
    if (good) {
        const size_t closed = keep_bans(&changed);
        writer_init(&writer, line);
        reply_begin(&writer, request->id);
        row->changed(&asked, closed, &writer);
        reply_end(&writer);
        buffer_append_byte(line, '\n');
    }
    buffer_release(&changed);
    bans()->release(value);
    return good ? ADMIN_DONE : ADMIN_REFUSED;
}

static enum admin_outcome show_bans(const struct document_row *row,
                                    const struct admin_request *request, struct buffer *line)
{
    const struct document_asked asked = {.request = request, .now_ms = w->now_ms, .home = w->hub};
    void *value = bans()->read(operator_kept, strlen(operator_kept));
    struct writer writer;
    ck_assert_ptr_nonnull(value);
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    row->show(value, &asked, &writer);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    bans()->release(value);
    return ADMIN_DONE;
}

static enum admin_outcome ask_bans(const struct admin_request *request, struct buffer *line,
                                   struct refusal *refusal)
{
    const struct document_row *row = row_of(request->word);
    if (!row)
        return ADMIN_REFUSED;
    return row->show ? show_bans(row, request, line) : change_bans(row, request, line, refusal);
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
    case ADMIN_OF_FEATURE:
        return ask_bans(request, line, refusal);
    case ADMIN_ROOM:
    case ADMIN_CLOSE:
    case ADMIN_LETTERS:
    case ADMIN_RETRY:
    case ADMIN_DISCARD:
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
    if (admin_request_read(&request, w->env.features, text, strlen(text), &refusal))
        outcome = carry_out(&request, line, &refusal);
    if (outcome == ADMIN_REFUSED)
        admin_write_refusal(request.id, &refusal, line);
    return outcome;
}

enum admin_outcome operator_waited(struct buffer *line)
{
    struct refusal refusal = {0};
    uint64_t session;
    const enum admin_outcome outcome = hub_admin_next(w->hub, line, &refusal, &session);
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
