/*
 * The two messages that a move brings, as servers of ours spell them, read in place. Another
 * spelling is left to the parser, which costs several times as much.
 */
#ifndef LOAD_MESSAGE_H
#define LOAD_MESSAGE_H

#include <load/scan.h>

/* The answer to a request that has no more to say than the room's last event. */
bool message_answer(const char *bytes, size_t len, int64_t *id, int64_t *seq);

struct message_event {
    int64_t seq, seat; /* seat only if it is a move */
    bool is_move;
    struct scan move; /* from the first byte of the move's text to the end of the push */
};

/* The push of an event of this room. */
bool message_event(struct message_event *event, const char *bytes, size_t len, const char *room);

#endif
