#include <assert.h>
#include <games/game.h>
#include <string.h>

/* ---- levels */

unsigned game_levels(const struct game_type *type)
{
    unsigned count = 0;
    while (type->computer->levels[count])
        count++;
    assert(count >= 1 && count <= PROTOCOL_LEVELS);
    return count;
}

const char *game_level_word(const struct game_type *type, unsigned level)
{
    assert(level >= 1 && level <= game_levels(type));
    return type->computer->levels[level - 1];
}

unsigned game_level_find(const struct game_type *type, const char *word, size_t len)
{
    for (unsigned level = game_levels(type); level > 0; level--) {
        const char *own = game_level_word(type, level);
        if (strlen(own) == len && memcmp(own, word, len) == 0)
            return level;
    }
    return 0;
}

size_t game_thinking_bytes(const struct game_type *type, unsigned level)
{
    assert(level >= 1 && level <= game_levels(type));
    return type->computer->thinking_bytes ? type->computer->thinking_bytes(level) : 0;
}

/* ---- moves */

/* Memory for what a seat knows. */
struct known {
    _Alignas(max_align_t) unsigned char bytes[GAME_VALUE_MAX];
};

static const void *copy_known(const struct game_type *type, const void *game, unsigned seat,
                              struct known *known)
{
    assert(type->size <= sizeof known->bytes);
    type->computer->know(game, seat, known->bytes);
    return known->bytes;
}

size_t game_choose(const struct game_type *type, const void *game, unsigned seat, unsigned level,
                   uint64_t seed, char move[PROTOCOL_MOVE_BYTES])
{
    struct known known;
    assert(level >= 1 && level <= game_levels(type));
    size_t len =
        type->computer->choose(copy_known(type, game, seat, &known), seat, level, seed, NULL, move);
    assert(len > 0 && len <= type->move_bytes);
    return len;
}

size_t game_stand_in(const struct game_type *type, const void *game, unsigned seat, uint64_t seed,
                     char move[PROTOCOL_MOVE_BYTES])
{
    const struct game_computer *computer = type->computer;
    struct known known;
    if (!computer->stand_in)
        return game_choose(type, game, seat, computer->level_default, seed, move);
    size_t len = computer->stand_in(copy_known(type, game, seat, &known), seat, seed, move);
    assert(len > 0 && len <= type->move_bytes);
    return len;
}
