#include "case_list.h"

#include "appeal.h"
#include "cases.h"
#include "judgements.h"
#include "report_table.h"
#include "state.h"
#include <hub/hub.h>
#include <jansson.h>
#include <protocol/json_read.h>
#include <stdlib.h>

static const struct cases *cases_of(const struct hub *hub)
{
    return &moderation_of(hub)->cases;
}

static bool is_open(const struct report_row *row, uint64_t about)
{
    return row->judgement == 0 && row->about == about;
}

/* ---- who is believed */

/* Have the last that they have reported all come to nothing? */
static bool is_distrusted(const struct hub *hub, uint64_t by)
{
    const struct cases *cases = cases_of(hub);
    unsigned dismissed = 0;
    for (size_t at = cases->count; at-- > 0 && dismissed < REPORTER_TRUST;) {
        const struct report_row *row = &cases->items[at].row;
        const struct judgement_row *judgement =
            row->by == by && row->judgement && !report_is_appeal(row)
                ? judgement_find(hub, row->judgement)
                : NULL;
        if (judgement && judgement->verdict != VERDICT_DISMISS)
            return false;
        dismissed += judgement != NULL;
    }
    return dismissed == REPORTER_TRUST;
}

/* Is it the first of its source in its case, of those who are believed? */
static bool is_counted(const struct hub *hub, size_t at)
{
    const struct cases *cases = cases_of(hub);
    const struct report_row *row = &cases->items[at].row;
    for (size_t before = 0; before < at; before++) {
        const struct report_row *other = &cases->items[before].row;
        if (is_open(other, row->about) && other->source == row->source &&
            !is_distrusted(hub, other->by))
            return false;
    }
    return !is_distrusted(hub, row->by);
}

/* ---- lists */

struct open_case {
    size_t first; /* the oldest report */
    size_t reports, sources;
    int64_t last_ms;
};

static struct open_case look_at(const struct hub *hub, size_t first)
{
    const struct cases *cases = cases_of(hub);
    struct open_case open = {.first = first};
    for (size_t at = first; at < cases->count; at++) {
        if (!is_open(&cases->items[at].row, cases->items[first].row.about))
            continue;
        open.reports++;
        open.sources += is_counted(hub, at);
        open.last_ms = cases->items[at].row.at_ms;
    }
    return open;
}

static bool is_first(const struct cases *cases, size_t at)
{
    const struct report_row *row = &cases->items[at].row;
    for (size_t before = 0; before < at; before++) {
        if (is_open(&cases->items[before].row, row->about))
            return false;
    }
    return row->judgement == 0;
}

static int compare_abouts(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/* Of so many reports, about how many people they are. */
static size_t count_people(uint64_t *abouts, size_t reports)
{
    size_t count = 0;
    qsort(abouts, reports, sizeof *abouts, compare_abouts);
    for (size_t at = 0; at < reports; at++)
        count += at == 0 || abouts[at] != abouts[at - 1];
    return count;
}

size_t cases_count(const struct hub *hub)
{
    const struct cases *cases = cases_of(hub);
    uint64_t *abouts = calloc(cases->count + 1, sizeof *abouts);
    size_t waiting = 0;
    for (size_t at = 0; abouts && at < cases->count; at++) {
        if (cases->items[at].row.judgement == 0)
            abouts[waiting++] = cases->items[at].row.about;
    }
    const size_t count = abouts ? count_people(abouts, waiting) : 0;
    free(abouts);
    return count;
}

static const char *name_of(const json_t *seat, const char *key)
{
    return json_string_value(json_object_get(seat, key));
}

static void write_names(const json_t *of, struct writer *writer)
{
    if (name_of(of, "name"))
        writer_key_string(writer, "name", name_of(of, "name"));
    if (name_of(of, "handle"))
        writer_key_string(writer, "handle", name_of(of, "handle"));
}

/* How whoever sat there was called; the server itself says it at once. */
static void write_called(const struct report_row *row, struct writer *writer)
{
    json_t *snapshot = NULL;
    size_t at;
    const json_t *seat;
    if (json_read(&snapshot, row->text, row->text_len, PROTOCOL_DEPTH) != JSON_READ_OK)
        return;
    json_array_foreach(json_object_get(snapshot, "seats"), at, seat)
    {
        if (!json_equal(json_object_get(seat, "seat"), json_object_get(snapshot, "seat")))
            continue;
        write_names(seat, writer);
    }
    write_names(snapshot, writer);
    json_decref(snapshot);
}

/* The report that led to a judgement, the oldest; NULL: it is not there any more. */
static const struct report_row *find_cause(const struct cases *cases, uint64_t judgement)
{
    for (size_t at = 0; at < cases->count; at++) {
        const struct report_row *row = &cases->items[at].row;
        if (row->judgement == judgement && !report_is_appeal(row))
            return row;
    }
    return NULL;
}

/* Names are those of the report that it began with: an appeal has none. */
static void write_about(const struct cases *cases, const struct report *report,
                        struct writer *writer)
{
    const struct report_row *cause =
        report->against ? find_cause(cases, report->against) : &report->row;
    writer_key_int(writer, "report", (int64_t)report->row.id);
    writer_key_id(writer, "session", report->row.about);
    if (cause)
        write_called(cause, writer);
}

static void write_case(const struct hub *hub, const struct open_case *open, struct writer *writer)
{
    const struct report *first = &cases_of(hub)->items[open->first];
    const struct report_row *row = &first->row;
    size_t from = open->first;
    const uint64_t appeal = appeal_next(hub, row->about, &from);
    writer_object(writer);
    write_about(cases_of(hub), first, writer);
    writer_key_string(writer, "why", why_word(row->why));
    if (appeal)
        writer_key_int(writer, "appeal", (int64_t)appeal);
    writer_key_int(writer, "reports", (int64_t)open->reports);
    writer_key_int(writer, "sources", (int64_t)open->sources);
    writer_key_int(writer, "since", row->at_ms);
    writer_key_int(writer, "last", open->last_ms);
    writer_end(writer);
}

/* From how many places, and then who waits longest. */
static int compare_cases(const void *a, const void *b)
{
    const struct open_case *left = a, *right = b;
    if (left->sources != right->sources)
        return left->sources > right->sources ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

void cases_write(const struct hub *hub, struct writer *writer)
{
    const struct cases *cases = cases_of(hub);
    const size_t count = cases_count(hub);
    struct open_case *open = calloc(count + 1, sizeof *open);
    size_t found = 0;
    writer_key_array(writer, "reports");
    for (size_t at = 0; open && found < count && at < cases->count; at++) {
        if (is_first(cases, at))
            open[found++] = look_at(hub, at);
    }
    if (open)
        qsort(open, found, sizeof *open, compare_cases);
    for (size_t at = 0; at < found && at < CASES_SHOWN; at++)
        write_case(hub, &open[at], writer);
    writer_end(writer);
    writer_key_int(writer, "waiting", (int64_t)count);
    free(open);
}

static void write_report(const struct report_row *row, struct writer *writer)
{
    writer_object(writer);
    writer_key_int(writer, "report", (int64_t)row->id);
    writer_key_string(writer, "why", why_word(row->why));
    writer_members(writer, row->text, row->text_len);
    writer_end(writer);
}

static void write_reports(const struct cases *cases, uint64_t about, uint64_t judgement,
                          struct writer *writer)
{
    writer_key_array(writer, "reports");
    for (size_t at = 0; at < cases->count; at++) {
        const struct report_row *row = &cases->items[at].row;
        if (row->about == about && row->judgement == judgement)
            write_report(row, writer);
    }
    writer_end(writer);
}

/* What an appeal is against, with what had led to it. */
static void write_against(const struct hub *hub, const struct report *report, struct writer *writer)
{
    const struct report_row *row = &report->row;
    size_t from = 0;
    const uint64_t appeal = row->judgement ? report->against : appeal_next(hub, row->about, &from);
    const struct judgement_row *judgement = appeal ? judgement_find(hub, appeal) : NULL;
    if (!judgement)
        return;
    writer_key_object(writer, "against");
    writer_key_int(writer, "judgement", (int64_t)appeal);
    judgement_write(judgement, writer);
    write_reports(cases_of(hub), row->about, appeal, writer);
    writer_end(writer);
}

bool cases_write_one(const struct hub *hub, uint64_t id, struct writer *writer)
{
    const struct cases *cases = cases_of(hub);
    const struct report *report = cases_find(cases, id);
    if (!report)
        return false;
    const struct report_row *row = &report->row;
    const struct judgement_row *judgement =
        row->judgement ? judgement_find(hub, row->judgement) : NULL;
    write_about(cases, report, writer);
    write_reports(cases, row->about, row->judgement, writer);
    write_against(hub, report, writer);
    if (judgement) {
        writer_key_object(writer, "judgement");
        judgement_write(judgement, writer);
        writer_end(writer);
    }
    return true;
}
