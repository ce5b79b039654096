#include <pairing/dutch.h>

#include "bracket.h"
#include "order.h"
#include <stdlib.h>

/* A round on its way. */
struct draw {
    struct contestants all;
    uint8_t *legal;
    bool odd;
    unsigned rest_score;
    int left[PAIRING_ENTRANTS_MAX], count, moved;
    int partner[PAIRING_ENTRANTS_MAX]; /* places; -1: none yet */
    struct bracket bracket;
};

/* ---- who may meet */

static int find_place(const struct draw *draw, unsigned number)
{
    for (unsigned i = 0; i < draw->all.count; i++) {
        if (draw->all.list[i].number == number)
            return (int)i;
    }
    return -1;
}

static void strike_bans(struct draw *draw)
{
    const struct pairing_event *event = draw->all.event;
    for (unsigned i = 0; i < event->bans; i++) {
        const struct pairing_ban *ban = &event->ban[i];
        const int a = find_place(draw, ban->a), b = find_place(draw, ban->b);
        if (a < 0 || b < 0 || draw->all.round < ban->from || draw->all.round > ban->to)
            continue;
        draw->legal[(unsigned)a * draw->all.count + (unsigned)b] = false;
        draw->legal[(unsigned)b * draw->all.count + (unsigned)a] = false;
    }
}

static bool find_legal(struct draw *draw)
{
    const struct contestants *all = &draw->all;
    draw->legal = calloc((size_t)all->count * all->count + 1, sizeof *draw->legal);
    if (!draw->legal)
        return false;
    for (unsigned a = 0; a < all->count; a++) {
        for (unsigned b = 0; b < a; b++)
            draw->legal[a * all->count + b] = draw->legal[b * all->count + a] =
                contestants_may_meet(all, &all->list[a], &all->list[b]);
    }
    strike_bans(draw);
    return true;
}

/* ---- can everybody be paired, and who rests [C4, C5] */

static void allow_all(const struct draw *draw, struct matching *matching)
{
    const int count = (int)draw->all.count;
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < a; b++)
            matching_allow(matching, a, b, draw->legal[a * count + b]);
        const struct contestant *one = &draw->all.list[a];
        if (draw->odd)
            matching_allow(matching, a, count, one->may_rest && one->score == draw->rest_score);
    }
}

static enum pairing_outcome try_round(const struct draw *draw)
{
    struct matching matching;
    if (!matching_init(&matching, (int)draw->all.count + draw->odd, 0, 1))
        return PAIRING_OUT_OF_MEMORY;
    allow_all(draw, &matching);
    const bool solved = matching_solve(&matching);
    matching_release(&matching);
    return solved ? PAIRING_DONE : PAIRING_IMPOSSIBLE;
}

/* C5: the lowest score from which somebody can rest. */
static enum pairing_outcome find_rest(struct draw *draw)
{
    enum pairing_outcome outcome = PAIRING_IMPOSSIBLE;
    draw->odd = draw->all.count % 2 != 0;
    if (!draw->odd)
        return try_round(draw);
    for (unsigned i = draw->all.count; i-- > 0 && outcome == PAIRING_IMPOSSIBLE;) {
        if (i + 1 < draw->all.count && draw->all.list[i].score == draw->rest_score)
            continue;
        draw->rest_score = draw->all.list[i].score;
        outcome = try_round(draw);
    }
    return outcome;
}

/* ---- brackets from the top */

static int count_score(const struct draw *draw, int from)
{
    int count = 0;
    while (from + count < draw->count &&
           draw->all.list[draw->left[from + count]].score == draw->all.list[draw->left[from]].score)
        count++;
    return count;
}

/* Whoever has no partner moves down, before those of the next score. */
static void keep_unpaired(struct draw *draw, int own)
{
    int kept = 0, moved = 0;
    for (int i = 0; i < draw->count; i++) {
        if (draw->partner[draw->left[i]] >= 0)
            continue;
        moved += i < draw->moved + own;
        draw->left[kept++] = draw->left[i];
    }
    draw->count = kept;
    draw->moved = moved;
}

static bool pair_bracket(struct draw *draw)
{
    struct bracket_plan plan = {.all = &draw->all,
                                .legal = draw->legal,
                                .left = draw->left,
                                .count = draw->count,
                                .moved = draw->moved,
                                .odd = draw->odd,
                                .rest_score = draw->rest_score};
    plan.own = count_score(draw, draw->moved);
    plan.next = count_score(draw, draw->moved + plan.own);
    if (plan.moved + plan.own > 1) {
        if (!bracket_init(&draw->bracket, &plan))
            return false;
        order_pairs(&draw->bracket, draw->partner);
        bracket_release(&draw->bracket);
    }
    keep_unpaired(draw, plan.own);
    return true;
}

static bool pair_brackets(struct draw *draw)
{
    draw->count = (int)draw->all.count;
    for (int i = 0; i < draw->count; i++) {
        draw->left[i] = i;
        draw->partner[i] = -1;
    }
    while (draw->moved < draw->count) {
        if (!pair_bracket(draw))
            return false;
    }
    return true;
}

/* ---- boards */

struct row {
    unsigned high, low, number; /* scores without what is extra, and of the higher player */
    struct pairing_board board;
};

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if ((a->board.black == 0) != (b->board.black == 0))
        return a->board.black == 0 ? 1 : -1;
    if (a->high != b->high)
        return a->high > b->high ? -1 : 1;
    if (a->low != b->low)
        return a->low > b->low ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static struct row make_row(const struct draw *draw, unsigned place)
{
    const struct contestant *a = &draw->all.list[place];
    struct row row = {.high = a->points, .number = a->number};
    row.board.white = (uint16_t)a->number;
    if (draw->partner[place] < 0)
        return row;
    const struct contestant *b = &draw->all.list[draw->partner[place]];
    const bool white = contestants_colour(&draw->all, a, b) == 'w';
    const bool higher = a->points != b->points ? a->points > b->points : a->number < b->number;
    row.high = higher ? a->points : b->points;
    row.low = higher ? b->points : a->points;
    row.number = higher ? a->number : b->number;
    row.board.white = (uint16_t)(white ? a->number : b->number);
    row.board.black = (uint16_t)(white ? b->number : a->number);
    return row;
}

static void write_boards(const struct draw *draw, struct pairing_round *result)
{
    struct row rows[PAIRING_ENTRANTS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < draw->all.count; i++) {
        if (draw->partner[i] < (int)i && draw->partner[i] >= 0)
            continue;
        rows[count++] = make_row(draw, i);
    }
    qsort(rows, count, sizeof rows[0], compare_rows);
    result->boards = count;
    for (unsigned i = 0; i < count; i++)
        result->board[i] = rows[i].board;
}

static enum pairing_outcome make_draw(struct draw *draw, const struct pairing_event *event,
                                      unsigned round, struct pairing_round *result)
{
    result->boards = 0;
    contestants_gather(&draw->all, event, round);
    if (draw->all.count == 0)
        return PAIRING_DONE;
    if (draw->all.first == 0 && draw->all.count > 1)
        return PAIRING_UNKNOWN_COLOUR;
    if (!find_legal(draw))
        return PAIRING_OUT_OF_MEMORY;
    const enum pairing_outcome outcome = find_rest(draw);
    if (outcome != PAIRING_DONE)
        return outcome;
    if (!pair_brackets(draw))
        return PAIRING_OUT_OF_MEMORY;
    write_boards(draw, result);
    return PAIRING_DONE;
}

enum pairing_outcome pairing_dutch(const struct pairing_event *event, unsigned round,
                                   struct pairing_round *result)
{
    struct draw *draw = calloc(1, sizeof *draw);
    if (!draw)
        return PAIRING_OUT_OF_MEMORY;
    const enum pairing_outcome outcome = make_draw(draw, event, round, result);
    free(draw->legal);
    free(draw);
    return outcome;
}
