#include "cards.h"

#include <stdio.h>
#include <string.h>
#include <taluva/game.h>
#include <totem/game.h>

enum { DECK = 60, NUMBER_FIRST = 4000, NUMBER_STEP = 17, CARDS_UNKNOWN = 1 };

struct cards {
    uint8_t seats;
    uint8_t version; /* of the rules, see cards.h */
    uint8_t round;   /* 0..CARDS_HAND */
    bool dealt;
    bool out[CARDS_SEATS];
    uint8_t won[CARDS_SEATS];
    uint16_t hand[CARDS_SEATS][CARDS_HAND]; /* numbers; 0: gone */
    uint16_t down[CARDS_SEATS];             /* laid face down; 0: not yet */
    uint16_t shown[CARDS_SEATS];            /* turned up in the last round */
};

static unsigned cards_seats(const void *value)
{
    const struct cards *cards = value;
    return cards->seats;
}

static bool cards_create(void *value, unsigned version, const json_t *options,
                         struct refusal *refusal)
{
    struct cards *cards = value;
    cards->version = (uint8_t)version;
    const json_t *players = json_object_get(options, "players");
    json_int_t seats = players ? json_integer_value(players) : 3;
    *refusal = (struct refusal){.error = PROTOCOL_BAD_OPTIONS, .field = "options.players"};
    cards->seats = (uint8_t)seats;
    return seats >= 2 && seats <= CARDS_SEATS;
}

static void cards_write_options(const void *value, struct writer *writer)
{
    writer_object(writer);
    writer_key_int(writer, "players", cards_seats(value));
    writer_end(writer);
}

static void cards_reset(void *value)
{
    struct cards *cards = value;
    struct cards fresh = {.seats = cards->seats, .version = cards->version};
    memset(cards, 0, sizeof *cards);
    *cards = fresh;
}

static unsigned swapped[2]; /* see cards_swap_hands */

static void swap_hands(struct cards *cards)
{
    uint16_t hand[CARDS_HAND];
    if (swapped[0] >= cards->seats || swapped[1] >= cards->seats)
        return;
    memcpy(hand, cards->hand[swapped[0]], sizeof hand);
    memmove(cards->hand[swapped[0]], cards->hand[swapped[1]], sizeof hand);
    memcpy(cards->hand[swapped[1]], hand, sizeof hand);
}

static void cards_deal(void *value, struct deal_stream *stream)
{
    struct cards *cards = value;
    uint16_t deck[DECK];
    for (unsigned i = 0; i < DECK; i++)
        deck[i] = (uint16_t)(NUMBER_FIRST + NUMBER_STEP * i);
    for (unsigned i = 0; i < cards->seats * CARDS_HAND; i++) {
        unsigned pick = i + deal_stream_below(stream, DECK - i);
        uint16_t number = deck[pick];
        deck[pick] = deck[i];
        cards->hand[i / CARDS_HAND][i % CARDS_HAND] = number;
    }
    swap_hands(cards);
    cards->dealt = true;
}

/* ---- play */

static uint32_t cards_in_play(const void *value)
{
    const struct cards *cards = value;
    uint32_t set = 0;
    for (unsigned i = 0; i < cards->seats && i < CARDS_SEATS; i++)
        set |= (uint32_t)!cards->out[i] << i;
    return set;
}

static bool alone(const struct cards *cards)
{
    uint32_t set = cards_in_play(cards);
    return (set & (set - 1)) == 0;
}

/* Ordered by: still in the match, then rounds won, then (version 2) the higher seat number. */
static unsigned score(const struct cards *cards, unsigned seat)
{
    unsigned rounds = cards->won[seat] + (cards->out[seat] ? 0U : CARDS_HAND + 1U);
    return rounds * CARDS_SEATS + (cards->version > 1 ? seat : 0);
}

static bool is_over(const struct cards *cards)
{
    return alone(cards) || cards->round == CARDS_HAND;
}

static bool cards_over(const void *value, struct game_outcome *outcome)
{
    const struct cards *cards = value;
    if (!is_over(cards) || !outcome)
        return is_over(cards);
    *outcome = (struct game_outcome){.reason = alone(cards) ? "last-standing" : "exhausted"};
    for (unsigned i = 0; i < cards->seats; i++) {
        outcome->ranks[i] = 1;
        for (unsigned k = 0; k < cards->seats; k++)
            outcome->ranks[i] = (uint8_t)(outcome->ranks[i] + (score(cards, k) > score(cards, i)));
        outcome->winners |= (uint32_t)(outcome->ranks[i] == 1) << i;
    }
    return true;
}

static uint32_t cards_acting(const void *value)
{
    const struct cards *cards = value;
    uint32_t set = is_over(cards) ? 0 : cards_in_play(cards);
    for (unsigned i = 0; i < cards->seats; i++) {
        if (cards->down[i])
            set &= ~(UINT32_C(1) << i);
    }
    return set;
}

static uint16_t *find_card(struct cards *cards, unsigned seat, uint16_t number)
{
    for (unsigned i = 0; number != 0 && i < CARDS_HAND; i++) {
        if (cards->hand[seat][i] == number)
            return &cards->hand[seat][i];
    }
    return NULL;
}

/* "c4711", "c4711 as I said" */
static uint16_t read_card(const char *text, size_t len)
{
    unsigned number = 0;
    if (len < CARDS_NAME - 1 || text[0] != 'c' || (len > CARDS_NAME - 1 && text[5] != ' '))
        return 0;
    for (size_t i = 1; i < CARDS_NAME - 1; i++) {
        if (text[i] < '0' || text[i] > '9')
            return 0;
        number = 10 * number + (unsigned)(text[i] - '0');
    }
    return (uint16_t)number;
}

static void turn_up(struct cards *cards)
{
    unsigned best = 0;
    for (unsigned i = 0; i < cards->seats; i++) {
        cards->shown[i] = cards->down[i];
        if (cards->shown[i] > cards->shown[best])
            best = i;
        uint16_t *card = find_card(cards, i, cards->down[i]);
        if (card)
            *card = 0;
        cards->down[i] = 0;
    }
    cards->won[best]++;
    cards->round++;
}

static void lay_last_cards(struct cards *cards)
{
    for (unsigned i = 0; i < cards->seats; i++) {
        for (unsigned k = 0; !cards->out[i] && k < CARDS_HAND; k++) {
            if (cards->hand[i][k])
                cards->down[i] = cards->hand[i][k];
        }
    }
}

/* Once all cards are down. The last round is then played without anybody's choice. */
static void follow_up(struct cards *cards, struct game_change *change)
{
    change->turned = 0;
    while (!is_over(cards) && cards_acting(cards) == 0) {
        change->turned = cards_in_play(cards);
        turn_up(cards);
        if (cards->round == CARDS_HAND - 1)
            lay_last_cards(cards);
    }
}

static bool cards_act(void *value, unsigned seat, const char *move, size_t len, bool confirm,
                      struct game_change *change, struct refusal *refusal)
{
    struct cards *cards = value;
    uint16_t number = read_card(move, len);
    (void)confirm;
    *refusal = (struct refusal){.code = "not_in_hand", .text = "You do not have that card."};
    if (!((cards_acting(cards) >> seat) & 1) || !find_card(cards, seat, number))
        return false;
    cards->down[seat] = number;
    follow_up(cards, change);
    return true;
}

static bool cards_forfeit(void *value, unsigned seat, struct game_change *change)
{
    struct cards *cards = value;
    if (cards->out[seat] || is_over(cards))
        return false;
    cards->out[seat] = true;
    cards->down[seat] = 0;
    follow_up(cards, change);
    return true;
}

static bool cards_may_undo(const void *value, unsigned seat)
{
    const struct cards *cards = value;
    return cards->down[seat] != 0;
}

static size_t card_name(uint16_t number, char name[CARDS_NAME])
{
    return (size_t)snprintf(name, CARDS_NAME, "c%04u", number % 10000U);
}

/* The seat's own hand and card on the table, and what the others have shown. */
static void cards_know(const void *value, unsigned seat, void *known)
{
    const struct cards *cards = value;
    struct cards *copy = known;
    *copy = *cards;
    for (unsigned i = 0; i < CARDS_SEATS; i++) {
        if (i == seat)
            continue;
        memset(copy->hand[i], 0, sizeof copy->hand[i]);
        copy->down[i] = cards->down[i] ? CARDS_UNKNOWN : 0;
    }
}

/* For thinking; and how many simulations that takes, which do nothing. */
static size_t thinking_bytes(unsigned level)
{
    return level == CARDS_THINKING ? CARDS_THINKING_BYTES : 0;
}

static bool simulate(struct game_thinking *thinking)
{
    uint32_t most = thinking->simulations_max;
    memset(thinking->memory, 0x5a, CARDS_THINKING_BYTES);
    while (thinking->simulations <
           (most > 0 && most < CARDS_SIMULATIONS ? most : CARDS_SIMULATIONS)) {
        if (atomic_load(thinking->cancel))
            return false;
        thinking->simulations++;
    }
    return true;
}

/* Levels 1 and 3 play the first card of their hand, level 2 any; level 3 with thought the last. */
static size_t cards_choose(const void *known, unsigned seat, unsigned level, uint64_t seed,
                           struct game_thinking *thinking, char move[PROTOCOL_MOVE_BYTES])
{
    const struct cards *cards = known;
    unsigned i = level == 2 ? (unsigned)(seed % CARDS_HAND) : 0, step = 1;
    if (level == CARDS_THINKING && thinking) {
        if (!simulate(thinking))
            return 0;
        i = CARDS_HAND - 1;
        step = CARDS_HAND - 1;
    }
    while (cards->hand[seat][i] == 0)
        i = (i + step) % CARDS_HAND;
    char name[CARDS_NAME];
    size_t len = card_name(cards->hand[seat][i], name);
    memcpy(move, name, len);
    return len;
}

/* A turn for each card of the hand, as far as there is space; all are thought equally good. */
static size_t cards_hint(const void *known, unsigned seat, struct game_thinking *thinking,
                         struct game_hint_turn turns[GAME_HINT_TURNS])
{
    const struct cards *cards = known;
    size_t count = 0;
    if (thinking && !simulate(thinking))
        return 0;
    for (unsigned i = 0; i < CARDS_HAND && count < GAME_HINT_TURNS; i++) {
        uint16_t card = cards->hand[seat][i];
        if (card == 0)
            continue;
        struct game_hint_turn *turn = &turns[count++];
        *turn = (struct game_hint_turn){.count = 1};
        card_name(card, turn->moves[0]);
        for (unsigned k = 0; k < cards->seats; k++)
            turn->chances[k] = (uint16_t)(1000 / cards->seats);
    }
    return count;
}

/* ---- views */

static bool sees_cards_of(unsigned viewer, unsigned seat)
{
    return viewer == seat || viewer == GAME_SERVER;
}

static void write_player(const struct cards *before, const struct cards *after, unsigned seat,
                         unsigned viewer, struct patch *patch)
{
    char was[CARDS_NAME], is[CARDS_NAME];
    int64_t won = before ? before->won[seat] : 0;
    patch_int(patch, "won", before ? &won : NULL, after->won[seat]);
    patch_flag(patch, "out", before && before->out[seat], after->out[seat]);
    patch_flag(patch, "down", before && before->down[seat], after->down[seat] != 0);
    if (before && before->shown[seat])
        card_name(before->shown[seat], was);
    if (after->shown[seat])
        card_name(after->shown[seat], is);
    patch_string(patch, "shown", before && before->shown[seat] ? was : NULL,
                 after->shown[seat] ? is : NULL);
    if (!sees_cards_of(viewer, seat))
        return;
    patch_begin(patch, "hand");
    if (!before)
        patch_force(patch);
    for (unsigned i = 0; i < CARDS_HAND; i++) {
        uint16_t card = before ? before->hand[seat][i] : after->hand[seat][i];
        char name[CARDS_NAME];
        card_name(card, name);
        if (card)
            patch_flag(patch, name, before && before->hand[seat][i], after->hand[seat][i] != 0);
    }
    patch_end(patch);
}

static void cards_write_table(const void *before, const void *after, unsigned viewer,
                              struct patch *patch)
{
    for (unsigned i = 0; i < cards_seats(after); i++) {
        patch_begin(patch, patch_number(i));
        write_player(before, after, i, viewer, patch);
        patch_end(patch);
    }
}

static void cards_write_move(const void *before, const void *after, unsigned seat, const char *move,
                             size_t len, unsigned viewer, struct writer *writer)
{
    (void)before;
    (void)after;
    if (!sees_cards_of(viewer, seat))
        return;
    writer_key(writer, "move");
    writer_string_n(writer, move, len);
}

static void cards_write_result(const void *value, struct writer *writer)
{
    const struct cards *cards = value;
    writer_key_object(writer, "won");
    for (unsigned i = 0; i < cards->seats; i++)
        writer_key_int(writer, patch_number(i), cards->won[i]);
    writer_end(writer);
}

static void cards_write_moves(const void *value, unsigned seat, struct writer *writer)
{
    const struct cards *cards = value;
    writer_key_array(writer, "moves");
    for (unsigned i = 0; i < CARDS_HAND; i++) {
        char name[CARDS_NAME];
        if (cards->hand[seat][i])
            writer_string_n(writer, name, card_name(cards->hand[seat][i], name));
    }
    writer_end(writer);
}

/* ---- the record */

static void cards_record_options(const void *value, struct game_pairs *pairs)
{
    game_pairs_add_number(pairs, "players", cards_seats(value));
}

static void cards_record_deal(const void *value, struct game_pairs *pairs)
{
    const struct cards *cards = value;
    game_pairs_add_number(pairs, "cards", (unsigned)cards->seats * CARDS_HAND);
}

static void cards_record_result(const void *value, struct game_pairs *pairs)
{
    const struct cards *cards = value;
    game_pairs_add_number(pairs, "rounds", cards->round);
}

static size_t cards_record_words(const void *before, const void *after, unsigned seat,
                                 const char *move, size_t len, char words[RECORD_TEXT_BYTES])
{
    (void)before;
    (void)after;
    (void)seat;
    memcpy(words, move, len);
    return len;
}

static const struct game_rules rules = {
    .create = cards_create,
    .write_options = cards_write_options,
    .seats = cards_seats,
    .reset = cards_reset,
    .deal = cards_deal,
    .acting = cards_acting,
    .in_play = cards_in_play,
    .over = cards_over,
    .act = cards_act,
    .forfeit = cards_forfeit,
    .may_undo = cards_may_undo,
};

static const struct game_views views = {
    .table = cards_write_table,
    .move = cards_write_move,
    .result = cards_write_result,
    .moves = cards_write_moves,
};

static const struct game_record record = {
    .options = cards_record_options,
    .deal = cards_record_deal,
    .result = cards_record_result,
    .words = cards_record_words,
};

static const char *const levels[] = {"first", "any", "thinking", NULL};

static const struct game_computer computer = {
    .levels = levels,
    .level_default = 2,
    .level_unnamed = 2,
    .know = cards_know,
    .choose = cards_choose,
    .thinking_bytes = thinking_bytes,
    .hint = cards_hint,
    .hint_bytes = CARDS_THINKING_BYTES,
};

/* Says how many cards were played, and by whom the last. */
static bool cards_analyse(const void *game, const struct game_played *played, size_t count,
                          struct game_thinking *thinking, struct writer *writer)
{
    (void)game;
    if (!simulate(thinking))
        return false;
    writer_object(writer);
    writer_key_string(writer, "game", "cards");
    writer_key_int(writer, "played", (int64_t)count);
    if (count > 0) {
        writer_key_int(writer, "seat", played[count - 1].seat);
        writer_key(writer, "last");
        writer_string_n(writer, played[count - 1].move ? played[count - 1].move : "",
                        played[count - 1].len);
    }
    writer_end(writer);
    return true;
}

static const struct game_analyst analyst = {
    .memory_bytes = CARDS_THINKING_BYTES,
    .analyse = cards_analyse,
};

static const char *const colours[] = {"spade", "heart", "diamond", "club", "acorn",
                                      "leaf",  "rose",  "shield",  "bell", NULL};

/* The same in all versions of its rules. */
#define CARDS_OF_VERSION(version)                                                                  \
    .name = "cards", .size = sizeof(struct cards), .hidden = true, .colours = colours,             \
    .seats_max = CARDS_SEATS, .move_bytes = PROTOCOL_MOVE_BYTES, .rules_version = (version),       \
    .rules = &rules, .views = &views, .record = &record, .computer = &computer,                    \
    .analyst = &analyst

const struct game_type cards_game = {CARDS_OF_VERSION(2)};
const struct game_type cards_game_1 = {CARDS_OF_VERSION(1)};

const struct game_type *const test_games[] = {&game_type_taluva, &cards_game, &game_type_totem,
                                              NULL};

/* ---- leaks */

static bool may_know(const struct cards *cards, unsigned viewer, uint16_t number)
{
    for (unsigned i = 0; i < cards->seats; i++) {
        if (cards->shown[i] == number)
            return true;
        for (unsigned k = 0; k < CARDS_HAND; k++) {
            if (cards->hand[i][k] == number)
                return sees_cards_of(viewer, i);
        }
    }
    return true; /* it was discarded */
}

static bool is_alnum(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z');
}

/* As a word of its own: the hex digits of a hash may contain "c4711" by chance. */
static bool names_card(const char *bytes, size_t len, const char *name)
{
    const size_t size = CARDS_NAME - 1;
    const char *at = bytes, *end = bytes + len;
    while ((at = memmem(at, (size_t)(end - at), name, size)) != NULL) {
        bool begins = at == bytes || !is_alnum(at[-1]);
        if (begins && (at + size == end || !is_alnum(at[size])))
            return true;
        at++;
    }
    return false;
}

bool cards_leak(const void *value, unsigned viewer, const char *bytes, size_t len)
{
    const struct cards *cards = value;
    for (unsigned i = 0; i < DECK; i++) {
        char name[CARDS_NAME];
        uint16_t number = (uint16_t)(NUMBER_FIRST + NUMBER_STEP * i);
        card_name(number, name);
        if (!may_know(cards, viewer, number) && names_card(bytes, len, name))
            return true;
    }
    return false;
}

/* ---- the same for one viewer, and different for others */

bool cards_hidden_pair(const void *value, unsigned viewer, uint16_t pair[2])
{
    const struct cards *cards = value;
    unsigned found = 0;
    for (unsigned i = 0; i < cards->seats && found < 2; i++) {
        for (unsigned k = 0; i != viewer && k < CARDS_HAND; k++) {
            uint16_t number = cards->hand[i][k];
            if (number && !may_know(cards, viewer, number)) {
                pair[found++] = number;
                break;
            }
        }
    }
    return found == 2;
}

static uint16_t exchanged(uint16_t number, const uint16_t pair[2])
{
    if (number == pair[0])
        return pair[1];
    return number == pair[1] ? pair[0] : number;
}

void cards_exchange(void *value, const uint16_t pair[2])
{
    struct cards *cards = value;
    for (unsigned i = 0; i < CARDS_SEATS; i++) {
        for (unsigned k = 0; k < CARDS_HAND; k++)
            cards->hand[i][k] = exchanged(cards->hand[i][k], pair);
        cards->down[i] = exchanged(cards->down[i], pair);
    }
}

void cards_exchange_move(char *move, size_t len, const uint16_t pair[2])
{
    uint16_t number = read_card(move, len);
    char name[CARDS_NAME];
    if (number)
        memcpy(move, name, card_name(exchanged(number, pair), name));
}

void cards_swap_hands(unsigned seat, unsigned other)
{
    swapped[0] = seat;
    swapped[1] = other;
}
