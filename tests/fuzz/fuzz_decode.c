/*
 * Any bytes as a request. Whatever they are, the answer is JSON; what is accepted can be encoded,
 * and that is accepted again and asks the same. And memory never seems to have run out. Read as a
 * list of members the bytes say the same as read as a tree.
 */
#include "../support/same_members.h"
#include "fuzz.h"
#include <jansson.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOLD(promise)                                                                              \
    do {                                                                                           \
        if (!(promise)) {                                                                          \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #promise);                    \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void hold_refusal(const struct request *request, enum protocol_error error)
{
    struct buffer out;
    struct writer writer;
    buffer_init(&out, 16, PROTOCOL_MESSAGE_BYTES);
    writer_init(&writer, &out);
    HOLD(error != PROTOCOL_INTERNAL);
    HOLD(memchr(request->bad_field, '\0', sizeof request->bad_field));
    HOLD(request->id >= REQUEST_NO_ID && request->id <= PROTOCOL_INTEGER_MAX);
    reply_error(&writer, request->id, error, request->bad_field);
    HOLD(writer_done(&writer) && !out.failed);
    json_t *reply = json_loadb(buffer_payload(&out), out.len, JSON_REJECT_DUPLICATES, NULL);
    HOLD(json_is_object(reply));
    json_decref(reply);
    buffer_release(&out);
}

static void encode(struct buffer *out, const struct request *request)
{
    struct writer writer;
    writer_init(&writer, out);
    request_encode(&writer, request);
    HOLD(writer_done(&writer) && !out->failed);
}

/* Encoding may need a little more room, for what was written shorter than we do. */
static void hold_accepted(const struct request *request)
{
    struct buffer once, twice;
    struct request again;
    buffer_init(&once, 0, (size_t)8 * PROTOCOL_MESSAGE_BYTES);
    buffer_init(&twice, 0, (size_t)8 * PROTOCOL_MESSAGE_BYTES);
    HOLD(request->op < REQUEST_OPS && request->id >= 0);
    encode(&once, request);
    if (once.len <= PROTOCOL_MESSAGE_BYTES) {
        HOLD(request_decode(&again, buffer_payload(&once), once.len) == PROTOCOL_OK);
        HOLD(again.id == request->id && again.op == request->op);
        HOLD(again.fields == request->fields);
        HOLD(request_digest(&again) == request_digest(request));
        encode(&twice, &again);
        HOLD(once.len == twice.len);
        HOLD(memcmp(buffer_payload(&once), buffer_payload(&twice), once.len) == 0);
        request_release(&again);
    }
    buffer_release(&once);
    buffer_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    HOLD(size > PROTOCOL_MESSAGE_BYTES || !members_differ((const char *)data, size));
    memset(&request, 0xa5, sizeof request);
    enum protocol_error error = request_decode(&request, (const char *)data, size);
    if (error == PROTOCOL_OK)
        hold_accepted(&request);
    else
        hold_refusal(&request, error);
    request_release(&request);
    return 0;
}
