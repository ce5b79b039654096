#include "parts.h"
#include "replay_parts.h"
#include <cli/command.h>
#include <cli/file.h>
#include <cli/replay.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void count_sequences(struct replay *replay, const struct taluva *game,
                            const taluva_tile *deck, size_t deck_count, unsigned turns,
                            json_int_t expected)
{
    double begin = now_s();
    uint64_t found = taluva_perft(game, deck, deck_count, turns);
    double spent = now_s() - begin;
    replay->turns += turns;
    printf("%s: %u turns: %llu sequences, %.3f s, %.1f million/s\n", replay->where, turns,
           (unsigned long long)found, spent, spent > 0 ? (double)found / spent * 1e-6 : 0.0);
    replay->turn = turns;
    if ((json_int_t)found != expected)
        replay_differs(replay, "%llu sequences, expected %lld", (unsigned long long)found,
                       (long long)expected);
}

static void perft_line(struct replay *replay, const json_t *line)
{
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    size_t deck_count;
    const char *key;
    json_t *expected;
    replay->games++;
    if (!taluva_read_game(replay, line, &game, deck, &deck_count))
        return;
    json_object_foreach((json_t *)json_object_get(line, "counts"), key, expected)
    {
        long turns = strtol(key, NULL, 10);
        if (turns < 1 || (size_t)turns > deck_count) {
            replay_differs(replay, "%s turns cannot be played with this deck", key);
            continue;
        }
        count_sequences(replay, &game, deck, deck_count, (unsigned)turns,
                        json_integer_value(expected));
    }
}

/* JSON values, one behind the other. */
static void perft_file(struct replay *replay, const char *path, const struct file *file)
{
    char where[512];
    size_t at = 0, number = 0;
    json_error_t error;
    while (at < file->len) {
        json_t *line = json_loadb(file->bytes + at, file->len - at, JSON_DISABLE_EOF_CHECK, &error);
        snprintf(where, sizeof where, "%s:%zu", path, ++number);
        replay->where = where;
        replay->turn = 0;
        if (!line) {
            replay_differs(replay, "%s", error.text);
            return;
        }
        perft_line(replay, line);
        json_decref(line);
        at += (size_t)error.position;
        at += strspn(file->bytes + at, " \r\n\t");
    }
}

static int run_command(const struct invocation *invocation)
{
    struct replay replay = {.out = stdout};
    struct file file;
    if (!file_read(&file, invocation->operands[0]))
        return EXIT_FILE;
    perft_file(&replay, invocation->operands[0], &file);
    file_release(&file);
    if (replay.games == 0 && replay.differences == 0) {
        replay.where = invocation->operands[0];
        replay_differs(&replay, "there is nothing to count");
    }
    replay_print_totals(&replay);
    return replay.differences > 0 ? EXIT_DIFFERS : EXIT_OK;
}

const struct command taluva_command_perft = {
    .name = "perft",
    .operands = "FILE",
    .summary = "Count legal games and compare",
    .details =
        "The file holds JSON objects with `options`, `deck` and `counts`: how many different\n"
        "sequences of so many whole turns are legal from the empty table. Each is counted with "
        "the\n"
        "rules core, timed and compared. `-` is the standard input.",
    .operands_min = 1,
    .operands_max = 1,
    .run = run_command,
};
