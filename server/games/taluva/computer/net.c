#include "net.h"

#include "traits.h"
#include <assert.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { EXP_STEPS = 16, EXP_ENTRIES = 12 * EXP_STEPS + 1 };

/* exp(-i / EXP_STEPS) of CHANCE_ONE, rounded; the last one is 0. */
static const int32_t exp_table[EXP_ENTRIES] = {
    65536, 61565, 57835, 54331, 51039, 47947, 45042, 42313, 39750, 37341, 35079, 32954, 30957,
    29081, 27319, 25664, 24109, 22649, 21276, 19987, 18776, 17639, 16570, 15566, 14623, 13737,
    12905, 12123, 11388, 10698, 10050, 9441,  8869,  8332,  7827,  7353,  6907,  6489,  6096,
    5726,  5380,  5054,  4747,  4460,  4190,  3936,  3697,  3473,  3263,  3065,  2879,  2705,
    2541,  2387,  2243,  2107,  1979,  1859,  1746,  1641,  1541,  1448,  1360,  1278,  1200,
    1128,  1059,  995,   935,   878,   825,   775,   728,   684,   642,   604,   567,   533,
    500,   470,   442,   415,   390,   366,   344,   323,   303,   285,   268,   252,   236,
    222,   209,   196,   184,   173,   162,   153,   143,   135,   127,   119,   112,   105,
    99,    93,    87,    82,    77,    72,    68,    64,    60,    56,    53,    50,    47,
    44,    41,    39,    36,    34,    32,    30,    28,    27,    25,    23,    22,    21,
    19,    18,    17,    16,    15,    14,    13,    13,    12,    11,    10,    10,    9,
    9,     8,     8,     7,     7,     6,     6,     6,     5,     5,     5,     4,     4,
    4,     4,     3,     3,     3,     3,     3,     2,     2,     2,     2,     2,     2,
    2,     2,     1,     1,     1,     1,     1,     1,     1,     1,     1,     1,     1,
    1,     1,     1,     1,     1,     1,     1,     0,     0,     0,     0,
};

int32_t net_exp(int32_t number)
{
    enum { STEP = NET_LOGIT_ONE / EXP_STEPS };
    const int32_t at = number / STEP;
    if (at >= EXP_ENTRIES - 1)
        return 0;
    return exp_table[at] - (exp_table[at] - exp_table[at + 1]) * (number % STEP) / STEP;
}

void net_memory_init(struct net_memory *memory)
{
    memset(memory, 0, sizeof *memory);
}

/* A trait that differs from the position before. */
struct change {
    uint8_t trait;
    int16_t by;
};

/*
 * Two changes at once, as a processor multiplies 16 bits and adds pairs of products. Where that is
 * not at hand the same sums come out of the plain loop, only later.
 */
static void add_changes(const struct net *net, int32_t hidden[NET_INPUTS], const struct change *one,
                        const struct change *other)
{
    const int16_t *const a = net->input[one->trait], *const b = net->input[other->trait];
#ifdef __SSE2__
    const __m128i by =
        _mm_set1_epi32((int)((uint32_t)(uint16_t)one->by | (uint32_t)(uint16_t)other->by << 16));
    for (unsigned j = 0; j < NET_INPUTS; j += 8) {
        __m128i *const sums = (__m128i *)(void *)&hidden[j];
        const __m128i of_a = _mm_loadu_si128((const __m128i *)(const void *)&a[j]);
        const __m128i of_b = _mm_loadu_si128((const __m128i *)(const void *)&b[j]);
        const __m128i low = _mm_madd_epi16(_mm_unpacklo_epi16(of_a, of_b), by);
        const __m128i high = _mm_madd_epi16(_mm_unpackhi_epi16(of_a, of_b), by);
        _mm_storeu_si128(sums, _mm_add_epi32(_mm_loadu_si128(sums), low));
        _mm_storeu_si128(sums + 1, _mm_add_epi32(_mm_loadu_si128(sums + 1), high));
    }
#else
    for (unsigned j = 0; j < NET_INPUTS; j++)
        hidden[j] += one->by * a[j] + other->by * b[j];
#endif
}

enum { AT_ONCE = 16 };
_Static_assert(TRAITS % AT_ONCE == 0, "so many are compared at once");

/* Which of AT_ONCE traits differ, a bit each. */
static unsigned find_different(const int8_t *a, const int8_t *b)
{
#ifdef __SSE2__
    const __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)a),
                                        _mm_loadu_si128((const __m128i *)(const void *)b));
    return (unsigned)_mm_movemask_epi8(same) ^ 0xffffU;
#else
    unsigned different = 0;
    for (unsigned i = 0; i < AT_ONCE; i++)
        different |= (unsigned)(a[i] != b[i]) << i;
    return different;
#endif
}

/* How many; what differs is taken over into the sums' traits and their direct part. */
static unsigned find_changes(const struct net *net, struct net_sums *sums, const int8_t *traits,
                             struct change *changes)
{
    unsigned n = 0;
    for (unsigned i = 0; i < TRAITS; i += AT_ONCE) {
        unsigned different = find_different(&sums->traits[i], &traits[i]);
        for (; different != 0; different &= different - 1) {
            const unsigned j = i + (unsigned)__builtin_ctz(different);
            const int16_t by = (int16_t)(traits[j] - sums->traits[j]);
            sums->traits[j] = traits[j];
            sums->direct += by * net->direct[j];
            changes[n++] = (struct change){(uint8_t)j, by};
        }
    }
    return n;
}

static void change_traits(const struct net *net, struct net_sums *sums, const int8_t *traits)
{
    static const struct change nothing = {0, 0};
    struct change changes[TRAITS];
    const unsigned n = find_changes(net, sums, traits, changes);
    for (unsigned i = 0; i < n; i += 2)
        add_changes(net, sums->hidden, &changes[i], i + 1 < n ? &changes[i + 1] : &nothing);
}

/* By a number that the compiler knows: to divide by one that it does not takes ten times as long.
 */
static void take_mean(int32_t hidden[NET_HIDDEN], int32_t n)
{
    for (unsigned j = 0; j < NET_HIDDEN && n == 2; j++)
        hidden[j] /= 2;
    for (unsigned j = 0; j < NET_HIDDEN && n == 3; j++)
        hidden[j] /= 3;
    for (unsigned j = 0; j < NET_HIDDEN && n == 4; j++)
        hidden[j] /= 4;
}

/* The mean of what the seat's rivals add to its hidden layer. */
static void add_rivals(const struct net_memory *memory, const struct board *board, unsigned seat,
                       int32_t hidden[NET_HIDDEN])
{
    int32_t n = 0;
    memset(hidden, 0, sizeof hidden[0] * NET_HIDDEN);
    for (unsigned other = 0; other < board->game->options.seats; other++) {
        if (!traits_is_rival(board, seat, other))
            continue;
        n++;
        for (unsigned j = 0; j < NET_HIDDEN; j++)
            hidden[j] += memory->seats[other].hidden[NET_HIDDEN + j];
    }
    take_mean(hidden, n);
}

/* In units of 1 / NET_LOGIT_ONE. */
static int32_t find_logit(const struct net *net, const struct net_memory *memory,
                          const struct board *board, unsigned seat)
{
    const struct net_sums *const sums = &memory->seats[seat];
    int32_t all[NET_HIDDEN];
    int16_t hidden[NET_HIDDEN];
    int32_t sum = 0;
    add_rivals(memory, board, seat, all);
    for (unsigned j = 0; j < NET_HIDDEN; j++) {
        enum { SCALE = TRAIT_ONE * NET_WEIGHT_ONE / NET_HIDDEN_ONE };
        const int32_t h = all[j] + sums->hidden[j];
        const int32_t cut = h > 0 ? h / SCALE : 0;
        hidden[j] = (int16_t)(cut < NET_HIDDEN_MAX ? cut : NET_HIDDEN_MAX);
    }
    for (unsigned j = 0; j < NET_HIDDEN; j++)
        sum += hidden[j] * net->output[j];
    return sum / (NET_HIDDEN_ONE * NET_WEIGHT_ONE / NET_LOGIT_ONE) +
           sums->direct / (TRAIT_ONE * NET_WEIGHT_ONE / NET_LOGIT_ONE);
}

/* The chance that the one with logit `a` is ahead of the one with `b`. */
static int32_t ahead_of(int32_t a, int32_t b)
{
    const int32_t behind = net_exp(a > b ? a - b : b - a);
    const int32_t chance = (int32_t)((int64_t)CHANCE_ONE * CHANCE_ONE / (CHANCE_ONE + behind));
    return a > b ? chance : CHANCE_ONE - chance;
}

/* Ranking: who is out is behind everybody, who has finished before. */
static void rank_seats(const struct board *board, const int32_t *logits, int32_t *chances)
{
    const unsigned seats = board->game->options.seats;
    unsigned place = board->game->n_finished;
    assert(seats > 1);
    for (unsigned i = 0; i < board->game->n_finished; i++)
        chances[board->game->finished[i]] = (int32_t)(CHANCE_ONE * (seats - 1 - i) / (seats - 1));
    for (unsigned i = 0; i < board->game->n_eliminated; i++)
        chances[board->game->eliminated[i]] = (int32_t)(CHANCE_ONE * i / (seats - 1));
    for (unsigned seat = 0; seat < seats; seat++) {
        if (board->state[seat] == TALUVA_SEAT_FINISHED &&
            board->game->state[seat] == TALUVA_SEAT_PLAYING)
            chances[seat] = (int32_t)(CHANCE_ONE * (seats - 1 - place++) / (seats - 1));
        if (!board_is_playing(board, seat))
            continue;
        int32_t sum = CHANCE_ONE * board->n_out;
        for (unsigned other = 0; other < seats; other++) {
            if (other != seat && board_is_playing(board, other))
                sum += ahead_of(logits[seat], logits[other]);
        }
        chances[seat] = sum / (int32_t)(seats - 1);
    }
}

static void share_win(const struct board *board, const int32_t *logits, int32_t *chances)
{
    const unsigned seats = board->game->options.seats;
    int32_t top = INT32_MIN;
    int64_t parts[TALUVA_SEATS_MAX] = {0}, sum = 0;
    for (unsigned seat = 0; seat < seats; seat++) {
        if (board_is_playing(board, seat) && logits[seat] > top)
            top = logits[seat];
    }
    for (unsigned seat = 0; seat < seats; seat++) {
        parts[seat] = board_is_playing(board, seat) ? net_exp(top - logits[seat]) : 0;
        sum += parts[seat];
    }
    assert(sum > 0); /* the best has a whole one */
    for (unsigned seat = 0; seat < seats; seat++) {
        int64_t mine = parts[seat];
        if (board->game->options.teams)
            mine += parts[(seat + 2) % 4];
        chances[seat] = (int32_t)(mine * CHANCE_ONE / sum);
    }
}

void net_chances(const struct net *net, struct net_memory *memory, const struct board *board,
                 const struct survey *survey, int32_t chances[TALUVA_SEATS_MAX])
{
    _Alignas(8) int8_t traits[TALUVA_SEATS_MAX][TRAITS];
    int32_t logits[TALUVA_SEATS_MAX] = {0};
    traits_init(board, survey, traits);
    memset(chances, 0, sizeof chances[0] * TALUVA_SEATS_MAX);
    for (unsigned seat = 0; seat < board->game->options.seats; seat++) {
        if (board_is_playing(board, seat))
            change_traits(net, &memory->seats[seat], traits[seat]);
    }
    for (unsigned seat = 0; seat < board->game->options.seats; seat++) {
        if (board_is_playing(board, seat))
            logits[seat] = find_logit(net, memory, board, seat);
    }
    if (board->game->options.ranking)
        rank_seats(board, logits, chances);
    else
        share_win(board, logits, chances);
}
