/*
 * Two lines: what stands behind `position`, and what an engine would play there. A position is
 * written again as it was but for the order of its tiles, and any that is read can be thought
 * about; what the computer says is legal. A turn is refused with a reason, or written back the
 * same; so is one in a line with chances, and the line alone.
 */
#include "../unit/rules/invariants.h"
#include "engine_text.h"
#include "fuzz.h"
#include "parts.h"
#include <string.h>

enum { LINE_BYTES = ENGINE_LINE_BYTES };

static const char *read_line(const uint8_t **data, size_t *size, char line[LINE_BYTES + 1])
{
    const uint8_t *const end = *size > 0 ? memchr(*data, '\n', *size) : NULL;
    const size_t len = end ? (size_t)(end - *data) : *size;
    const size_t kept = len < LINE_BYTES ? len : LINE_BYTES;
    if (kept > 0)
        memcpy(line, *data, kept);
    line[kept] = '\0';
    *data += end ? len + 1 : len;
    *size -= end ? len + 1 : len;
    return line;
}

static void hold_written(const struct engine_position *position)
{
    static struct engine_position again;
    char text[ENGINE_POSITION_TEXT], written[ENGINE_POSITION_TEXT];
    const char *why;
    engine_position_format(position, text);
    HOLD(engine_position_parse(text, &again, &why));
    engine_position_format(&again, written);
    HOLD(strcmp(text, written) == 0);
}

static void hold_thought(const struct engine_position *position)
{
    const atomic_bool never = false;
    const struct engine_question question = {.simulations = 3, .lines = 2, .cancel = &never};
    char bytes[ENGINE_ANSWER_BYTES];
    struct text answer = {.bytes = bytes, .size = sizeof bytes};
    struct game_plan plan;
    const char *why;
    taluva_engine.think(position, &question, &answer);
    HOLD(!answer.failed);
    char *const best = strstr(bytes, "best ");
    char *const end = best ? strchr(best, '\n') : NULL;
    HOLD(best && end && end[1] == '\0');
    *end = '\0';
    HOLD(taluva_engine.plan_read(position, best + strlen("best "), &plan, &why));
    HOLD(plan.count > 0);
}

static void hold_turn(const struct engine_position *position, const char *text)
{
    struct computer_turn turn;
    char written[ENGINE_TURN_TEXT];
    const char *why = NULL;
    if (!engine_turn_parse(text, &position->game, &turn, &why)) {
        HOLD(why && *why);
        return;
    }
    engine_turn_format(&turn, &position->game, written);
    HOLD(strcmp(text, written) == 0);
}

static bool hold_line(const struct engine_position *position, const char *text)
{
    struct engine_line line;
    char written[ENGINE_TURN_TEXT];
    const char *why = NULL;
    if (!engine_line_parse(text, &position->game, &line, &why)) {
        HOLD(why && *why);
        return false;
    }
    HOLD(line.number <= ENGINE_LINES_MAX);
    for (unsigned seat = 0; seat < position->game.options.seats; seat++)
        HOLD(line.turn.chances[seat] >= 0 && line.turn.chances[seat] <= COMPUTER_CHANCE_ONE);
    engine_turn_format(&line.turn, &position->game, written);
    HOLD(engine_turn_parse(written, &position->game, &line.turn, &why));
    return true;
}

/* A turn is as legal in a line as it is alone. */
static void hold_turn_in_line(const struct engine_position *position, const char *turn)
{
    static const char *const chances[] = {"0/1000", "0/1000/17", "0/1000/17/3", "0/1000/17/3/500"};
    char text[LINE_BYTES + 64];
    struct computer_turn parsed;
    const char *why;
    (void)snprintf(text, sizeof text, "40 visits 7 chances %s else what turn %s",
                   chances[position->game.options.seats - 2], turn);
    const bool legal = engine_turn_parse(turn, &position->game, &parsed, &why);
    HOLD(hold_line(position, text) == legal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct engine_position position;
    char line[LINE_BYTES + 1];
    const char *why = NULL;
    if (!taluva_engine.position_read(&position, read_line(&data, &size, line), &why)) {
        HOLD(why && *why);
        return 0;
    }
    invariant_about(&position.game);
    hold_written(&position);
    hold_thought(&position);
    while (size > 0) {
        hold_turn(&position, read_line(&data, &size, line));
        (void)hold_line(&position, line);
        hold_turn_in_line(&position, line);
    }
    return 0;
}
