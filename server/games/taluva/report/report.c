#include <taluva_report/report.h>

#include <rules/notation.h>
#include <string.h>

_Static_assert((int)REPORT_MOVE_BYTES >= (int)TALUVA_PLACEMENT_TEXT, "a placement fits");
_Static_assert((int)REPORT_MOVE_BYTES >= (int)TALUVA_BUILD_TEXT, "a build fits");

const char *report_mark_word(enum analysis_mark mark)
{
    static const char *const words[] = {
        [ANALYSIS_PLAIN] = "",
        [ANALYSIS_IS_GOOD] = "good",
        [ANALYSIS_IS_MISTAKE] = "mistake",
        [ANALYSIS_IS_BLUNDER] = "blunder",
    };
    return words[mark];
}

unsigned report_moves(const struct analysis_text *turn, char moves[REPORT_MOVES][REPORT_MOVE_BYTES])
{
    unsigned n = 0;
    if ((turn->parts & COMPUTER_PART_DRAW) != 0)
        memcpy(moves[n++], "draw", sizeof "draw");
    if ((turn->parts & COMPUTER_PART_PLACE) != 0)
        (void)taluva_placement_format(&turn->placement, moves[n++]);
    if ((turn->parts & COMPUTER_PART_BUILD) != 0)
        (void)taluva_build_format(&turn->build, moves[n++]);
    return n;
}

static void write_moves(struct writer *writer, const char *key, const struct analysis_text *turn)
{
    char moves[REPORT_MOVES][REPORT_MOVE_BYTES];
    const unsigned n = report_moves(turn, moves);
    writer_key_array(writer, key);
    for (unsigned i = 0; i < n; i++)
        writer_string(writer, moves[i]);
    writer_end(writer);
}

static void write_chances(struct writer *writer, const char *key, const int16_t *chances,
                          unsigned seats)
{
    writer_key_array(writer, key);
    for (unsigned seat = 0; seat < seats; seat++)
        writer_int(writer, chances[seat]);
    writer_end(writer);
}

static void write_turn(struct writer *writer, const struct analysis_turn *turn, unsigned seats)
{
    writer_object(writer);
    writer_key_int(writer, "turn", turn->number);
    writer_key_int(writer, "seat", turn->seat);
    write_moves(writer, "moves", &turn->turn);
    write_chances(writer, "start", turn->start, seats);
    write_chances(writer, "best", turn->best, seats);
    write_chances(writer, "played", turn->played, seats);
    writer_key_int(writer, "luck", turn->luck);
    writer_key_int(writer, "loss", turn->loss);
    writer_key_string(writer, "mark", report_mark_word((enum analysis_mark)turn->mark));
    if (turn->better.parts != 0)
        write_moves(writer, "better", &turn->better);
    writer_end(writer);
}

static void write_seat(struct writer *writer, const struct analysis_seat *seat)
{
    writer_object(writer);
    writer_key_int(writer, "luck", seat->luck);
    writer_key_int(writer, "loss", seat->loss);
    writer_key_int(writer, "good", seat->good);
    writer_key_int(writer, "mistakes", seat->mistakes);
    writer_key_int(writer, "blunders", seat->blunders);
    writer_end(writer);
}

void report_write(const struct analysis *analysis, unsigned rules, struct writer *writer)
{
    const unsigned seats = analysis->game.options.seats;
    writer_object(writer);
    writer_key_string(writer, "game", "taluva");
    writer_key_int(writer, "rules", rules);
    writer_key_int(writer, "simulations", analysis->effort.simulations);
    writer_key_array(writer, "turns");
    for (unsigned i = 0; i < analysis->n; i++)
        write_turn(writer, &analysis->turns[i], seats);
    writer_end(writer);
    writer_key_array(writer, "turning_points");
    for (unsigned i = 0; i < analysis->n_points; i++)
        writer_int(writer, analysis->points[i]);
    writer_end(writer);
    writer_key_array(writer, "seats");
    for (unsigned seat = 0; seat < seats; seat++)
        write_seat(writer, &analysis->seats[seat]);
    writer_end(writer);
    writer_end(writer);
}
