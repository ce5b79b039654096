#include "price.h"

#include "conn.h"
#include "hub_private.h"
#include "limits/address.h"
#include <hub/bucket.h>

/* Sending so many bytes is as much work as a ping, and encoding them is as much again. */
enum { BYTES_PER_TOKEN = 4096 };

bool price_take(const struct hub *hub, struct conn *conn)
{
    struct address *address = conn->address;
    return bucket_has(&address->requests, &hub->rules.requests, hub->now_ms) &&
           bucket_take(&conn->rate, &hub->rules.rate, hub->now_ms) &&
           bucket_take(&address->requests, &hub->rules.requests, hub->now_ms);
}

static struct bucket_rule half_of(const struct bucket_rule *rule)
{
    return (struct bucket_rule){rule->burst / 2 + 1, rule->count, rule->per_ms};
}

static struct bucket_rule work_rule(const struct hub *hub, const struct address *address)
{
    const struct bucket_rule half_address = half_of(&hub->rules.requests);
    const bool light = bucket_has(&address->requests, &half_address, hub->now_ms);
    return light ? hub->rules.work : half_of(&hub->rules.work);
}

bool price_allows_work(const struct hub *hub, const struct address *address)
{
    const struct bucket_rule rule = work_rule(hub, address);
    return bucket_has(&hub->work, &rule, hub->now_ms);
}

void price_take_work(struct hub *hub)
{
    bucket_charge(&hub->work, &hub->rules.work, 1, hub->now_ms);
}

int64_t price_work_wait_ms(const struct hub *hub, const struct address *address)
{
    const struct bucket_rule rule = work_rule(hub, address);
    return bucket_wait_ms(&hub->work, &rule, hub->now_ms);
}

static int64_t later_of(int64_t a_ms, int64_t b_ms)
{
    return a_ms > b_ms ? a_ms : b_ms;
}

int64_t price_wait_ms(const struct hub *hub, const struct conn *conn, bool long_answer)
{
    int64_t wait_ms = bucket_wait_ms(&conn->rate, &hub->rules.rate, hub->now_ms);
    wait_ms = later_of(wait_ms,
                       bucket_wait_ms(&conn->address->requests, &hub->rules.requests, hub->now_ms));
    return long_answer ? later_of(wait_ms, price_work_wait_ms(hub, conn->address)) : wait_ms;
}

static int64_t tokens_of(size_t bytes)
{
    return (int64_t)(bytes / BYTES_PER_TOKEN);
}

static void charge_address(struct hub *hub, struct address *address, int64_t tokens)
{
    bucket_charge(&address->requests, &hub->rules.requests, tokens, hub->now_ms);
    bucket_charge(&hub->work, &hub->rules.work, tokens, hub->now_ms);
}

void price_charge(struct hub *hub, struct conn *conn, size_t sent_bytes, size_t encoded_bytes)
{
    int64_t tokens = tokens_of(sent_bytes) + tokens_of(encoded_bytes);
    bucket_charge(&conn->rate, &hub->rules.rate, tokens, hub->now_ms);
    charge_address(hub, conn->address, tokens);
}

bool price_take_http(const struct hub *hub, struct address *address)
{
    return price_allows_work(hub, address) &&
           bucket_take(&address->requests, &hub->rules.requests, hub->now_ms);
}

void price_charge_http(struct hub *hub, struct address *address, size_t encoded_bytes)
{
    charge_address(hub, address, tokens_of(encoded_bytes));
}

void price_charge_page(struct hub *hub, struct address *address)
{
    bucket_charge(&address->requests, &hub->rules.requests, PRICE_PAGE_TOKENS, hub->now_ms);
}
