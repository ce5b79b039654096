#include <ratings/ratings.h>

#include "book/annul.h"
#include "book/desk.h"
#include "book/erased.h"
#include "book/levels.h"
#include "book/levels_match.h"
#include "book/pages.h"
#include "pairing/kept.h"
#include "pairing/meetings.h"
#include "pairing/offer.h"
#include "pairing/op_seek.h"
#include "pairing/places.h"
#include "pairing/playing.h"
#include "pairing/seek.h"
#include "pairing/served.h"
#include "rows/rows.h"
#include "rows/state.h"
#include "waiting/conduct.h"
#include "waiting/told.h"
#include "waiting/waiting.h"
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/prometheus.h>
#include <room/result.h>

static int begin_feature(struct hub *hub)
{
    struct desk *desk = desk_of(hub);
    ledger_init(&desk->ledger);
    const int counted = levels_begin(&desk->levels);
    const int placed = places_begin(&desk->places);
    const int met = meetings_begin(&desk->meetings);
    const int begun = waiting_begin(&desk->seeks, (size_t)kernel_config(hub)->seeks);
    return met < 0 || placed < 0 || counted < 0 ? -1 : begun;
}

static void end_feature(struct hub *hub)
{
    ledger_release(&desk_of(hub)->ledger);
    waiting_end(&desk_of(hub)->seeks);
    meetings_end(&desk_of(hub)->meetings);
    levels_end(&desk_of(hub)->levels);
    places_end(&desk_of(hub)->places);
}

/* When it begins it is not said what time it is. Until then nothing could be stored here: whoever
 * has a seat at a table that was found has as long again to be ready. */
static void tick(struct hub *hub)
{
    struct desk *desk = desk_of(hub);
    if (desk->began_ms == 0)
        desk->began_ms = desk->failed_ms = kernel_now_ms(hub);
    seeks_tick(hub);
}

static int64_t deadline_ms(const struct hub *hub)
{
    return desk_of(hub)->began_ms == 0 ? 0 : seeks_deadline_ms(hub);
}

static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    if (table == &seek_table)
        return seeks_restore(hub, row);
    if (table == &wish_table) {
        waiting_wish(&desk_of(hub)->seeks, row);
        return true;
    }
    if (table == &choice_table) {
        waiting_choose(&desk_of(hub)->seeks, &desk_of(hub)->ledger, row);
        return true;
    }
    if (table == &meeting_table) {
        meetings_keep(&desk_of(hub)->meetings, row);
        return true;
    }
    if (table == &place_table)
        return playing_restore(hub, row);
    if (table == &level_table)
        return levels_restore(hub, row);
    if (table == &conduct_table)
        return conduct_restore(hub, row);
    if (table != &offer_table)
        return desk_restore(hub, table, row);
    offers_restore(hub, row);
    return true;
}

static void match_over(struct hub *hub, const struct room *room, const struct room_result *result)
{
    desk_send(hub, result);
    levels_send(hub, room, result);
    conduct_send_all(hub, result);
}

static void session_gone(struct hub *hub, struct session *session)
{
    conduct_forget(hub, session);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    prometheus_count(out, "book_lines", "gauge", "Lines of the book of ratings.",
                     desk_of(hub)->durable_n);
    prometheus_count(out, "book_lines_most", "gauge",
                     "As many lines as the book may have for another match to be rated.",
                     BOOK_LINES_MAX);
    prometheus_count(out, "annulled_total", "counter",
                     "Rated matches that the operator has annulled.", desk_of(hub)->annulled);
    prometheus_count(out, "seeks", "gauge", "People who seek a match.", desk_of(hub)->seeks.count);
    prometheus_count(out, "paired_total", "counter", "People for whom a match was found.",
                     desk_of(hub)->seeks.paired);
    prometheus_count(out, "seek_pauses_total", "counter",
                     "People who let others wait, and may not seek for a while.",
                     desk_of(hub)->pauses);
    told_write_figures(hub, out);
    served_write(&desk_of(hub)->served, out);
}

static const struct store_table *const tables[] = {
    &book_table,  &book_end_table, &rating_table, &rating_step_table, &seek_table,
    &wish_table,  &choice_table,   &offer_table,  &conduct_table,     &meeting_table,
    &place_table, &level_table,    NULL};
static const struct letter_row letters[] = {
    {desk_letter, DESK_OPS, DESK_TEXT, desk_apply},
    {told_letter, 0, 0, told_apply},
    {refunded_letter, 0, 0, told_apply},
    {challenged_letter, 0, 0, challenged_apply},
    /* and they are told, or who is named */
    {search_letter, SEEK_OPS + 1, SEEK_TEXT, seek_apply},
    {young_letter, SEEK_OPS + 1, SEEK_TEXT, seek_apply},
    {device_letter, SEEK_OPS + 1, SEEK_TEXT, seek_apply},
    {device_choice_letter, SEEK_OPS + 1, SEEK_TEXT, seek_apply},
    {choice_letter, SEEK_OPS + 1, SEEK_TEXT, seek_apply},
    {seek_letter, SEEK_OPS + 1, SEEK_TEXT, seek_apply},
    {unseek_letter, SEEK_OPS, SEEK_TEXT, unseek_apply},
    {conduct_letter, CONDUCT_OPS + KERNEL_SEEN_OPS, CONDUCT_TEXT + KERNEL_SEEN_TEXT, conduct_apply},
    {apart_letter, SEEK_OPS, SEEK_TEXT, apart_apply},
    {level_letter, LEVEL_OPS, LEVEL_TEXT, levels_apply},
    {rating_erased_letter, RATING_ERASED_OPS, RATING_ERASED_TEXT, rating_erased_apply},
    {playing_letter, PLAYING_OPS, PLAYING_TEXT, playing_apply},
};

static const struct request_row requests[] = {
    {REQUEST_SEEK, REQUEST_AT_HOME, op_seek},
    {REQUEST_UNSEEK, REQUEST_AT_HOME, op_unseek},
};

const struct feature feature_ratings = {
    .name = "ratings",
    .memory = &ratings_memory,
    .begin = begin_feature,
    .end = end_feature,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .wait_ms = op_seek_wait_ms,
    .operations = &annul_operation,
    .operation_count = 1,
    .pages = rating_pages,
    .page_count = RATING_PAGES,
    .write_kept = ratings_write_kept,
    .write_figures = write_figures,
    .match_over = match_over,
    .in_play = playing_send,
    .session_ends = rating_tell_erased,
    .session_gone = session_gone,
    .tables = tables,
    .restore_row = restore_row,
    .deadline_ms = deadline_ms,
    .tick = tick,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .apart = seek_tell_apart,
    .queried = op_seek_queried,
};
