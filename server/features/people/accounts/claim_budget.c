#include "claim_budget.h"

#include "tables/state.h"
#include <hub/bucket.h>
#include <hub/config.h>

enum { WIDER = 4 }; /* a network has so many times what the next narrower one has */

struct entry {
    uint64_t key; /* a network's share, behind its width */
    struct bucket bucket;
};

void claim_budget_init(struct hub *hub)
{
    table_init(&people_of(hub)->addresses, sizeof(struct entry));
}

void claim_budget_release(struct hub *hub)
{
    table_release(&people_of(hub)->addresses);
}

static struct bucket_rule rule_of(const struct hub *hub, unsigned width)
{
    enum { DAY_MS = 24 * 3600 * 1000 };
    int64_t claims = kernel_config(hub)->claims_per_address_per_day;
    while (width-- > 0)
        claims *= WIDER;
    return (struct bucket_rule){claims, claims, DAY_MS};
}

static uint64_t key_of(const struct kernel_networks *from, unsigned width)
{
    return (uint64_t)width * KERNEL_SHARES + from->share[width];
}

/* NULL: nothing has been claimed from there. */
static struct entry *find_entry(const struct hub *hub, const struct kernel_networks *from,
                                unsigned width)
{
    size_t at = 0;
    return table_find(&people_of(hub)->addresses, key_of(from, width), &at);
}

int64_t claim_budget_wait_ms(const struct hub *hub, const struct session *session)
{
    const struct kernel_networks from = kernel_networks_of(session);
    int64_t longest_ms = 0;
    for (unsigned width = 0; width < KERNEL_WIDTHS; width++) {
        const struct bucket_rule rule = rule_of(hub, width);
        const struct entry *entry = find_entry(hub, &from, width);
        const int64_t ms = entry ? bucket_wait_ms(&entry->bucket, &rule, kernel_now_ms(hub)) : 0;
        longest_ms = ms > longest_ms ? ms : longest_ms;
    }
    return longest_ms;
}

/* There are fewer shares than would be worth forgetting any. */
bool claim_budget_reserve(const struct hub *hub, const struct session *session)
{
    struct table *addresses = &people_of(hub)->addresses;
    const struct kernel_networks from = kernel_networks_of(session);
    if (!table_reserve(addresses, KERNEL_WIDTHS))
        return false;
    for (unsigned width = 0; width < KERNEL_WIDTHS; width++) {
        if (!find_entry(hub, &from, width))
            table_add(addresses, &(struct entry){.key = key_of(&from, width)});
    }
    return true;
}

void claim_budget_charge(const struct hub *hub, const struct kernel_networks *from)
{
    for (unsigned width = 0; width < KERNEL_WIDTHS; width++) {
        const struct bucket_rule rule = rule_of(hub, width);
        (void)bucket_take(&find_entry(hub, from, width)->bucket, &rule, kernel_now_ms(hub));
    }
}

void claim_budget_repay(const struct hub *hub, const struct kernel_networks *from)
{
    for (unsigned width = 0; width < KERNEL_WIDTHS; width++) {
        const struct bucket_rule rule = rule_of(hub, width);
        bucket_give_back(&find_entry(hub, from, width)->bucket, &rule);
    }
}
