#include "ready.h"

#include "site_private.h"
#include <stdio.h>
#include <string.h>

enum { STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };

static const char text_plain[] = "text/plain; charset=utf-8";

const char *ready_fault(const struct site *site, unsigned at)
{
    const struct part *part = &site->parts[at];
    struct hub_http_answer answer;
    uint64_t ticket;
    if (part->link)
        return NULL;
    if (!part->hub)
        return !site->config.lone && part->term > 0 &&
                       site->now_ms - part->lost_ms < site->config.part_wait_ms
                   ? NULL
                   : "no node that can be reached has it";
    if (part->held)
        return "it is mute: its store has acknowledged nothing for so long that another node may "
               "have taken it";
    (void)hub_http_get(part->hub, "/readyz", NULL, site->now_ms, &answer, &ticket);
    const bool works = answer.status == STATUS_OK;
    hub_http_release(&answer);
    return works ? NULL : "it drains, or its store does not work";
}

void ready_answer(const struct site *site, struct hub_http_answer *answer)
{
    char line[160];
    uint64_t ticket;
    if (site->config.lone && part_tells(&site->parts[0])) {
        (void)hub_http_get(site->parts[0].hub, "/readyz", NULL, site->now_ms, answer, &ticket);
        return;
    }
    if (site->drains) {
        static const char drains[] = "the operator drains this node\n";
        hub_http_make(answer, STATUS_UNAVAILABLE, text_plain, drains, sizeof drains - 1);
        return;
    }
    for (unsigned part = 0; part < site->config.parts; part++) {
        const char *fault = ready_fault(site, part);
        if (!fault)
            continue;
        (void)snprintf(line, sizeof line, "part %u: %s\n", part, fault);
        hub_http_make(answer, STATUS_UNAVAILABLE, text_plain, line, strlen(line));
        return;
    }
    hub_http_make(answer, STATUS_OK, text_plain, "ready\n", sizeof "ready\n" - 1);
}
