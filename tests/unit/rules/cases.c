#include "cases.h"

#include "draft.h"
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file being read. */
struct reading {
    const char *path;
    unsigned line;
    char name[128]; /* the case */
    struct draft draft;
    bool placed; /* the draft has become a game */
    struct taluva game;
    struct cases_report *report;
};

#define REQUIRE(reading, condition, ...)                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            char reason_[8192];                                                                    \
            (void)snprintf(reason_, sizeof reason_, __VA_ARGS__);                                  \
            ck_abort_msg("%s:%u: %s: %s", (reading)->path, (reading)->line, (reading)->name,       \
                         reason_);                                                                 \
        }                                                                                          \
    } while (0)

enum move_kind { MOVE_DRAW, MOVE_PLACE, MOVE_BUILD, MOVE_FORFEIT };

/* A question about a move. */
struct move {
    enum move_kind kind;
    uint8_t seat;
    bool confirm;
    bool fit_only;
    taluva_tile tile;
    struct taluva_placement placement;
    struct taluva_build build;
};

static const char *next_word(char **rest)
{
    return strtok_r(NULL, " ", rest);
}

static void read_move_word(struct reading *in, struct move *move, const char *word, char **rest)
{
    const size_t len = strlen(word);
    if (strcmp(word, "draw") == 0) {
        const char *tile = next_word(rest);
        move->kind = MOVE_DRAW;
        REQUIRE(in, tile && taluva_tile_parse(tile, strlen(tile), &move->tile), "a tile?");
    } else if (strcmp(word, "forfeit") == 0) {
        move->kind = MOVE_FORFEIT;
    } else if (taluva_placement_parse(word, len, &move->placement, NULL)) {
        move->kind = MOVE_PLACE;
    } else {
        move->kind = MOVE_BUILD;
        REQUIRE(in, taluva_build_parse(word, len, &move->build, NULL), "no move: %s", word);
    }
}

/* [seat N] [check] MOVE [confirm]; the word after it. */
static const char *read_move(struct reading *in, struct move *move, const char *word, char **rest)
{
    memset(move, 0, sizeof *move);
    move->seat = in->game.seat;
    if (word && strcmp(word, "seat") == 0) {
        const char *seat = next_word(rest);
        REQUIRE(in, seat, "which seat?");
        move->seat = (uint8_t)atoi(seat);
        word = next_word(rest);
    }
    if (word && strcmp(word, "check") == 0) {
        move->fit_only = true;
        word = next_word(rest);
    }
    REQUIRE(in, word, "which move?");
    read_move_word(in, move, word, rest);
    word = next_word(rest);
    if (word && strcmp(word, "confirm") == 0) {
        move->confirm = true;
        word = next_word(rest);
    }
    return word;
}

static enum taluva_status ask(const struct taluva *game, const struct move *move,
                              struct taluva_detail *detail)
{
    memset(detail, 0, sizeof *detail);
    switch (move->kind) {
    case MOVE_DRAW:
        return taluva_check_draw(game, move->seat, move->tile);
    case MOVE_PLACE:
        return move->fit_only
                   ? taluva_check_fit(game, &move->placement, detail)
                   : taluva_check_place(game, move->seat, &move->placement, move->confirm, detail);
    case MOVE_BUILD:
        return taluva_check_build(game, move->seat, &move->build, detail);
    case MOVE_FORFEIT:
        return taluva_check_forfeit(game, move->seat);
    }
    return TALUVA_OK;
}

static enum taluva_status make(struct taluva *game, const struct move *move)
{
    switch (move->kind) {
    case MOVE_DRAW:
        return taluva_draw(game, move->seat, move->tile, NULL);
    case MOVE_PLACE:
        return taluva_place(game, move->seat, &move->placement, move->confirm, NULL);
    case MOVE_BUILD:
        return taluva_build(game, move->seat, &move->build, NULL);
    case MOVE_FORFEIT:
        return taluva_forfeit(game, move->seat, NULL);
    }
    return TALUVA_OK;
}

static bool is_listed_placement(const struct taluva *game, const struct taluva_placement *wanted,
                                bool *dead)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    static bool dead_ends[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, wanted->tile, all, dead_ends);
    for (size_t i = 0; i < n; i++) {
        if (all[i].at.q == wanted->at.q && all[i].at.r == wanted->at.r && all[i].k == wanted->k) {
            *dead = dead_ends[i];
            return true;
        }
    }
    return false;
}

static bool is_listed_build(const struct taluva *game, const struct taluva_build *wanted)
{
    struct taluva_build all[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, all);
    for (size_t i = 0; i < n; i++) {
        if (memcmp(&all[i], wanted, sizeof *wanted) == 0)
            return true;
    }
    return false;
}

/* The answer and the lists must say the same, as far as it is about the rules of the move itself.
 */
static void hold_against_list(struct reading *in, const struct move *move,
                              enum taluva_status status)
{
    bool dead = false;
    if (in->game.step == TALUVA_STEP_OVER)
        return;
    if (move->kind == MOVE_PLACE &&
        taluva_check_fit(&in->game, &move->placement, NULL) != TALUVA_NO_SUCH_TILE) {
        const bool fits = taluva_check_fit(&in->game, &move->placement, NULL) == TALUVA_OK;
        REQUIRE(in, is_listed_placement(&in->game, &move->placement, &dead) == fits,
                "the list says otherwise");
        REQUIRE(in,
                !fits || (status != TALUVA_OK && status != TALUVA_ELIMINATES_YOU) ||
                    move->confirm || move->fit_only || dead == (status != TALUVA_OK),
                "the flag says otherwise");
    }
    if (move->kind == MOVE_BUILD && move->seat == in->game.seat &&
        in->game.step == TALUVA_STEP_BUILD)
        REQUIRE(in, is_listed_build(&in->game, &move->build) == (status == TALUVA_OK),
                "the list says otherwise");
}

static void hold_detail(struct reading *in, const struct taluva_detail *detail, char **rest)
{
    for (const char *word; (word = next_word(rest)) != NULL;) {
        const char *value = next_word(rest);
        char hex[TALUVA_HEX_TEXT];
        REQUIRE(in, value, "%s what?", word);
        if (strcmp(word, "at") == 0) {
            taluva_hex_format(detail->hex, hex);
            REQUIRE(in, detail->has_hex && strcmp(hex, value) == 0, "at %s, not %s",
                    detail->has_hex ? hex : "no hex", value);
        } else {
            REQUIRE(in, strcmp(word, "number") == 0, "%s?", word);
            REQUIRE(in, detail->has_number && detail->number == atoi(value), "number %d, not %s",
                    detail->number, value);
        }
    }
}

static void expect_move(struct reading *in, const char *word, char **rest)
{
    struct move move;
    struct taluva_detail detail;
    const char *verdict = read_move(in, &move, word, rest);
    REQUIRE(in, verdict, "allowed or refused?");
    const bool refused = strcmp(verdict, "refused") == 0;
    REQUIRE(in, refused || strcmp(verdict, "allowed") == 0, "%s?", verdict);
    const char *wanted = refused ? next_word(rest) : "ok";
    const enum taluva_status status = ask(&in->game, &move, &detail);
    REQUIRE(in, wanted && strcmp(taluva_status_code(status), wanted) == 0, "%s, not %s",
            taluva_status_code(status), wanted ? wanted : "refused");
    hold_detail(in, &detail, rest);
    hold_against_list(in, &move, status);
    struct taluva tried = in->game;
    if (!move.fit_only)
        REQUIRE(in, make(&tried, &move) == status, "done and asked, the answers differ");
    REQUIRE(in, status == TALUVA_OK || memcmp(&tried, &in->game, sizeof tried) == 0,
            "a refusal changed the game");
    in->report->seen[status] = true;
}

static void play(struct reading *in, char **rest)
{
    struct move move;
    (void)read_move(in, &move, next_word(rest), rest);
    const enum taluva_status status = make(&in->game, &move);
    REQUIRE(in, status == TALUVA_OK, "refused: %s", taluva_status_code(status));
}

static void expect_now(struct reading *in, char **rest)
{
    const char *step = next_word(rest), *seat = next_word(rest);
    REQUIRE(in, step && seat != NULL, "now what?");
    REQUIRE(in,
            strcmp(step, taluva_step_name((enum taluva_step)in->game.step)) == 0 &&
                in->game.seat == atoi(seat),
            "now %s %u", taluva_step_name((enum taluva_step)in->game.step), in->game.seat);
}

static void set_text(unsigned set, char *out)
{
    for (unsigned i = 0; i < TALUVA_SEATS_MAX; i++) {
        if ((set >> i & 1) != 0)
            *out++ = (char)('0' + i);
    }
    *out = '\0';
}

static void expect_over(struct reading *in, char **rest)
{
    const char *why = next_word(rest), *winners = next_word(rest), *ranks = next_word(rest);
    char set[8], groups[32] = "-";
    struct taluva_outcome outcome;
    REQUIRE(in, why && winners && ranks != NULL, "over how?");
    taluva_outcome(&in->game, &outcome);
    REQUIRE(in, strcmp(why, taluva_end_name((enum taluva_end)outcome.end)) == 0, "ended by %s",
            taluva_end_name((enum taluva_end)outcome.end));
    set_text(outcome.winners, set);
    REQUIRE(in, strcmp(set, winners) == 0, "winners %s", set);
    for (unsigned i = 0; i < outcome.n_ranks; i++) {
        const size_t len = i == 0 ? 0 : strlen(groups);
        set_text(outcome.ranks[i], set);
        (void)snprintf(groups + len, sizeof groups - len, "%s%s", i == 0 ? "" : "/", set);
    }
    REQUIRE(in, strcmp(groups, ranks) == 0, "ranks %s", groups);
}

static void expect_take(struct reading *in, char **rest)
{
    unsigned wanted = 0;
    for (const char *word; (word = next_word(rest)) != NULL;) {
        taluva_tile tile = TALUVA_TILE_NONE;
        if (strcmp(word, "draw") == 0) {
            wanted |= TALUVA_TAKE_DRAW;
        } else if (strcmp(word, "-") != 0) {
            REQUIRE(in, taluva_tile_parse(word, strlen(word), &tile), "%s?", word);
            wanted |= 1u << (tile - TALUVA_TILE_TWO_HEX);
        }
    }
    REQUIRE(in, taluva_may_take(&in->game) == wanted, "take %02x, not %02x",
            taluva_may_take(&in->game), wanted);
}

static void expect_count(struct reading *in, const char *word, char **rest)
{
    const char *argument = next_word(rest);
    taluva_tile tile = TALUVA_TILE_NONE;
    REQUIRE(in, argument, "how many?");
    size_t n = 0;
    if (strcmp(word, "builds") == 0) {
        n = taluva_list_builds(&in->game, NULL);
    } else {
        REQUIRE(in, taluva_tile_parse(argument, strlen(argument), &tile), "%s?", argument);
        n = taluva_list_placements(&in->game, tile, NULL, NULL);
        argument = next_word(rest);
    }
    REQUIRE(in, argument && n == (size_t)atoi(argument), "%zu %s", n, word);
}

static void expect_of_placement(struct reading *in, const char *word, char **rest)
{
    struct move move;
    bool dead = false;
    const char *wanted = read_move(in, &move, next_word(rest), rest);
    REQUIRE(in, wanted && move.kind == MOVE_PLACE, "a placement?");
    if (strcmp(word, "points") == 0) {
        const int points =
            taluva_points_outside((enum taluva_zone)in->game.options.zone, &move.placement);
        REQUIRE(in, points == atoi(wanted), "%d points", points);
        return;
    }
    REQUIRE(in, is_listed_placement(&in->game, &move.placement, &dead), "it does not fit");
    REQUIRE(in, dead == (strcmp(wanted, "yes") == 0), "dead end: %s", dead ? "yes" : "no");
}

static void expect_hex(struct reading *in, char **rest)
{
    const char *at = next_word(rest), *wanted = next_word(rest);
    struct taluva_hex hex;
    char text[TALUVA_CELL_TEXT] = ".";
    REQUIRE(in, at && wanted && taluva_hex_parse(at, strlen(at), &hex, NULL), "which hex?");
    const struct taluva_cell *cell = taluva_cell_at(&in->game, hex);
    if (cell)
        taluva_cell_format(cell, text);
    REQUIRE(in, strcmp(text, wanted) == 0, "%s", text);
}

static void expect_reserve(struct reading *in, char **rest)
{
    const char *seat = next_word(rest);
    REQUIRE(in, seat, "whose reserve?");
    for (const char *word; (word = next_word(rest)) != NULL;) {
        const char *kind = strchr("hwtb", word[0]);
        REQUIRE(in, kind, "%s?", word);
        const int left = in->game.reserve[atoi(seat)][kind - strchr("hwtb", 'h')];
        REQUIRE(in, left == atoi(word + 1), "%c%d", word[0], left);
    }
}

/* What is drawn becomes a game, through the reader that refuses what is impossible. */
static void set_up(struct reading *in)
{
    char text[TALUVA_POSITION_TEXT];
    struct taluva_notation_error error;
    if (in->placed)
        return;
    draft_write(&in->draft, text);
    REQUIRE(in, taluva_position_parse(text, strlen(text), &in->game, &error),
            "%s at %zu of\n%s\n%s", taluva_notation_status_code(error.status), error.offset, text,
            error.what);
    in->placed = true;
}

static void expect_impossible(struct reading *in, const char *phrase)
{
    char text[TALUVA_POSITION_TEXT];
    struct taluva game;
    struct taluva_notation_error error;
    draft_write(&in->draft, text);
    REQUIRE(in, !taluva_position_parse(text, strlen(text), &game, &error), "it is possible");
    REQUIRE(in, strcmp(error.what, phrase) == 0, "%s", error.what);
}

static bool read_turn(struct draft *draft, const char *word, char *rest)
{
    if (strcmp(word, "draw") != 0 && strcmp(word, "place") != 0 && strcmp(word, "build") != 0 &&
        strcmp(word, "over") != 0)
        return false;
    for (char *c = rest; *c != '\0'; c++)
        *c = *c == ' ' ? ':' : *c;
    (void)snprintf(draft->turn, sizeof draft->turn, "%s:%s", word, rest);
    return true;
}

/* Lines that draw; false if this is none. */
static bool draw_line(struct reading *in, const char *word, char *rest)
{
    struct draft *const draft = &in->draft;
    bool ok = true;
    if (strcmp(word, "game") == 0) {
        ok = draft_begin(draft, rest);
    } else if (strcmp(word, "position") == 0) {
        (void)snprintf(draft->position, sizeof draft->position, "%s", rest);
        (void)snprintf(draft->turn, sizeof draft->turn, "written");
    } else if (strcmp(word, "row") == 0) {
        ok = draft_row(draft, rest);
    } else if (strcmp(word, "player") == 0) {
        ok = draft_player(draft, rest);
    } else if (strcmp(word, "boat") == 0) {
        ok = draft_boat(draft, rest);
    } else if (strcmp(word, "tiles") == 0) {
        draft->tiles = (unsigned)atoi(rest);
    } else if (strcmp(word, "first") == 0) {
        draft->first = (unsigned)atoi(rest);
    } else if (strcmp(word, "stack") == 0) {
        draft->stack = atoi(rest);
    } else if (strcmp(word, "offer") == 0) {
        (void)snprintf(draft->offer, sizeof draft->offer, "%s", strcmp(rest, "-") == 0 ? "" : rest);
    } else if (!read_turn(draft, word, rest)) {
        return false;
    }
    REQUIRE(in, ok, "cannot read this");
    return true;
}

static void ask_line(struct reading *in, const char *word, char **rest)
{
    in->report->expectations++;
    if (strcmp(word, "impossible") == 0) {
        expect_impossible(in, *rest);
        return;
    }
    set_up(in);
    if (strcmp(word, "play") == 0)
        play(in, rest);
    else if (strcmp(word, "now") == 0)
        expect_now(in, rest);
    else if (strcmp(word, "over") == 0)
        expect_over(in, rest);
    else if (strcmp(word, "take") == 0)
        expect_take(in, rest);
    else if (strcmp(word, "builds") == 0 || strcmp(word, "placements") == 0)
        expect_count(in, word, rest);
    else if (strcmp(word, "dead") == 0 || strcmp(word, "points") == 0)
        expect_of_placement(in, word, rest);
    else if (strcmp(word, "hex") == 0)
        expect_hex(in, rest);
    else if (strcmp(word, "reserve") == 0)
        expect_reserve(in, rest);
    else
        expect_move(in, word, rest);
}

static void read_line(struct reading *in, char *line)
{
    char *rest = NULL;
    line[strcspn(line, "#\n")] = '\0';
    for (size_t len = strlen(line); len > 0 && line[len - 1] == ' '; len--)
        line[len - 1] = '\0';
    const char *word = strtok_r(line, " ", &rest);
    if (!word)
        return;
    if (strcmp(word, "case") == 0) {
        (void)snprintf(in->name, sizeof in->name, "%s", rest);
        in->placed = false;
        in->report->cases++;
    } else if (in->placed || in->draft.turn[0] != '\0' || !draw_line(in, word, rest)) {
        ask_line(in, word, &rest);
    }
    if (strcmp(word, "case") == 0)
        memset(&in->draft, 0, sizeof in->draft);
}

static void run_file(const char *path, struct cases_report *report)
{
    static struct reading in;
    FILE *file = fopen(path, "r");
    ck_assert_msg(file, "cannot open %s", path);
    in = (struct reading){.path = path, .report = report};
    char line[TALUVA_POSITION_TEXT];
    while (fgets(line, sizeof line, file)) {
        in.line++;
        read_line(&in, line);
    }
    (void)fclose(file);
    report->files++;
}

void cases_run(const char *directory, struct cases_report *report)
{
    DIR *dir = opendir(directory);
    ck_assert_msg(dir, "cannot open %s", directory);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[1024];
        if (dot && strcmp(dot, ".txt") == 0) {
            (void)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
            run_file(path, report);
        }
    }
    (void)closedir(dir);
}
