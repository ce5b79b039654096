/* What chance decides, out of the key of the deal (§8). */
#include "replay_parts.h"

enum { COUNTERS_A_ROUND = 16 };

void totem_births_draw(struct totem_births *births, const uint8_t key[DEAL_KEY_BYTES],
                       unsigned round)
{
    struct deal_stream stream;
    deal_stream_init(&stream, key);
    stream.counter = (uint64_t)COUNTERS_A_ROUND * round;
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++)
        births->words[hut] = (uint16_t)deal_stream_below(&stream, 1U << TOTEM_CHILDREN_MAX);
}

unsigned totem_first_draw(const struct totem_options *options, const uint8_t key[DEAL_KEY_BYTES])
{
    struct deal_stream stream;
    deal_stream_init(&stream, key);
    return deal_stream_below(&stream, totem_families(options));
}
