#include "cases.h"

#include "judgements.h"
#include "report_table.h"
#include "state.h"
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <stdlib.h>
#include <string.h>

static const int64_t day_ms = REPORT_DAY_MS;

static struct cases *cases_of(const struct hub *hub)
{
    return &moderation_of(hub)->cases;
}

uint64_t cases_next_id(struct hub *hub)
{
    return ++cases_of(hub)->last_id;
}

void cases_note_id(struct hub *hub, uint64_t id)
{
    struct cases *cases = cases_of(hub);
    cases->last_id = id > cases->last_id ? id : cases->last_id;
}

/* ---- appeals */

bool report_is_appeal(const struct report_row *row)
{
    return row->by == row->about;
}

uint64_t report_read_against(const struct report_row *row)
{
    json_t *object = NULL;
    if (!report_is_appeal(row) ||
        json_read(&object, row->text, row->text_len, PROTOCOL_DEPTH) != JSON_READ_OK)
        return 0;
    const json_int_t judgement = json_integer_value(json_object_get(object, "appeal"));
    const bool good = judgement > 0 && json_is_string(json_object_get(object, "text"));
    json_decref(object);
    return good ? (uint64_t)judgement : 0;
}

/* ---- in memory */

static void free_report(struct report *report)
{
    free(report->text);
}

void cases_release(struct cases *cases)
{
    for (size_t at = 0; at < cases->count; at++)
        free_report(&cases->items[at]);
    free(cases->items);
    *cases = (struct cases){0};
}

static bool reserve_report(struct cases *cases)
{
    if (cases->count < cases->size)
        return true;
    const size_t size = cases->size ? 2 * cases->size : 8;
    struct report *items = realloc(cases->items, size * sizeof *items);
    if (!items)
        return false;
    cases->items = items;
    cases->size = size;
    return true;
}

/* Takes the text over. There is place. */
static void add_report(struct cases *cases, const struct report_row *row, char *text)
{
    size_t at = cases->count++;
    for (; at > 0 && cases->items[at - 1].row.id > row->id; at--)
        cases->items[at] = cases->items[at - 1];
    cases->items[at] =
        (struct report){.row = *row, .text = text, .against = report_read_against(row)};
    cases->items[at].row.text = text;
    cases->due_ms = 0;
}

static struct report take_report(struct cases *cases, size_t at)
{
    const struct report report = cases->items[at];
    cases->count--;
    memmove(&cases->items[at], &cases->items[at + 1], (cases->count - at) * sizeof cases->items[0]);
    return report;
}

/* cases->count: there is none. */
static size_t find_report(const struct cases *cases, uint64_t id)
{
    size_t at = 0;
    while (at < cases->count && cases->items[at].row.id != id)
        at++;
    return at;
}

bool cases_restore(struct hub *hub, const struct report_row *row)
{
    struct cases *cases = cases_of(hub);
    char *text = strndup(row->text, row->text_len);
    if (!text || !reserve_report(cases)) {
        free(text);
        return false;
    }
    add_report(cases, row, text);
    cases_note_id(hub, row->id);
    return true;
}

const struct report *cases_find(const struct cases *cases, uint64_t id)
{
    const size_t at = find_report(cases, id);
    return at < cases->count ? &cases->items[at] : NULL;
}

static bool is_open(const struct report_row *row, uint64_t about)
{
    return row->judgement == 0 && row->about == about;
}

/* ---- what goes */

/* Of those that wait about one (0: anybody), how many come from each place: the caller's to free.
 * NULL: out of memory. */
static uint32_t *count_sources(const struct cases *cases, uint64_t about)
{
    uint32_t *counts = calloc(UINT16_MAX + 1, sizeof *counts);
    for (size_t at = 0; counts && at < cases->count; at++) {
        const struct report_row *row = &cases->items[at].row;
        counts[row->source] += row->judgement == 0 && (about == 0 || row->about == about);
    }
    return counts;
}

static bool is_cheaper(const uint32_t *counts, const struct report_row *row,
                       const struct report_row *than)
{
    if ((row->judgement == 0) != (than->judgement == 0))
        return row->judgement != 0;
    return row->judgement == 0 && counts[row->source] > counts[than->source];
}

/* The cheapest of those about one (0: of all), of equal ones the oldest. It is `added`, if nothing
 * that is there is as cheap: then cases->count. An appeal that waits never goes: there is no more
 * than one of each judgement. False: out of memory. */
static bool find_cheapest(const struct cases *cases, const struct report_row *added, uint64_t about,
                          size_t *cheapest)
{
    uint32_t *counts = count_sources(cases, about);
    *cheapest = cases->count;
    for (size_t at = 0; counts && at < cases->count; at++) {
        const struct report_row *row = &cases->items[at].row;
        if ((about != 0 && !is_open(row, about)) || (row->judgement == 0 && report_is_appeal(row)))
            continue;
        if (*cheapest == cases->count ? !is_cheaper(counts, added, row)
                                      : is_cheaper(counts, row, &cases->items[*cheapest].row))
            *cheapest = at;
    }
    const bool good = counts;
    free(counts);
    return good;
}

static size_t count_open(const struct cases *cases, uint64_t about)
{
    size_t count = 0;
    for (size_t at = 0; at < cases->count; at++)
        count += is_open(&cases->items[at].row, about);
    return count;
}

/* ---- letters */

/* "REPORTER ABOUT SOURCE WHY {...}", as report.c writes it. */
enum { ABOUT_AT = 17, SOURCE_AT = 34, SOURCE_DIGITS = 5, WHY_AT = 40, SNAPSHOT_AT = 42 };

static bool read_session(const char *text, uint64_t *session)
{
    uint8_t bytes[8];
    if (!hex_decode(bytes, sizeof bytes, text, 16))
        return false;
    *session = 0;
    for (size_t at = 0; at < sizeof bytes; at++)
        *session = *session << 8 | bytes[at];
    return true;
}

static bool is_object(const char *text, size_t len)
{
    json_t *value = NULL;
    const bool good =
        json_read(&value, text, len, PROTOCOL_DEPTH) == JSON_READ_OK && json_is_object(value);
    json_decref(value);
    return good;
}

static bool read_letter(const struct store_letter *letter, struct report_row *row)
{
    const char *text = letter->text;
    if (letter->text_len <= SNAPSHOT_AT || letter->text_len > SNAPSHOT_AT + REPORT_TEXT_MAX ||
        text[ABOUT_AT - 1] != ' ' || text[SOURCE_AT - 1] != ' ' || text[WHY_AT - 1] != ' ' ||
        text[SNAPSHOT_AT - 1] != ' ' || text[WHY_AT] < '0' || text[WHY_AT] >= '0' + REPORT_WHYS ||
        strspn(text + SOURCE_AT, "0123456789") != SOURCE_DIGITS)
        return false;
    *row = (struct report_row){.source = (uint16_t)strtoul(text + SOURCE_AT, NULL, 10),
                               .why = (enum report_why)(text[WHY_AT] - '0'),
                               .at_ms = letter->at_ms,
                               .text = text + SNAPSHOT_AT,
                               .text_len = (uint16_t)(letter->text_len - SNAPSHOT_AT)};
    return read_session(text, &row->by) && read_session(text + ABOUT_AT, &row->about) &&
           row->about != 0 && is_object(row->text, row->text_len);
}

/* Said before, or too much of one person; whichever table of the site it was said at. The server
 * itself sees as many as there are. */
static bool is_too_much(const struct hub *hub, const struct report_row *row)
{
    const struct cases *cases = cases_of(hub);
    int64_t today = 0;
    for (size_t at = 0; at < cases->count; at++) {
        const struct report_row *other = &cases->items[at].row;
        if (other->by != row->by || other->at_ms + day_ms <= row->at_ms || report_is_appeal(other))
            continue;
        if (other->about == row->about && other->why == row->why)
            return true;
        today++;
    }
    return row->by != 0 && today >= kernel_config(hub)->reports_per_account_per_day;
}

/* What is added, and what goes for it, until that is durable. */
struct taking {
    struct kernel_change change;
    uint64_t id;
    struct report gone; /* its text NULL: nothing */
};

static void keep_taken(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct taking *taking = (struct taking *)(void *)change;
    (void)hub, (void)session;
    free_report(&taking->gone);
    taking->gone.text = NULL;
}

/* What is there has place for one more, as it had before. */
static void take_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct taking *taking = (struct taking *)(void *)change;
    struct cases *cases = cases_of(hub);
    const size_t at = find_report(cases, taking->id);
    (void)session;
    if (at < cases->count) {
        struct report report = take_report(cases, at);
        free_report(&report);
    }
    if (taking->gone.text && reserve_report(cases)) {
        add_report(cases, &taking->gone.row, taking->gone.text);
        taking->gone.text = NULL;
    }
}

static void destroy_taking(struct kernel_change *change)
{
    free_report(&((struct taking *)(void *)change)->gone);
    free(change);
}

static const struct kernel_change_type taking_type = {
    .carry_out = keep_taken, .undo = take_back, .destroy = destroy_taking};

/* Which has to go, so that there is place: `*gone` is cases->count for the one that comes, and
 * cases->count + 1 for none. False: out of memory. */
static bool find_gone(const struct hub *hub, const struct report_row *row, size_t *gone)
{
    const struct cases *cases = cases_of(hub);
    if (count_open(cases, row->about) >= CASE_REPORTS)
        return find_cheapest(cases, row, row->about, gone);
    if (cases->count >= (uint64_t)kernel_config(hub)->reports)
        return find_cheapest(cases, row, 0, gone);
    *gone = cases->count + 1;
    return true;
}

/* In place of the one that is gone. */
static enum letter_fate add_in_place(struct hub *hub, struct report_row *row, size_t gone)
{
    struct cases *cases = cases_of(hub);
    struct taking *taking = calloc(1, sizeof *taking);
    char *text = strndup(row->text, row->text_len);
    if (!taking || !text || !reserve_report(cases)) {
        free(taking);
        free(text);
        return LETTER_LATER;
    }
    row->id = taking->id = cases_next_id(hub);
    taking->change.type = &taking_type;
    kernel_put_row(hub, &report_table, row);
    if (gone < cases->count) {
        kernel_drop_row(hub, &report_table, &cases->items[gone].row);
        taking->gone = take_report(cases, gone);
    }
    add_report(cases, row, text);
    kernel_change_hub(hub, &taking->change);
    return LETTER_APPLIED;
}

enum letter_fate cases_add(struct hub *hub, struct report_row *row)
{
    return add_in_place(hub, row, cases_of(hub)->count + 1);
}

enum letter_fate report_apply(struct hub *hub, const struct store_letter *letter)
{
    struct report_row row;
    size_t gone;
    if (!read_letter(letter, &row))
        return LETTER_REFUSED;
    if (is_too_much(hub, &row))
        return LETTER_APPLIED;
    if (!find_gone(hub, &row, &gone))
        return LETTER_LATER;
    return gone == cases_of(hub)->count ? LETTER_APPLIED : add_in_place(hub, &row, gone);
}

/* ---- judged */

uint64_t cases_about(const struct hub *hub, uint64_t id, size_t *ops, size_t *text)
{
    const struct cases *cases = cases_of(hub);
    const size_t found = find_report(cases, id);
    *ops = *text = 0;
    if (found == cases->count || cases->items[found].row.judgement)
        return 0;
    const uint64_t about = cases->items[found].row.about;
    for (size_t at = 0; at < cases->count; at++) {
        if (!is_open(&cases->items[at].row, about))
            continue;
        ++*ops;
        *text += cases->items[at].row.text_len + 1U;
    }
    return about;
}

void cases_put_judged(struct hub *hub, uint64_t about, uint64_t judgement)
{
    const struct cases *cases = cases_of(hub);
    for (size_t at = 0; at < cases->count; at++) {
        struct report_row row = cases->items[at].row;
        if (!is_open(&row, about))
            continue;
        row.judgement = judgement;
        kernel_put_row(hub, &report_table, &row);
    }
}

void cases_close(struct hub *hub, uint64_t about, uint64_t judgement)
{
    struct cases *cases = cases_of(hub);
    for (size_t at = 0; at < cases->count; at++) {
        struct report_row *row = &cases->items[at].row;
        if (is_open(row, about) && row->id < judgement)
            row->judgement = judgement;
    }
    cases->due_ms = 0;
}

/* ---- what is not kept any more */

static int64_t end_ms_of(const struct hub *hub, const struct report_row *row)
{
    const struct judgement_row *judgement =
        row->judgement ? judgement_find(hub, row->judgement) : NULL;
    if (row->judgement == 0)
        return INT64_MAX;
    return judgement ? judgement->at_ms + kernel_config(hub)->report_keep_days * day_ms +
                           kernel_uncounted_ms(hub, judgement->at_ms)
                     : 0;
}

void cases_look_again(struct hub *hub)
{
    cases_of(hub)->due_ms = 0;
}

static int64_t find_due_ms(const struct hub *hub)
{
    const struct cases *cases = cases_of(hub);
    int64_t due_ms = judgements_due_ms(hub);
    for (size_t at = 0; at < cases->count; at++) {
        const int64_t end_ms = end_ms_of(hub, &cases->items[at].row);
        due_ms = end_ms < due_ms ? end_ms : due_ms;
    }
    return due_ms;
}

int64_t cases_deadline_ms(const struct hub *hub)
{
    const struct cases *cases = cases_of(hub);
    if (cases->count == 0 && moderation_of(hub)->judgements.count == 0)
        return INT64_MAX;
    return cases->due_ms > cases->again_ms ? cases->due_ms : cases->again_ms;
}

/* False: not all of them, there is no place for more in this batch. */
static bool drop_old_reports(struct hub *hub)
{
    struct cases *cases = cases_of(hub);
    for (size_t at = cases->count; at-- > 0;) {
        if (end_ms_of(hub, &cases->items[at].row) > kernel_now_ms(hub))
            continue;
        if (kernel_may_store(hub, 1) != PROTOCOL_OK || kernel_reserve(hub, 1, 1) < 0)
            return false;
        kernel_drop_row(hub, &report_table, &cases->items[at].row);
        struct report report = take_report(cases, at);
        free_report(&report);
    }
    return true;
}

/* First what names a judgement, then that. If that cannot be stored, they go after the next start.
 */
void cases_tick(struct hub *hub)
{
    struct cases *cases = cases_of(hub);
    if (cases_deadline_ms(hub) > kernel_now_ms(hub))
        return;
    const bool good = drop_old_reports(hub) && judgements_drop_old(hub);
    cases->due_ms = find_due_ms(hub);
    cases->again_ms = good ? 0 : kernel_now_ms(hub) + CASES_AGAIN_MS;
}
