#include <ratings/ratings.h>

#include "desk.h"
#include "pages.h"
#include "rows.h"
#include "told.h"
#include <hub/kernel.h>
#include <hub/prometheus.h>
#include <room/result.h>

static int begin(struct hub *hub)
{
    ledger_init(&desk_of(hub)->ledger);
    return 0;
}

static void end(struct hub *hub)
{
    ledger_release(&desk_of(hub)->ledger);
}

static void match_over(struct hub *hub, const struct room *room, const struct room_result *result)
{
    (void)room;
    desk_send(hub, result);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    prometheus_count(out, "book_lines", "gauge", "Lines of the book of ratings.",
                     desk_of(hub)->durable_n);
}

static const struct store_table *const tables[] = {&book_table, &book_end_table, &rating_table,
                                                   &rating_step_table, NULL};
static const struct letter_row letters[] = {
    {desk_letter, DESK_OPS, DESK_TEXT, desk_apply},
    {told_letter, 0, 0, told_apply},
};

const struct feature feature_ratings = {
    .name = "ratings",
    .memory = &desk_memory,
    .begin = begin,
    .end = end,
    .pages = rating_pages,
    .page_count = RATING_PAGES,
    .write_figures = write_figures,
    .match_over = match_over,
    .tables = tables,
    .restore_row = desk_restore,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
};
