#include <assert.h>
#include <games/game.h>

typedef size_t choose_function(const void *known, unsigned seat, uint64_t seed,
                               char move[PROTOCOL_MOVE_BYTES]);

static size_t choose_blindly(const struct game_type *type, choose_function *choose,
                             const void *game, unsigned seat, uint64_t seed,
                             char move[PROTOCOL_MOVE_BYTES])
{
    _Alignas(max_align_t) unsigned char known[GAME_VALUE_MAX];
    assert(type->size <= sizeof known);
    type->computer->know(game, seat, known);
    size_t len = choose(known, seat, seed, move);
    assert(len > 0 && len <= type->move_bytes);
    return len;
}

size_t game_choose(const struct game_type *type, const void *game, unsigned seat, uint64_t seed,
                   char move[PROTOCOL_MOVE_BYTES])
{
    return choose_blindly(type, type->computer->choose, game, seat, seed, move);
}

size_t game_stand_in(const struct game_type *type, const void *game, unsigned seat, uint64_t seed,
                     char move[PROTOCOL_MOVE_BYTES])
{
    const struct game_computer *computer = type->computer;
    choose_function *choose = computer->stand_in ? computer->stand_in : computer->choose;
    return choose_blindly(type, choose, game, seat, seed, move);
}
