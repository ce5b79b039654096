#include "thinker.h"

#include "state_position.h"
#include <string.h>
#include <totem_computer/computer.h>
#include <totem_rules/notation.h>

/* A choice takes up to a millisecond, more or less by what the seat hides. */
enum { ANSWER_MS = 20 };

struct question {
    struct totem game;
    unsigned family;
};

static void hear_push(void *known, const json_t *push)
{
    totem_known_hear(known, push);
}

static bool ask_question(void *question, const void *known, const json_t *state, int seat)
{
    struct question *asked = question;
    if (!totem_state_position(&asked->game, known, state, seat) ||
        ((totem_acting_seats(&asked->game) >> seat) & 1) == 0)
        return false;
    asked->family = totem_computer_family(&asked->game, (unsigned)seat);
    return true;
}

static size_t memory_bytes(unsigned level)
{
    (void)level;
    return 0;
}

static void think_plan(const void *question, unsigned level, uint64_t seed,
                       const atomic_bool *cancel, void *memory, size_t bytes,
                       struct game_plan *plan)
{
    const struct question *asked = question;
    struct totem_command command;
    char text[TOTEM_COMMAND_TEXT];
    (void)memory;
    (void)bytes;
    *plan = (struct game_plan){.count = 0};
    if (atomic_load(cancel))
        return;
    totem_computer_choose(&asked->game, asked->family, (enum totem_level)level, seed, &command);
    size_t len = totem_command_format(&command, text);
    memcpy(plan->moves[0].text, text, len + 1);
    plan->count = 1;
}

const struct game_thinker totem_thinker = {
    .known_size = sizeof(struct totem_known),
    .hear = hear_push,
    .question_size = sizeof(struct question),
    .ask = ask_question,
    .memory_bytes = memory_bytes,
    .think = think_plan,
    .answer_ms = ANSWER_MS,
};
