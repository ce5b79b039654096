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
     .help = "draw the table at the start and after each turn",
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

static int run(const struct invocation *invocation)
{
    const struct replay_options *options = invocation->options;
    const struct replay_pictures pictures = pictures_of(options);
    struct replay replay = {.out = stdout,
                            .positions = options->position,
                            .pictures = wants_pictures(options) ? &pictures : NULL};
    bool unread = false;
    for (int i = 0; i < invocation->operand_count; i++) {
        struct file file;
        if (!file_read(&file, invocation->operands[i])) {
            unread = true;
            continue;
        }
        file_unix_lines(&file);
        const struct replay before = replay;
        replay_file(&replay, invocation->game, invocation->operands[i], &file);
        unread |= explain_no_picture(&replay, &before, invocation->operands[i]);
        file_release(&file);
    }
    replay_print_totals(&replay);
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
        "`less -R` pages it.",
    .operands_min = 1,
    .operands_max = -1,
    .rows = rows,
    .options_size = sizeof(struct replay_options),
    .run = run,
};
