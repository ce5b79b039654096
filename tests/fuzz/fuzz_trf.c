/*
 * Any bytes as a tournament report file: either it is refused with a place that is there, or it is
 * written, read again and the same; and where the next round can be paired, everybody who is to
 * play does so once, with nobody whom they have met.
 */
#include "fuzz.h"
#include <pairing/dutch.h>
#include <pairing/trf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRED_MAX = 40 /* entrants: more take too long for many tries */ };

#define HOLD(promise)                                                                              \
    do {                                                                                           \
        if (!(promise)) {                                                                          \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #promise);                    \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void hold_refused(const struct trf_place *place, const char *bytes, size_t len)
{
    size_t lines = 1;
    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n' || bytes[i] == '\r';
    HOLD(place->line <= lines);
    HOLD(place->entrant <= PAIRING_ENTRANTS_MAX);
}

static void hold_written(const struct pairing_event *event)
{
    const size_t len = trf_write(event, NULL, 0);
    char *text = malloc(len + 1), *again = malloc(len + 1);
    struct pairing_event copy;
    struct trf_place place;
    HOLD(text && again && pairing_event_init(&copy));
    HOLD(trf_write(event, text, len) == len);
    HOLD(trf_read(&copy, text, len, &place) == TRF_OK);
    HOLD(copy.entrants == event->entrants && copy.rounds == event->rounds);
    HOLD(trf_write(&copy, again, len) == len);
    HOLD(memcmp(text, again, len) == 0);
    pairing_event_release(&copy);
    free(text);
    free(again);
}

static void hold_board(const struct pairing_event *event, unsigned white, unsigned black)
{
    HOLD(white >= 1 && white <= event->entrants && black <= event->entrants && white != black);
    for (unsigned round = 1; black != 0 && round <= event->rounds; round++) {
        const struct pairing_meeting *meeting = pairing_meeting_of(event, white, round);
        HOLD(meeting->opponent != black || !pairing_was_played(meeting));
    }
}

static void hold_paired(const struct pairing_event *event)
{
    static struct pairing_round round;
    bool there[PAIRING_ENTRANTS_MAX + 1] = {false};
    if (event->entrants > PAIRED_MAX || event->rounds >= PAIRING_ROUNDS_MAX ||
        pairing_dutch(event, event->rounds + 1, &round) != PAIRING_DONE)
        return;
    for (unsigned i = 0; i < round.boards; i++) {
        const unsigned white = round.board[i].white, black = round.board[i].black;
        hold_board(event, white, black);
        HOLD(!there[white] && !(black != 0 && there[black]));
        there[white] = there[black] = true;
    }
    for (unsigned number = 1; number <= event->entrants; number++)
        HOLD(there[number] == !event->entrant[number - 1].away);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pairing_event event;
    struct trf_place place;
    const char *bytes = (const char *)data;
    HOLD(pairing_event_init(&event));
    if (trf_read(&event, bytes, size, &place) == TRF_OK) {
        hold_written(&event);
        hold_paired(&event);
    } else {
        hold_refused(&place, bytes, size);
    }
    pairing_event_release(&event);
    return 0;
}
