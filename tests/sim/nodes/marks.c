#include "marks.h"

#include "mutants.h"

static uint64_t counts[NODE_MARK_COUNT];

struct named {
    const char *name, *text;
};

static const struct named marks[NODE_MARK_COUNT] = {
#define MARK_ROW(name, text) {#name, text},
    NODE_MARKS(MARK_ROW)
#undef MARK_ROW
};

static const struct named mutants[MUTANT_COUNT] = {{"NONE", "nothing"},
#define MUTANT_ROW(name, text) {#name, text},
                                                   MUTANTS(MUTANT_ROW)
#undef MUTANT_ROW
};

void node_mark(enum node_mark mark)
{
    counts[mark]++;
}

uint64_t node_mark_count(enum node_mark mark)
{
    return counts[mark];
}

const char *node_mark_name(enum node_mark mark)
{
    return marks[mark].name;
}

const char *node_mark_text(enum node_mark mark)
{
    return marks[mark].text;
}

const char *mutant_name(enum mutant mutant)
{
    return mutants[mutant].name;
}

const char *mutant_text(enum mutant mutant)
{
    return mutants[mutant].text;
}
