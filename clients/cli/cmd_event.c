#include "event_trf.h"
#include "event_verify.h"
#include <cli/command.h>
#include <cli/file.h>
#include <cli/glyph.h>
#include <pairing/compare.h>
#include <pairing/trf.h>
#include <string.h>

struct event_options {
    bool json, names;
    int64_t rounds;
};

static const struct option_row rows[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "for programs: what was found as one JSON object",
     .offset = offsetof(struct event_options, json)},
    {.name = "names",
     .kind = OPTION_FLAG,
     .help = "pair: the names as well, for people",
     .offset = offsetof(struct event_options, names)},
    {.name = "rounds",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "how many rounds are planned, where the file does not say it (142)",
     .offset = offsetof(struct event_options, rounds),
     .min = 1,
     .max = PAIRING_ROUNDS_MAX},
    {.name = NULL},
};

static struct pairing_round found;
static struct pairing_difference difference;

static void complain_of_file(const char *path, const struct trf_place *place, const char *what)
{
    fputs("taluva: ", stderr);
    glyph_print_text(path, stderr);
    if (place->line != 0)
        fprintf(stderr, ", line %u", place->line);
    if (place->entrant != 0)
        fprintf(stderr, ", entrant %u", place->entrant);
    if (place->round != 0)
        fprintf(stderr, ", round %u", place->round);
    fprintf(stderr, ": %s\n", what);
}

static void complain_of_whole(const struct invocation *invocation, const char *what)
{
    complain_of_file(invocation->operands[1], &(struct trf_place){0}, what);
}

/* ---- what was found */

static void print_array(const struct pairing_round *round)
{
    putchar('[');
    for (unsigned i = 0; i < round->boards; i++)
        printf("%s[%u,%u]", i > 0 ? "," : "", round->board[i].white, round->board[i].black);
    putchar(']');
}

static void print_boards(const struct pairing_round *round)
{
    for (unsigned i = 0; i < round->boards; i++)
        printf(" %u-%u", round->board[i].white, round->board[i].black);
}

static void print_name(const struct pairing_event *event, unsigned number)
{
    printf("%4u ", number);
    glyph_print_text(event->entrant[number - 1].name, stdout);
}

static void print_names(const struct pairing_event *event)
{
    for (unsigned i = 0; i < found.boards; i++) {
        print_name(event, found.board[i].white);
        if (found.board[i].black == 0) {
            puts(" has a bye");
            continue;
        }
        fputs("  - ", stdout);
        print_name(event, found.board[i].black);
        putchar('\n');
    }
}

static void print_numbers(void)
{
    printf("%u\n", found.boards);
    for (unsigned i = 0; i < found.boards; i++)
        printf("%u %u\n", found.board[i].white, found.board[i].black);
}

/* ---- pair */

static const char *find_fault(const struct pairing_event *event)
{
    if (event->planned == 0)
        return "how many rounds are planned is not said (142), nor with --rounds";
    if (event->rounds >= event->planned)
        return "all rounds that are planned have been paired";
    return NULL;
}

static int pair_round(const struct invocation *invocation, const struct pairing_event *event)
{
    const struct event_options *options = invocation->options;
    const char *fault = find_fault(event);
    if (fault) {
        complain_of_whole(invocation, fault);
        return EXIT_DATA;
    }
    switch (pairing_dutch(event, event->rounds + 1, &found)) {
    case PAIRING_DONE:
        break;
    case PAIRING_IMPOSSIBLE:
        complain_of_whole(invocation, "there is no legal pairing of the next round");
        return EXIT_DIFFERS;
    case PAIRING_UNKNOWN_COLOUR:
        complain_of_whole(invocation, "the first colour is not said (152), nor does it follow");
        return EXIT_DATA;
    case PAIRING_OUT_OF_MEMORY:
        return EXIT_MEMORY;
    }
    if (options->json) {
        printf("{\"round\":%u,\"boards\":", event->rounds + 1);
        print_array(&found);
        puts("}");
    } else if (options->names) {
        print_names(event);
    } else {
        print_numbers();
    }
    return EXIT_OK;
}

/* ---- check */

static void print_difference(unsigned round, bool none, bool json, bool first)
{
    if (json && none) {
        printf("%s{\"round\":%u,\"no_pairing\":true}", first ? "" : ",", round);
    } else if (json) {
        printf("%s{\"round\":%u,\"expected\":", first ? "" : ",", round);
        print_array(&difference.expected);
        fputs(",\"given\":", stdout);
        print_array(&difference.given);
        putchar('}');
    } else if (none) {
        printf("round %u: there is no legal pairing\n", round);
    } else {
        printf("round %u: expected", round);
        print_boards(&difference.expected);
        fputs(", given", stdout);
        print_boards(&difference.given);
        putchar('\n');
    }
}

static int check_round(const struct pairing_event *event, unsigned round, bool json, bool first)
{
    const enum pairing_outcome outcome = pairing_dutch(event, round, &found);
    if (outcome == PAIRING_OUT_OF_MEMORY)
        return EXIT_MEMORY;
    if (outcome == PAIRING_DONE && !pairing_compare(event, round, &found, &difference))
        return EXIT_OK;
    print_difference(round, outcome != PAIRING_DONE, json, first);
    return EXIT_DIFFERS;
}

static int check_rounds(const struct invocation *invocation, struct pairing_event *event)
{
    const bool json = ((const struct event_options *)invocation->options)->json;
    unsigned differ = 0;
    if (event->first == 0 && pairing_first_colour(event) == 0)
        event->first = 'w'; /* no board has colours, so either would do */
    if (json)
        printf("{\"rounds\":%u,\"differences\":[", event->rounds);
    for (unsigned round = 1; round <= event->rounds; round++) {
        const int result = check_round(event, round, json, differ == 0);
        if (result == EXIT_MEMORY)
            return result;
        differ += result == EXIT_DIFFERS;
    }
    if (json)
        puts("]}");
    else
        printf("%u rounds, %u differ\n", event->rounds, differ);
    return differ > 0 ? EXIT_DIFFERS : EXIT_OK;
}

/* ---- the file */

static int look_at_event(const struct invocation *invocation, struct pairing_event *event)
{
    const struct event_options *options = invocation->options;
    if (event->planned == 0)
        event->planned = (unsigned)options->rounds;
    return strcmp(invocation->operands[0], "pair") == 0 ? pair_round(invocation, event)
                                                        : check_rounds(invocation, event);
}

static int read_event(const struct invocation *invocation, const struct file *file)
{
    struct pairing_event event;
    struct trf_place place;
    if (!pairing_event_init(&event))
        return EXIT_MEMORY;
    const enum trf_error error = trf_read(&event, file->bytes, file->len, &place);
    int result = error == TRF_OUT_OF_MEMORY ? EXIT_MEMORY : EXIT_DATA;
    if (error == TRF_OK)
        result = look_at_event(invocation, &event);
    else
        complain_of_file(invocation->operands[1], &place, trf_error_text(error));
    pairing_event_release(&event);
    return result;
}

static const char *const words[] = {"check", "pair", "trf", "verify", NULL};
enum { TRF = 2, VERIFY };

static int run_command(const struct invocation *invocation)
{
    const struct event_options *options = invocation->options;
    struct file file;
    unsigned what = 0;
    while (words[what] && strcmp(invocation->operands[0], words[what]) != 0)
        what++;
    if (!words[what])
        return command_complain(invocation, "an event is to be `check`, `pair`, `trf` or `verify`");
    if (!file_read(&file, invocation->operands[1]))
        return EXIT_FILE;
    const int result = what == VERIFY ? event_verify_log(&file, options->json)
                       : what == TRF  ? event_print_report(&file)
                                      : read_event(invocation, &file);
    file_release(&file);
    return result;
}

const struct command command_event = {
    .name = "event",
    .operands = "WHAT FILE",
    .words = words,
    .summary = "Pair or check rounds of a Swiss event, or verify the log of an event",
    .details =
        "No server is asked; `-` is the standard input. For `pair` and `check` FILE is a\n"
        "tournament report file of FIDE (TRF16 or TRF26), and rounds are paired by FIDE's\n"
        "Dutch system, C.04.3 as in force from 1 February 2026.\n\n"
        "`pair` prints the round after the last: how many boards there are, and then a line for\n"
        "each, the number of the first player (white) and that of the other, or 0 for a bye.\n"
        "Whoever has asked for a bye (240, or a result of that round) is left out; who must not\n"
        "meet (260, XXP) does not, and rounds can be accelerated (192 with _BAKU, 250, XXA).\n\n"
        "`check` pairs each round again from those before it, and prints where the file has other\n"
        "boards: those that were expected, and those given instead, as 3-5, or 7-0 for a bye.\n\n"
        "`verify` goes through the log of an event of any form (protocol/events.md): each entry\n"
        "has to follow from those before it, and each round from the secret that was committed\n"
        "to at first and is revealed at the end. It prints the standings. `trf` does the same\n"
        "for a Swiss event that has ended, and prints its report file for `check`.\n\n"
        "The exit status is 1 if a round differs, if the next one cannot be paired legally, or\n"
        "if an entry does not follow, and 65 if the file is none, or contradicts itself; where,\n"
        "is said.",
    .operands_min = 2,
    .operands_max = 2,
    .rows = rows,
    .options_size = sizeof(struct event_options),
    .run = run_command,
};
