#include "bot_table.h"
#include "seat.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVE_MS = 3000 }; /* for the server to take leave of a bot that was interrupted */

static const struct option_row rows[] = {
    {.name = "level",
     .kind = OPTION_NAME,
     .value = "LEVEL",
     .help = "play like the server's computer player of this level, a number from 1 or its word; "
             "else any legal move",
     .offset = offsetof(struct bot_options, level)},
    {.name = "engine",
     .kind = OPTION_NAME,
     .value = "CMD",
     .help = "let this program choose the moves: protocol/engine.md; it is started for each room",
     .offset = offsetof(struct bot_options, engine)},
    {.name = "simulations",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "how much the engine may think about a turn; else as it likes",
     .offset = offsetof(struct bot_options, simulations),
     .min = 0,
     .max = ENGINE_SIMULATIONS_MAX,
     .initial = -1},
    {.name = "time",
     .kind = OPTION_NUMBER,
     .value = "MS",
     .help = "how long the engine may think about a turn; else as it likes",
     .offset = offsetof(struct bot_options, time_ms),
     .min = 1,
     .max = 600000,
     .initial = -1},
    {.name = "seed",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "the same seed chooses the same moves from the same choices; else at random",
     .offset = offsetof(struct bot_options, seed),
     .min = 0,
     .max = INT64_MAX,
     .initial = -1},
    {.name = "games",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "play so many matches in a row, by rematch (1)",
     .offset = offsetof(struct bot_options, games),
     .min = 1,
     .max = 1000000,
     .initial = 1},
    {.name = "delay",
     .kind = OPTION_NUMBER,
     .value = "MS",
     .help = "wait for so long before each move, or turn with a level or an engine (0)",
     .offset = offsetof(struct bot_options, delay_ms),
     .min = 0,
     .max = 600000},
    {.name = "start",
     .kind = OPTION_FLAG,
     .help = "start the match once all are ready; else only the bot on the first seat does",
     .offset = offsetof(struct bot_options, start)},
    {.name = NULL},
};

/* ---- the session */

static struct bot_table *table_of(struct bot *bot, const char *room)
{
    for (size_t i = 0; i < bot->table_count; i++) {
        if (!bot->tables[i].done && strcmp(bot->tables[i].room, room) == 0)
            return &bot->tables[i];
    }
    return NULL;
}

static void on_view(struct online *online, const struct wire_room *room)
{
    struct bot_table *table = table_of(online->user, room->id);
    if (table)
        bot_table_look(table);
}

static void on_event(struct online *online, const struct wire_room *room, const json_t *push)
{
    struct bot_table *table = table_of(online->user, room->id);
    if (table)
        bot_table_hear(table, push);
}

static void on_gone(struct online *online, const char *room, const json_t *error)
{
    struct bot_table *table = table_of(online->user, room);
    if (table)
        bot_table_refused(table, error);
}

/* The last table ends the bot. */
static void on_table_ended(struct bot *bot, int exit_code)
{
    if (bot->exit_code == EXIT_OK)
        bot->exit_code = exit_code;
    for (size_t i = 0; i < bot->table_count; i++) {
        if (!bot->tables[i].done)
            return;
    }
    online_stop(bot->online, bot->exit_code);
}

/* ---- beginning */

static void start_table(struct bot *bot, struct bot_table *table, const char *room)
{
    const struct seat_options *where = &bot->online->invocation->where;
    table->bot = bot;
    table->games_left = bot->options->games;
    snprintf(table->room, sizeof table->room, "%s", room);
    uv_timer_init(&bot->online->loop, &table->timer);
    table->timer.data = table;
    bot_table_enter(table, (int)where->seat, where->colour);
}

static void on_ready(struct online *online)
{
    struct bot *bot = online->user;
    const struct invocation *invocation = online->invocation;
    bot->online = online;
    uint64_t seed = (uint64_t)bot->options->seed;
    if (bot->options->seed < 0)
        seed = randombytes_uniform(1U << 31);
    online_say(online, "Playing with seed %llu.", (unsigned long long)seed);
    uv_timer_init(&online->loop, &bot->patience);
    bot->patience.data = bot;
    bot->table_count = (size_t)invocation->operand_count;
    for (size_t i = 0; i < bot->table_count; i++) {
        bot->tables[i].rng.state = seed + i;
        start_table(bot, &bot->tables[i], invocation->operands[i]);
    }
}

/* ---- leaving before the end */

static void leave_now(struct bot *bot)
{
    online_stop(bot->online, EXIT_INTERRUPTED);
}

static void on_left(void *user, const json_t *ok, const json_t *error)
{
    struct bot *bot = user;
    (void)ok;
    (void)error;
    if (--bot->farewells == 0)
        leave_now(bot);
}

static void on_patience(uv_timer_t *timer)
{
    leave_now(timer->data);
}

/* A seat in a lobby is given up; one in a match is kept, for whoever comes back to it. */
static void leave_table(struct bot *bot, struct bot_table *table)
{
    const struct wire_room *room = wire_client_room(bot->online->client, table->room);
    bot_mind_cancel(&table->mind);
    if (table->done || !room || room->seat == WIRE_NO_SEAT)
        return;
    if (!state_is(room->state, "lobby")) {
        online_say(bot->online, "The seat in room %s is kept: the same --profile returns to it.",
                   table->room);
        return;
    }
    json_t *request = request_make("leave", table->room, NULL, NULL);
    bot->farewells += wire_client_request(bot->online->client, request, on_left, bot) >= 0;
}

static bool on_interrupted(struct online *online)
{
    struct bot *bot = online->user;
    if (!bot->online || bot->leaving || !wire_client_is_online(online->client))
        return false;
    bot->leaving = true;
    for (size_t i = 0; i < bot->table_count; i++)
        leave_table(bot, &bot->tables[i]);
    if (bot->farewells == 0)
        return false;
    uv_timer_start(&bot->patience, on_patience, LEAVE_MS, 0);
    return true;
}

static void on_ended(struct online *online)
{
    struct bot *bot = online->user;
    if (!bot->online)
        return;
    for (size_t i = 0; i < bot->table_count; i++) {
        bot_mind_cancel(&bot->tables[i].mind);
        bot_mind_end_engine(&bot->tables[i].mind);
        uv_close((uv_handle_t *)&bot->tables[i].timer, NULL);
    }
    uv_close((uv_handle_t *)&bot->patience, NULL);
}

/* ---- the command */

static int complain_of(const char *what)
{
    fprintf(stderr, "taluva bot: %s\n", what);
    return EXIT_USAGE;
}

static bool is_a_level(const char *text)
{
    for (size_t i = 0; games_at(i); i++) {
        if (games_at(i)->thinker && game_level_of(games_at(i), text) > 0)
            return true;
    }
    return false;
}

/* Which levels there are, by the words of each game that can be played so. */
static int complain_of_level(const char *text)
{
    fputs("taluva bot: there is no level '", stderr);
    glyph_print_text(text, stderr);
    fputs("'\n", stderr);
    for (size_t i = 0; games_at(i); i++) {
        const struct game *game = games_at(i);
        if (!game->thinker)
            continue;
        fprintf(stderr, "Levels of %s:", game->name);
        for (unsigned level = 1; game->levels[level - 1]; level++)
            fprintf(stderr, " %u %s", level, game->levels[level - 1]);
        fputc('\n', stderr);
    }
    return EXIT_USAGE;
}

static int check_operands(const struct invocation *invocation)
{
    const struct bot_options *options = invocation->options;
    if (invocation->operand_count > BOT_TABLES_MAX)
        return complain_of("so many rooms are too many");
    for (int i = 0; i < invocation->operand_count; i++) {
        for (int j = 0; j < i; j++) {
            if (strcmp(invocation->operands[i], invocation->operands[j]) == 0)
                return complain_of("the same room is named twice");
        }
    }
    if (options->level && options->engine)
        return complain_of("--level and --engine exclude each other");
    if (!options->engine && (options->simulations >= 0 || options->time_ms >= 0))
        return complain_of("--simulations and --time are for an --engine");
    if (options->level && !is_a_level(options->level))
        return complain_of_level(options->level);
    return EXIT_OK;
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready,
                                          .view = on_view,
                                          .event = on_event,
                                          .gone = on_gone,
                                          .interrupted = on_interrupted,
                                          .ended = on_ended};
    int code = check_operands(invocation);
    if (code != EXIT_OK)
        return code;
    struct bot *bot = calloc(1, sizeof *bot);
    if (!bot)
        return EXIT_MEMORY;
    bot->options = invocation->options;
    bot->ended = on_table_ended;
    code = online_run(invocation, &app, bot);
    for (size_t i = 0; i < bot->table_count; i++)
        bot_mind_close(&bot->tables[i].mind);
    free(bot);
    return code;
}

const struct command command_bot = {
    .name = "bot",
    .operands = "ROOM...",
    .summary = "Play by itself",
    .details =
        "Takes a seat in each room, is ready, and plays whenever it may, until the matches are\n"
        "over. With --level it plays as the server's computer player of that level does, from\n"
        "what the server tells its seat and nothing else. Each game has levels of its own;\n"
        "`help levels` at the table tells more about them. With --engine it plays what a program "
        "of\n"
        "yours says, as protocol/engine.md has it; `taluva engine` is one. Without either, it "
        "plays\n"
        "random legal moves, and leaves nothing to build for itself only if it must.\n"
        "Several bots need a --profile each. The bot on the first seat starts the match; if a\n"
        "person sits there, the person does.\n\n"
        "It reconnects by itself. When it is interrupted it gives up its seats in lobbies; those\n"
        "in matches are kept, and the same command with the same --profile goes on. A room that\n"
        "cannot be played is left alone and the others go on; the exit status is that of the\n"
        "first such room: 77 if the server refused, or refused the same move five times, 64 if\n"
        "this program does not know the game or the level, 1 if it cannot make sense of the\n"
        "state, 65 if the engine ends, is silent, or would play what is not legal.",
    .operands_min = 1,
    .operands_max = -1,
    .online = true,
    .enters = true,
    .takes_seat = true,
    .rows = rows,
    .options_size = sizeof(struct bot_options),
    .run = run_command,
};
