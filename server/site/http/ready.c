#include "ready.h"

#include "links/link_out.h"
#include "site_private.h"
#include <stdio.h>
#include <string.h>

enum { STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };

static const char text_plain[] = "text/plain; charset=utf-8";

/* A hub of this process; NULL: it works. */
static const char *fault_here(const struct part *part)
{
    return part->held ? "its lease is lost: its store has acknowledged nothing for so long that "
                        "another node may have taken it"
                      : hub_fault(part->hub);
}

/* Somebody has it, or what is asked of it waits, as it has just been lost. */
static bool is_expected(const struct site *site, const struct part *part)
{
    return part_is_served(part) || (site_goes_on(site) && part->term > 0 &&
                                    site->now_ms - part->lost_ms < site->config.part_wait_ms);
}

struct working {
    bool any;         /* parts, of which */
    bool works;       /* ... one works, or else */
    const char *line; /* ... this is wrong with the first, */
    unsigned part;
};

static struct working look_here(const struct site *site)
{
    struct working here = {0};
    for (unsigned at = 0; at < site->config.parts && !here.works; at++) {
        const struct part *part = &site->parts[at];
        const char *fault = part->hub ? fault_here(part) : NULL;
        if (part->hub && !fault)
            here.works = true;
        if (fault && !here.any)
            here = (struct working){.line = fault, .part = at};
        here.any = here.any || part->hub;
    }
    return here;
}

static bool reaches_any(const struct site *site)
{
    unsigned at = 0;
    while (at < site->config.parts && !is_expected(site, &site->parts[at]))
        at++;
    return at < site->config.parts;
}

/* Has it found the others, since it has begun? */
static bool was_there(const struct site *site)
{
    unsigned at = 0;
    while (at < site->config.parts && site->parts[at].term == 0)
        at++;
    return at < site->config.parts;
}

/* The other nodes hear of it when this one is asked, which a proxy does all the time. */
static void tell_others(struct site *site, bool fault)
{
    if (fault == site->told_fault)
        return;
    site->told_fault = fault;
    for (struct site_link *link = site->links; link; link = link->next)
        link_tell_works(link, !fault);
}

/*
 * Would clients be better off elsewhere? Not where nothing works anywhere, as the database is away:
 * whoever stays goes on as soon as it is back, and need not come again first. A node that has no
 * part is no better either.
 */
static bool another_works(const struct site *site)
{
    const struct site_link *link = site->links;
    while (link && !link->works)
        link = link->next;
    return link || !site->links;
}

/* What has to do with nobody else; NULL: nothing. */
static const char *own_fault(const struct site *site)
{
    return site->ending    ? "this node ends\n"
           : site->drains  ? "the operator drains this node\n"
           : site->cut_off ? "it is cut off from the other nodes\n"
                           : NULL;
}

/* True: it cannot serve clients, and `line` says why. */
static bool find_fault(struct site *site, char *line, size_t size)
{
    const char *fault = own_fault(site);
    if (fault) {
        (void)snprintf(line, size, "%s", fault);
        return true;
    }
    const struct working here = look_here(site);
    tell_others(site, !here.works);
    if (!reaches_any(site)) {
        (void)snprintf(line, size, "no node that can be reached has any part\n");
        return !was_there(site) || another_works(site);
    }
    if (here.works || !here.any)
        return false;
    (void)snprintf(line, size, "part %u: %s\n", here.part, here.line);
    return another_works(site);
}

void ready_answer(struct site *site, struct hub_http_answer *answer)
{
    char line[160];
    if (find_fault(site, line, sizeof line))
        hub_http_make(answer, STATUS_UNAVAILABLE, text_plain, line, strlen(line));
    else
        hub_http_make(answer, STATUS_OK, text_plain, "ready\n", sizeof "ready\n" - 1);
}
