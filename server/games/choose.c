#include <assert.h>
#include <games/game.h>

size_t game_choose(const struct game_type *type, const void *game, unsigned seat, uint64_t seed,
                   char move[PROTOCOL_MOVE_BYTES])
{
    _Alignas(max_align_t) unsigned char known[GAME_VALUE_MAX];
    assert(type->size <= sizeof known);
    type->computer->know(game, seat, known);
    size_t len = type->computer->choose(known, seat, seed, move);
    assert(len > 0 && len <= type->move_bytes);
    return len;
}
