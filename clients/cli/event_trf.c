#include "event_trf.h"

#include <cli/command.h>
#include <event/audit.h>
#include <event/report.h>
#include <inttypes.h>
#include <pairing/trf.h>
#include <stdio.h>
#include <stdlib.h>

static struct event_audit audit;

static int complain(const char *what)
{
    fprintf(stderr, "taluva: %s\n", what);
    return EXIT_DATA;
}

static int write_report(const struct pairing_event *report)
{
    const size_t len = trf_write(report, NULL, 0);
    char *text = malloc(len);
    if (!text)
        return EXIT_MEMORY;
    (void)trf_write(report, text, len);
    (void)fwrite(text, 1, len, stdout);
    free(text);
    return EXIT_OK;
}

static int report_event(const struct event *event)
{
    struct pairing_event report;
    if (audit.fault == EVENT_NO_MEMORY)
        return EXIT_MEMORY;
    if (event->phase == EVENT_UNMADE)
        return complain("it is no log of an event");
    if (audit.fault != EVENT_FINE) {
        fprintf(stderr, "taluva: line %" PRIu64 ": %s\n", audit.line,
                event_fault_text(audit.fault));
        return EXIT_DIFFERS;
    }
    if (event->rules.form != EVENT_SWISS)
        return complain("only Swiss events have a report file");
    if (!audit.is_ended)
        return complain("who has which number is known when the event has ended");
    if (!event_report(&report, event, event->secret))
        return EXIT_MEMORY;
    const int result = write_report(&report);
    pairing_event_release(&report);
    return result;
}

int event_print_report(const struct file *file)
{
    event_audit(&audit, file->bytes, file->len);
    const int result = report_event(&audit.event);
    event_release(&audit.event);
    return result;
}
