#include "duel_engine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { OTHER_LINES_MAX = 1000 };

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Behind this word, in the next line that begins with it; NULL: it is at fault. */
static const char *wait_for(struct program *program, const char *word, int64_t patience_ms)
{
    const int64_t until = now_ms() + patience_ms;
    for (unsigned other = 0; program->fault == PROGRAM_FINE;) {
        const char *const line = program_line(program);
        const int64_t left = until - now_ms();
        const char *const behind = line ? engine_behind(line, word) : NULL;
        if (behind)
            return behind;
        if (line && engine_behind(line, "error"))
            program->fault = PROGRAM_REFUSED;
        else if (line && ++other > OTHER_LINES_MAX)
            program->fault = PROGRAM_RUBBISH;
        else if (!line && left <= 0)
            program->fault = PROGRAM_SILENT;
        else if (!line)
            programs_wait(&program, 1, left < 1000 ? (int)left + 1 : 1000);
    }
    return NULL;
}

static void tell(struct program *program, const char *line)
{
    program_tell(program, line, strlen(line));
}

bool duel_engine_start(struct program *program, const char *command,
                       const struct duel_engine *engine)
{
    if (!program_start(program, command))
        return false;
    tell(program, "taluva-engine 1");
    if (wait_for(program, "ready", engine->patience_ms))
        tell(program, "match");
    return true;
}

void duel_engine_ask(struct program *program, const struct duel_engine *engine,
                     const void *position, uint64_t seed, struct game_plan *plan)
{
    char line[ENGINE_LINE_BYTES + 64] = "position ";
    const char *why;
    plan->count = 0;
    engine->type->position_write(position, line + strlen(line));
    tell(program, line);
    (void)snprintf(line, sizeof line, "go%s%s lines 0 seed %llu", *engine->limits ? " " : "",
                   engine->limits, (unsigned long long)(seed & ENGINE_NUMBER_MAX));
    tell(program, line);
    const char *const turn = wait_for(program, "best", engine->patience_ms);
    if (turn && !engine->type->plan_read(position, turn, plan, &why)) {
        fprintf(stderr, "engine: %s: %s\n", turn, why);
        plan->count = 0;
        program->fault = PROGRAM_REFUSED;
    }
}
