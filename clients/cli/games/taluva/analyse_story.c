#include "analyse_story.h"

#include "explain_words.h"
#include <cli/glyph.h>
#include <computer/explain.h>
#include <rules/box.h>
#include <string.h>
#include <taluva_report/report.h>

enum { WORDS_BYTES = 1024 };

/* ---- words */

static void put_words(const struct explain *explain, unsigned seat, const struct record *record,
                      FILE *out)
{
    char bytes[WORDS_BYTES] = "";
    struct text text = {.bytes = bytes, .size = sizeof bytes};
    const struct explain_names names = {.add = explain_add_recorded, .user = record};
    explain_words(explain, seat, &names, &text);
    if (text.len == 0)
        return;
    fputs("            ", out);
    glyph_print_text(bytes, out);
    fputc('\n', out);
}

/* ---- facts */

static void explain_text(const struct taluva *before, const struct analysis_text *text,
                         struct explain *out)
{
    const bool places = (text->parts & COMPUTER_PART_PLACE) != 0;
    const bool builds = (text->parts & COMPUTER_PART_BUILD) != 0;
    out->n = 0;
    if (places)
        (void)explain_turn(before, &text->placement, builds ? &text->build : NULL, out);
}

static void put_difference(const struct analyse_story *story, const struct analysis *analysis,
                           unsigned turn, const struct analysis_text *text,
                           const struct analysis_text *other, const struct record *record,
                           FILE *out)
{
    struct explain explain, less;
    explain_text(&story->before[turn], text, &explain);
    explain_text(&story->before[turn], other, &less);
    explain_without(&explain, &less);
    put_words(&explain, analysis->turns[turn].seat, record, out);
}

void analyse_story_played(const struct analyse_story *story, const struct analysis *analysis,
                          unsigned turn, const struct record *record, FILE *out)
{
    const struct analysis_turn *const one = &analysis->turns[turn];
    put_difference(story, analysis, turn, &one->turn, &one->better, record, out);
}

void analyse_story_better(const struct analyse_story *story, const struct analysis *analysis,
                          unsigned turn, const struct record *record, FILE *out)
{
    const struct analysis_turn *const one = &analysis->turns[turn];
    put_difference(story, analysis, turn, &one->better, &one->turn, record, out);
}

/* ---- what would have followed */

static bool play_text(struct taluva *game, const struct analysis_text *text)
{
    const uint8_t seat = game->seat;
    const struct taluva_placement *const placement = &text->placement;
    if ((text->parts & COMPUTER_PART_PLACE) == 0)
        return false;
    if (game->step == TALUVA_STEP_DRAW && !taluva_tile_is_two_hex(placement->tile) &&
        taluva_draw(game, seat, placement->tile, NULL) != TALUVA_OK)
        return false;
    return taluva_place(game, seat, placement, true, NULL) == TALUVA_OK &&
           ((text->parts & COMPUTER_PART_BUILD) == 0 ||
            taluva_build(game, seat, &text->build, NULL) == TALUVA_OK);
}

/* The tile that lies on the stack is drawn, if there is one. */
static bool draw_next(const struct analyse_story *story, struct taluva *game)
{
    return (taluva_may_take(game) & TALUVA_TAKE_DRAW) != 0 &&
           taluva_draw(game, game->seat, story->deck[game->options.tiles - game->stack], NULL) ==
               TALUVA_OK;
}

static void think_ahead(const struct analyse_story *story, const struct taluva *game,
                        struct computer_answer *answer)
{
    struct computer_question question = {.game = game};
    taluva_tile box[TALUVA_TILES_MAX];
    const size_t count = taluva_box(game->options.seats == 5, box);
    for (size_t i = 0; i < count; i++)
        question.unseen[box[i]]++;
    for (unsigned i = 0; i < (unsigned)(game->options.tiles - game->stack); i++)
        question.unseen[story->deck[i]]--;
    computer_think(&question, answer);
}

void analyse_story_answer(const struct analyse_story *story, const struct analysis *analysis,
                          unsigned turn, const struct record *record, FILE *out)
{
    struct taluva game = story->before[turn];
    struct computer_answer answer;
    char moves[REPORT_MOVES][REPORT_MOVE_BYTES];
    char bytes[RECORD_VALUE_BYTES + 1] = "";
    struct text name = {.bytes = bytes, .size = sizeof bytes};
    if (!play_text(&game, &analysis->turns[turn].better) || !draw_next(story, &game))
        return;
    think_ahead(story, &game, &answer);
    const struct computer_turn *const best = &answer.turns[0];
    const struct analysis_text text = {
        .parts = best->parts, .placement = best->placement, .build = best->build};
    const unsigned n = report_moves(&text, moves);
    explain_add_recorded(&name, game.seat, record);
    fputs("    then    ", out);
    glyph_print_text(bytes, out);
    for (unsigned i = 0; i < n; i++)
        fprintf(out, " %s", moves[i]);
    fputc('\n', out);
    struct explain explain;
    explain_text(&game, &text, &explain);
    put_words(&explain, game.seat, record, out);
}
