#include "own.h"

#include <hub/call.h>
#include <hub/kernel.h>

/* Each feature knows its own; who asks is told of nobody else. */
static void answer_kept(const struct call *call, bool at_desk)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    kernel_write_kept(call->hub, kernel_session_id(call->session), at_desk, &reply.writer);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

void op_kept(struct call *call)
{
    answer_kept(call, false);
}

void op_kept_at_desk(struct call *call)
{
    answer_kept(call, true);
}
