#include "client_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pause after `slow_down` if the server does not say how long, and the longest. */
enum { SLOW_DOWN_MS = 500, SLOW_DOWN_MAX_MS = 5000 };

static void on_pace(uv_timer_t *timer)
{
    requests_flush(timer->data);
}

/* ---- the server's pace */

void requests_limits(struct wire_client *client, const json_t *limits)
{
    double per_s = json_number_value(json_object_get(limits, "requests_per_s"));
    double burst = json_number_value(json_object_get(limits, "requests_burst"));
    client->bucket = (struct bucket){
        .per_s = per_s,
        .burst = burst,
        .level = burst - 1, /* hello was one */
        .at_ms = client_now_ms(client),
    };
}

/* 0: one request may be sent, and is counted. Else the milliseconds to wait. */
static uint64_t bucket_take(struct bucket *bucket, uint64_t now_ms)
{
    if (bucket->per_s <= 0 || bucket->burst < 1)
        return 0; /* the server has sent no limit */
    bucket->level += (double)(now_ms - bucket->at_ms) * bucket->per_s / 1000;
    bucket->at_ms = now_ms;
    if (bucket->level > bucket->burst)
        bucket->level = bucket->burst;
    if (bucket->level >= 1) {
        bucket->level -= 1;
        return 0;
    }
    return 1 + (uint64_t)((1 - bucket->level) * 1000 / bucket->per_s);
}

/* A long answer counts as several requests (protocol/README.md, limits). */
void requests_charge(struct wire_client *client, size_t answer_bytes)
{
    enum { BYTES = 4096, TIMES = 2 }; /* sent, and assembled for it */
    const size_t more = answer_bytes / BYTES * TIMES;
    client->bucket.level -= (double)more;
}

/* ---- sending */

/* False: nothing more goes out now. */
static bool send_one(struct wire_client *client, struct pending *request)
{
    uint64_t wait_ms = bucket_take(&client->bucket, client_now_ms(client));
    if (wait_ms == 0 && !client->carrier.send(client->connection, request->bytes, request->len))
        wait_ms = 50; /* the socket's queue is full */
    if (wait_ms > 0) {
        uv_timer_start(client->pacer, on_pace, wait_ms, 0);
        return false;
    }
    request->sent = true;
    if (client->events.sent)
        client->events.sent(client->user, request->bytes, request->len);
    return true;
}

void requests_flush(struct wire_client *client)
{
    if (client->phase != CLIENT_ONLINE)
        return;
    for (struct pending *request = client->first; request; request = request->next) {
        if (!request->sent && !send_one(client, request))
            return;
    }
}

void requests_unsent(struct wire_client *client)
{
    for (struct pending *request = client->first; request; request = request->next)
        request->sent = false;
    uv_timer_stop(client->pacer);
}

/* ---- queueing */

static void pending_free(struct pending *request)
{
    if (!request)
        return;
    free(request->bytes);
    free(request);
}

/* What is too long for an operation or a room is none, and stays empty. */
static void copy_field(char *to, size_t size, const json_t *request, const char *key)
{
    const char *text = json_string_value(json_object_get(request, key));
    if (text && strlen(text) < size)
        snprintf(to, size, "%s", text);
}

static struct pending *pending_make(json_t *request, int64_t id)
{
    struct pending *pending = calloc(1, sizeof *pending);
    if (!pending || json_object_set_new(request, "id", json_integer(id)) != 0) {
        free(pending);
        return NULL;
    }
    pending->id = id;
    pending->bytes = json_dumps(request, JSON_COMPACT);
    pending->len = pending->bytes ? strlen(pending->bytes) : 0;
    copy_field(pending->op, sizeof pending->op, request, "op");
    copy_field(pending->room, sizeof pending->room, request, "room");
    if (pending->bytes && pending->len <= PROTOCOL_MESSAGE_BYTES)
        return pending;
    pending_free(pending);
    return NULL;
}

int64_t wire_client_request(struct wire_client *client, json_t *request, wire_reply_fn *reply,
                            void *user)
{
    struct pending *pending = NULL;
    if (client->pending_count < WIRE_PENDING_MAX && client->phase != CLIENT_FAILED)
        pending = pending_make(request, client->next_id);
    json_decref(request);
    if (!pending)
        return -1;
    client->next_id++;
    pending->reply = reply;
    pending->user = user;
    if (client->last)
        client->last->next = pending;
    else
        client->first = pending;
    client->last = pending;
    client->pending_count++;
    int64_t id = pending->id;
    requests_flush(client);
    return id;
}

void requests_last_to_front(struct wire_client *client)
{
    struct pending *last = client->last, *at = client->first;
    if (at == last)
        return;
    while (at->next != last)
        at = at->next;
    at->next = NULL;
    client->last = at;
    last->next = client->first;
    client->first = last;
}

size_t wire_client_pending(const struct wire_client *client)
{
    return client->pending_count;
}

/* ---- replies */

static struct pending *unlink_pending(struct wire_client *client, int64_t id)
{
    struct pending *previous = NULL;
    for (struct pending *at = client->first; at; previous = at, at = at->next) {
        if (at->id != id)
            continue;
        if (previous)
            previous->next = at->next;
        else
            client->first = at->next;
        if (client->last == at)
            client->last = previous;
        client->pending_count--;
        return at;
    }
    return NULL;
}

/* As the server asks, but not so long that the other requests, which wait too, seem to be lost. */
static uint64_t pause_of(const json_t *error)
{
    const json_int_t retry_ms = json_integer_value(json_object_get(error, "retry_ms"));
    if (retry_ms <= 0)
        return SLOW_DOWN_MS;
    return retry_ms < SLOW_DOWN_MAX_MS ? (uint64_t)retry_ms : SLOW_DOWN_MAX_MS;
}

/* Too fast, or nobody is there to do it: the same request again, in a moment; nothing was changed
 * by it. */
static bool try_again(struct wire_client *client, int64_t id, const json_t *error)
{
    const char *code = json_string_value(json_object_get(error, "code"));
    if (!code || (strcmp(code, "slow_down") != 0 && strcmp(code, "part_away") != 0))
        return false;
    for (struct pending *at = client->first; at; at = at->next) {
        if (at->id == id)
            at->sent = false;
    }
    client->bucket.level = 0;
    uv_timer_start(client->pacer, on_pace, pause_of(error), 0);
    return true;
}

struct pending *requests_answered(struct wire_client *client, const json_t *reply)
{
    const json_t *ok = json_object_get(reply, "ok"), *error = json_object_get(reply, "error");
    const json_t *id = json_object_get(reply, "id");
    if (!json_is_integer(id) || (!ok && !error))
        return NULL;
    if (error && try_again(client, json_integer_value(id), error))
        return NULL;
    return unlink_pending(client, json_integer_value(id));
}

void requests_done(struct pending *request, const json_t *reply)
{
    const json_t *ok = json_object_get(reply, "ok");
    if (request->reply)
        request->reply(request->user, ok, ok ? NULL : json_object_get(reply, "error"));
    pending_free(request);
}

void requests_lost(struct wire_client *client, const char *why)
{
    json_t *error = json_pack("{s:s, s:s}", "code", "lost", "message", why);
    while (client->first) {
        struct pending *pending = unlink_pending(client, client->first->id);
        if (pending->reply)
            pending->reply(pending->user, NULL, error);
        pending_free(pending);
    }
    json_decref(error);
}

void requests_release(struct wire_client *client)
{
    while (client->first)
        pending_free(unlink_pending(client, client->first->id));
}
