#include "http.h"

#include "connections/blob.h"
#include "connections/price.h"
#include "feature_table.h"
#include "http/http_query.h"
#include "http/http_wait.h"
#include "http/http_work.h"
#include "hub_private.h"
#include "limits/address.h"
#include "metrics.h"
#include "requests/read.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "rooms/pending.h"
#include "rooms/record_cache.h"
#include "rooms/room_list.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/facts.h>
#include <hub/http_page.h>
#include <protocol/signature.h>
#include <stdlib.h>
#include <string.h>

enum { HTTP_BYTES = 1048576, KEYS_AGE_S = 3600, STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };

static const char text_plain[] = "text/plain; charset=utf-8";
static const char json[] = "application/json";

/* Charges an answer of so many bytes to the address that asked for it. */
static void charge_address(struct hub *hub, const uint8_t *ip, size_t bytes)
{
    struct address *address = ip ? address_of(hub, ip) : NULL;
    if (address)
        price_charge_http(hub, address, bytes);
}

/* ---- /api/rooms */

/* True: answered now. */
/* As it is now; `*latest`: as of room_list_write. NULL: no memory. */
static struct blob *make_list(struct hub *hub, bool of_part, const uint8_t *ip,
                              const struct hub_room **latest)
{
    struct buffer buffer, facts;
    struct writer writer;
    blob_buffer_init(&buffer, HTTP_BYTES);
    buffer_init(&facts, 0, FACTS_BYTES_MAX);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    room_list_write(hub, "", &writer, of_part ? &facts : NULL, latest);
    writer_end(&writer);
    if (of_part)
        facts_append(&buffer, &facts);
    buffer_release(&facts);
    charge_address(hub, ip, buffer.len);
    return blob_from_buffer(&buffer);
}

/* True: it waits until the room is durable. */
static bool answer_behind_room(struct hub *hub, const struct hub_room *hub_room, const uint8_t *ip,
                               struct blob *body, uint64_t *ticket)
{
    struct http_wait *wait = http_wait_add(hub, ip);
    if (!wait)
        return false;
    const struct pending pending = {
        .kind = PENDING_HTTP, .op = REQUEST_OPS, .ticket = wait->ticket};
    http_answer_blob(&wait->answer, json, body);
    *ticket = wait->ticket;
    if (pending_put(hub, hub_room, &pending) == 0)
        return true;
    hub_http_cancel(hub, wait->ticket);
    *ticket = 0;
    return false;
}

static bool get_rooms(struct hub *hub, bool of_part, const uint8_t *ip,
                      struct hub_http_answer *answer, uint64_t *ticket)
{
    const struct hub_room *latest;
    struct blob *body = make_list(hub, of_part, ip, &latest);
    const bool waits = body && latest && answer_behind_room(hub, latest, ip, body, ticket);
    if (body && !latest)
        http_answer_blob(answer, json, body);
    else if (!waits)
        http_answer_unavailable(answer);
    blob_unref(body);
    return !waits;
}

/* ---- /api/records/ROOM */

/* As durable. Rooms by invitation and rooms that are not over are not shown. */
static void answer_record(struct hub *hub, struct hub_room *hub_room, const uint8_t *ip,
                          struct hub_http_answer *answer)
{
    struct buffer buffer;
    uint64_t replayed;
    if (room_access(hub_room->room) != PROTOCOL_ACCESS_OPEN ||
        room_phase(hub_room->room) != PROTOCOL_PHASE_OVER) {
        http_answer_line(answer, 404, "no such record\n");
        return;
    }
    if (hub_room_is_dirty(hub_room)) {
        http_answer_unavailable(answer);
        return;
    }
    blob_buffer_init(&buffer, HTTP_BYTES);
    record_cache_write(hub, hub_room, &buffer, &replayed);
    charge_address(hub, ip, (size_t)replayed * PRICE_EVENT_BYTES + buffer.len);
    struct blob *body = blob_from_buffer(&buffer);
    if (body)
        http_answer_blob(answer, text_plain, body);
    else
        http_answer_unavailable(answer);
    blob_unref(body);
}

void http_record_done(struct hub *hub, uint64_t ticket, const char *room_id,
                      enum protocol_error error)
{
    struct http_wait *wait = http_wait_find(hub, ticket);
    struct hub_room *hub_room = error == PROTOCOL_OK ? hub_room_find(hub, room_id) : NULL;
    if (!wait)
        return;
    if (hub_room)
        answer_record(hub, hub_room, wait->paid ? wait->ip : NULL, &wait->answer);
    else if (error == PROTOCOL_UNKNOWN_ROOM || error == PROTOCOL_OK)
        http_answer_line(&wait->answer, 404, "no such record\n");
    else
        http_answer_unavailable(&wait->answer);
    http_wait_finish(hub, wait);
}

/* Nobody gives way to who would not be served then. */
static bool may_read(struct hub *hub, const char *id, const uint8_t *ip)
{
    const struct origin origin = http_wait_origin(hub, ip);
    return read_has_place(hub, id, &origin);
}

static bool get_record(struct hub *hub, const char *id, const uint8_t *ip,
                       struct hub_http_answer *answer, uint64_t *ticket)
{
    struct hub_room *hub_room = hub_room_find(hub, id);
    if (hub_room) {
        answer_record(hub, hub_room, ip, answer);
        return true;
    }
    if (!room_id_valid(id, strlen(id))) {
        http_answer_line(answer, 404, "no such record\n");
        return true;
    }
    struct http_wait *wait = may_read(hub, id, ip) ? http_wait_add(hub, ip) : NULL;
    if (wait && read_wait_http(hub, id, &wait->origin, wait->ticket)) {
        charge_address(hub, ip, PRICE_FETCH_BYTES);
        *ticket = wait->ticket;
        return false;
    }
    if (wait)
        hub_http_cancel(hub, wait->ticket);
    http_answer_unavailable(answer);
    return true;
}

/* ---- /metrics */

static void get_metrics(const struct hub *hub, struct hub_http_answer *answer)
{
    struct buffer buffer;
    blob_buffer_init(&buffer, HTTP_BYTES);
    metrics_write(hub, &buffer);
    struct blob *body = blob_from_buffer(&buffer);
    if (body)
        http_answer_blob(answer, "text/plain; version=0.0.4; charset=utf-8", body);
    else
        http_answer_unavailable(answer);
    blob_unref(body);
}

/* ---- /.well-known/taluva-keys.json */

/* A JWK set. A server that signs nothing has an empty one. */
static void get_keys(const struct hub *hub, struct hub_http_answer *answer)
{
    static const struct key_set none;
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, HTTP_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key(&writer, "keys");
    key_set_write(hub->env.signer ? &hub->env.signer->keys : &none, &writer);
    writer_end(&writer);
    struct blob *body = blob_from_buffer(&buffer);
    if (body) {
        http_answer_blob(answer, "application/jwk-set+json", body);
        answer->max_age_s = KEYS_AGE_S;
    } else {
        http_answer_unavailable(answer);
    }
    blob_unref(body);
}

/* ---- of features */

/* True: answered now. */
static bool get_page(struct hub *hub, const struct feature_page *page, const char *rest,
                     const uint8_t *ip, struct hub_http_answer *answer, uint64_t *ticket)
{
    if (page->ask)
        return http_query_begin(hub, page, rest, ip, answer, ticket);
    *answer = (struct hub_http_answer){.status = STATUS_UNAVAILABLE}; /* without memory it stays */
    if (page->begin && !http_work_begin(hub, page, rest, ip, answer, ticket))
        return false;
    if (page->get)
        page->get(hub, rest, answer);
    else if (!page->begin)
        http_answer_line(answer, 405, "only POST\n");
    answer->type = answer->status == STATUS_OK ? page->type : text_plain;
    charge_address(hub, ip, answer->len);
    return true;
}

/* ---- all pages */

/* False: it has been refused. */
static bool may_ask(struct hub *hub, const uint8_t *ip, struct hub_http_answer *answer)
{
    struct address *address = address_of(hub, ip);
    if (address && price_take_http(hub, address))
        return true;
    if (address)
        http_answer_line(answer, 429, "too many requests: slow down\n");
    else
        http_answer_unavailable(answer);
    return false;
}

bool hub_http_get(struct hub *hub, const char *path, const uint8_t *address, int64_t now_ms,
                  struct hub_http_answer *answer, uint64_t *ticket)
{
    static const char records[] = "/api/records/";
    const char *rest;
    const struct feature_page *page = http_page_find(hub->features.list, path, &rest);
    const bool of_part = strcmp(path, HUB_ROOMS_OF_PART) == 0;
    const bool rooms = of_part || strcmp(path, "/api/rooms") == 0;
    bool record = strncmp(path, records, sizeof records - 1) == 0;
    *ticket = 0;
    hub->now_ms = now_ms > hub->now_ms ? now_ms : hub->now_ms;
    if ((rooms || record || page) && address && !may_ask(hub, address, answer))
        return true;
    if (rooms)
        return get_rooms(hub, of_part, address, answer, ticket);
    if (record)
        return get_record(hub, path + sizeof records - 1, address, answer, ticket);
    if (page)
        return get_page(hub, page, rest, address, answer, ticket);
    if (strcmp(path, "/metrics") == 0)
        get_metrics(hub, answer);
    else if (strcmp(path, "/.well-known/taluva-keys.json") == 0)
        get_keys(hub, answer);
    else
        http_answer_line(answer, 404, "no such page\n");
    return true;
}

/* ---- what is sent */

/* To the batch that fills, of which the answer says what is not durable yet. True: answered. */
static bool answer_behind_batch(struct hub *hub, struct http_wait *wait, uint64_t session,
                                struct hub_http_answer *answer, uint64_t *ticket)
{
    const struct pending pending = {
        .kind = PENDING_HTTP, .op = REQUEST_OPS, .session = session, .ticket = wait->ticket};
    if (batch_reserve(hub->commit.filling, 0, 1, 0, 0) < 0) {
        hub_http_release(answer);
        hub_http_cancel(hub, wait->ticket);
        http_answer_unavailable(answer);
        return true;
    }
    wait->answer = *answer;
    batch_defer(hub->commit.filling, &pending);
    *ticket = wait->ticket;
    return false;
}

static bool post_to(struct hub *hub, const struct feature_page *page, const char *rest,
                    const struct hub_http_post *post, const uint8_t *ip,
                    struct hub_http_answer *answer, uint64_t *ticket)
{
    const size_t before = hub->commit.filling->op_count;
    struct http_wait *wait = http_wait_add(hub, ip); /* before anything changes */
    if (!wait) {
        http_answer_unavailable(answer);
        return true;
    }
    wait->keeps = true;
    *answer = (struct hub_http_answer){.status = STATUS_UNAVAILABLE};
    const uint64_t session = page->post(hub, rest, post, answer);
    answer->type = answer->status == STATUS_OK ? page->type : text_plain;
    charge_address(hub, ip, post->len + answer->len);
    if (hub->commit.filling->op_count != before)
        return answer_behind_batch(hub, wait, session, answer, ticket);
    hub_http_cancel(hub, wait->ticket);
    return true;
}

bool hub_http_post(struct hub *hub, const struct hub_http_post *post, const uint8_t *address,
                   int64_t now_ms, struct hub_http_answer *answer, uint64_t *ticket)
{
    const char *rest;
    const struct feature_page *page = http_page_find(hub->features.list, post->path, &rest);
    bool answered = true;
    *ticket = 0;
    entry_begin(hub, now_ms);
    if (!page)
        http_answer_line(answer, 404, "no such page\n");
    else if (!page->post)
        http_answer_line(answer, 405, "only GET and HEAD\n");
    else if (post->len > page->post_bytes)
        http_answer_line(answer, 413, "that is too much\n");
    else if (!address || may_ask(hub, address, answer))
        answered = post_to(hub, page, rest, post, address, answer, ticket);
    entry_end(hub);
    return answered;
}
