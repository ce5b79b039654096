/*
 * Logs of events in which people do what they like, and how everybody stands at the end of each, by
 * the server's own code (tests/vectors/README.md).
 *
 * usage: event-logs FIRST COUNT     seeds
 */
#include "../../unit/event/people.h"
#include <event/standings.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

static struct held held;
static struct event_standing standings[EVENT_ENTRANTS_MAX];

static void print_standings(void)
{
    putchar('=');
    if (!event_standings(&held.event, standings))
        exit(EX_OSERR);
    for (unsigned i = 0; i < held.event.entrants; i++)
        printf(" %u:%u:%u:%d", (unsigned)standings[i].place, (unsigned)standings[i].entrant,
               (unsigned)standings[i].points, (int)standings[i].counts);
    putchar('\n');
}

static void print_event(uint64_t seed)
{
    struct rng rng = {seed};
    const unsigned busy = seed % 5 ? 8 : 0;
    people_make_event(&held, &rng);
    do {
        for (unsigned i = rng_below(&rng, busy + 1); i > 0; i--)
            people_do_something(&held, &rng);
    } while (people_wait(&held, &rng));
    fputs(held.text, stdout);
    print_standings();
    event_release(&held.event);
}

int main(int argc, char *argv[])
{
    if (argc != 3)
        return EX_USAGE;
    const uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++)
        print_event(seed);
    return EXIT_SUCCESS;
}
