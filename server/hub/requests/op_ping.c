#include "op_ping.h"

#include "hub_private.h"
#include <hub/call.h>

void op_ping(struct call *call)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "time", call->hub->now_ms);
    call_reply(call, &reply, NULL);
}
