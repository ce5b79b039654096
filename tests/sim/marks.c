#include "marks.h"

static uint64_t counts[MARK_COUNT];

static const struct {
    const char *name, *text;
} rows[MARK_COUNT] = {
#define MARK_ROW(name, text) {#name, text},
    MARKS(MARK_ROW)
#undef MARK_ROW
};

void mark(enum mark mark)
{
    counts[mark]++;
}

uint64_t mark_count(enum mark mark)
{
    return counts[mark];
}

const char *mark_text(enum mark mark)
{
    return rows[mark].text;
}

const char *mark_name(enum mark mark)
{
    return rows[mark].name;
}
