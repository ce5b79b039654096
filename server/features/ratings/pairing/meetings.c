#include "meetings.h"

#include <stdlib.h>

const struct store_table meeting_table = {
    .name = "meeting",
    .what = "two who have met in a rated match",
    .number = 39,
    .size = sizeof(struct meeting_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 7,
    .columns = {{"slot", STORE_NUMBER, STORE_MEMBER(struct meeting_row, slot),
                 .max = MEETINGS_MAX - 1},
                {"n", STORE_NUMBER, STORE_MEMBER(struct meeting_row, n)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct meeting_row, at_ms)},
                {"one", STORE_NUMBER, STORE_MEMBER(struct meeting_row, one)},
                {"other", STORE_NUMBER, STORE_MEMBER(struct meeting_row, other)},
                {"new_one", STORE_NUMBER, STORE_MEMBER(struct meeting_row, new_one), .max = 1},
                {"new_other", STORE_NUMBER, STORE_MEMBER(struct meeting_row, new_other), .max = 1}},
};

int meetings_begin(struct meetings *meetings)
{
    meetings->next = 1;
    meetings->rows = calloc(MEETINGS_MAX, sizeof *meetings->rows);
    return meetings->rows ? 0 : -1;
}

void meetings_end(struct meetings *meetings)
{
    free(meetings->rows);
}

void meetings_keep(struct meetings *meetings, const struct meeting_row *row)
{
    meetings->rows[row->slot] = *row;
    if (row->n >= meetings->next)
        meetings->next = row->n + 1;
}

size_t meetings_next(struct meetings *meetings, const struct meeting_seat seats[], unsigned count,
                     int64_t now_ms, struct meeting_row rows[static MEETINGS_OF_TABLE])
{
    size_t made = 0;
    for (unsigned other = 0; other < count; other++) {
        for (unsigned one = 0; one < other && made < MEETINGS_OF_TABLE; one++) {
            const uint64_t n = meetings->next++;
            rows[made++] = (struct meeting_row){.slot = (uint32_t)(n % MEETINGS_MAX),
                                                .n = n,
                                                .at_ms = now_ms,
                                                .one = seats[one].account,
                                                .other = seats[other].account,
                                                .new_one = seats[one].is_new,
                                                .new_other = seats[other].is_new};
        }
    }
    return made;
}

/* ---- what counts */

struct counts {
    unsigned in_day, in_month; /* of both */
    unsigned of_newcomers[2];  /* of each, in a day */
};

static bool met_newcomer(const struct meeting_row *row, uint64_t account)
{
    return (row->one == account && row->new_other) || (row->other == account && row->new_one);
}

static void count_row(const struct meeting_row *row, const struct meeting_seat *one,
                      const struct meeting_seat *other, int64_t now_ms, struct counts *counts)
{
    const bool both = (row->one == one->account && row->other == other->account) ||
                      (row->one == other->account && row->other == one->account);
    const bool in_day = row->at_ms > now_ms - MEETINGS_DAY_MS;
    counts->in_day += both && in_day;
    counts->in_month += both && row->at_ms > now_ms - MEETINGS_MONTH_MS;
    counts->of_newcomers[0] += in_day && met_newcomer(row, one->account);
    counts->of_newcomers[1] += in_day && met_newcomer(row, other->account);
}

const char *meetings_unrated(const struct meetings *meetings, const struct meeting_seat *one,
                             const struct meeting_seat *other, int64_t now_ms)
{
    struct counts counts = {0};
    for (size_t slot = 0; slot < MEETINGS_MAX; slot++) {
        if (meetings->rows[slot].n != 0)
            count_row(&meetings->rows[slot], one, other, now_ms, &counts);
    }
    if (counts.in_day >= MEETINGS_IN_DAY || counts.in_month >= MEETINGS_IN_MONTH)
        return "often";
    if ((other->is_new && counts.of_newcomers[0] >= MEETINGS_OF_NEWCOMERS) ||
        (one->is_new && counts.of_newcomers[1] >= MEETINGS_OF_NEWCOMERS))
        return "newcomers";
    return NULL;
}
