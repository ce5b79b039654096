/* Rare states of several nodes that a run must have reached; as ../marks.h. */
#ifndef NODES_MARKS_H
#define NODES_MARKS_H

#include <stdint.h>

#define NODE_MARKS(ROW)                                                                            \
    ROW(DOCUMENT_TOLD, "a document was changed, and held at all nodes")                            \
    ROW(DOCUMENT_BY_FEATURE, "... as the guest book of a part had asked for")                      \
    ROW(DOCUMENT_LATE, "... but for one that did not take it in time")                             \
    ROW(DOCUMENT_OTHERS, "... by two at once, of whom one was told")                               \
    ROW(DOCUMENT_UNHEARD, "... and whoever did that has heard nothing of it")                      \
    ROW(LETTER_ASIDE, "a letter that nobody can apply was set aside")                              \
    ROW(KILLED, "a node was killed")                                                               \
    ROW(KILLED_IN_COMMIT, "... while a batch was on its way")                                      \
    ROW(RESTARTED, "... and came back under its name")                                             \
    ROW(STOPPED, "a node was stopped, and went on")                                                \
    ROW(STOPPED_IN_PIPELINE, "... in the middle of sending a batch")                               \
    ROW(HOLDER_ENDED, "the connection of a silent owner was ended")                                \
    ROW(STUCK_LOCK, "... which had locked its row in the middle of a batch")                       \
    ROW(OPENING_ENDED, "... or of who had locked a part and took no term")                         \
    ROW(TAKEN_OVER, "a part was taken from an owner that still ran")                               \
    ROW(WOKE_FENCED, "an owner woke up, or came back, and found its part taken")                   \
    ROW(ROW_TAKEN, "an owner saw in the rows that its part was taken")                             \
    ROW(LEASE_LOST, "a node had lost a lease")                                                     \
    ROW(LEASE_HELD, "... and spoke again")                                                         \
    ROW(ANSWER_LOST, "the answer to a batch was lost")                                             \
    ROW(ALREADY, "... which was sent again, and had been written")                                 \
    ROW(NOT_YET, "... or had not")                                                                 \
    ROW(GIVEN_UP, "... or was given up after a while")                                             \
    ROW(GIVEN_UP_FENCED, "... and had been written: its server ended")                             \
    ROW(WARNED, "a batch was confirmed, as it was perhaps not at the standby")                     \
    ROW(WAIT_CANCELLED, "somebody cancelled the wait for the standby")                             \
    ROW(CONN_LOST, "a connection to the database was lost")                                        \
    ROW(CONN_DEAF, "... which its node did not know for long")                                     \
    ROW(DB_AWAY, "the database was away")                                                          \
    ROW(FAILOVER, "its standby took over")                                                         \
    ROW(FAILOVER_LOST, "... without a batch that nobody had been told of")                         \
    ROW(ALONE, "the database did not wait for its standby")                                        \
    ROW(FAILOVER_LOST_TOLD, "... which took over without what clients had been told")              \
    ROW(LOSS_DETECTED, "... and an owner found that out, and stopped")                             \
    ROW(CUT_FROM_DB, "a node was cut off from the database")                                       \
    ROW(CUT_FROM_NODE, "two nodes were cut off from each other")                                   \
    ROW(CUT_FROM_PEOPLE, "a node was cut off from its clients")                                    \
    ROW(CUT_ONE_WAY, "... in one direction only")                                                  \
    ROW(HALF_OPEN, "a link was lost at one end long before the other")                             \
    ROW(RELAY_CUT, "a link was lost with what was under way")                                      \
    ROW(LINK_REPLACED, "a link was made while the other end still had the last")                   \
    ROW(LINK_FULL, "a link carried as much as it can, and more waited")                            \
    ROW(SLOW_LINK, "a link was slow")                                                              \
    ROW(HANDED_OVER, "a part was handed over by a node that went on")                              \
    ROW(HANDED_OVER_BUSY, "... while it had something to write")                                   \
    ROW(LEFT, "a node was asked to end")                                                           \
    ROW(LEFT_BUSY, "... while it had something to write")                                          \
    ROW(WAITED_FOR_PART, "a message waited for a part that nobody had")                            \
    ROW(RELAYED, "a node told a client what another one had")                                      \
    ROW(SEAT_COMPARED, "a seat in the answer to hello was compared")                               \
    ROW(CLOCK_COMPARED, "a clock had gone on, and nobody had served its part in between")          \
    ROW(NO_MEMORY, "an allocation failed in a hub or a site")                                      \
    ROW(STORE_FAILING, "a change was refused as the database was away")                            \
    ROW(CLOCK_BEHIND, "a new owner's clock was behind")                                            \
    ROW(DIVIDED, "the site was divided anew")                                                      \
    ROW(DIVIDED_LETTERS, "... while letters waited")                                               \
    ROW(DIVIDED_CLAIMS, "... and somebody had a handle")                                           \
    ROW(DIVIDED_RATED, "... and somebody was rated")                                               \
    ROW(DIVIDED_UNRATED, "... while a rated match was on its way to the book")                     \
    ROW(DIVIDED_BUSY, "... after a batch that its node has not seen the end of")                   \
    ROW(NOT_DIVIDED, "... or was not, as somebody used it")                                        \
    ROW(CLAIMS_CROSSED, "a handle was claimed at two nodes at once")                               \
    ROW(LETTER_SENT, "a letter was for another part")                                              \
    ROW(MATCH_RATED, "a rated match came into the book")                                           \
    ROW(TEAMS_RATED, "... and one of two against two")

enum node_mark {
#define NODE_MARK_ENUM(name, text) SEEN_##name,
    NODE_MARKS(NODE_MARK_ENUM)
#undef NODE_MARK_ENUM
        NODE_MARK_COUNT
};

void node_mark(enum node_mark mark);
extern const struct rare_place *const node_mark_places; /* worlds.h */

#endif
