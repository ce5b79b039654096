#include "replay_show.h"
#include <cli/command.h>
#include <cli/file.h>
#include <cli/replay.h>
#include <cli/terminal.h>
#include <string.h>

static void replay_file(struct replay *replay, const struct game *game, const char *path,
                        const struct file *file)
{
    replay->where = path;
    replay->turn = 0;
    if (file->bytes[0] == '{')
        replay_objects(replay, game, path, file->bytes, file->len);
    else
        replay_record(replay, file->bytes, file->len);
}

struct replay_options {
    bool position, show, ascii, no_color, small;
    int64_t turn;
    const char *as;
};

static const char *const viewers[] = {"server", "watcher", "0", "1", "2", "3", "4", NULL};

static const struct option_row rows[] = {
    {.name = "position",
     .kind = OPTION_FLAG,
     .help = "print the last position of each game that can be played to its end",
     .offset = offsetof(struct replay_options, position)},
    {.name = "show",
     .kind = OPTION_FLAG,
     .help =
         "draw the table at the start and after each turn; on a terminal step by step, with keys",
     .offset = offsetof(struct replay_options, show)},
    {.name = "turn",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "draw it after this turn alone, 0 is the start",
     .offset = offsetof(struct replay_options, turn),
     .min = 0,
     .max = RECORD_LINES,
     .initial = REPLAY_EVERY_TURN},
    {.name = "as",
     .kind = OPTION_WORD,
     .value = "WORD",
     .help = "draw it as a seat or a watcher saw it; else with all that was hidden",
     .offset = offsetof(struct replay_options, as),
     .words = viewers},
    {.name = "ascii",
     .kind = OPTION_FLAG,
     .help = "draw with ASCII characters only",
     .offset = offsetof(struct replay_options, ascii)},
    {.name = "no-color",
     .kind = OPTION_FLAG,
     .help = "no colours; so does the environment variable NO_COLOR",
     .offset = offsetof(struct replay_options, no_color)},
    {.name = "small",
     .kind = OPTION_FLAG,
     .help = "draw it small",
     .offset = offsetof(struct replay_options, small)},
    {.name = NULL},
};

static unsigned viewer_of(const char *word)
{
    if (!word || strcmp(word, "server") == 0)
        return REPLAY_SERVER;
    return strcmp(word, "watcher") == 0 ? REPLAY_WATCHER : (unsigned)(word[0] - '0');
}

static bool wants_pictures(const struct replay_options *options)
{
    return options->show || options->as || options->turn != REPLAY_EVERY_TURN;
}

static struct replay_pictures pictures_of(const struct replay_options *options)
{
    struct terminal terminal = terminal_look(options->ascii, options->no_color);
    return (struct replay_pictures){
        .turn = options->turn,
        .viewer = viewer_of(options->as),
        .small = options->small,
        .ascii = terminal.ascii,
        .colours = terminal.colours,
    };
}

/* On a terminal a text record is looked at first, and then checked as any other. */
static enum replay_shown show_record(const char *path, const struct file *file,
                                     const struct replay_pictures *pictures)
{
    struct record record;
    struct record_problem problem;
    if (!record_parse(&record, file->bytes, file->len, &problem))
        return REPLAY_NOT_SHOWN;
    const enum replay_shown shown = replay_show(path, &record, pictures);
    record_release(&record);
    return shown;
}

/* Is there a person who looks and types? Else pictures are printed. */
static bool has_viewer(const struct replay_options *options)
{
    return options->show && terminal_look(options->ascii, options->no_color).is_terminal;
}

/* A difference has been told; else there was no such turn or seat, or the file is no record. */
static bool explain_no_picture(const struct replay *replay, const struct replay *before,
                               const char *path)
{
    if (!replay->pictures || replay->printed > before->printed ||
        replay->differences > before->differences)
        return false;
    fprintf(stderr,
            "taluva: %s: nothing to draw: a text record with this turn and seat is needed\n", path);
    return true;
}

/* Looks at it, or prints what there is to see, and checks it. False if it was no use. */
static bool replay_one(struct replay *replay, const struct invocation *invocation, const char *path,
                       bool *interrupted)
{
    const struct replay before = *replay;
    struct file file;
    if (!file_read(&file, path))
        return false;
    file_unix_lines(&file);
    const enum replay_shown shown = has_viewer(invocation->options) && replay->pictures
                                        ? show_record(path, &file, replay->pictures)
                                        : REPLAY_NOT_SHOWN;
    *interrupted = shown == REPLAY_INTERRUPTED;
    if (shown != REPLAY_NOT_SHOWN)
        replay->pictures = NULL;
    replay_file(replay, invocation->game, path, &file);
    const bool seen = !explain_no_picture(replay, &before, path);
    replay->pictures = before.pictures;
    file_release(&file);
    return seen;
}

static int run_command(const struct invocation *invocation)
{
    const struct replay_options *options = invocation->options;
    const struct replay_pictures pictures = pictures_of(options);
    struct replay replay = {.out = stdout,
                            .positions = options->position,
                            .pictures = wants_pictures(options) ? &pictures : NULL};
    bool unread = false, interrupted = false;
    for (int i = 0; i < invocation->operand_count && !interrupted; i++)
        unread |= !replay_one(&replay, invocation, invocation->operands[i], &interrupted);
    replay_print_totals(&replay);
    if (interrupted)
        return EXIT_INTERRUPTED;
    if (unread)
        return EXIT_FILE;
    return replay.differences > 0 ? EXIT_DIFFERS : EXIT_OK;
}

const struct command command_replay = {
    .name = "replay",
    .operands = "FILE...",
    .summary = "Check recorded games, move for move",
    .details =
        "Plays every game of the files again with the rules core and compares what it finds with\n"
        "what the file says: who was to move, whether each move was legal, the result. A file is\n"
        "either the text record of one match, or JSON lines with a game each, of which also the\n"
        "numbers and checksums of all legal moves are compared. `-` is the standard input.\n\n"
        "Each difference is a line; the last line is `N games, M turns, D differences`.\n\n"
        "With --show, --turn or --as the match of a text record is drawn as well, as it is "
        "played:\n"
        "with everything that players hid from each other, or as one of them or a watcher saw it.\n"
        "Of a match of Taluva it is said what each turn threatened and prevented: what could be\n"
        "built at once, on the island as it lay then.\n"
        "On a terminal --show goes through it step by step: the right arrow, the space bar or n\n"
        "shows the next turn, the left arrow or p the one before, Home and End the first and the\n"
        "last, Page Up and Page Down go ten turns, a number and Enter goes to that turn (--turn\n"
        "begins there), arrows with Shift scroll, f follows the play again, s changes the size,\n"
        "q ends. Elsewhere everything is printed, so that `less -R` can page it.",
    .operands_min = 1,
    .operands_max = -1,
    .rows = rows,
    .options_size = sizeof(struct replay_options),
    .run = run_command,
};
