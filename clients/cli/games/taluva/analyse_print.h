/* The two forms of the analysis of a recorded match that are not JSON. */
#ifndef CLI_TALUVA_ANALYSE_PRINT_H
#define CLI_TALUVA_ANALYSE_PRINT_H

#include "analyse_story.h"
#include <protocol/record.h>
#include <stdio.h>

/* For people: the course of the match, its turning points, better turns. `engine`: who was asked;
 * NULL: the computer that is built in. */
void analyse_print_text(const struct analysis *analysis, const struct record *record,
                        const struct analyse_story *story, const char *engine, FILE *out);

/*
 * The record with what was found in it, as protocol/record.md has it; what an earlier analysis had
 * written is gone. False if memory ran out.
 */
bool analyse_print_record(const struct analysis *analysis, const struct record *record, FILE *out);

#endif
