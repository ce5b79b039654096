/*
 * The closed vocabularies of the protocol: each an enum and its words on the wire, translated both
 * ways.
 *
 * `protocol_X_name` gives the static word of a value. `protocol_X_find` finds the value of a word
 * of `len` bytes (no NUL needed) and answers false, leaving `*out` alone, if there is none.
 */
#ifndef PROTOCOL_TERMS_H
#define PROTOCOL_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTOCOL_ACCESSES(ROW)                                                                     \
    ROW(ACCESS_OPEN, "open")                                                                       \
    ROW(ACCESS_CODE, "code")

#define PROTOCOL_OFFERS(ROW)                                                                       \
    ROW(OFFER_PAUSE, "pause")                                                                      \
    ROW(OFFER_RESUME, "resume")                                                                    \
    ROW(OFFER_CALL_OFF, "call_off")                                                                \
    ROW(OFFER_COMPUTER, "computer")                                                                \
    ROW(OFFER_CLAIM, "claim")

#define PROTOCOL_CLOCK_KINDS(ROW)                                                                  \
    ROW(CLOCK_NONE, "none")                                                                        \
    ROW(CLOCK_MOVE, "move")                                                                        \
    ROW(CLOCK_FISCHER, "fischer")                                                                  \
    ROW(CLOCK_BYOYOMI, "byoyomi")                                                                  \
    ROW(CLOCK_DAYS, "days")

#define PROTOCOL_TIMEOUTS(ROW)                                                                     \
    ROW(TIMEOUT_ELIMINATE, "eliminate")                                                            \
    ROW(TIMEOUT_COMPUTER, "computer")

#define PROTOCOL_PHASES(ROW)                                                                       \
    ROW(PHASE_LOBBY, "lobby")                                                                      \
    ROW(PHASE_PLAYING, "playing")                                                                  \
    ROW(PHASE_PAUSED, "paused")                                                                    \
    ROW(PHASE_OVER, "over")

#define PROTOCOL_EVENTS(ROW)                                                                       \
    ROW(EVENT_CREATED, "created")                                                                  \
    ROW(EVENT_SAT, "sat")                                                                          \
    ROW(EVENT_STOOD, "stood")                                                                      \
    ROW(EVENT_READIED, "readied")                                                                  \
    ROW(EVENT_STARTED, "started")                                                                  \
    ROW(EVENT_MOVE, "move")                                                                        \
    ROW(EVENT_UNDONE, "undone")                                                                    \
    ROW(EVENT_RESIGNED, "resigned")                                                                \
    ROW(EVENT_TIMED_OUT, "timed_out")                                                              \
    ROW(EVENT_REPLACED, "replaced")                                                                \
    ROW(EVENT_RETURNED, "returned")                                                                \
    ROW(EVENT_OFFERED, "offered")                                                                  \
    ROW(EVENT_WITHDREW, "withdrew")                                                                \
    ROW(EVENT_PAUSED, "paused")                                                                    \
    ROW(EVENT_RESUMED, "resumed")                                                                  \
    ROW(EVENT_CALLED_OFF, "called_off")                                                            \
    ROW(EVENT_REMATCHED, "rematched")                                                              \
    ROW(EVENT_HINTED, "hinted")

#define PROTOCOL_NOTICES(ROW)                                                                      \
    ROW(NOTICE_DRAINING, "draining")                                                               \
    ROW(NOTICE_SERVING, "serving")                                                                 \
    ROW(NOTICE_ANNOUNCEMENT, "announcement")                                                       \
    ROW(NOTICE_CLOSED, "closed")                                                                   \
    ROW(NOTICE_LEFT_OUT, "left_out")                                                               \
    ROW(NOTICE_WHOLE, "whole")                                                                     \
    ROW(NOTICE_STORE_FAILING, "store_failing")                                                     \
    ROW(NOTICE_STORE_RECOVERED, "store_recovered")

/* The languages of the page: in each of them the lobby has a room. */
#define PROTOCOL_LANGS(ROW)                                                                        \
    ROW(LANG_EN, "en")                                                                             \
    ROW(LANG_DE, "de")                                                                             \
    ROW(LANG_ES, "es")                                                                             \
    ROW(LANG_FR, "fr")                                                                             \
    ROW(LANG_IT, "it")                                                                             \
    ROW(LANG_JA, "ja")                                                                             \
    ROW(LANG_PL, "pl")                                                                             \
    ROW(LANG_ZH, "zh")

#define PROTOCOL_TERM(type, TABLE, COUNT)                                                          \
    enum protocol_##type{TABLE(PROTOCOL_TERM_ENUM) PROTOCOL_##COUNT};                              \
    const char *protocol_##type##_name(enum protocol_##type);                                      \
    bool protocol_##type##_find(enum protocol_##type *out, const char *word, size_t len);
#define PROTOCOL_TERM_ENUM(name, word) PROTOCOL_##name,

PROTOCOL_TERM(access, PROTOCOL_ACCESSES, ACCESS_COUNT)
PROTOCOL_TERM(offer, PROTOCOL_OFFERS, OFFER_COUNT)
PROTOCOL_TERM(clock_kind, PROTOCOL_CLOCK_KINDS, CLOCK_KIND_COUNT)
PROTOCOL_TERM(timeout, PROTOCOL_TIMEOUTS, TIMEOUT_COUNT)
PROTOCOL_TERM(phase, PROTOCOL_PHASES, PHASE_COUNT)
PROTOCOL_TERM(event, PROTOCOL_EVENTS, EVENT_COUNT)
PROTOCOL_TERM(notice, PROTOCOL_NOTICES, NOTICE_COUNT)
PROTOCOL_TERM(lang, PROTOCOL_LANGS, LANG_COUNT)

#undef PROTOCOL_TERM
#undef PROTOCOL_TERM_ENUM

/* `create.clock`. Only the members of its kind are set, all others are 0. */
struct protocol_clock {
    enum protocol_clock_kind kind;
    enum protocol_timeout on_timeout;
    uint32_t move_s;      /* move: 1.. */
    uint32_t bank_s;      /* fischer, byoyomi: 0.., and not both 0 with increment_s */
    uint32_t increment_s; /* fischer */
    uint32_t periods;     /* byoyomi: 1.. */
    uint32_t period_s;    /* byoyomi: 1.. */
    uint32_t days;        /* days: 1.. */
};

#endif
