#include "legal_page.h"

#include <cli/state.h>
#include <string.h>

enum { LINE_BYTES = PROTOCOL_MOVE_BYTES + 16, GAP = 2 };

/* ---- which are listed */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* `1,0` is in `hut 1,0`, but not in `hut -1,0` or `hut 1,05`: those are other places. */
static bool is_listed(const char *line, const char *filter)
{
    const size_t len = strlen(filter);
    if (len == 0)
        return true;
    for (const char *at = line; (at = strstr(at, filter)) != NULL; at++) {
        const bool begun = is_digit(*at) && at > line && (is_digit(at[-1]) || at[-1] == '-');
        const bool goes_on = is_digit(at[len - 1]) && is_digit(at[len]);
        if (!begun && !goes_on)
            return true;
    }
    return false;
}

/* As it is typed, with the game's mark, and one if it would put its player out. */
static const char *mark_of(const struct legal_page *page, const char *move)
{
    return page->game->move_mark ? page->game->move_mark(move, page->room) : "";
}

static void write_line(char line[LINE_BYTES], const struct legal_page *page, const char *move)
{
    const struct game *game = page->game;
    game->move_write(line, PROTOCOL_MOVE_BYTES, move, "", page->room);
    const char *mark = mark_of(page, move);
    size_t len = strlen(line);
    snprintf(line + len, LINE_BYTES - len, "%s%s%s", *mark ? " " : "", mark,
             json_array_has(json_object_get(page->legal, "eliminating"), move) ? " (!)" : "");
}

/* ---- the list */

struct listing {
    const struct legal_page *page;
    FILE *out; /* NULL: only measures */
    size_t seen, shown, room;
    int width, across;
    int gap;     /* between the line before and the next one */
    bool marked; /* some move that is shown */
};

static void take_line(void *user, const char *line)
{
    struct listing *listing = user;
    if (!is_listed(line, listing->page->filter))
        return;
    const int width = (int)strlen(line) + GAP;
    if (!listing->out) {
        listing->seen++;
        listing->width = width > listing->width ? width : listing->width;
        return;
    }
    if (listing->seen++ < listing->page->skip || listing->shown == listing->room)
        return;
    const bool last = ++listing->shown % (size_t)listing->across == 0;
    fprintf(listing->out, "%*s%s%s", listing->gap, "", line, last ? "\n" : "");
    listing->gap = last ? 0 : listing->width - (width - GAP);
}

/* The moves; or the game's examples where there are too many to list them. True: examples. */
static bool take_all(struct listing *listing)
{
    const struct legal_page *page = listing->page;
    const json_t *moves = json_object_get(page->legal, "moves");
    size_t i;
    json_t *value;
    listing->seen = 0;
    json_array_foreach(moves, i, value)
    {
        char line[LINE_BYTES];
        if (!json_is_string(value))
            continue;
        const size_t shown = listing->shown;
        write_line(line, page, json_string_value(value));
        take_line(listing, line);
        listing->marked |= listing->shown > shown && *mark_of(page, json_string_value(value));
    }
    if (json_array_size(moves) > 0 || !page->game->move_offer)
        return false;
    page->game->move_offer(page->room, "", take_line, listing);
    return true;
}

size_t legal_page_print(const struct legal_page *page, FILE *out)
{
    struct listing listing = {.page = page};
    const bool examples = take_all(&listing);
    if (listing.seen == 0) {
        fputs("None.\n", out);
        return 0;
    }
    listing.out = out;
    listing.across = listing.width < page->columns ? page->columns / listing.width : 1;
    listing.room = (size_t)listing.across * (size_t)(page->rows > 1 ? page->rows : 1);
    (void)take_all(&listing);
    if (listing.shown % (size_t)listing.across != 0)
        fputc('\n', out);
    const size_t before = page->skip < listing.seen ? page->skip : listing.seen;
    const size_t left = listing.seen - before - listing.shown;
    if (left > 0)
        fprintf(out, "%zu more: `moves more`; some: `moves 1,0`. ", left);
    if (examples)
        fputs("There are too many to list all; Tab completes.", out);
    else if (listing.marked)
        fputs(page->game->marks_help, out);
    if (left > 0 || examples || listing.marked)
        fputc('\n', out);
    return listing.shown;
}
