#include "event_verify.h"

#include <cli/command.h>
#include <cli/glyph.h>
#include <event/audit.h>
#include <event/standings.h>
#include <inttypes.h>
#include <stdio.h>

static struct event_audit audit;
static struct event_standing standings[EVENT_ENTRANTS_MAX];

/* ---- for people */

/* "2 1/3" */
static void print_points(uint32_t points)
{
    unsigned part = points % EVENT_POINT, of = EVENT_POINT;
    for (unsigned by = 2; by <= part; by++) {
        while (part % by == 0 && of % by == 0) {
            part /= by;
            of /= by;
        }
    }
    if (part == 0 || points >= EVENT_POINT)
        printf("%u", (unsigned)(points / EVENT_POINT));
    if (part > 0)
        printf("%s%u/%u", points >= EVENT_POINT ? " " : "", part, of);
}

static bool was_in_final(const struct event *event, const struct event_standing *standing)
{
    return event->rules.form == EVENT_TABLES && standing->final > 0;
}

static void print_standings(const struct event *event)
{
    for (unsigned i = 0; i < event->entrants; i++) {
        const struct event_standing *standing = &standings[i];
        printf("%4u. entrant %u", (unsigned)standing->place, (unsigned)standing->entrant);
        if (event->rules.form != EVENT_CUP) {
            fputs(", points: ", stdout);
            print_points(standing->points);
        }
        if (was_in_final(event, standing))
            fputs(" (final)", stdout);
        puts(standing->counts ? "" : " (did not play half of it)");
    }
}

static void print_found(const struct event *event)
{
    glyph_print_text(event->rules.title, stdout);
    printf("\nentrants: %u, rounds: %u\n", event->entrants, event->rounds);
    print_standings(event);
    printf("%" PRIu64 " entries follow from each other", event->n);
    if (audit.is_ended)
        puts(", and the rounds from the secret");
    else
        puts("; the secret of the rounds is revealed when the event has ended");
    if (audit.by_hand > 0)
        printf("rounds that were paired by hand: %u\n", audit.by_hand);
    if (audit.judged > 0)
        printf("judgements: %u\n", audit.judged);
}

/* ---- for programs */

static void print_object(const struct event *event)
{
    printf("{\"event\":\"%s\",\"entries\":%" PRIu64 ",\"ended\":%s,\"by_hand\":%u,\"judged\":%u",
           event->rules.id, event->n, audit.is_ended ? "true" : "false", audit.by_hand,
           audit.judged);
    if (audit.fault != EVENT_FINE)
        printf(",\"wrong\":{\"line\":%" PRIu64 ",\"what\":\"%s\"}", audit.line,
               event_fault_text(audit.fault));
    fputs(",\"standings\":[", stdout);
    for (unsigned i = 0; audit.fault == EVENT_FINE && i < event->entrants; i++)
        printf("%s{\"place\":%u,\"entrant\":%u,\"sixtieths\":%" PRIu32
               ",\"counts\":%s,\"final\":%s}",
               i ? "," : "", (unsigned)standings[i].place, (unsigned)standings[i].entrant,
               standings[i].points, standings[i].counts ? "true" : "false",
               was_in_final(event, &standings[i]) ? "true" : "false");
    puts("]}");
}

/* ---- what was found */

/* Not even its first line is an entry. */
static bool is_no_log(void)
{
    return audit.fault == EVENT_UNREADABLE && audit.event.phase == EVENT_UNMADE;
}

static int tell_found(bool json)
{
    if (audit.fault == EVENT_NO_MEMORY ||
        (audit.fault == EVENT_FINE && !event_standings(&audit.event, standings)))
        return EXIT_MEMORY;
    if (is_no_log()) {
        fputs("taluva: it is no log of an event\n", stderr);
        return EXIT_DATA;
    }
    if (json)
        print_object(&audit.event);
    else if (audit.fault == EVENT_FINE)
        print_found(&audit.event);
    else
        printf("line %" PRIu64 ": %s\n", audit.line, event_fault_text(audit.fault));
    return audit.fault == EVENT_FINE ? EXIT_OK : EXIT_DIFFERS;
}

int event_verify_log(const struct file *file, bool json)
{
    event_audit(&audit, file->bytes, file->len);
    const int result = tell_found(json);
    event_release(&audit.event);
    return result;
}
