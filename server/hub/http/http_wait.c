#include "http_wait.h"

#include "connections/blob.h"
#include "hub_private.h"
#include "limits/origin.h"
#include <assert.h>
#include <hub/address_prefix.h>
#include <stdlib.h>
#include <string.h>

static const char text_plain[] = "text/plain; charset=utf-8";

/* ---- answers */

void http_answer_blob(struct hub_http_answer *answer, const char *type, struct blob *body)
{
    *answer = (struct hub_http_answer){.status = 200,
                                       .type = type,
                                       .body = blob_bytes(body),
                                       .len = body->len,
                                       .owner = blob_ref(body)};
}

void http_answer_line(struct hub_http_answer *answer, int status, const char *line)
{
    hub_http_make(answer, status, text_plain, line, strlen(line));
    answer->status = status;
}

void http_answer_unavailable(struct hub_http_answer *answer)
{
    http_answer_line(answer, 503, "not available right now, try again\n");
}

void hub_http_release(struct hub_http_answer *answer)
{
    blob_unref(answer->owner);
    *answer = (struct hub_http_answer){0};
}

void hub_http_make(struct hub_http_answer *answer, int status, const char *type, const void *bytes,
                   size_t len)
{
    struct blob *body = blob_copy(bytes, len);
    *answer = (struct hub_http_answer){.status = body ? status : 503, .type = type};
    if (body) {
        answer->body = blob_bytes(body);
        answer->len = body->len;
        answer->owner = body;
    }
}

struct hub_http_answer hub_http_share(const struct hub_http_answer *answer)
{
    if (answer->owner)
        (void)blob_ref(answer->owner);
    return *answer;
}

/* ---- waiting */

void http_wait_finish(struct hub *hub, struct http_wait *wait)
{
    assert(!wait->done);
    wait->done = true;
    hub->http.waiting--;
    origin_remove(&hub->http.origins, &wait->origin);
}

void http_wait_refuse(struct hub *hub, struct http_wait *wait)
{
    hub_http_release(&wait->answer);
    http_answer_unavailable(&wait->answer);
    http_wait_finish(hub, wait);
}

static struct http_wait *find_heaviest(const struct hub *hub)
{
    struct http_wait *found = NULL;
    for (struct http_wait *at = hub->http.first; at; at = at->next) {
        if (!at->done && !at->keeps && origin_is_known(&at->origin) &&
            (!found || origin_compare(&hub->http.origins, &at->origin, &found->origin) >= 0))
            found = at;
    }
    return found;
}

/* Is there a place for somebody from there, or is there now? Those that have given way have places
 * of their own until they are told. */
static bool make_place(struct hub *hub, const struct origin *origin)
{
    const size_t most = (size_t)hub->config.http_waits;
    if (hub->http.count >= 2 * most)
        return false;
    if (hub->http.waiting < most)
        return true;
    struct http_wait *heaviest = origin_is_known(origin) ? find_heaviest(hub) : NULL;
    if (!heaviest || !origin_gives_way(&hub->http.origins, &heaviest->origin, origin))
        return false;
    http_wait_refuse(hub, heaviest);
    return true;
}

static void insert_wait(struct hub *hub, struct http_wait *wait)
{
    struct http_wait **link = &hub->http.first;
    while (*link)
        link = &(*link)->next;
    *link = wait;
    wait->ticket = ++hub->http.next_ticket;
    hub->http.count++;
    hub->http.waiting++;
    origin_add(&hub->http.origins, &wait->origin);
}

struct origin http_wait_origin(const struct hub *hub, const uint8_t *ip)
{
    const struct address_prefix prefix = ip ? address_prefix_of(ip) : (struct address_prefix){0};
    return ip ? origin_of(hub, &prefix) : (struct origin){.turns = 0};
}

struct http_wait *http_wait_add(struct hub *hub, const uint8_t *ip)
{
    struct http_wait *wait = calloc(1, sizeof *wait);
    if (wait && ip) {
        wait->origin = http_wait_origin(hub, ip);
        wait->paid = true;
        memcpy(wait->ip, ip, sizeof wait->ip);
    }
    if (!wait || !make_place(hub, &wait->origin)) {
        free(wait);
        return NULL;
    }
    insert_wait(hub, wait);
    return wait;
}

static struct http_wait **find_wait(struct hub *hub, uint64_t ticket)
{
    struct http_wait **link = &hub->http.first;
    while (*link && (*link)->ticket != ticket)
        link = &(*link)->next;
    return link;
}

static void remove_at(struct hub *hub, struct http_wait **link)
{
    struct http_wait *wait = *link;
    if (!wait->done)
        http_wait_finish(hub, wait);
    *link = wait->next;
    hub->http.count--;
    free(wait);
}

struct http_wait *http_wait_find(const struct hub *hub, uint64_t ticket)
{
    struct http_wait *wait = hub->http.first;
    while (wait && wait->ticket != ticket)
        wait = wait->next;
    return wait && !wait->done ? wait : NULL;
}

void http_wait_done(struct hub *hub, uint64_t ticket, bool durable)
{
    struct http_wait *wait = http_wait_find(hub, ticket);
    if (wait && durable)
        http_wait_finish(hub, wait);
    else if (wait)
        http_wait_refuse(hub, wait);
}

bool hub_http_next(struct hub *hub, uint64_t *ticket, struct hub_http_answer *answer)
{
    struct http_wait **link = &hub->http.first;
    while (*link && !(*link)->done)
        link = &(*link)->next;
    if (!*link)
        return false;
    *ticket = (*link)->ticket;
    *answer = (*link)->answer;
    remove_at(hub, link);
    return true;
}

void hub_http_cancel(struct hub *hub, uint64_t ticket)
{
    struct http_wait **link = find_wait(hub, ticket);
    if (!*link)
        return;
    hub_http_release(&(*link)->answer);
    remove_at(hub, link);
}

void http_waits_release(struct hub *hub)
{
    while (hub->http.first)
        hub_http_cancel(hub, hub->http.first->ticket);
}
