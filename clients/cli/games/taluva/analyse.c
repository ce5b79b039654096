#include <cli/analyse.h>

#include "analyse_engine.h"
#include "analyse_print.h"
#include "parts.h"
#include "replay_parts.h"
#include <cli/glyph.h>
#include <stdlib.h>
#include <string.h>
#include <taluva_report/report.h>
#include <unistd.h>

struct match {
    struct analysis analysis;
    struct analyse_story story;
};

/* ---- the match, told move by move */

static bool tell_move(struct analysis *analysis, uint8_t seat, const struct analysis_move *move,
                      const struct analyse_wish *wish, const struct record_line *line)
{
    const enum taluva_status status = analysis_move(analysis, seat, move);
    if (status != TALUVA_OK)
        fprintf(stderr, "taluva: %s: %s: %s\n", wish->where, line->text,
                taluva_status_text(status));
    return status == TALUVA_OK;
}

static bool tell_moves(struct analysis *analysis, const struct analyse_wish *wish,
                       const struct record_line *line)
{
    struct analysis_move move;
    for (const char *word = line->text; *word;) {
        const size_t len = strcspn(word, " ");
        if (analysis_move_read(&move, word, len) &&
            !tell_move(analysis, line->seat, &move, wish, line))
            return false;
        word += len + (word[len] == ' ');
    }
    return true;
}

/* The position before it is kept, if the turn came to its end and was rated. */
static bool tell_turn(struct match *match, const struct analyse_wish *wish,
                      const struct record_line *line)
{
    struct analysis *const analysis = &match->analysis;
    const struct taluva before = analysis->game;
    const unsigned turn = analysis->n;
    if (!tell_moves(analysis, wish, line))
        return false;
    if (analysis->n > turn)
        match->story.before[turn] = before;
    return true;
}

/* It takes seconds: a person is shown how far it is. An empty line, 0 of 0, takes that away. */
static void show_progress(unsigned turn, unsigned turns)
{
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    if (turns > 0)
        fprintf(stderr, "Looking at turn %u of %u", turn, turns);
    fflush(stderr);
}

static unsigned count_turns(const struct record *record)
{
    unsigned count = 0;
    for (size_t i = 0; i < record->line_count; i++)
        count += record->lines[i].number != 0;
    return count;
}

/* Words that are no move, such as `none`, say nothing new: the record has been checked. */
static bool tell_lines(struct match *match, const struct analyse_wish *wish,
                       const struct record *record)
{
    static const struct analysis_move forfeit = {.kind = ANALYSIS_FORFEIT};
    const unsigned turns = count_turns(record);
    unsigned turn = 0;
    for (size_t i = 0; i < record->line_count; i++) {
        const struct record_line *const line = &record->lines[i];
        const bool leaves =
            strcmp(line->text, "resigned") == 0 || strcmp(line->text, "timed_out") == 0;
        if (line->number)
            show_progress(++turn, turns);
        if (line->number && !tell_turn(match, wish, line))
            return false;
        if (!line->number && leaves &&
            !tell_move(&match->analysis, line->seat, &forfeit, wish, line))
            return false;
    }
    analysis_finish(&match->analysis);
    return true;
}

static bool tell_all(struct match *match, const struct analyse_wish *wish,
                     const struct record *record)
{
    const bool done = tell_lines(match, wish, record);
    show_progress(0, 0);
    return done;
}

/* ---- what is printed */

static bool print_json(const struct analysis *analysis, const struct record *record, FILE *out)
{
    enum { BYTES = 1024 * 1024 };
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, BYTES);
    writer_init(&writer, &buffer);
    report_write(analysis, record->rules ? record->rules : 1, &writer);
    buffer_append_byte(&buffer, '\n');
    const bool done = !buffer.failed;
    if (done)
        fwrite(buffer_payload(&buffer), 1, buffer.len, out);
    buffer_release(&buffer);
    return done;
}

static bool print_analysis(const struct match *match, const struct record *record,
                           const struct analyse_wish *wish)
{
    const struct analysis *const analysis = &match->analysis;
    switch (wish->form) {
    case ANALYSE_TEXT:
        analyse_print_text(analysis, record, &match->story, wish->engine_name, wish->out);
        return true;
    case ANALYSE_JSON:
        return print_json(analysis, record, wish->out);
    case ANALYSE_RECORD:
        return analyse_print_record(analysis, record, wish->out);
    }
    return true;
}

static int analyse_match(struct match *match, const struct analysis_effort *effort,
                         const struct record *record, const struct analyse_wish *wish)
{
    struct replay replay = {.out = stderr, .where = wish->where};
    struct taluva_options options;
    taluva_tile deck[TALUVA_TILES_MAX];
    if (!taluva_read_deal(&replay, record, &options, deck))
        return EXIT_DIFFERS;
    match->story.deck = deck;
    const enum taluva_status status = analysis_begin(&match->analysis, &options, deck, effort);
    if (status != TALUVA_OK || !tell_all(match, wish, record))
        return EXIT_DIFFERS;
    if (match->analysis.cancelled)
        return EXIT_DATA; /* of an engine that is broken */
    return print_analysis(match, record, wish) ? EXIT_OK : EXIT_MEMORY;
}

static int analyse_here(struct match *match, struct analysis_effort *effort,
                        const struct record *record, const struct analyse_wish *wish)
{
    effort->memory_bytes =
        ANALYSIS_ROOT_BYTES + (size_t)ANALYSIS_SIMULATION_BYTES * effort->simulations;
    effort->memory = malloc(effort->memory_bytes);
    const int status =
        effort->memory ? analyse_match(match, effort, record, wish) : (int)EXIT_MEMORY;
    free(effort->memory);
    return status;
}

static int ask_engine(struct match *match, struct analysis_effort *effort,
                      const struct record *record, const struct analyse_wish *wish)
{
    struct analyse_engine engine = {
        .asker = wish->engine, .simulations = effort->simulations, .ms = wish->ms};
    effort->thinker = (struct analysis_thinker){.think = analyse_engine_think, .user = &engine};
    const int status = analyse_match(match, effort, record, wish);
    if (engine.why[0] != '\0') {
        fputs("taluva: the engine is broken: ", stderr);
        glyph_print_text(engine.why, stderr);
        fputs(".\n", stderr);
    }
    return status;
}

int taluva_analyse(const struct record *record, const struct analyse_wish *wish)
{
    struct match *const match = malloc(sizeof *match);
    struct analysis_effort effort = {.simulations = ANALYSIS_SIMULATIONS};
    if (!match)
        return EXIT_MEMORY;
    if (wish->simulations != ANALYSE_USUAL)
        effort.simulations = (uint32_t)wish->simulations;
    const int status = (wish->engine ? ask_engine : analyse_here)(match, &effort, record, wish);
    free(match);
    return status;
}
