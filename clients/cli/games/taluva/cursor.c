#include "cursor.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 6 };

/* ---- reading the list */

/* Where a thing stands in the order in which they are offered; tiles come first. */
static int rank_of(const char *what)
{
    static const char *const order[] = {"hut", "expand", "tower", "temple", "boat"};
    for (int i = 0; i < 5; i++) {
        if (strncmp(what, order[i], strlen(order[i])) == 0)
            return i;
    }
    return -1;
}

/* "JC@2,-1:4", "hut@1,0", "expand@0,1=L", "draw" */
static bool read_move(struct cursor_move *move, const char *text)
{
    const char *where = strchr(text, '@'), *end = NULL;
    *move = (struct cursor_move){.k = -1, .has_place = where != NULL};
    if (strlen(text) >= sizeof move->text)
        return false;
    memcpy(move->text, text, strlen(text) + 1);
    const size_t len = where ? (size_t)(where - text) : strlen(text);
    if (len == 0 || len >= sizeof move->what - 2)
        return false;
    memcpy(move->what, text, len);
    move->what[len] = '\0';
    if (!where)
        return strcmp(text, "draw") == 0;
    end = map_at_parse(where + 1, &move->at);
    if (end && *end == ':' && end[1] >= '0' && end[1] < '0' + DIRECTIONS)
        move->k = end[1] - '0';
    else if (end && *end == '=' && end[1])
        snprintf(move->what + len, sizeof move->what - len, " %c", end[1]);
    else
        return end && *end == '\0';
    return end[2] == '\0';
}

/* Twice the column in which the hex lies in the picture. */
static int column_of(struct map_at at)
{
    return 2 * at.q + at.r;
}

static int compare_what(const char *a, const char *b)
{
    return rank_of(a) != rank_of(b) ? rank_of(a) - rank_of(b) : strcmp(a, b);
}

static int compare_places(const struct cursor_move *a, const struct cursor_move *b)
{
    if (a->has_place != b->has_place)
        return a->has_place ? 1 : -1;
    return a->at.r != b->at.r ? a->at.r - b->at.r : a->at.q - b->at.q;
}

static int compare_moves(const void *left, const void *right)
{
    const struct cursor_move *a = left, *b = right;
    int order = compare_places(a, b);
    order = order ? order : compare_what(a->what, b->what);
    return order ? order : a->k - b->k;
}

static bool same_place(const struct cursor_move *a, const struct cursor_move *b)
{
    return compare_places(a, b) == 0;
}

static bool same_what(const struct cursor_move *a, const struct cursor_move *b)
{
    return strcmp(a->what, b->what) == 0;
}

/* ---- choosing one of several */

/* Steps between two hexes. */
static int hex_distance(struct map_at a, struct map_at b)
{
    const int q = abs(a.q - b.q), r = abs(a.r - b.r), s = abs(a.q + a.r - b.q - b.r);
    return (q + r + s) / 2;
}

/* How far the tile must be turned on from `k`; all that is not turned is equally good. */
static int turns_from(int k, const struct cursor_move *move)
{
    return move->k < 0 ? 0 : (move->k - k + DIRECTIONS) % DIRECTIONS;
}

/* At the place of `place` what is best for who holds `what`: the same, turned as little as can be.
 */
static size_t best_at(const struct cursor *cursor, size_t place, const char *what)
{
    size_t best = place;
    int least = INT_MAX;
    for (size_t i = 0; i < cursor->count; i++) {
        const struct cursor_move *move = &cursor->moves[i];
        if (!same_place(move, &cursor->moves[place]))
            continue;
        const int cost =
            (strcmp(move->what, what) != 0 ? DIRECTIONS : 0) + turns_from(cursor->k, move);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

static void go_to(struct cursor *cursor, size_t place)
{
    char what[CURSOR_WHAT];
    memcpy(what, cursor_now(cursor)->what, sizeof what);
    cursor->now = best_at(cursor, place, what);
}

/* The move of this thing (NULL: any) at the nearest place. */
static size_t nearest_move(const struct cursor *cursor, struct map_at near, const char *what)
{
    size_t best = cursor->count;
    int least = INT_MAX;
    for (size_t i = 0; i < cursor->count; i++) {
        const struct cursor_move *move = &cursor->moves[i];
        if (what && strcmp(move->what, what) != 0)
            continue;
        const int far = move->has_place ? hex_distance(near, move->at) : -1;
        if (far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}

/* ---- opening and closing */

static void read_moves(struct cursor *cursor, const json_t *moves)
{
    size_t i;
    json_t *value;
    json_array_foreach(moves, i, value)
    {
        const char *text = json_string_value(value);
        if (text && read_move(&cursor->moves[cursor->count], text))
            cursor->count++;
    }
    qsort(cursor->moves, cursor->count, sizeof *cursor->moves, compare_moves);
}

bool cursor_open(struct cursor *cursor, const json_t *moves, struct map_at near, int k)
{
    const size_t most = json_array_size(moves);
    *cursor = (struct cursor){.k = k};
    cursor->moves = most > 0 ? calloc(most, sizeof *cursor->moves) : NULL;
    if (!cursor->moves)
        return false;
    read_moves(cursor, moves);
    if (cursor->count == 0) {
        cursor_close(cursor);
        return false;
    }
    cursor->now = nearest_move(cursor, near, NULL);
    go_to(cursor, cursor->now);
    return true;
}

void cursor_close(struct cursor *cursor)
{
    free(cursor->moves);
    *cursor = (struct cursor){0};
}

const struct cursor_move *cursor_now(const struct cursor *cursor)
{
    assert(cursor->moves && cursor->now < cursor->count);
    return &cursor->moves[cursor->now];
}

bool cursor_find(struct cursor *cursor, const char *move)
{
    for (size_t i = 0; i < cursor->count; i++) {
        if (strcmp(cursor->moves[i].text, move) != 0)
            continue;
        cursor->now = i;
        cursor->k = cursor->moves[i].k >= 0 ? cursor->moves[i].k : cursor->k;
        return true;
    }
    return false;
}

/* ---- moving */

/* Is the move at a place that the arrows go to? Who holds a tile keeps it on the way. */
static bool is_on_the_way(const struct cursor *cursor, const struct cursor_move *move)
{
    const struct cursor_move *now = cursor_now(cursor);
    return move->has_place && !same_place(move, now) && (now->k < 0 || same_what(move, now));
}

/* The next place as one reads; from the last one on to the first. */
static size_t read_on(const struct cursor *cursor, bool back)
{
    const size_t step = back ? cursor->count - 1 : 1;
    for (size_t i = (cursor->now + step) % cursor->count; i != cursor->now;
         i = (i + step) % cursor->count) {
        if (is_on_the_way(cursor, &cursor->moves[i]))
            return i;
    }
    return cursor->now;
}

/* The nearest place of the nearest line above or below; stays where there is none. */
static size_t next_line(const struct cursor *cursor, bool up)
{
    const struct cursor_move *now = cursor_now(cursor);
    size_t best = cursor->now;
    int lines = INT_MAX, columns = INT_MAX;
    for (size_t i = 0; i < cursor->count; i++) {
        const struct cursor_move *move = &cursor->moves[i];
        const int down = move->at.r - now->at.r, far = up ? -down : down;
        const int across = abs(column_of(move->at) - column_of(now->at));
        if (!is_on_the_way(cursor, move) || far <= 0 || far > lines ||
            (far == lines && across >= columns))
            continue;
        lines = far;
        columns = across;
        best = i;
    }
    return best;
}

void cursor_step(struct cursor *cursor, enum cursor_step step)
{
    const bool back = step == CURSOR_LEFT || step == CURSOR_UP;
    if (!cursor_now(cursor)->has_place)
        cursor_change(cursor, back);
    else if (step == CURSOR_LEFT || step == CURSOR_RIGHT)
        go_to(cursor, read_on(cursor, back));
    else
        go_to(cursor, next_line(cursor, back));
}

/* ---- turning, and other things */

void cursor_turn(struct cursor *cursor, bool back)
{
    const bool turns = cursor_now(cursor)->k >= 0;
    const size_t step = back ? cursor->count - 1 : 1;
    size_t i = cursor->now;
    do
        i = (i + step) % cursor->count;
    while (!same_place(&cursor->moves[i], cursor_now(cursor)) ||
           (turns && !same_what(&cursor->moves[i], cursor_now(cursor))));
    cursor->now = i;
    cursor->k = turns ? cursor_now(cursor)->k : cursor->k;
}

/* Behind this thing in the order in which they are offered, the first or the last at the end. */
static const char *what_after(const struct cursor *cursor, const char *what, bool back)
{
    const char *next = NULL, *end = what;
    for (size_t i = 0; i < cursor->count; i++) {
        const char *other = cursor->moves[i].what;
        const int order = back ? compare_what(what, other) : compare_what(other, what);
        const int to_next = !next  ? -1
                            : back ? compare_what(next, other)
                                   : compare_what(other, next);
        const int to_end = back ? compare_what(end, other) : compare_what(other, end);
        if (order > 0 && to_next < 0)
            next = other;
        if (to_end < 0)
            end = other;
    }
    return next ? next : end;
}

void cursor_change(struct cursor *cursor, bool back)
{
    const struct cursor_move *now = cursor_now(cursor);
    const char *what = what_after(cursor, now->what, back);
    if (strcmp(what, now->what) == 0) {
        cursor_turn(cursor, back);
        return;
    }
    const size_t place = nearest_move(cursor, now->at, what);
    cursor->now = best_at(cursor, place, what);
}

bool cursor_point(struct cursor *cursor, struct map_at at)
{
    for (size_t i = 0; i < cursor->count; i++) {
        const struct cursor_move *move = &cursor->moves[i];
        if (!move->has_place || move->at.q != at.q || move->at.r != at.r)
            continue;
        go_to(cursor, i);
        return true;
    }
    return false;
}
