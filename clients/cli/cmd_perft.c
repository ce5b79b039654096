#include "audit.h"
#include "command.h"
#include "file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void count(struct audit *audit, const struct taluva *game, const taluva_tile *deck,
                  size_t deck_count, unsigned turns, json_int_t expected)
{
    double begin = seconds();
    uint64_t found = taluva_perft(game, deck, deck_count, turns);
    double spent = seconds() - begin;
    audit->turns += turns;
    printf("%s: %u turns: %llu sequences, %.3f s, %.1f million/s\n", audit->where, turns,
           (unsigned long long)found, spent, spent > 0 ? (double)found / spent * 1e-6 : 0.0);
    audit->turn = turns;
    if ((json_int_t)found != expected)
        audit_differs(audit, "%llu sequences, expected %lld", (unsigned long long)found,
                      (long long)expected);
}

static void perft_line(struct audit *audit, const json_t *line)
{
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    size_t deck_count;
    const char *key;
    json_t *expected;
    audit->games++;
    if (!audit_read_game(audit, line, &game, deck, &deck_count))
        return;
    json_object_foreach((json_t *)json_object_get(line, "counts"), key, expected)
    {
        long turns = strtol(key, NULL, 10);
        if (turns < 1 || (size_t)turns > deck_count) {
            audit_differs(audit, "%s turns cannot be played with this deck", key);
            continue;
        }
        count(audit, &game, deck, deck_count, (unsigned)turns, json_integer_value(expected));
    }
}

/* JSON values, one behind the other. */
static void perft_file(struct audit *audit, const char *path, const struct file *file)
{
    char where[512];
    size_t at = 0, number = 0;
    json_error_t error;
    while (at < file->len) {
        json_t *line = json_loadb(file->bytes + at, file->len - at, JSON_DISABLE_EOF_CHECK, &error);
        snprintf(where, sizeof(where), "%s:%zu", path, ++number);
        audit->where = where;
        audit->turn = 0;
        if (!line) {
            audit_differs(audit, "%s", error.text);
            return;
        }
        perft_line(audit, line);
        json_decref(line);
        at += (size_t)error.position;
        at += strspn(file->bytes + at, " \r\n\t");
    }
}

static int run(const struct invocation *invocation)
{
    struct audit audit = {.out = stdout};
    struct file file;
    if (!file_read(&file, invocation->operands[0]))
        return EXIT_FILE;
    perft_file(&audit, invocation->operands[0], &file);
    file_release(&file);
    printf("%llu games, %llu turns, %llu differences\n", (unsigned long long)audit.games,
           (unsigned long long)audit.turns, (unsigned long long)audit.differences);
    return audit.differences > 0 ? EXIT_DIFFERS : EXIT_OK;
}

const struct command command_perft = {
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
    .run = run,
};
