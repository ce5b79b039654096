/*
 * What nodes say to each other about clients: one frame is one message on the link between them.
 *
 *     byte 0     kind
 *     1 to 8     number: of a channel, of a question, or of a part
 *     9 ...      as the kind has it
 *
 * Numbers are written with the highest byte first. A channel stands for one client of the sender's
 * in one part of the receiver's; its number is the sender's and is never used again on that link.
 *
 *     SERVE    part   term (8)                               the sender serves this part
 *     LEAVE    part                                          not any more
 *     OPEN     channel  part (1), address (16), session (8; 0: a stranger), name
 *     RETURN   channel  part (1), address (16), hash (32)      OPEN at home (hub_connect_again)
 *     FOLLOW   channel  id (8), seq (8), room (8)              hub_follow
 *     SAY      channel  a message of the client
 *     KEEP     channel  1 or 0: it is busy elsewhere, and not idle
 *     END      channel                                       the client is gone, or is no stranger
 *                                                            any more and elsewhere at home
 *     TELL     count of channels (4), that many numbers (8), head, a message for each of them;
 *              number 0
 *     CLOSE    channel  code (2)                             the hub wants it closed
 *     SEATS    question  session (8), part (1)               which seats in parts but that one
 *     SEATED   question  for each seat: room (8), seat (1)
 *     NOTE     session   kind (1), room (8), text               news of a session, for its home
 *     ASK      question  part (1), address (16), path           a GET request
 *     ANSWER   question  status (2), age (4), length (4)        what PIECEs bring is as long
 *     PIECE    question  bytes                                  of the answer, in their order
 *     ANNOUNCE 0         text                                   the operator's, for all clients
 *     ELSEWHERE channel  part (1)         hub_elsewhere; the channel is as good as closed
 *     WORKS    1 or 0                                        one of the sender's parts works, or
 *                                                            none does; at first one does
 *     ACCOUNT  channel  kind (1), handle                        the client's session has that
 *     OWNED    channel  session (8)                          hub_owner, before what tells of hello
 *     OWNER    channel  session (8)                          hub_set_owner, after ACCOUNT
 *     QUIET    channel  1 or 0                               hub_set_quiet, before SAY
 *     CHALLENGED channel  challenge (32)                     hub_challenge, before ELSEWHERE
 *     CHALLENGE channel  challenge (32)                      hub_set_challenge, before SAY
 *     ABOUT    enum hub_about                                of the TELL that follows it
 *     FACTS    0         facts (hub/facts.h) of the TELL that follows. None, at the beginning: the
 *                        version before takes whoever has not said that for one without facts
 *     REFUSED  0         code (protocol/error.h) of the refusal that the TELL that follows is; one
 *                        by the rules of a game has none
 *     POST     question  part (1), address (16), lengths of path, host and origin (2 each), these,
 *                        and what is sent                    answered as ASK
 *     FOLLOWED 0         the TELL that follows answers a FOLLOW
 *
 * The head of a message (hub/hub.h) is its kind (1), then of a reply or refusal id (8), of a view
 * id (8), seq (8), of an event seq (8), room (8), of a notice its code (1), room (8; zeros: of
 * none).
 *
 * Ids are a client's, or the site's own: those of FOLLOW and of what answers it. The version before
 * tells these by their number alone, and so they are written as that and PROTOCOL_INTEGER_MAX, as
 * no client's is above that (frame_put_id). FOLLOWED, and FOLLOW with its number as it is, are read
 * by this version and written by the next.
 *
 * OPEN to END, ACCOUNT, OWNER, QUIET and CHALLENGE go from a client's node to that of the part,
 * ABOUT, FACTS, REFUSED, FOLLOWED, TELL, CLOSE, ELSEWHERE, OWNED and CHALLENGED the other way.
 *
 * During an upgrade nodes of two versions are linked. So what a kind has is never changed. What is
 * new has a kind of its own, which a node that does not know it passes over, and its sender does
 * well without an answer to it, as it does when a link is lost. What cannot be done so needs
 * another subprotocol (net/nodes.h), beside which the one before is spoken for one version more.
 */
#ifndef SITE_FRAME_H
#define SITE_FRAME_H

#include <hub/hub.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum frame_kind {
    FRAME_SERVE = 1,
    FRAME_LEAVE,
    FRAME_OPEN,
    FRAME_RETURN,
    FRAME_FOLLOW,
    FRAME_SAY,
    FRAME_KEEP,
    FRAME_END,
    FRAME_TELL,
    FRAME_CLOSE,
    FRAME_SEATS,
    FRAME_SEATED,
    FRAME_NOTE,
    FRAME_ASK,
    FRAME_ANSWER,
    FRAME_PIECE,
    FRAME_ANNOUNCE,
    FRAME_ELSEWHERE,
    FRAME_WORKS,
    FRAME_POST,
    FRAME_ACCOUNT,
    FRAME_CHALLENGED,
    FRAME_CHALLENGE,
    FRAME_OWNED,
    FRAME_OWNER,
    FRAME_ABOUT,
    FRAME_FACTS,
    FRAME_QUIET,
    FRAME_REFUSED,
    FRAME_FOLLOWED,
    FRAME_KINDS /* read: one that is not known */
};

enum { FRAME_HEAD_BYTES = 9 };

/* What is left of a frame that is being read. */
struct frame {
    enum frame_kind kind;
    uint64_t number;
    const unsigned char *at;
    size_t left;
};

/* False: it is none. */
bool frame_read(struct frame *frame, const unsigned char *bytes, size_t len);
/* The next number of so many bytes (1 to 8). False: there is not so much left. */
bool frame_take(struct frame *frame, size_t bytes, uint64_t *value);
/* The next bytes; NULL: there are not so many. */
const unsigned char *frame_take_bytes(struct frame *frame, size_t len);

/* An id, and whose it is. False: there is none, or it can be nobody's. */
bool frame_take_id(struct frame *frame, int64_t *id, bool *follows);
unsigned char *frame_put_id(unsigned char *at, int64_t id, bool follows); /* 8 bytes */
/* False: there is none, or what it says cannot be. */
bool frame_take_message_head(struct frame *frame, struct hub_head *head);

enum { FRAME_MESSAGE_HEAD_BYTES = 1 + 8 + 8 /* at most */ };
unsigned char *frame_put_message_head(unsigned char *at, const struct hub_head *head);

/* Writes a number, and says where the next one goes. */
unsigned char *frame_put(unsigned char *at, size_t bytes, uint64_t value);
/* The same of the first FRAME_HEAD_BYTES. */
unsigned char *frame_put_head(unsigned char *at, enum frame_kind kind, uint64_t number);

#endif
