/* The analysis of a match as JSON: protocol/schemas/taluva.json, `analysis`. */
#ifndef TALUVA_REPORT_H
#define TALUVA_REPORT_H

#include <computer/analysis.h>
#include <protocol/json_writer.h>

enum { REPORT_MOVES = 2, REPORT_MOVE_BYTES = 32 };

/* Of a finished analysis, played by this version of the rules: one object. */
void report_write(const struct analysis *analysis, unsigned rules, struct writer *writer);

/* A turn as moves, in the order in which they are played; how many. */
unsigned report_moves(const struct analysis_text *turn,
                      char moves[REPORT_MOVES][REPORT_MOVE_BYTES]);

/* "", "good", "mistake" or "blunder". */
const char *report_mark_word(enum analysis_mark mark);

#endif
