#include "analyse_print.h"
#include <cli/glyph.h>
#include <stdlib.h>
#include <taluva_report/report.h>

enum { BAR_COLUMNS = 30 };

/* ---- words */

/* Per mille as percent: "51.7". */
static void put_percent(int value, FILE *out)
{
    fprintf(out, "%d.%d", value / 10, value % 10);
}

/* The same as a change, in a column: "+2.0". */
static void put_change(int value, FILE *out)
{
    char text[16];
    const char *const sign = value < 0 ? "-" : value > 0 ? "+" : "";
    snprintf(text, sizeof text, "%s%d.%d", sign, abs(value) / 10, abs(value) % 10);
    fprintf(out, "%7s", text);
}

static void put_name(const struct record *record, unsigned seat, FILE *out)
{
    if (seat < record->seat_count && record->seats[seat].name)
        glyph_print_text(record->seats[seat].name, out);
    else
        fprintf(out, "seat %u", seat);
}

static void put_moves(const char *what, const struct analysis_text *turn, FILE *out)
{
    char moves[REPORT_MOVES][REPORT_MOVE_BYTES];
    const unsigned n = report_moves(turn, moves);
    fprintf(out, "    %-7s", what);
    for (unsigned i = 0; i < n; i++)
        fprintf(out, " %s", moves[i]);
    fputs(n == 1 && turn->parts == COMPUTER_PART_PLACE ? " none\n" : "\n", out);
}

/* ---- the course */

/* As many columns for each seat as its chance has of all; of a team its first seat's. */
static void put_bar(const struct analysis *analysis, const int16_t *chances, FILE *out)
{
    const struct taluva_options *const options = &analysis->game.options;
    const unsigned seats = options->teams ? 2 : options->seats;
    int sum = 0, so_far = 0, column = 0;
    for (unsigned seat = 0; seat < seats; seat++)
        sum += chances[seat];
    for (unsigned seat = 0; seat < seats; seat++) {
        so_far += chances[seat];
        for (; sum > 0 && column < (so_far * BAR_COLUMNS + sum / 2) / sum; column++)
            fputc('0' + (int)seat, out);
    }
}

static void put_turn(const struct analysis *analysis, const struct analysis_turn *turn, FILE *out)
{
    fprintf(out, "%4u %4u  ", turn->number, turn->seat);
    put_bar(analysis, turn->played, out);
    put_change(turn->luck, out);
    put_change(-turn->loss, out);
    fprintf(out, "%s%s\n", turn->mark == ANALYSIS_PLAIN ? "" : "  ",
            report_mark_word((enum analysis_mark)turn->mark));
}

static void put_course(const struct analysis *analysis, FILE *out)
{
    fputs("\nturn seat  chances after the turn           luck   loss\n", out);
    if (analysis->n > 0) {
        fputs("           ", out);
        put_bar(analysis, analysis->turns[0].start, out);
        fputc('\n', out);
    }
    for (unsigned i = 0; i < analysis->n; i++)
        put_turn(analysis, &analysis->turns[i], out);
}

/* ---- single turns */

static void put_heading(const struct record *record, const struct analysis_turn *turn, FILE *out)
{
    fprintf(out, "  turn %u, ", turn->number);
    put_name(record, turn->seat, out);
    if (turn->mark != ANALYSIS_PLAIN)
        fprintf(out, ", %s", report_mark_word((enum analysis_mark)turn->mark));
    fputs(":\n    ", out);
    put_percent(turn->start[turn->seat], out);
    fputs(" % before the tile, ", out);
    put_percent(turn->best[turn->seat], out);
    fputs(" with it, ", out);
    put_percent(turn->played[turn->seat], out);
    fputs(" after the turn\n", out);
}

static bool is_point(const struct analysis *analysis, const struct analysis_turn *turn)
{
    bool found = false;
    for (unsigned i = 0; i < analysis->n_points; i++)
        found |= analysis->points[i] == turn->number;
    return found;
}

static void put_points(const struct analysis *analysis, const struct record *record, FILE *out)
{
    if (analysis->n_points > 0)
        fputs("\nTurning points\n", out);
    for (unsigned i = 0; i < analysis->n; i++) {
        if (is_point(analysis, &analysis->turns[i]))
            put_heading(record, &analysis->turns[i], out);
    }
}

static void put_better(const struct analysis *analysis, const struct record *record,
                       const struct analyse_story *story, FILE *out)
{
    bool any = false;
    for (unsigned i = 0; i < analysis->n; i++) {
        const struct analysis_turn *const turn = &analysis->turns[i];
        if (turn->better.parts == 0)
            continue;
        fputs(any ? "" : "\nBetter turns\n", out);
        any = true;
        put_heading(record, turn, out);
        put_moves("played", &turn->turn, out);
        analyse_story_played(story, analysis, i, record, out);
        put_moves("better", &turn->better, out);
        analyse_story_better(story, analysis, i, record, out);
        analyse_story_answer(story, analysis, i, record, out);
    }
}

/* ---- the whole */

static void put_count(unsigned count, const char *one, const char *many, const char *end, FILE *out)
{
    fprintf(out, "%u %s%s", count, count == 1 ? one : many, end);
}

/* Of a computer: how well it played, in the word of the program that wrote the record. */
static void put_player(const struct record *record, unsigned seat, FILE *out)
{
    put_name(record, seat, out);
    if (seat >= record->seat_count || !record->seats[seat].bot)
        return;
    const char *const level = record->seats[seat].level;
    fprintf(out, " (computer%s%s)", level ? ", " : "", level ? level : "");
}

static void put_seats(const struct analysis *analysis, const struct record *record, FILE *out)
{
    fputs("\nseat   luck   loss\n", out);
    for (unsigned i = 0; i < analysis->game.options.seats; i++) {
        const struct analysis_seat *const seat = &analysis->seats[i];
        fprintf(out, "%4u", i);
        put_change(seat->luck, out);
        put_change(-seat->loss, out);
        fputs("  ", out);
        put_count(seat->good, "good turn", "good turns", ", ", out);
        put_count(seat->mistakes, "mistake", "mistakes", ", ", out);
        put_count(seat->blunders, "blunder", "blunders", "  ", out);
        put_player(record, i, out);
        fputc('\n', out);
    }
}

void analyse_print_text(const struct analysis *analysis, const struct record *record,
                        const struct analyse_story *story, const char *engine, FILE *out)
{
    fprintf(out, "%s: %u turns, %u simulations for each question\n", record->room, analysis->n,
            analysis->effort.simulations);
    if (engine) {
        fputs("asked of: ", out);
        glyph_print_text(engine, out);
        fputc('\n', out);
    }
    put_seats(analysis, record, out);
    put_course(analysis, out);
    put_points(analysis, record, out);
    put_better(analysis, record, story, out);
}
