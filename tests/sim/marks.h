/*
 * Marks: rare states that a run must have reached, counted over all its worlds. A simulator that
 * never reaches them proves nothing about them.
 */
#ifndef SIM_MARKS_H
#define SIM_MARKS_H

#include <stdint.h>

#define MARKS(ROW)                                                                                 \
    ROW(MATCH_OVER, "a match was played to its end")                                               \
    ROW(LETTER_APPLIED, "... and the list of a player was told by a letter")                       \
    ROW(MATCH_COUNTED, "... and counted for who has a handle")                                     \
    ROW(MATCH_FOUND, "two who sought a match were told of a table")                                \
    ROW(PLACE_TAKEN, "... and has their only place there")                                         \
    ROW(MATCH_RATED, "... and played, and it came into the book")                                  \
    ROW(TEAMS_RATED, "... that of two against two too, with the sides that they were")             \
    ROW(RATED_TOLD, "... and one of them was told what it makes of their rating")                  \
    ROW(ANNULLED, "... which an operator annulled")                                                \
    ROW(ANNULLED_ALREADY, "... and could not annul again")                                         \
    ROW(REFUND_TOLD, "... and who had lost by it was told what they get back")                     \
    ROW(BEHAVED, "... and how they have behaved there was kept")                                   \
    ROW(GAVE_UP, "... and reported that they give up again and again")                             \
    ROW(LEVEL_COUNTED, "a match against a level of the computer was counted")                      \
    ROW(CLAIM_GRANTED, "a handle was claimed")                                                     \
    ROW(CLAIM_TAKEN, "... at once with somebody who got it")                                       \
    ROW(CLAIM_REFUSED, "... that somebody had already")                                            \
    ROW(CLAIM_BACK, "who has a handle was told of it on coming again")                             \
    ROW(LETTER_ASIDE, "a letter that nobody can apply was set aside")                              \
    ROW(DOCUMENT_KEPT, "an operator changed a document")                                           \
    ROW(DOCUMENT_BY_FEATURE, "... or the guest book did")                                          \
    ROW(DOCUMENT_NOT_KEPT, "... which could not be kept")                                          \
    ROW(DOCUMENT_BACK, "... and a server that came up had it")                                     \
    ROW(MATCH_ABANDONED, "a match was called off because nobody was there")                        \
    ROW(FLAG_FELL, "a player was eliminated by the clock")                                         \
    ROW(REPLACED, "the computer took an absent player's seat")                                     \
    ROW(RETURNED, "... and gave it back")                                                          \
    ROW(COMPUTER_MOVED, "a computer player moved")                                                 \
    ROW(THOUGHT_ANSWERED, "... after a worker had thought of the move")                            \
    ROW(THOUGHT_LATE, "... quickly, as the worker was late")                                       \
    ROW(THOUGHT_FAILED, "... quickly, as the worker had no answer")                                \
    ROW(THOUGHT_REFUSED, "... quickly, as no worker had time")                                     \
    ROW(THOUGHT_CANCELLED, "a room went on while its move was thought of")                         \
    ROW(THOUGHT_ALONE, "a worker thought for computers among themselves")                          \
    ROW(THOUGHT_ALONE_REFUSED, "... which have a bound")                                           \
    ROW(MOVE_WITHOUT_MEMORY, "a worker had no memory to think of a move")                          \
    ROW(MOVE_KILLED, "... or was gone before it began")                                            \
    ROW(THOUGHT_LOST, "a worker was never heard of again")                                         \
    ROW(THOUGHT_NO_MEMORY, "a worker that had begun ran out of memory")                            \
    ROW(SECRET_EXCHANGED, "two hidden cards were exchanged, and an audience was told the same")    \
    ROW(SPELLS_EXCHANGED, "two hidden spells were, and an audience was told the same")             \
    ROW(ROOM_EXCHANGED, "... and a whole room, restored, told it the same")                        \
    ROW(PUSH_COMPARED, "what differs for its hearers was told to the right one")                   \
    ROW(MOVES_COMPARED, "... and what a seat may do")                                              \
    ROW(SECRET_MOVE, "a choice was made that others may not know")                                 \
    ROW(SECRET_UNDONE, "... and taken back")                                                       \
    ROW(NOTE_UNDONE, "... a note of Totem, before it was read")                                    \
    ROW(PEOPLE_TAKEN, "families of other seats were asked whose people starve")                    \
    ROW(FAMILY_LEFT, "a seat left a match of Totem, with its families")                            \
    ROW(TOTEM_OVER, "a match of Totem was played to its end")                                      \
    ROW(ACTED_AT_ONCE, "several seats could act, and the one that did was not the first")          \
    ROW(UNDONE, "a placement was taken back")                                                      \
    ROW(HINTED, "a hint was asked for")                                                            \
    ROW(HINT_GIVEN, "... and given")                                                               \
    ROW(HINT_COMPARED, "... which was what a search of the durable position finds")                \
    ROW(HINT_QUICK, "... by a server without workers")                                             \
    ROW(HINT_LATE, "a hint was given up, as its worker was late")                                  \
    ROW(HINT_CANCELLED, "... as who asked was gone")                                               \
    ROW(HINT_MOVED_ON, "... as the room had gone on")                                              \
    ROW(HINT_REFUSED, "... before it began, as too many were waiting")                             \
    ROW(HINT_WITHOUT_MEMORY, "... as its worker had no memory")                                    \
    ROW(HINT_KILLED, "... as its worker was gone")                                                 \
    ROW(ANALYSED, "a match was analysed, and its durable log has the same analysis")               \
    ROW(ANALYSED_AGAIN, "... which somebody had got before")                                       \
    ROW(ANALYSED_AFTER_RESTART, "... from another process")                                        \
    ROW(ANALYSIS_LATE, "an analysis was given up, as its worker was late")                         \
    ROW(ANALYSIS_CANCELLED, "... as all who asked were gone")                                      \
    ROW(ANALYSIS_REFUSED, "... before it began, as too many were waiting")                         \
    ROW(ANALYSIS_WITHOUT_MEMORY, "... as its worker had no memory")                                \
    ROW(ANALYSIS_KILLED, "... as its worker was gone")                                             \
    ROW(ANALYSIS_TOO_EARLY, "... as the match was not over")                                       \
    ROW(ANALYSIS_NOT_MADE, "... as its game or the server has none")                               \
    ROW(PAUSED, "a match was paused by agreement")                                                 \
    ROW(CALLED_OFF, "a match was called off by agreement")                                         \
    ROW(AGREED_WITHOUT, "who stayed away was not waited for")                                      \
    ROW(CLOCK_HELD, "clocks went on after the server was away")                                    \
    ROW(REMATCH, "a rematch was made")                                                             \
    ROW(RESUMED_WITHOUT_STATE, "a client came back and got just what it had missed")               \
    ROW(RESUMED_NOTHING_MISSED, "... which was nothing")                                           \
    ROW(RESUMED_BY_SNAPSHOT, "a client came back and got a snapshot instead")                      \
    ROW(PAST_TOLD, "somebody asked for what had been")                                             \
    ROW(ALL_TOLD, "... and what the server knew of a match that was over")                         \
    ROW(ALL_REFUSED, "... and of one that was not, which was refused")                             \
    ROW(REPEAT_ANSWERED, "a repeated request was answered as the first time")                      \
    ROW(REPEAT_AFTER_RESTART, "... by another process")                                            \
    ROW(RESENT_AFTER_CUT, "a request whose reply was lost was sent again")                         \
    ROW(ID_REUSED, "an id was used for two requests, and refused")                                 \
    ROW(SLOW_READER, "a slow reader was cut off (4002)")                                           \
    ROW(FLOOD, "a flooder was cut off (4003)")                                                     \
    ROW(NO_HELLO, "a silent connection was cut off (4001)")                                        \
    ROW(IDLE, "an idle connection was cut off (4004)")                                             \
    ROW(TOO_LONG, "too long a message closed its connection (1009)")                               \
    ROW(SLOW_DOWN, "somebody was told to slow down")                                               \
    ROW(REFUSED_CONNECTION, "a connection was refused")                                            \
    ROW(WRONG_CODE, "a wrong invitation code was refused")                                         \
    ROW(UNKNOWN_TOKEN, "a token that nobody has was refused")                                      \
    ROW(CUT_BEFORE_REPLY, "a wire was cut while a request waited for its reply")                   \
    ROW(COMMIT_OK, "a batch was committed")                                                        \
    ROW(BATCH_OF_MANY, "... of five rooms' events or more at once")                                \
    ROW(BATCH_PACED, "... of what waited until it was due")                                        \
    ROW(STORE_FULL, "the disk was full")                                                           \
    ROW(STORE_FAILED, "the disk failed")                                                           \
    ROW(STORE_LIED, "the disk said that it had failed, and had not")                               \
    ROW(STORE_FENCED, "the store belonged to somebody else")                                       \
    ROW(ROOM_REFUSED, "the store refused one room of a batch")                                     \
    ROW(ROOM_REFUSED_ALONE, "... and took events of others")                                       \
    ROW(ROOM_SET_APART, "a room that was always refused was set apart, and read after a restart")  \
    ROW(FULL_AT_START, "the disk was full when the server started")                                \
    ROW(STORE_RECOVERED, "the disk came back")                                                     \
    ROW(REFUSED_FAILING, "a change was refused as the store was failing")                          \
    ROW(WATCHED_FAILING, "somebody came to watch while the store was failing")                     \
    ROW(CRASH, "the server was killed")                                                            \
    ROW(CRASH_LOST_BATCH, "... and a batch was lost with it")                                      \
    ROW(CRASH_KEPT_BATCH, "... after its batch was written, before anybody was told")              \
    ROW(CRASH_WHILE_FAILING, "... while the disk was failing")                                     \
    ROW(CRASH_WHILE_PACED, "... while changes waited for the next commit to be due")               \
    ROW(TIME_JUMP, "time jumped by hours")                                                         \
    ROW(NO_MEMORY, "an allocation failed")                                                         \
    ROW(NO_MEMORY_REFUSED, "... and a request was refused for it")                                 \
    ROW(NO_MEMORY_CLOSED, "... and a connection was closed for it")                                \
    ROW(LOBBY_DROPPED, "an idle lobby was dropped")                                                \
    ROW(ARCHIVED, "a finished match was archived")                                                 \
    ROW(FETCHED, "... and fetched again")                                                          \
    ROW(GAMES_TOLD, "... and shown to who sat there")                                              \
    ROW(SESSION_DROPPED, "a session expired")                                                      \
    ROW(PIPELINED, "a request was taken while an earlier one waited for the disk")                 \
    ROW(GUEST_WORD, "a word of the guest book was kept")                                           \
    ROW(GUEST_NAMED, "... under a name that is one's alone")                                       \
    ROW(GUEST_NAME_TAKEN, "... which somebody had: it was refused")                                \
    ROW(GREETING, "a greeting became a word")                                                      \
    ROW(GUEST_PAGE, "somebody read the guest book")                                                \
    ROW(GUEST_PAGES, "... whose words were several pages of rows")                                 \
    ROW(LINE_SAID, "somebody said something in the lobby")                                         \
    ROW(LINE_HEARD, "... and another one who asked was told it")                                   \
    ROW(LINE_DROPPED, "... and took it away")                                                      \
    ROW(LINE_GONE, "... and who had heard it was told so")                                         \
    ROW(RECORD_READ, "somebody read a record")                                                     \
    ROW(HTTP_WAITED, "a page waited for the disk")

enum mark {
#define MARK_ENUM(name, text) MARK_##name,
    MARKS(MARK_ENUM)
#undef MARK_ENUM
        MARK_COUNT
};

void mark(enum mark mark);
extern const struct rare_place *const mark_places; /* worlds.h */

#endif
