/*
 * Pairings as a filter. What is asked: `pair BYTES` or `check BYTES` in a line, and behind it so
 * many bytes of a tournament report file. The answer to `pair` is a line with the next round, to
 * `check` a line for each round: its number and its boards, as WHITE-BLACK, or `none` if there is
 * no legal one; then `|` and, of a round that has been paired, the boards that are expected and not
 * given, `|`, and those given and not expected. The answer to `ties` is a line for each entrant:
 * points, adjusted score, Buchholz and its Cut-1 in tenths, Sonneborn-Berger and its Cut-1 in
 * hundredths; to `direct BYTES NUMBER ...` these numbers sorted, as NUMBER:PLACE. `berger 0
 * ENTRANTS ROUND` is answered as `pair` is. A file that is refused has `refused` and why.
 */
#include <pairing/berger.h>
#include <pairing/compare.h>
#include <pairing/tiebreak.h>
#include <pairing/trf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static struct pairing_round round_found;
static struct pairing_difference difference;

static void print_boards(const struct pairing_round *round)
{
    for (unsigned i = 0; i < round->boards; i++)
        printf(" %u-%u", round->board[i].white, round->board[i].black);
}

static void answer_round(const struct pairing_event *event, unsigned round)
{
    const enum pairing_outcome outcome = pairing_dutch(event, round, &round_found);
    if (outcome == PAIRING_OUT_OF_MEMORY)
        exit(EX_OSERR);
    printf("%u", round);
    if (outcome == PAIRING_DONE)
        print_boards(&round_found);
    else
        fputs(outcome == PAIRING_IMPOSSIBLE ? " none" : " colour", stdout);
    if (round <= event->rounds && outcome == PAIRING_DONE) {
        (void)pairing_compare(event, round, &round_found, &difference);
        fputs(" |", stdout);
        print_boards(&difference.expected);
        fputs(" |", stdout);
        print_boards(&difference.given);
    }
    putchar('\n');
}

/* ---- ties */

static void answer_ties(const struct pairing_event *event)
{
    static unsigned scores[PAIRING_ENTRANTS_MAX];
    pairing_adjusted_scores(event, scores);
    for (unsigned number = 1; number <= event->entrants; number++) {
        struct pairing_tiebreaks ties;
        pairing_tiebreaks(event, scores, number, &ties);
        printf("%u %u %u %u %u %u\n", ties.points, scores[number - 1], ties.buchholz,
               ties.buchholz_cut, ties.sonneborn, ties.sonneborn_cut);
    }
}

/* Numbers with blanks between them. */
static unsigned read_numbers(const char *text, unsigned numbers[])
{
    unsigned count = 0;
    for (char *end; count < PAIRING_ENTRANTS_MAX; text = end) {
        const unsigned long number = strtoul(text, &end, 10);
        if (end == text)
            break;
        numbers[count++] = (unsigned)number;
    }
    return count;
}

static void answer_direct(const struct pairing_event *event, const char *text)
{
    static unsigned numbers[PAIRING_ENTRANTS_MAX], places[PAIRING_ENTRANTS_MAX];
    const unsigned count = read_numbers(text, numbers);
    pairing_direct(event, numbers, places, count);
    for (unsigned i = 0; i < count; i++)
        printf("%u:%u ", numbers[i], places[i]);
    putchar('\n');
}

static void answer_berger(const char *text)
{
    unsigned numbers[PAIRING_ENTRANTS_MAX];
    if (read_numbers(text, numbers) != 2)
        exit(EX_DATAERR);
    pairing_berger(numbers[0], numbers[1], &round_found);
    printf("%u", numbers[1]);
    print_boards(&round_found);
    puts("\n.");
}

/* ---- files */

static void answer_event(const struct pairing_event *event, const char *verb, const char *more)
{
    if (strcmp(verb, "ties") == 0) {
        answer_ties(event);
    } else if (strcmp(verb, "direct") == 0) {
        answer_direct(event, more);
    } else if (strcmp(verb, "pair") == 0) {
        answer_round(event, event->rounds + 1);
    } else {
        for (unsigned round = 1; round <= event->rounds; round++)
            answer_round(event, round);
    }
}

static void answer_file(const char *text, size_t len, const char *verb, const char *more)
{
    struct pairing_event event;
    struct trf_place place;
    if (!pairing_event_init(&event))
        exit(EX_OSERR);
    const enum trf_error error = trf_read(&event, text, len, &place);
    if (error == TRF_OK)
        answer_event(&event, verb, more);
    else
        printf("refused: line %u: %s\n", place.line, trf_error_text(error));
    puts(".");
    pairing_event_release(&event);
}

int main(void)
{
    char line[256], verb[8];
    size_t len;
    int more;
    char *text = malloc(TRF_BYTES_MAX);
    if (!text)
        return EX_OSERR;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%7s %zu %n", verb, &len, &more) != 2 || len > TRF_BYTES_MAX ||
            fread(text, 1, len, stdin) != len)
            return EX_DATAERR;
        if (strcmp(verb, "berger") == 0)
            answer_berger(line + more);
        else
            answer_file(text, len, verb, line + more);
    }
    free(text);
    return EX_OK;
}
