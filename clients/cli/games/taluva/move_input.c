#include "move_input.h"

#include "map_group.h"
#include "parts.h"
#include "state_map.h"
#include <cli/state.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 4, WORD_MAX = 32 };

struct words {
    int count;
    char words[WORDS_MAX][WORD_MAX];
};

/* Split at blanks, `@` and `=`; false if there are too many or one is too long. */
static bool split_words(struct words *words, const char *line)
{
    words->count = 0;
    for (line += strspn(line, " \t@="); *line; line += strspn(line, " \t@=")) {
        size_t len = strcspn(line, " \t@=");
        if (words->count == WORDS_MAX || len >= WORD_MAX)
            return false;
        memcpy(words->words[words->count], line, len);
        words->words[words->count++][len] = '\0';
        line += len;
    }
    return words->count > 0;
}

static void upper_word(char *word)
{
    for (; *word; word++)
        *word = (char)toupper((unsigned char)*word);
}

static bool is_tile(const char *word)
{
    if (word[0] == '2')
        return strlen(word) == 3 && strchr("VJ", word[1]) && strchr("JLSV", word[2]);
    return strlen(word) == 2 && strchr("JCSRL", word[0]) && strchr("JCSRL", word[1]);
}

__attribute__((format(printf, 2, 3))) static enum game_input wrong(struct game_move *move,
                                                                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(move->problem, sizeof move->problem, format, arguments);
    va_end(arguments);
    return GAME_INPUT_WRONG;
}

/* ---- placements */

/* "q,r" or "q,r:k" */
static bool read_place(const char *word, int rotation, struct map_at *at, int *k)
{
    const char *end = map_at_parse(word, at);
    *k = rotation;
    if (!end || *end == '\0')
        return end != NULL;
    *k = end[1] - '0';
    return end[0] == ':' && *k >= 0 && *k <= 5 && end[2] == '\0';
}

static bool is_step(const struct move_input_place *now, const char *step)
{
    return strcmp(now->step, step) == 0;
}

static enum game_input read_placement(struct game_move *move, const char *tile, const char *where,
                                      const struct move_input_place *now)
{
    struct map_at at;
    int k;
    if (is_step(now, "build"))
        return wrong(move, "Your tile lies already: build now (hut, tower, temple, expand), or "
                           "take it back with `undo`.");
    if (is_step(now, "draw") && *tile == '\0')
        return wrong(move, "First `draw` a tile, or take one that is on offer: 2VL 2,-1:4");
    if (*tile == '\0')
        return wrong(move, "You have no tile in hand.");
    if (!read_place(where, now->rotation, &at, &k))
        return wrong(move, "A place is q,r:k, such as 2,-1:4, with k from 0 to 5.");
    if (is_step(now, "place") && *tile != '2' && strcmp(tile, now->tile) != 0)
        return wrong(move, "You have drawn %s, not %s: %d,%d:%d places it.", now->tile, tile, at.q,
                     at.r, k);
    snprintf(move->text, sizeof move->text, "%s@%d,%d:%d", tile, at.q, at.r, k);
    return GAME_INPUT_MOVE;
}

/* ---- builds */

static enum game_input read_build(struct game_move *move, const struct words *words,
                                  const struct move_input_place *now)
{
    const struct map *map = now->map;
    const char *verb = words->words[0];
    struct map_at at;
    bool expand = strcmp(verb, "expand") == 0;
    const char *end = words->count > 1 ? map_at_parse(words->words[1], &at) : NULL;
    if (!end || *end != '\0' || words->count != (expand ? 3 : 2))
        return wrong(
            move, expand
                      ? "Expand like this: expand 0,1 L (a hex of your settlement and a terrain)."
                      : "Build like this: hut 1,0");
    if (is_step(now, "place"))
        return wrong(move, "First the tile in hand, %s, has to be placed.", now->tile);
    if (is_step(now, "draw"))
        return wrong(move, "First a tile has to be drawn and placed: `draw`");
    if (strcmp(verb, "boat") == 0)
        at = map_group_first(map, at, map_same_lagoon);
    if (expand) {
        at = map_group_first(map, at, map_same_settlement);
        snprintf(move->text, sizeof move->text, "expand@%d,%d=%c", at.q, at.r,
                 toupper((unsigned char)words->words[2][0]));
        if (!words->words[2][0] || words->words[2][1] ||
            !strchr("JCSRL", move->text[strlen(move->text) - 1]))
            return wrong(move, "A terrain is one of J C S R L.");
        return GAME_INPUT_MOVE;
    }
    snprintf(move->text, sizeof move->text, "%s@%d,%d", verb, at.q, at.r);
    return GAME_INPUT_MOVE;
}

static bool is_verb(const char *word)
{
    static const char *const verbs[] = {"hut", "tower", "temple", "expand", "boat"};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i], word) == 0)
            return true;
    }
    return false;
}

static bool is_place_like(const char *word)
{
    return isdigit((unsigned char)word[0]) || (word[0] == '-' && isdigit((unsigned char)word[1]));
}

/* A `!` at the end of the line; it is cut off. */
static bool take_confirm(char *line)
{
    size_t len = strlen(line);
    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
        line[--len] = '\0';
    if (len == 0 || line[len - 1] != '!')
        return false;
    line[len - 1] = '\0';
    return true;
}

enum game_input move_input_read(struct game_move *move, const char *line,
                                const struct move_input_place *at)
{
    char copy[128];
    struct words words;
    *move = (struct game_move){.text = ""};
    if (strlen(line) >= sizeof copy)
        return GAME_INPUT_UNKNOWN;
    memcpy(copy, line, strlen(line) + 1);
    move->confirm = take_confirm(copy);
    if (!split_words(&words, copy))
        return GAME_INPUT_UNKNOWN;
    if (words.count == 1 && strcmp(words.words[0], "draw") == 0) {
        memcpy(move->text, "draw", 5);
        return GAME_INPUT_MOVE;
    }
    if (is_verb(words.words[0]))
        return read_build(move, &words, at);
    char tile[WORD_MAX];
    memcpy(tile, words.words[0], WORD_MAX);
    upper_word(tile);
    if (words.count == 2 && strcmp(words.words[0], "place") == 0)
        return read_placement(move, at->tile, words.words[1], at);
    if (is_tile(tile) && words.count == 2)
        return read_placement(move, tile, words.words[1], at);
    if (words.count == 1 && is_place_like(words.words[0]) && !is_tile(tile))
        return read_placement(move, at->tile, words.words[0], at);
    return GAME_INPUT_UNKNOWN;
}

void move_input_write(char *text, size_t size, const char *move, const char *tile)
{
    size_t tile_len = strlen(tile);
    const char *where = strchr(move, '@');
    if (tile_len > 0 && strncmp(move, tile, tile_len) == 0 && move[tile_len] == '@') {
        snprintf(text, size, "%s", move + tile_len + 1);
        return;
    }
    snprintf(text, size, "%s", move);
    if (!where || !islower((unsigned char)*move))
        return;
    for (char *at = text; *at; at++) {
        if (*at == '@' || *at == '=')
            *at = ' ';
    }
}

enum game_input taluva_move_read(struct game_move *move, const char *line,
                                 const struct game_view *view, const struct game_room *room)
{
    struct map map;
    if (!state_map(&map, room->state, false, NULL))
        return GAME_INPUT_UNKNOWN;
    const bool ours = room->seat >= 0 && state_acts(room->state, room->seat);
    struct move_input_place at = {&map, state_text(room->state, "table.turn.tile"),
                                  ours ? state_text(room->state, "table.turn.step") : "",
                                  taluva_view_rotation(view)};
    enum game_input outcome = move_input_read(move, line, &at);
    map_release(&map);
    return outcome;
}

/* Who has typed an `@` is writing the notation; everybody else is offered the short form. */
void taluva_move_write(char *text, size_t size, const char *move, const char *begun,
                       const struct game_room *room)
{
    if (strchr(begun, '@'))
        snprintf(text, size, "%s", move);
    else
        move_input_write(text, size, move, state_text(room->state, "table.turn.tile"));
}

/* A tile that goes onto the island erupts there. */
const char *taluva_move_mark(const char *move, const struct game_room *room)
{
    const char *where = strchr(move, '@'), *end = where ? strchr(where, ':') : NULL;
    if (!end)
        return "";
    const json_t *hexes = state_at(room->state, "table.hexes");
    return json_object_getn(hexes, where + 1, (size_t)(end - where - 1)) ? "^" : "";
}
