#include "lobby.h"

#include <cli/state.h>
#include <string.h>

void clock_print(const json_t *clock, FILE *out)
{
    const char *kind = state_text(clock, "kind");
    if (strcmp(kind, "move") == 0)
        fprintf(out, "%d s for each turn", state_number(clock, "move_s"));
    else if (strcmp(kind, "fischer") == 0)
        fprintf(out, "%d s each, %d s more after each turn", state_number(clock, "bank_s"),
                state_number(clock, "increment_s"));
    else if (strcmp(kind, "byoyomi") == 0)
        fprintf(out, "%d s each, then %d times %d s", state_number(clock, "bank_s"),
                state_number(clock, "periods"), state_number(clock, "period_s"));
    else if (strcmp(kind, "days") == 0)
        fprintf(out, "%d days for each turn", state_number(clock, "days"));
    else
        fputs("none", out);
}

enum { LINE_COLUMNS = 50 };

/* The options in lines of at most LINE_COLUMNS, broken behind commas. */
static void print_wrapped(const struct game *game, const json_t *options, FILE *out)
{
    char text[256];
    FILE *line = fmemopen(text, sizeof text, "w");
    if (!line)
        return;
    game->options_print(options, line);
    if (fclose(line) != 0)
        return;
    for (char *at = text; *at;) {
        size_t len = strlen(at);
        while (len > LINE_COLUMNS) {
            while (--len > 1 && !(at[len] == ' ' && at[len - 1] == ','))
                ;
        }
        fprintf(out, "  %.*s\n", (int)len, at);
        at += len + strspn(at + len, " ");
    }
}

/* How well a computer plays: the words, in lines of at most LINE_COLUMNS. */
static void print_levels(const struct game *game, FILE *out)
{
    int column = fprintf(out, "`bot LEVEL` says how well it plays:");
    for (const char *const *level = game->levels; *level; level++) {
        const char *end = level[1] ? "," : ".";
        const bool fits = column + 2 + (int)strlen(*level) <= LINE_COLUMNS;
        const int len = fprintf(out, "%c%s%s", fits ? ' ' : '\n', *level, end);
        column = fits ? column + len : len - 1;
    }
    fputc('\n', out);
}

/* What can be done before one is ready. */
static void print_choices(const struct game *game, FILE *out)
{
    fprintf(out, "Type `ready` when you are; `sit` changes %s`bot` seats a computer player.\n",
            game->colours ? "seat or\ncolour, " : "the seat,\n");
    print_levels(game, out);
}

static void print_next(const struct game *game, const json_t *state, int seat, FILE *out)
{
    if (seat < 0)
        fputs("The match has not begun.\n", out);
    else if (!state_seat_is_ready(state, seat))
        print_choices(game, out);
    else if (state_all_are_ready(state))
        fputs("All are ready: `start` begins the match.\n", out);
    else
        fputs("You are ready; the others are not, yet.\n", out);
}

void lobby_print(const struct game *game, const json_t *state, const char *room, const char *server,
                 int seat, FILE *out)
{
    const char *title = state_text(state, "title");
    const char *commitment = state_text(state, "fair.commitment");
    bool by_code = strcmp(state_text(state, "access"), "code") == 0;
    if (*title)
        fprintf(out, "%s\n\n", title);
    fprintf(out, "Played: %d players,\n", state_players(state));
    print_wrapped(game, state_at(state, "options"), out);
    fputs("Clock:  ", out);
    clock_print(state_at(state, "clock"), out);
    fprintf(out, "\nHints:  %s",
            json_is_true(state_at(state, "hints")) ? "players may ask for them" : "none");
    fprintf(out, "\n\nOthers come in by\n  taluva join %s%s\n  --server %s\n\n", room,
            by_code ? " --code CODE" : "", server);
    print_next(game, state, seat, out);
    fprintf(out, "\nThe server has committed to its part of the draw:\n  %.32s\n  %.32s\n",
            commitment, strlen(commitment) > 32 ? commitment + 32 : "");
}
