#include "groups.h"

#include "lots.h"
#include "sort.h"
#include <pairing/berger.h>
#include <string.h>

enum { WINS, SONNEBORN, KEYS };

/* What the entrants have of one stage. */
struct stage {
    unsigned groups;
    uint8_t group[EVENT_ENTRANTS_MAX]; /* from 1; 0: is in none */
    uint32_t points[EVENT_ENTRANTS_MAX];
    int64_t key[EVENT_ENTRANTS_MAX][KEYS];
};

/* ---- a stage that has been paired */

/* Whoever sits at a table is in one group, and so is whoever either of them meets elsewhere. */
static void join_labels(uint16_t label[static EVENT_ENTRANTS_MAX], const struct event_round *round)
{
    for (unsigned i = 0; i < round->tables; i++) {
        const unsigned a = round->table[i].seat[0], b = round->table[i].seat[1];
        if (label[a - 1] == 0)
            label[a - 1] = (uint16_t)a;
        if (label[b - 1] == 0)
            label[b - 1] = (uint16_t)b;
        const uint16_t from = label[b - 1];
        for (unsigned j = 0; j < EVENT_ENTRANTS_MAX; j++)
            label[j] = label[j] == from ? label[a - 1] : label[j];
    }
}

/* In the order of their first tables. */
static void find_groups(struct stage *stage, const struct event_round *round)
{
    uint16_t label[EVENT_ENTRANTS_MAX] = {0};
    join_labels(label, round);
    for (unsigned i = 0; i < round->tables; i++) {
        const unsigned first = round->table[i].seat[0] - 1U;
        if (stage->group[first] != 0)
            continue;
        stage->groups++;
        for (unsigned j = 0; j < EVENT_ENTRANTS_MAX; j++) {
            if (label[j] == label[first])
                stage->group[j] = (uint8_t)stage->groups;
        }
    }
}

static void add_points(struct stage *stage, const struct event *event,
                       const struct event_round *round)
{
    for (unsigned i = 0; i < round->tables; i++) {
        const struct event_table *table = &round->table[i];
        uint32_t each[EVENT_SEATS_MAX];
        if (!table->over)
            continue;
        event_table_points(event->rules.points, table, each);
        for (unsigned seat = 0; seat < 2; seat++) {
            const unsigned own = table->place[seat], other = table->place[1 - seat];
            stage->points[table->seat[seat] - 1] += each[seat];
            stage->key[table->seat[seat] - 1][WINS] += own != 0 && other != 0 && own < other;
        }
    }
}

/* Of whom one has beaten all that they have, of whom one has shared with the half: in parts of
 * parts. Whoever was not there counts for nobody. */
static void add_sonneborn(struct stage *stage, const struct event *event,
                          const struct event_round *round)
{
    for (unsigned i = 0; i < round->tables; i++) {
        const struct event_table *table = &round->table[i];
        uint32_t each[EVENT_SEATS_MAX];
        if (!table->over || table->place[0] == 0 || table->place[1] == 0)
            continue;
        event_table_points(event->rules.points, table, each);
        for (unsigned seat = 0; seat < 2; seat++)
            stage->key[table->seat[seat] - 1][SONNEBORN] +=
                (int64_t)each[seat] * stage->points[table->seat[1 - seat] - 1];
    }
}

static void read_stage(struct stage *stage, const struct event *event, unsigned number)
{
    const struct event_round *round = &event->round[number - 1];
    memset(stage, 0, sizeof *stage);
    find_groups(stage, round);
    add_points(stage, event, round);
    add_sonneborn(stage, event, round);
}

static int compare(const struct stage *stage, unsigned a, unsigned b)
{
    if (stage->points[a] != stage->points[b])
        return stage->points[a] > stage->points[b] ? -1 : 1;
    for (unsigned i = 0; i < KEYS; i++) {
        if (stage->key[a][i] != stage->key[b][i])
            return stage->key[a][i] > stage->key[b][i] ? -1 : 1;
    }
    return 0;
}

/* ---- who goes on */

/* Of a group those who are still in it, and of whom nobody is before another; how many. */
static unsigned find_first(const struct stage *stage, const struct event *event, unsigned group,
                           uint16_t first[static EVENT_GROUP_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < event->entrants; i++) {
        if (stage->group[i] != group || !event_is_in(&event->entrant[i]))
            continue;
        const int order = count > 0 ? compare(stage, i, first[0] - 1U) : 0;
        if (order < 0)
            count = 0;
        if (order <= 0 && count < EVENT_GROUP_MAX)
            first[count++] = (uint16_t)(i + 1);
    }
    return count;
}

static void draw_first(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                       bool goes_on[static EVENT_ENTRANTS_MAX])
{
    uint16_t numbers[EVENT_ENTRANTS_MAX], first[EVENT_GROUP_MAX];
    uint32_t points[EVENT_ENTRANTS_MAX], sums[EVENT_ENTRANTS_MAX];
    struct deal_stream stream;
    struct stage stage;
    unsigned count = 0;
    event_sum_points(event, sums);
    for (unsigned i = 0; i < event->entrants; i++) {
        if (!event_is_in(&event->entrant[i]))
            continue;
        numbers[count] = (uint16_t)(i + 1);
        points[count++] = sums[i];
    }
    event_begin_lots(&stream, event, event->rounds + 1, secret, numbers, points, count);
    read_stage(&stage, event, event->rounds);
    for (unsigned group = 1; group <= stage.groups; group++) {
        const unsigned equal = find_first(&stage, event, group, first);
        if (equal > 0)
            goes_on[first[event_draw_lot(&stream, equal)] - 1] = true;
    }
}

bool event_groups_can_pair(const struct event *event)
{
    struct stage stage;
    uint16_t first[EVENT_GROUP_MAX];
    unsigned left = 0;
    if (event->rounds == 0)
        return event_count_in(event) >= 2;
    read_stage(&stage, event, event->rounds);
    for (unsigned group = 1; group <= stage.groups; group++)
        left += find_first(&stage, event, group, first) > 0;
    return left >= 2;
}

/* ---- the next stage */

static unsigned count_groups(unsigned count)
{
    return (count + EVENT_GROUP_MAX - 1) / EVENT_GROUP_MAX;
}

/* To and fro: the first of each group are the best, and the second of the last is the next. */
static unsigned find_group(unsigned place, unsigned groups)
{
    const unsigned turn = place % (2 * groups);
    return turn < groups ? turn : 2 * groups - 1 - turn;
}

static void add_group(const struct event *event, const uint16_t list[], unsigned count,
                      struct event_seating *paired)
{
    struct pairing_round round;
    for (unsigned turn = 1; turn <= event->rules.rounds * pairing_berger_rounds(count); turn++) {
        pairing_berger(count, turn, &round);
        for (unsigned i = 0; i < round.boards; i++) {
            if (round.board[i].black == 0)
                continue;
            paired->seats[paired->tables] = 2;
            paired->seat[paired->tables][0] = list[round.board[i].white - 1];
            paired->seat[paired->tables++][1] = list[round.board[i].black - 1];
        }
    }
}

void event_pair_groups(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                       struct event_seating *paired)
{
    uint16_t seeds[EVENT_ENTRANTS_MAX], list[EVENT_GROUP_MAX];
    bool goes_on[EVENT_ENTRANTS_MAX] = {false};
    struct deal_stream stream;
    const unsigned field = event_draw_seeds(event, secret, seeds, &stream);
    unsigned count = 0;
    if (event->rounds > 0)
        draw_first(event, secret, goes_on);
    for (unsigned i = 0; i < field; i++) {
        if (event->rounds == 0 ? event_is_in(&event->entrant[seeds[i] - 1]) : goes_on[seeds[i] - 1])
            seeds[count++] = seeds[i];
    }
    const unsigned groups = count_groups(count);
    for (unsigned group = 0; group < groups; group++) {
        unsigned own = 0;
        for (unsigned i = 0; i < count; i++) {
            if (find_group(i, groups) == group)
                list[own++] = seeds[i];
        }
        add_group(event, list, own, paired);
    }
}

/* ---- tables that somebody else has made */

static unsigned count_meetings(const struct event_seating *paired, unsigned a, unsigned b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < paired->tables; i++)
        count += (paired->seat[i][0] == a && paired->seat[i][1] == b) ||
                 (paired->seat[i][0] == b && paired->seat[i][1] == a);
    return count;
}

/* So many as the groups that so many entrants have, of the same size but for one. */
static bool are_whole_groups(const struct event *event, const struct event_seating *paired,
                             const struct stage *made, unsigned count)
{
    unsigned size[EVENT_ENTRANTS_MAX + 1] = {0};
    const unsigned groups = count_groups(count);
    for (unsigned i = 0; i < event->entrants; i++)
        size[made->group[i]]++;
    if (made->groups != groups)
        return false;
    for (unsigned group = 1; group <= groups; group++) {
        if (size[group] != count / groups && size[group] != (count + groups - 1) / groups)
            return false;
    }
    for (unsigned a = 1; a <= event->entrants; a++) {
        for (unsigned b = a + 1; b <= event->entrants; b++) {
            const bool both = made->group[a - 1] != 0 && made->group[a - 1] == made->group[b - 1];
            if (count_meetings(paired, a, b) != (both ? event->rules.rounds : 0))
                return false;
        }
    }
    return true;
}

/* One of each group of the stage before, of those who are first in it. */
static bool are_first(const struct event *event, const struct stage *made)
{
    struct stage before;
    uint16_t first[EVENT_GROUP_MAX];
    unsigned left = 0, found = 0;
    read_stage(&before, event, event->rounds);
    for (unsigned group = 1; group <= before.groups; group++) {
        const unsigned equal = find_first(&before, event, group, first);
        unsigned own = 0;
        for (unsigned i = 0; i < equal; i++)
            own += made->group[first[i] - 1] != 0;
        left += equal > 0;
        found += equal > 0 && own == 1;
    }
    unsigned sit = 0;
    for (unsigned i = 0; i < event->entrants; i++)
        sit += made->group[i] != 0;
    return found == left && sit == left;
}

bool event_groups_may_pair(const struct event *event, const struct event_seating *paired)
{
    struct stage made;
    struct event_round round = {.tables = paired->tables};
    struct event_table table[EVENT_TABLES_MAX];
    unsigned count = 0;
    memset(&made, 0, sizeof made);
    memset(table, 0, sizeof table);
    for (unsigned i = 0; i < paired->tables; i++) {
        memcpy(table[i].seat, paired->seat[i], sizeof table[i].seat);
        if (paired->seat[i][0] == paired->seat[i][1])
            return false;
    }
    round.table = table;
    find_groups(&made, &round);
    for (unsigned i = 0; i < event->entrants; i++)
        count += made.group[i] != 0;
    if (!are_whole_groups(event, paired, &made, count))
        return false;
    return event->rounds > 0 ? are_first(event, &made) : count == event_count_in(event);
}

/* ---- standings */

void event_rank_groups(const struct event *event, struct event_standing standings[])
{
    struct stage stage;
    for (unsigned i = 0; i < event->entrants; i++)
        standings[i].points = 0;
    for (unsigned number = 1; number <= event->rounds; number++) {
        read_stage(&stage, event, number);
        for (unsigned i = 0; i < event->entrants; i++) {
            if (stage.group[i] == 0)
                continue;
            standings[i].final = (uint8_t)number;
            standings[i].points = stage.points[i];
            memcpy(standings[i].tie, stage.key[i], sizeof stage.key[i]);
        }
        for (unsigned i = 0; i < event->round[number - 1].tables; i++) {
            const struct event_table *table = &event->round[number - 1].table[i];
            for (unsigned seat = 0; table->over && seat < 2; seat++)
                standings[table->seat[seat] - 1].played += table->place[seat] != 0;
        }
    }
    event_sort_standings(standings, event->entrants, EVENT_TIES);
}
