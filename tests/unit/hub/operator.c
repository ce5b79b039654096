#include "operator.h"

#include <check.h>
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

enum admin_outcome operator_ask(const char *text, struct buffer *line)
{
    struct admin_request request;
    struct refusal refusal = {0};
    enum admin_outcome outcome = ADMIN_REFUSED;
    if (admin_request_read(&request, text, strlen(text), &refusal))
        outcome = hub_admin(w->hub, &request, w->now_ms, line, &refusal);
    if (outcome == ADMIN_REFUSED)
        admin_write_refusal(request.id, &refusal, line);
    return outcome;
}

/* The bans are to be kept. */
static enum admin_outcome save(struct buffer *line)
{
    struct refusal refusal = {0};
    if (!operator_full) {
        ck_assert_uint_lt(line->len, sizeof operator_kept);
        memcpy(operator_kept, buffer_payload(line), line->len);
        operator_kept[line->len] = '\0';
    }
    buffer_clear(line);
    const enum admin_outcome outcome =
        hub_admin_saved(w->hub, !operator_full, w->now_ms, line, &refusal);
    if (outcome == ADMIN_REFUSED)
        admin_write_refusal(1, &refusal, line);
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
    if (outcome == ADMIN_SAVES)
        ck_assert_int_eq(save(&line), operator_full ? ADMIN_REFUSED : ADMIN_DONE);
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
