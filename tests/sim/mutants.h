/* Faults that are put in on purpose, one at a time: the simulator of one hub must find each. */
#ifndef SIM_MUTANTS_H
#define SIM_MUTANTS_H

#define SIM_MUTANTS(ROW)                                                                           \
    ROW(LETTER_LOST, "a letter is not written")                                                    \
    ROW(LETTER_STAYS, "a letter stays where it is when it has been applied")                       \
    ROW(EFFECT_LOST, "what a letter leads to is not written")                                      \
    ROW(COUNT_LOST, "... or what it leads to for a profile")                                       \
    ROW(POISON_STAYS, "a letter that nobody can apply is not set aside")                           \
    ROW(POISON_LOST, "... or is gone")                                                             \
    ROW(GREETING_LOST, "what a greeting leads to is not written")                                  \
    ROW(WORD_LOST, "a word of the guest book is not written")                                      \
    ROW(PAGE_ENDS, "a page of rows does not say that there are more")                              \
    ROW(PAGE_AGAIN, "... or begins where the one before did")                                      \
    ROW(CLAIM_LOST, "a handle is not written")                                                     \
    ROW(CLAIM_TWICE, "... or given to two")                                                        \
    ROW(MATCH_UNSENT, "a rated match is not sent to the book")                                     \
    ROW(TEAMS_UNSENT, "... nor one of two against two")                                            \
    ROW(TEAMS_SWAPPED, "... or that one as won by the others")                                     \
    ROW(LINE_LOST, "... or not written there")                                                     \
    ROW(RATING_LOST, "what somebody is rated is not written")                                      \
    ROW(BOOK_END_LOST, "... or where the book ends")                                               \
    ROW(ANNUL_LOST, "that a match is annulled is not written into the book")                       \
    ROW(ANNUL_EARLY, "... or said when it was only decided")                                       \
    ROW(REFUND_UNSAID, "who gets something back by that is not told")                              \
    ROW(LEVEL_LOST, "a match against a level of the computer is not counted")                      \
    ROW(LEVEL_TWICE, "... or twice")                                                               \
    ROW(RATED_UNSAID, "who has played a rated match is not told")                                  \
    ROW(CONDUCT_UNSENT, "... nor how they have behaved said")                                      \
    ROW(CONDUCT_LOST, "... or not kept")                                                           \
    ROW(REPORT_UNSENT, "who gives up again and again is not reported")                             \
    ROW(PLACE_LOST, "where somebody plays is not written")                                         \
    ROW(PLACE_UNSAID, "... or that they are out of it not said to the desk")                       \
    ROW(DOCUMENT_LOST, "a document is not written")                                                \
    ROW(DOCUMENT_EARLY, "a document is said to be kept when it is put")                            \
    ROW(DOCUMENT_OLD, "a document comes back as it was before its last change")                    \
    ROW(DOCUMENT_UNHELD, "what is kept of it does not hold")                                       \
    ROW(LOBBY_UNTOLD, "a line of the lobby is not told")                                           \
    ROW(LOBBY_NUMBER, "... or under another number")                                               \
    ROW(LOBBY_STAYS, "... or still, when it was taken away")

enum sim_mutant {
    SIM_MUTANT_NONE,
#define SIM_MUTANT_ENUM(name, text) SIM_MUTANT_##name,
    SIM_MUTANTS(SIM_MUTANT_ENUM)
#undef SIM_MUTANT_ENUM
        SIM_MUTANT_COUNT
};

extern enum sim_mutant sim_mutant;

#endif
