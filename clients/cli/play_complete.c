/*
 * Tab: commands, and the legal moves as they are typed.
 */
#include "table.h"
#include <cli/state.h>
#include <string.h>

enum { SHOWN_MAX = 400 };

/* What all candidates that begin with the text have in common, and what they are. */
struct candidates {
    const char *text;
    size_t len;
    size_t count;
    char common[128];
    char shown[SHOWN_MAX];
    size_t shown_len;
};

static void offer(void *user, const char *candidate)
{
    struct candidates *candidates = user;
    if (strncmp(candidate, candidates->text, candidates->len) != 0)
        return;
    if (candidates->count++ == 0) {
        snprintf(candidates->common, sizeof candidates->common, "%s", candidate);
    } else {
        size_t same = 0;
        while (candidate[same] && candidate[same] == candidates->common[same])
            same++;
        candidates->common[same] = '\0';
    }
    size_t room = SHOWN_MAX - candidates->shown_len, need = strlen(candidate) + 3;
    if (need < room)
        candidates->shown_len +=
            (size_t)snprintf(candidates->shown + candidates->shown_len, room, "%s%s",
                             candidates->shown_len ? "  " : "", candidate);
}

static void offer_moves(struct table *table, struct candidates *candidates)
{
    const json_t *moves = json_object_get(table_legal(table), "moves");
    struct game_room room = table_game_room(table);
    size_t i;
    json_t *value;
    json_array_foreach(moves, i, value)
    {
        char text[PROTOCOL_MOVE_BYTES + 1];
        if (!json_is_string(value))
            continue;
        table->game->move_write(text, sizeof text, json_string_value(value), candidates->text,
                                &room);
        offer(candidates, text);
    }
    if (table->game->move_offer && room.legal)
        table->game->move_offer(&room, candidates->text, offer, candidates);
}

/* How well a computer player is to play. */
static void offer_levels(struct table *table, struct candidates *candidates)
{
    static const char command[] = "bot ";
    if (strncmp(candidates->text, command, strlen(command)) != 0)
        return;
    for (const char *const *level = table->game->levels; *level; level++) {
        char line[32];
        snprintf(line, sizeof line, "%s%s", command, *level);
        offer(candidates, line);
    }
}

static const char report[] = "report ";

/* The people at the table but for oneself: no computer is reported. */
static void offer_reported(struct table *table, struct candidates *candidates)
{
    for (int seat = 0; seat < table->game->seats_max; seat++) {
        const json_t *who = state_seat(table_state(table), seat);
        char line[sizeof report + 1];
        if (!who || seat == table_seat(table) || json_is_true(state_at(who, "bot")))
            continue;
        snprintf(line, sizeof line, "%s%c", report, state_seat_letter(seat));
        offer(candidates, line);
    }
}

/* Whom to report, and then for what. */
static void offer_reports(struct table *table, struct candidates *candidates)
{
    const size_t begin = sizeof report - 1;
    if (strncmp(candidates->text, report, begin) != 0)
        return;
    const char *seat = candidates->text + begin;
    if (strchr(seat, ' ') != seat + 1) {
        offer_reported(table, candidates);
        return;
    }
    for (const char *const *why = table_report_whys; *why; why++) {
        char line[64];
        snprintf(line, sizeof line, "%s%c %s", report, *seat, *why);
        offer(candidates, line);
    }
}

void table_complete(struct table *table, const char *text, char *insert, size_t size)
{
    struct candidates candidates = {.text = text, .len = strlen(text)};
    const char *name;
    for (const char *at = ""; (name = table_command_next(table, at)) != NULL; at = name)
        offer(&candidates, name);
    offer_levels(table, &candidates);
    offer_reports(table, &candidates);
    offer_moves(table, &candidates);
    if (candidates.count == 0)
        return;
    snprintf(insert, size, "%s%s", candidates.common + candidates.len,
             candidates.count == 1 ? " " : "");
    if (candidates.count > 1 && candidates.common[candidates.len] == '\0')
        table_say(table, "%s%s", candidates.shown,
                  candidates.shown_len + 24 > SHOWN_MAX ? " ..." : "");
}
