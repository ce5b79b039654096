/* What an analysis writes into a record: protocol/record.md, "What an analysis adds". */
#include "analyse_print.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <taluva_report/report.h>

/* A record with room for what is added. */
struct annotated {
    struct record record;
    struct record_pair result[RECORD_PAIRS];
    struct record_line *lines;
    size_t pair_count, line_count;
    char names[RECORD_PAIRS][RECORD_WORD_BYTES + 1];
    char values[RECORD_PAIRS][RECORD_VALUE_BYTES + 1];
};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_ours(const char *name)
{
    return strcmp(name, "analysis") == 0 || starts_with(name, "analysis_");
}

/* ---- the result */

static void keep_pairs(struct annotated *out, const struct record *record)
{
    for (size_t i = 0; i < record->result_count; i++) {
        if (!is_ours(record->result[i].name))
            out->result[out->pair_count++] = record->result[i];
    }
}

enum { NO_NUMBER = -1 };

/* An empty pair, or NULL if the list is full. The number, if any, ends its name. */
static char *add_pair(struct annotated *out, const char *name, int number)
{
    if (out->pair_count == RECORD_PAIRS)
        return NULL;
    const size_t at = out->pair_count++;
    char *const named = out->names[at];
    if (number == NO_NUMBER)
        (void)snprintf(named, sizeof out->names[at], "%s", name);
    else
        (void)snprintf(named, sizeof out->names[at], "%s_%d", name, number);
    out->values[at][0] = '\0';
    out->result[at] = (struct record_pair){named, out->values[at]};
    return out->values[at];
}

static void add_word(char *value, const char *word)
{
    const size_t len = strlen(value);
    const int n =
        snprintf(value + len, RECORD_VALUE_BYTES + 1 - len, "%s%s", len > 0 ? " " : "", word);
    assert(n > 0 && len + (size_t)n <= RECORD_VALUE_BYTES);
}

static void add_number(char *value, int number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", number);
    add_word(value, text);
}

typedef int number_fn(const struct analysis_turn *turn, unsigned seat);

static int luck_of(const struct analysis_turn *turn, unsigned seat)
{
    (void)seat;
    return turn->luck;
}

static int loss_of(const struct analysis_turn *turn, unsigned seat)
{
    (void)seat;
    return turn->loss;
}

static int played_of(const struct analysis_turn *turn, unsigned seat)
{
    return turn->played[seat];
}

/* A number for each turn of the record; "-" for those that were cut short. */
static void add_numbers(char *value, const struct analysis *analysis, number_fn *number,
                        unsigned seat)
{
    unsigned written = 0;
    for (unsigned i = 0; value && i < analysis->n; i++) {
        const struct analysis_turn *const turn = &analysis->turns[i];
        while (++written < turn->number)
            add_word(value, "-");
        add_number(value, number(turn, seat));
    }
}

static void add_start(char *value, const struct analysis *analysis)
{
    for (unsigned seat = 0; value && seat < analysis->game.options.seats; seat++)
        add_number(value, analysis->turns[0].start[seat]);
}

static void add_better(struct annotated *out, const struct analysis_turn *turn)
{
    char moves[REPORT_MOVES][REPORT_MOVE_BYTES];
    const unsigned n = report_moves(&turn->better, moves);
    char *const value = add_pair(out, "analysis_better", turn->number);
    for (unsigned i = 0; value && i < n; i++)
        add_word(value, moves[i]);
}

/* The better turns come last: there are more turns than pairs. */
static void add_pairs(struct annotated *out, const struct analysis *analysis)
{
    char *const head = add_pair(out, "analysis", NO_NUMBER);
    if (head)
        add_number(head, (int)analysis->effort.simulations);
    if (analysis->n == 0)
        return;
    add_start(add_pair(out, "analysis_start", NO_NUMBER), analysis);
    for (unsigned seat = 0; seat < analysis->game.options.seats; seat++)
        add_numbers(add_pair(out, "analysis_chances", (int)seat), analysis, played_of, seat);
    add_numbers(add_pair(out, "analysis_luck", NO_NUMBER), analysis, luck_of, 0);
    add_numbers(add_pair(out, "analysis_loss", NO_NUMBER), analysis, loss_of, 0);
    for (unsigned i = 0; i < analysis->n; i++) {
        if (analysis->turns[i].better.parts != 0)
            add_better(out, &analysis->turns[i]);
    }
}

/* ---- the lines */

static bool is_mark(const struct record_line *line)
{
    bool found = false;
    for (int mark = ANALYSIS_IS_GOOD; mark <= ANALYSIS_IS_BLUNDER; mark++)
        found |= strcmp(line->text, report_mark_word((enum analysis_mark)mark)) == 0;
    return line->number == 0 && found;
}

static const struct analysis_turn *find_turn(const struct analysis *analysis, uint32_t number)
{
    for (unsigned i = 0; number > 0 && i < analysis->n; i++) {
        if (analysis->turns[i].number == number)
            return &analysis->turns[i];
    }
    return NULL;
}

/* Each with its mark behind it, if it has one. */
static void add_lines(struct annotated *out, const struct analysis *analysis,
                      const struct record *record)
{
    for (size_t i = 0; i < record->line_count; i++) {
        const struct record_line *const line = &record->lines[i];
        const struct analysis_turn *const turn = find_turn(analysis, line->number);
        if (!is_mark(line))
            out->lines[out->line_count++] = *line;
        if (turn && turn->mark != ANALYSIS_PLAIN)
            out->lines[out->line_count++] = (struct record_line){
                .seat = turn->seat,
                .text = report_mark_word((enum analysis_mark)turn->mark),
                .spent_ms = RECORD_NO_TIME,
            };
    }
}

/* ---- the whole */

static bool write_annotated(struct annotated *out, const struct record *record, FILE *file)
{
    struct buffer buffer;
    out->record = *record;
    out->record.result = out->result;
    out->record.result_count = out->pair_count;
    out->record.lines = out->lines;
    out->record.line_count = out->line_count;
    buffer_init(&buffer, 0, RECORD_BYTES);
    const bool written = record_write(&buffer, &out->record);
    if (written)
        fwrite(buffer_payload(&buffer), 1, buffer.len, file);
    buffer_release(&buffer);
    return written;
}

bool analyse_print_record(const struct analysis *analysis, const struct record *record, FILE *out)
{
    struct annotated *const annotated = calloc(1, sizeof *annotated);
    bool written = false;
    if (annotated)
        annotated->lines = calloc(record->line_count + analysis->n + 1, sizeof *annotated->lines);
    if (annotated && annotated->lines) {
        keep_pairs(annotated, record);
        add_pairs(annotated, analysis);
        add_lines(annotated, analysis, record);
        written = write_annotated(annotated, record, out);
    }
    if (annotated)
        free(annotated->lines);
    free(annotated);
    return written;
}
