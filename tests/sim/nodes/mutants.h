/* Faults that are put in on purpose, one at a time: the simulator must find each. */
#ifndef NODES_MUTANTS_H
#define NODES_MUTANTS_H

#define MUTANTS(ROW)                                                                               \
    ROW(NO_FENCE, "a batch is written whatever the term")                                          \
    ROW(NO_LEASE, "a node that may have lost a part says what it holds")                           \
    ROW(NO_NUMBER, "a batch that is sent again is written again")                                  \
    ROW(ANSWER_EARLY, "a batch is said to be durable when it is sent")                             \
    ROW(LOST_IS_DONE, "a batch without an answer is said to be durable")                           \
    ROW(LOST_IS_FAILED, "... or to have failed, and its number is used again")                     \
    ROW(NO_STANDBY, "what is on one disk is said to be durable")                                   \
    ROW(NO_CONFIRM, "a batch that was written before is not confirmed by another")                 \
    ROW(NO_WARNING, "a batch is said to be durable though its wait for the standby was cut")       \
    ROW(NO_BEHIND, "batches that are missing are not looked for")                                  \
    ROW(NOT_ENDED, "a silent owner's connection is not ended")                                     \
    ROW(STUCK_LOCK, "... or is, and what it has locked in the middle of a batch stays")            \
    ROW(OPENING_KEPT, "who has locked a part and takes no term is never ended")                    \
    ROW(ROW_IGNORED, "an owner does not see in the rows that its part was taken")                  \
    ROW(TAKES_ANYWAY, "a part is taken though it is not as it was when that was decided")          \
    ROW(SERVED_TWICE, "a part is opened without a new term")                                       \
    ROW(GAP_CHARGED, "clocks go on while nobody serves a part")                                    \
    ROW(LETTER_LOST, "a letter for another part is not written")                                   \
    ROW(LETTER_STAYS, "a letter stays where it is when it has been applied")                       \
    ROW(POISON_STAYS, "a letter that nobody can apply is not set aside")                           \
    ROW(POISON_LOST, "... or is gone")                                                             \
    ROW(GREETING_LOST, "what a greeting leads to is not written")                                  \
    ROW(PAGE_ENDS, "a page of rows does not say that there are more")                              \
    ROW(PAGE_AGAIN, "... or begins where the one before did")                                      \
    ROW(PAGE_OF_PART, "... or has the rows of one part alone")                                     \
    ROW(CLAIM_TWICE, "a handle is given to two")                                                   \
    ROW(DIVIDED_LETTERS, "letters that wait are not there when the site is divided anew")          \
    ROW(DIVIDED_CLAIMS, "... or handles")                                                          \
    ROW(DIVIDED_WORDS, "... or words of the guest book")                                           \
    ROW(DIVIDED_RATINGS, "... or what somebody is rated")                                          \
    ROW(DIVIDED_BOOK, "... or where the book of ratings ends")                                     \
    ROW(DIVIDED_SECRETS, "... or a token is looked for in the part that has its session alone")    \
    ROW(DIVIDED_DOCUMENT, "... or a document is the one before")                                   \
    ROW(DIVIDED_BUSY, "... or it is while a node's last batch is on its way")                      \
    ROW(DOCUMENT_BLIND, "a document is put in place of whatever is there")                         \
    ROW(DOCUMENT_EARLY, "... and said to hold when it is kept")                                    \
    ROW(DOCUMENT_UNSAID, "a node has parts, and others cannot see which one it has")               \
    ROW(DOCUMENT_ONCE, "a node reads the document when it begins, and never again")                \
    ROW(DOCUMENT_UNSHARED, "a part that comes to a node goes by none")                             \
    ROW(FRAME_DOUBLED, "a frame arrives twice")                                                    \
    ROW(FRAME_LOST, "a frame does not arrive, and the next does")                                  \
    ROW(FRAMES_SWAPPED, "two frames arrive in the other order")                                    \
    ROW(OLD_CABLE, "frames of a connection that was lost arrive by the next")

enum mutant {
    MUTANT_NONE,
#define MUTANT_ENUM(name, text) MUTANT_##name,
    MUTANTS(MUTANT_ENUM)
#undef MUTANT_ENUM
        MUTANT_COUNT
};

#endif
