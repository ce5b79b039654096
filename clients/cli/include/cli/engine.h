/*
 * Engines: programs that are shown a position and say what to play, as protocol/engine.md has it. A
 * game that has them gives this table; the commands know no game's words.
 */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include <cli/text.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENGINE_LINE_BYTES = 8192,
    ENGINE_LINES_MAX = 40, /* turns that can be asked for */
    ENGINE_ANSWER_BYTES = 8192,
    ENGINE_SIMULATIONS_USUAL = 2000,
    ENGINE_SIMULATIONS_MAX = 100 * 1000 * 1000, /* hours */
};
#define ENGINE_NUMBER_MAX ((UINT64_C(1) << 53) - 1)

/* How much an engine may think; below 0: it is not said. */
struct engine_limits {
    int64_t simulations, ms;
};

/* A question to an engine: what stands behind `position`, and behind `go`. */
struct engine_go {
    const char *position;
    struct engine_limits limits;
    unsigned lines;
    uint64_t seed; /* its lower 53 bits are said */
};

/* What an engine says to a question. */
struct engine_listener {
    void (*line)(void *user, const char *text); /* behind `line`: none, or several */
    void (*best)(void *user, const char *turn); /* behind `best`: once, and last */
    void *user;
};

/* Somebody who asks an engine, and waits for what it says. */
struct engine_asker {
    /* NULL: it has answered. Else a phrase: it can be asked nothing more. */
    const char *(*ask)(void *user, const struct engine_go *go,
                       const struct engine_listener *listener);
    void *user;
};

/* What a line has behind its first word and a blank, "" at its end; NULL: it is another word. */
static inline const char *engine_behind(const char *line, const char *word)
{
    const size_t len = strlen(word);
    if (strncmp(line, word, len) != 0 || (line[len] != ' ' && line[len] != '\0'))
        return NULL;
    return line + len + (line[len] == ' ');
}

/* A number at the front of the text, which is moved behind it and its blank. */
static inline bool engine_take_number(const char **text, uint64_t max, uint64_t *number)
{
    const size_t digits = strspn(*text, "0123456789");
    const char end = (*text)[digits];
    if (digits == 0 || digits > 16 || (**text == '0' && digits > 1) || (end != ' ' && end != '\0'))
        return false;
    *number = strtoull(*text, NULL, 10);
    *text += digits + (end == ' ');
    return *number <= max;
}

struct engine_question {
    unsigned level; /* from 1, as in `levels`; 0: the search itself */
    uint64_t simulations, lines, seed;
    const atomic_bool *cancel; /* looked at often: the answer is what there is then */
};

struct game_plan;

struct game_engine {
    const char *const *levels; /* words, NULL at the end */
    size_t position_size;      /* bytes, aligned as malloc aligns; a thinker's question */

    /* What stands behind `position`. Else `why` is a phrase, and the position is anything. */
    bool (*position_read)(void *position, const char *text, const char **why);
    /* The same the other way; `out` has room for ENGINE_LINE_BYTES. */
    void (*position_write)(const void *position, char *out);

    /* The lines that answer `go`, on any thread. */
    void (*think)(const void *position, const struct engine_question *question,
                  struct text *answer);
    /* What stands behind `best`, as moves. False: `why` is a phrase, and no move is to be made. */
    bool (*plan_read)(const void *position, const char *turn, struct game_plan *plan,
                      const char **why);
};

#endif
