#include "origin.h"

#include "hub_private.h"
#include <assert.h>
#include <hub/address_prefix.h>
#include <sodium.h>
#include <string.h>

static bool is_ipv4(const struct address_prefix *prefix)
{
    static const uint8_t zeros[4];
    return memcmp(prefix->bytes, zeros, sizeof zeros) == 0;
}

static uint16_t hash_prefix(const struct hub *hub, const struct address_prefix *prefix, int width)
{
    static_assert((int)ORIGIN_WIDTHS == (int)ADDRESS_WIDTHS, "the same networks");
    const struct address_prefix wider = address_prefix_wider(prefix, width);
    uint8_t bytes[sizeof wider.bytes + 1];
    uint64_t hash;
    memcpy(bytes, wider.bytes, sizeof wider.bytes);
    bytes[sizeof wider.bytes] = (uint8_t)width;
    crypto_shorthash((unsigned char *)&hash, bytes, sizeof bytes, hub->addresses.hash_key);
    return (uint16_t)(1 + hash % (ORIGIN_SHARES - 1));
}

struct origin origin_of(const struct hub *hub, const struct address_prefix *prefix)
{
    struct origin origin;
    for (int width = 0; width < ORIGIN_WIDTHS; width++)
        origin.at[width] = hash_prefix(hub, prefix, width);
    origin.turns = origin.at[is_ipv4(prefix) ? ORIGIN_HOUSEHOLD : ORIGIN_WIDTHS - 1];
    return origin;
}

void origin_add(struct origin_counts *counts, const struct origin *origin)
{
    for (int width = 0; width < ORIGIN_WIDTHS; width++)
        counts->of[width][origin->at[width]]++;
}

void origin_remove(struct origin_counts *counts, const struct origin *origin)
{
    for (int width = 0; width < ORIGIN_WIDTHS; width++)
        counts->of[width][origin->at[width]]--;
}

int origin_compare(const struct origin_counts *counts, const struct origin *a,
                   const struct origin *b)
{
    for (int width = ORIGIN_WIDTHS; width-- > 0;) {
        const uint32_t of_a = counts->of[width][a->at[width]];
        const uint32_t of_b = counts->of[width][b->at[width]];
        if (of_a != of_b)
            return of_a > of_b ? 1 : -1;
    }
    return 0;
}

bool origin_is_same(const struct origin *a, const struct origin *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool origin_is_known(const struct origin *origin)
{
    return origin->at[0] != 0;
}

bool origin_gives_way(const struct origin_counts *counts, const struct origin *waiting,
                      const struct origin *newcomer)
{
    int width = ORIGIN_WIDTHS - 1;
    while (width > 0 && waiting->at[width] == newcomer->at[width])
        width--;
    const uint16_t from = waiting->at[width], to = newcomer->at[width];
    return from != to && counts->of[width][from] > counts->of[width][to] + 1;
}
