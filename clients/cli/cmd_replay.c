#include <cli/command.h>
#include <cli/file.h>
#include <cli/replay.h>
#include <string.h>

static void replay_file(struct replay *replay, const struct game *game, const char *path,
                        const struct file *file)
{
    replay->where = path;
    replay->turn = 0;
    if (file->bytes[0] == '{')
        replay_objects(replay, game, path, file->bytes, file->len);
    else
        replay_record(replay, file->bytes, file->len, false);
}

struct replay_options {
    bool position;
};

static const struct option_row rows[] = {
    {.name = "position",
     .kind = OPTION_FLAG,
     .help = "print the last position of each game that can be played to its end",
     .offset = offsetof(struct replay_options, position)},
    {.name = NULL},
};

static int run(const struct invocation *invocation)
{
    const struct replay_options *options = invocation->options;
    struct replay replay = {.out = stdout, .positions = options->position};
    bool unread = false;
    for (int i = 0; i < invocation->operand_count; i++) {
        struct file file;
        if (!file_read(&file, invocation->operands[i])) {
            unread = true;
            continue;
        }
        replay_file(&replay, invocation->game, invocation->operands[i], &file);
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
        "Each difference is a line; the last line is `N games, M turns, D differences`.",
    .operands_min = 1,
    .operands_max = -1,
    .rows = rows,
    .options_size = sizeof(struct replay_options),
    .run = run,
};
