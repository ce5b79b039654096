#include "command_table.h"

#include "room_options.h"
#include <string.h>

#define ONLINE(field) offsetof(struct online_options, field)

const struct option_row command_online_rows[] = {
    {.name = "server",
     .letter = 's',
     .kind = OPTION_TEXT,
     .value = "URL",
     .help = "the server, ws://, wss://, http:// or https://; else $TALUVA_SERVER, else "
             "ws://127.0.0.1:7400/ws",
     .offset = ONLINE(server)},
    {.name = "name",
     .letter = 'n',
     .kind = OPTION_NAME,
     .value = "NAME",
     .help = "your name, as the others see it, of up to 24 characters",
     .offset = ONLINE(name)},
    {.name = "profile",
     .letter = 'p',
     .kind = OPTION_NAME,
     .value = "WORD",
     .help = "which of your sessions to use; several players on one machine need one each",
     .offset = ONLINE(profile)},
    {.name = "ca",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "wss: trust this certificate authority (PEM) and no other",
     .offset = ONLINE(ca)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "for programs: one JSON object a line, out and in",
     .offset = ONLINE(json)},
    {.name = NULL},
};

#define PATIENCE_ROW(text, seconds)                                                                \
    {                                                                                              \
        .name = "patience", .kind = OPTION_NUMBER, .value = "SECONDS",                             \
        .help =                                                                                    \
            "how long to keep trying when the server cannot be reached; 0: for ever (" text ")",   \
        .offset = ONLINE(patience_s), .min = 0, .max = 1000000, .initial = seconds                 \
    }

static const struct option_row lasting_patience_rows[] = {PATIENCE_ROW("0", 0), {.name = NULL}};
static const struct option_row short_patience_rows[] = {PATIENCE_ROW("10", COMMAND_PATIENCE_S),
                                                        {.name = NULL}};
_Static_assert(COMMAND_PATIENCE_S == 10, "the texts for --help say so");

static const struct option_row entry_rows[] = {
    {.name = "code",
     .letter = 'c',
     .kind = OPTION_NAME,
     .value = "CODE",
     .help = "the invitation code of a room that has one",
     .offset = ONLINE(code)},
    {.name = NULL},
};

const struct option_row command_drawing_rows[] = {
    {.name = "ascii",
     .kind = OPTION_FLAG,
     .help = "draw with ASCII characters only",
     .offset = ONLINE(ascii)},
    {.name = "no-color",
     .kind = OPTION_FLAG,
     .help = "no colours; so does the environment variable NO_COLOR",
     .offset = ONLINE(no_color)},
    {.name = "small",
     .kind = OPTION_FLAG,
     .help = "draw small hexes, to see more of the island",
     .offset = ONLINE(small)},
    {.name = NULL},
};

/* clang-format off */
static const struct command *const commands[] = {
    &command_adopt, &command_analyse, &command_appeal, &command_archive, &command_block, &command_blocks, &command_bot,
    &command_bots,
    &command_cases, &command_chat, &command_claim, &command_close, &command_create, &command_devices, &command_engine,
    &command_enter, &command_event, &command_export, &command_follow, &command_friends, &command_games, &command_invite,
    &command_join, &command_judge, &command_keep, &command_leaders, &command_link, &command_phrase,
    &command_play, &command_quiet, &command_ratings, &command_record, &command_replay, &command_revoke,
    &command_rooms, &command_seek, &command_token, &command_tokens, &command_unblock,
    &command_unfollow, &command_unlink, &command_verify, &command_watch, &command_whois,
    NULL,
};
/* clang-format on */

/* Rows that depend on the game's words and number of seats. */
static const struct option_row *seat_rows(struct option_row rows[COMMAND_SEAT_ROWS],
                                          const struct game *game)
{
    rows[0] = (struct option_row){
        .name = "seat",
        .kind = OPTION_NUMBER,
        .value = "N",
        .help = "the seat to take, from 0; else the first free one",
        .offset = offsetof(struct seat_options, seat),
        .max = game->seats_max - 1,
        .initial = SEAT_ANY,
    };
    rows[1] = (struct option_row){.name = NULL};
    if (!game->colours)
        return rows;
    rows[1] = (struct option_row){
        .name = "colour",
        .kind = OPTION_WORD,
        .value = "WORD",
        .help = "play with these pieces",
        .offset = offsetof(struct seat_options, colour),
        .words = game->colours,
    };
    rows[2] = (struct option_row){.name = NULL};
    return rows;
}

/* ---- finding one */

static const struct command *nearest(const struct command *const *list, const char *after,
                                     const struct command *best)
{
    for (; list && *list; list++) {
        if (strcmp((*list)->name, after) > 0 && (!best || strcmp((*list)->name, best->name) < 0))
            best = *list;
    }
    return best;
}

const struct command *command_next(const struct game *game, const char *after)
{
    return nearest(game->commands, after, nearest(commands, after, NULL));
}

const struct command *command_find(const struct game *game, const char *name)
{
    const struct command *command = NULL;
    for (const char *at = ""; (command = command_next(game, at)) != NULL; at = command->name) {
        if (strcmp(command->name, name) == 0)
            return command;
    }
    return NULL;
}

/* ---- options */

static void add_rows(struct command_rows *all, const struct option_row *rows,
                     enum command_values values)
{
    if (!rows)
        return;
    all->tables[all->count].rows = rows;
    all->tables[all->count++].values = values;
}

void command_rows_of(struct command_rows *rows, const struct game *game,
                     const struct command *command)
{
    rows->count = 0;
    if (command->creates) {
        add_rows(rows, game->create_rows, VALUES_GAME);
        add_rows(rows, room_option_rows, VALUES_ROOM);
    }
    add_rows(rows, command->rows, VALUES_OWN);
    if (command->takes_seat)
        add_rows(rows, seat_rows(rows->seats, game), VALUES_WHERE);
    if (command->online) {
        add_rows(rows, command_online_rows, VALUES_ONLINE);
        add_rows(rows, command->asks_once ? short_patience_rows : lasting_patience_rows,
                 VALUES_ONLINE);
    }
    if (command->enters)
        add_rows(rows, entry_rows, VALUES_ONLINE);
    if (command->draws)
        add_rows(rows, command_drawing_rows, VALUES_ONLINE);
}
