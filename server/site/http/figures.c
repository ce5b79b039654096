#include "figures.h"

#include "links/link_out.h"
#include "site_private.h"
#include <hub/prometheus.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIGURES_BYTES = 8 << 20, STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };

/* ---- of the parts here */

/* What is left of the page of a hub. */
struct rest {
    const char *at;
    size_t len;
};

static struct rest take_line(struct rest *rest)
{
    const char *end = memchr(rest->at, '\n', rest->len);
    const struct rest line = {rest->at, end ? (size_t)(end - rest->at) + 1 : rest->len};
    rest->at += line.len;
    rest->len -= line.len;
    return line;
}

static bool is_head(const struct rest *rest)
{
    return rest->len > 0 && rest->at[0] == '#';
}

enum { HEAD_LINES = 2 /* help and type */ };

/* name{other="x"} 1 or name 1, with the label before those that it has. */
static void write_sample(struct buffer *out, unsigned part, struct rest line)
{
    char label[32];
    const char *brace = memchr(line.at, '{', line.len), *space = memchr(line.at, ' ', line.len);
    const char *at = brace ? brace : space;
    const size_t name_len = at ? (size_t)(at - line.at) : line.len;
    const int len = snprintf(label, sizeof label, brace ? "{part=\"%u\"," : "{part=\"%u\"}", part);
    buffer_append(out, line.at, name_len);
    buffer_append(out, label, (size_t)len);
    const size_t from = brace ? name_len + 1 : name_len;
    buffer_append(out, line.at + from, line.len - from);
}

/* The pages have the same metrics in the same order. */
static void write_pages(struct buffer *out, const unsigned parts[], struct rest pages[],
                        size_t count)
{
    while (count > 0 && pages[0].len > 0) {
        for (size_t at = 0; at < count; at++) {
            for (int head = 0; head < HEAD_LINES; head++) {
                const struct rest line = take_line(&pages[at]);
                if (at == 0)
                    buffer_append(out, line.at, line.len);
            }
            while (pages[at].len > 0 && !is_head(&pages[at]))
                write_sample(out, parts[at], take_line(&pages[at]));
        }
    }
}

static void write_parts(const struct site *site, struct buffer *out)
{
    struct hub_http_answer answers[PARTS_MAX];
    struct rest pages[PARTS_MAX];
    unsigned parts[PARTS_MAX];
    size_t count = 0;
    uint64_t ticket;
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (!site->parts[part].hub)
            continue;
        (void)hub_http_get(site->parts[part].hub, "/metrics", NULL, site->now_ms, &answers[count],
                           &ticket);
        out->failed = out->failed || answers[count].status != STATUS_OK;
        pages[count] = (struct rest){(const char *)answers[count].body, answers[count].len};
        parts[count++] = part;
    }
    if (!out->failed && site->config.parts == 1 && count == 1)
        buffer_append(out, pages[0].at, pages[0].len);
    else if (!out->failed)
        write_pages(out, parts, pages, count);
    for (size_t at = 0; at < count; at++)
        hub_http_release(&answers[at]);
}

/* ---- of the site */

static uint64_t is_here(const struct part *part)
{
    return part->hub != NULL;
}

static uint64_t term_of(const struct part *part)
{
    return part->term;
}

static uint64_t is_held(const struct part *part)
{
    return part->hub && part->held;
}

static void write_each(const struct site *site, struct buffer *out, const char *name,
                       uint64_t (*value)(const struct part *part))
{
    for (unsigned part = 0; part < site->config.parts; part++)
        prometheus_line(out, "taluva_%s{part=\"%u\"} %" PRIu64 "\n", name, part,
                        value(&site->parts[part]));
}

static void write_where(const struct site *site, struct buffer *out)
{
    uint64_t here = 0, elsewhere = 0;
    for (unsigned part = 0; part < site->config.parts; part++) {
        here += site->parts[part].hub != NULL;
        elsewhere += !site->parts[part].hub && site->parts[part].link;
    }
    prometheus_head(out, "site_parts", "gauge",
                    "Parts of the site by who serves them, as far as this node can reach.");
    prometheus_labelled(out, "site_parts", "where", "here", here);
    prometheus_labelled(out, "site_parts", "where", "elsewhere", elsewhere);
    prometheus_labelled(out, "site_parts", "where", "nobody",
                        site->config.parts - here - elsewhere);
    prometheus_head(out, "site_part_here", "gauge", "1 for the parts that are served here.");
    write_each(site, out, "site_part_here", is_here);
    prometheus_head(out, "site_part_term", "gauge",
                    "Which time the part is served, of who has it or had it last.");
    write_each(site, out, "site_part_term", term_of);
    prometheus_head(out, "site_part_lease_lost", "gauge",
                    "1 while nothing is said of a part here, as another node may have it.");
    write_each(site, out, "site_part_lease_lost", is_held);
}

static void write_relayed(const struct site *site, struct buffer *out)
{
    const struct site_counts *counts = &site->counts;
    uint64_t links = 0, queued = 0;
    for (const struct site_link *link = site->links; link; link = link->next) {
        links++;
        queued += link->out.bytes + link->answers.bytes;
    }
    prometheus_count(out, "site_clients", "gauge", "Clients that are connected to this node.",
                     site->clients.count);
    prometheus_count(out, "site_links", "gauge", "Links to other nodes.", links);
    prometheus_count(out, "site_queued_bytes", "gauge", "Bytes that wait for links.", queued);
    prometheus_head(out, "site_relayed_total", "counter",
                    "Messages of clients here for other nodes, and of clients there for this one.");
    prometheus_labelled(out, "site_relayed_total", "way", "out", counts->relayed_out);
    prometheus_labelled(out, "site_relayed_total", "way", "in", counts->relayed_in);
    prometheus_head(out, "site_asked_total", "counter",
                    "Questions of HTTP requests for other nodes, and of those for this one.");
    prometheus_labelled(out, "site_asked_total", "way", "out", counts->asked_out);
    prometheus_labelled(out, "site_asked_total", "way", "in", counts->asked_in);
    prometheus_count(out, "site_passed_over_total", "counter",
                     "What nodes of a later version have said and this one does not know.",
                     counts->passed_over);
    prometheus_count(out, "site_http_waiting", "gauge", "HTTP requests that wait for an answer.",
                     site->web.count);
}

void figures_answer(const struct site *site, struct hub_http_answer *answer)
{
    struct buffer page;
    buffer_init(&page, 0, FIGURES_BYTES);
    write_parts(site, &page);
    if (!site->config.lone) {
        write_where(site, &page);
        write_relayed(site, &page);
    }
    if (page.failed)
        hub_http_make(answer, STATUS_UNAVAILABLE, "text/plain; charset=utf-8", "", 0);
    else
        hub_http_make(answer, STATUS_OK, "text/plain; version=0.0.4; charset=utf-8",
                      buffer_payload(&page), page.len);
    buffer_release(&page);
}
