/*
 * Pairings as a filter. What is asked: `pair BYTES` or `check BYTES` in a line, and behind it so
 * many bytes of a tournament report file. The answer to `pair` is a line with the next round, to
 * `check` a line for each round: its number and its boards, as WHITE-BLACK, or `none` if there is
 * no legal one; then `|` and, of a round that has been paired, the boards that are expected and not
 * given, `|`, and those given and not expected. A file that is refused has `refused` and why.
 */
#include <pairing/compare.h>
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

static void answer_file(const char *text, size_t len, bool all)
{
    struct pairing_event event;
    struct trf_place place;
    if (!pairing_event_init(&event))
        exit(EX_OSERR);
    const enum trf_error error = trf_read(&event, text, len, &place);
    if (error != TRF_OK)
        printf("refused: line %u: %s\n", place.line, trf_error_text(error));
    for (unsigned round = 1; error == TRF_OK && all && round <= event.rounds; round++)
        answer_round(&event, round);
    if (error == TRF_OK && !all)
        answer_round(&event, event.rounds + 1);
    puts(".");
    pairing_event_release(&event);
}

int main(void)
{
    char verb[8];
    size_t len;
    char *text = malloc(TRF_BYTES_MAX);
    if (!text)
        return EX_OSERR;
    while (scanf("%7s %zu", verb, &len) == 2 && getchar() == '\n') {
        if (len > TRF_BYTES_MAX || fread(text, 1, len, stdin) != len)
            return EX_DATAERR;
        answer_file(text, len, strcmp(verb, "check") == 0);
    }
    free(text);
    return feof(stdin) ? EX_OK : EX_DATAERR;
}
