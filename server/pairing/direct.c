#include <pairing/tiebreak.h>
#include <string.h>

/* So that the mean of up to six games of the same two is whole. */
enum { PARTS = 60 };

/* The small table of those who are tied. */
struct table {
    unsigned least[PAIRING_ENTRANTS_MAX]; /* what each has */
    unsigned most[PAIRING_ENTRANTS_MAX];  /* with all games that are missing won */
    bool whole;                           /* none is missing */
};

/* Games of two, and what the first of them has of those, in tenths. */
static unsigned count_games(const struct pairing_event *event, unsigned number, unsigned other,
                            unsigned *tenths)
{
    unsigned games = 0;
    *tenths = 0;
    for (unsigned round = 1; round <= event->rounds; round++) {
        const struct pairing_meeting *meeting = pairing_meeting_of(event, number, round);
        if (meeting->opponent != other || !pairing_was_played(meeting))
            continue;
        games++;
        *tenths += pairing_points_of(event, meeting);
    }
    return games;
}

static void fill_table(struct table *table, const struct pairing_event *event,
                       const unsigned numbers[], unsigned count)
{
    memset(table, 0, sizeof *table);
    table->whole = true;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < count; j++) {
            unsigned tenths;
            const unsigned games = i == j ? 0 : count_games(event, numbers[i], numbers[j], &tenths);
            if (games > 0) {
                table->least[i] += tenths * PARTS / games;
                table->most[i] += tenths * PARTS / games;
            } else if (i != j) {
                table->most[i] += event->points.win * PARTS;
                table->whole = false;
            }
        }
    }
}

static void swap_rows(struct table *table, unsigned numbers[], unsigned a, unsigned b)
{
    const unsigned number = numbers[a], least = table->least[a], most = table->most[a];
    numbers[a] = numbers[b];
    table->least[a] = table->least[b];
    table->most[a] = table->most[b];
    numbers[b] = number;
    table->least[b] = least;
    table->most[b] = most;
}

/* Most points first; equals stay as they were. */
static void sort_rows(struct table *table, unsigned numbers[], unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        for (unsigned j = i; j > 0 && table->least[j] > table->least[j - 1]; j--)
            swap_rows(table, numbers, j, j - 1);
    }
}

/* How many at the top of a table with gaps are where they are whatever the missing games bring. */
static unsigned count_certain(const struct table *table, unsigned count)
{
    unsigned certain = 0;
    for (; certain < count; certain++) {
        for (unsigned below = certain + 1; below < count; below++) {
            if (table->most[below] >= table->least[certain])
                return certain;
        }
    }
    return certain;
}

static unsigned count_equal(const struct table *table, unsigned from, unsigned count)
{
    unsigned equal = 1;
    while (from + equal < count && table->least[from + equal] == table->least[from])
        equal++;
    return equal;
}

static void sort_tied(const struct pairing_event *event, unsigned numbers[], unsigned places[],
                      unsigned count, unsigned first);

/* A whole table decides, and what is still equal has one of its own. */
static void sort_whole(const struct pairing_event *event, const struct table *table,
                       unsigned numbers[], unsigned places[], unsigned count, unsigned first)
{
    unsigned equal;
    for (unsigned i = 0; i < count; i += equal) {
        equal = count_equal(table, i, count);
        for (unsigned j = i; j < i + equal; j++)
            places[j] = first + i;
        if (equal < count)
            sort_tied(event, numbers + i, places + i, equal, first + i);
    }
}

/* Those who are certain go to the top of the list; the others keep their order. */
static void move_up(unsigned numbers[], const unsigned sorted[], unsigned certain, unsigned count)
{
    unsigned kept[PAIRING_ENTRANTS_MAX], left = 0;
    for (unsigned i = 0; i < count; i++) {
        bool up = false;
        for (unsigned j = 0; j < certain; j++)
            up |= sorted[j] == numbers[i];
        if (!up)
            kept[left++] = numbers[i];
    }
    memcpy(numbers, sorted, certain * sizeof *numbers);
    memcpy(numbers + certain, kept, left * sizeof *numbers);
}

/* How many are placed: all who can be. */
static unsigned sort_once(const struct pairing_event *event, unsigned numbers[], unsigned places[],
                          unsigned count, unsigned first)
{
    struct table table;
    unsigned sorted[PAIRING_ENTRANTS_MAX];
    fill_table(&table, event, numbers, count);
    if (table.whole) {
        sort_rows(&table, numbers, count);
        sort_whole(event, &table, numbers, places, count, first);
        return count;
    }
    memcpy(sorted, numbers, count * sizeof *numbers);
    sort_rows(&table, sorted, count);
    const unsigned certain = count_certain(&table, count);
    move_up(numbers, sorted, certain, count);
    for (unsigned i = 0; i < certain; i++)
        places[i] = first + i;
    return certain;
}

static void sort_tied(const struct pairing_event *event, unsigned numbers[], unsigned places[],
                      unsigned count, unsigned first)
{
    unsigned placed = 1;
    for (; placed > 0 && count > 0; numbers += placed, places += placed, count -= placed) {
        for (unsigned i = 0; i < count; i++)
            places[i] = first;
        placed = sort_once(event, numbers, places, count, first);
        first += placed;
    }
}

void pairing_direct(const struct pairing_event *event, unsigned numbers[], unsigned places[],
                    unsigned count)
{
    sort_tied(event, numbers, places, count, 0);
}
