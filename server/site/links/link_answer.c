#include "link_answer.h"

#include "clients/client.h"
#include "frame.h"
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 16384, STATUS_UNAVAILABLE = 503 };

struct link_answer {
    struct link_answer *next;
    uint64_t question;
    struct hub_http_answer answer;
    size_t sent;
    bool begun;
};

static unsigned char *begin_frame(struct message **frame, enum frame_kind kind, uint64_t number,
                                  size_t len)
{
    *frame = message_new(FRAME_HEAD_BYTES + len);
    return *frame ? frame_put_head(message_bytes(*frame), kind, number) : NULL;
}

static struct message *make_head(const struct link_answer *answer)
{
    struct message *frame;
    unsigned char *at = begin_frame(&frame, FRAME_ANSWER, answer->question, 2 + 4 + 4);
    if (at) {
        at = frame_put(at, 2, (uint64_t)answer->answer.status);
        at = frame_put(at, 4, (uint64_t)answer->answer.max_age_s);
        frame_put(at, 4, answer->answer.len);
    }
    return frame;
}

static struct message *make_piece(struct link_answer *answer)
{
    const size_t left = answer->answer.len - answer->sent;
    const size_t len = left < PIECE_BYTES ? left : PIECE_BYTES;
    struct message *frame;
    unsigned char *at = begin_frame(&frame, FRAME_PIECE, answer->question, len);
    if (at)
        memcpy(at, answer->answer.body + answer->sent, len);
    answer->sent += len;
    return frame;
}

static void end_first(struct link_answers *answers)
{
    struct link_answer *first = answers->first;
    answers->first = first->next;
    answers->count--;
    answers->bytes -= first->answer.len;
    hub_http_release(&first->answer);
    free(first);
}

struct message *link_answers_frame(struct link_answers *answers)
{
    struct link_answer *first = answers->first;
    struct message *frame = first->begun ? make_piece(first) : make_head(first);
    first->begun = true;
    if (first->sent == first->answer.len)
        end_first(answers);
    return frame;
}

bool link_answers_add(struct link_answers *answers, uint64_t question,
                      struct hub_http_answer *answer, size_t most_bytes)
{
    struct link_answer *waiting = calloc(1, sizeof *waiting);
    struct link_answer **last = &answers->first;
    if (!waiting || answers->bytes + answer->len > most_bytes) {
        hub_http_release(answer);
        answer->status = STATUS_UNAVAILABLE;
    }
    if (!waiting)
        return false;
    *waiting = (struct link_answer){.question = question, .answer = *answer};
    while (*last)
        last = &(*last)->next;
    *last = waiting;
    answers->count++;
    answers->bytes += answer->len;
    return true;
}

void link_answers_release(struct link_answers *answers)
{
    while (answers->first)
        end_first(answers);
}
