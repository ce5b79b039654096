#include <hub/pacing.h>

enum { S_US = 1000000 };

static int64_t smaller_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void pacing_init(struct pacing *pacing, int64_t interval_max_us)
{
    *pacing = (struct pacing){.interval_max_us = interval_max_us};
}

int64_t pacing_interval_us(const struct pacing *pacing)
{
    int64_t us = smaller_of(pacing->per_s * PACING_RISE_US, pacing->interval_max_us);
    if (pacing->per_s > 0)
        us = smaller_of(us, (int64_t)PACING_ENOUGH * S_US / pacing->per_s);
    return us < PACING_LEAST_US ? 0 : us;
}

int64_t pacing_due_us(const struct pacing *pacing, size_t waiting)
{
    return pacing->begun_us + (waiting < PACING_ENOUGH ? pacing_interval_us(pacing) : 0);
}

bool pacing_is_long(const struct pacing *pacing)
{
    return pacing_interval_us(pacing) >= PACING_LONG_US;
}

int64_t pacing_look_us(const struct pacing *pacing, size_t waiting, int64_t now_us)
{
    const int64_t interval_us = pacing_interval_us(pacing);
    const int64_t passed_us = now_us - pacing->begun_us;
    const int64_t due_us = pacing->begun_us + interval_us;
    if (pacing_is_long(pacing) && (int64_t)waiting * interval_us < PACING_ENOUGH * passed_us)
        return due_us;
    return smaller_of(due_us, now_us + interval_us / 4);
}

/* What came before the window counts the less the longer it is ago. */
void pacing_begin(struct pacing *pacing, int64_t now_us, size_t ops)
{
    int64_t passed_us = now_us - pacing->begun_us;
    if (passed_us < 0)
        passed_us = 0;
    if (passed_us >= PACING_WINDOW_US)
        pacing->per_s = (int64_t)ops * S_US / passed_us;
    else
        pacing->per_s += ((int64_t)ops * S_US - pacing->per_s * passed_us) / PACING_WINDOW_US;
    pacing->begun_us = now_us;
}
