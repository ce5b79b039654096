/*
 * The pieces of a player before the first is built.
 */
#include <rules/taluva.h>

uint8_t taluva_supply(const struct taluva_options *options, enum taluva_kind kind)
{
    switch (kind) {
    case TALUVA_HUT:
        return 20;
    case TALUVA_TOWER:
        return 2;
    case TALUVA_TEMPLE:
        return 3;
    case TALUVA_BOAT:
        return options->boats ? 2 : 0;
    }
    return 0;
}
