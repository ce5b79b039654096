#include "http_query.h"

#include "connections/blob.h"
#include "connections/price.h"
#include "http_wait.h"
#include "hub_private.h"
#include "limits/address.h"
#include "waiting/query.h"
#include <features/feature.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* An answer ends with the page of rows that brings it to so many bytes, or is the last of so many.
 */
enum { HTTP_QUERY_BYTES = 524288, HTTP_QUERY_BYTES_MAX = 1048576, HTTP_QUERY_PAGES = 16 };

struct http_query {
    uint64_t ticket;
    const struct feature_page *page;
    struct buffer body;
    unsigned pages;           /* of rows, that have come */
    struct kernel_kept *kept; /* the page's own; NULL: nothing */
};

static void http_query_free(struct http_query *query)
{
    buffer_release(&query->body);
    if (query->kept)
        query->kept->destroy(query->kept);
    free(query);
}

/* Takes over what the page has asked to keep, with it or without. */
static struct http_query *create_query(const struct feature_page *page,
                                       const struct http_wait *wait,
                                       const struct kernel_query *asked)
{
    struct http_query *query = wait ? calloc(1, sizeof *query) : NULL;
    if (!query) {
        if (asked->kept)
            asked->kept->destroy(asked->kept);
        return NULL;
    }
    query->ticket = wait->ticket;
    query->page = page;
    query->kept = asked->kept;
    blob_buffer_init(&query->body, HTTP_QUERY_BYTES_MAX);
    return query;
}

static void charge_address(struct hub *hub, const struct http_wait *wait, size_t bytes)
{
    struct address *address = wait->paid ? address_of(hub, wait->ip) : NULL;
    if (address)
        price_charge_http(hub, address, bytes);
}

bool http_query_begin(struct hub *hub, const struct feature_page *page, const char *rest,
                      const uint8_t *ip, struct hub_http_answer *answer, uint64_t *ticket)
{
    alignas(max_align_t) uint8_t from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query asked = {.limit = STORE_QUERY_ROWS_MAX, .from = from};
    if (!page->ask(hub, rest, &asked, from)) {
        http_answer_line(answer, 404, "no such page\n");
        return true;
    }
    const struct origin origin = http_wait_origin(hub, ip);
    struct http_wait *wait = query_has_place(hub, &origin) ? http_wait_add(hub, ip) : NULL;
    struct http_query *query = create_query(page, wait, &asked);
    if (query && query_wait_http(hub, query, &wait->origin, http_query_free, &asked)) {
        charge_address(hub, wait, PRICE_FETCH_BYTES);
        *ticket = wait->ticket;
        return false;
    }
    if (query)
        http_query_free(query);
    if (wait)
        hub_http_cancel(hub, wait->ticket);
    http_answer_unavailable(answer);
    return true;
}

static void answer_rows(struct hub *hub, struct http_query *query, struct http_wait *wait)
{
    charge_address(hub, wait, query->body.len);
    struct blob *body = blob_from_buffer(&query->body);
    if (body)
        http_answer_blob(&wait->answer, query->page->type, body);
    else
        http_answer_unavailable(&wait->answer);
    blob_unref(body);
    http_wait_finish(hub, wait);
}

static bool goes_on(struct http_query *query, const struct store_query *rows)
{
    query->pages++;
    return rows->more && !query->body.failed && query->body.len < HTTP_QUERY_BYTES &&
           query->pages < HTTP_QUERY_PAGES;
}

/* False: it is answered. */
static bool ask_next(struct hub *hub, struct query_waiting *waiting, const struct store_query *rows,
                     struct http_wait *wait)
{
    alignas(max_align_t) uint8_t from[STORE_ROW_SIZE_MAX] = {0};
    struct http_query *query = waiting->http;
    struct kernel_query asked = {.limit = STORE_QUERY_ROWS_MAX, .from = from, .kept = query->kept};
    if (query->page->ask_next(hub, query->pages++, rows, &asked, from, &query->body)) {
        if (asked.limit > 1) /* what looks up one row costs as good as nothing */
            charge_address(hub, wait, PRICE_FETCH_BYTES);
        query_instead(hub, waiting, &asked);
        return true;
    }
    if (query->body.len > 0 || query->body.failed) {
        answer_rows(hub, query, wait);
    } else {
        http_answer_line(&wait->answer, 404, "no such page\n");
        http_wait_finish(hub, wait);
    }
    return false;
}

bool http_query_done(struct hub *hub, struct query_waiting *waiting, const struct store_query *rows)
{
    struct http_query *query = waiting->http;
    struct http_wait *wait = http_wait_find(hub, query->ticket);
    if (wait && rows->result != STORE_OK)
        http_wait_refuse(hub, wait);
    if (!wait || rows->result != STORE_OK)
        return true;
    if (query->page->ask_next)
        return !ask_next(hub, waiting, rows, wait);
    for (size_t at = 0; at < rows->count; at++)
        query->page->write_row(hub, store_query_row(rows, at), &query->body);
    if (goes_on(query, rows)) {
        charge_address(hub, wait, PRICE_FETCH_BYTES);
        query_again(hub, waiting, store_query_row(rows, rows->count - 1));
        return false;
    }
    answer_rows(hub, query, wait);
    return true;
}

void http_query_gives_way(struct hub *hub, const struct http_query *query)
{
    struct http_wait *wait = http_wait_find(hub, query->ticket);
    if (wait)
        http_wait_refuse(hub, wait);
}
