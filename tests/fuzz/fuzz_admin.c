/*
 * Any bytes as a line of the operator, and as the kept text of the bans. A line is refused with an
 * answer that is JSON, or what the audit log gets of it is JSON and asks the same; bans that are
 * read are written, and read again, the same.
 */
#include "ban_list.h"
#include "fuzz.h"
#include <hub/admin_request.h>
#include <jansson.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 24 };

#define HOLD(promise)                                                                              \
    do {                                                                                           \
        if (!(promise)) {                                                                          \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #promise);                    \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void hold_json(const struct buffer *text)
{
    HOLD(!text->failed);
    json_t *value = json_loadb(buffer_payload(text), text->len, JSON_REJECT_DUPLICATES, NULL);
    HOLD(json_is_object(value));
    json_decref(value);
}

static void hold_refusal(const struct admin_request *request, const struct refusal *refusal)
{
    struct buffer out;
    struct writer writer;
    buffer_init(&out, 0, TEXT_MAX);
    writer_init(&writer, &out);
    HOLD(refusal->error != PROTOCOL_OK && refusal->error != PROTOCOL_INTERNAL);
    HOLD(request->id >= REQUEST_NO_ID && request->id <= PROTOCOL_INTEGER_MAX);
    reply_refusal(&writer, request->id, refusal);
    hold_json(&out);
    buffer_release(&out);
}

static void write_request(struct buffer *out, const struct admin_request *request)
{
    struct writer writer;
    buffer_init(out, 0, TEXT_MAX);
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_int(&writer, "id", request->id);
    admin_request_write(request, &writer);
    writer_end(&writer);
    hold_json(out);
}

/* The log has all of it but where a page begins and what is listed. */
static void hold_accepted(const struct admin_request *request)
{
    struct buffer once, twice;
    struct admin_request again;
    struct refusal refusal;
    write_request(&once, request);
    if (once.len <= ADMIN_LINE_BYTES) {
        HOLD(admin_request_read(&again, registry, buffer_payload(&once), once.len, &refusal));
        write_request(&twice, &again);
        HOLD(again.word == request->word && once.len == twice.len);
        HOLD(memcmp(buffer_payload(&once), buffer_payload(&twice), once.len) == 0);
        buffer_release(&twice);
    }
    buffer_release(&once);
}

static void hold_bans(const struct ban_list *bans)
{
    struct buffer once, twice;
    struct ban_list again = {0};
    buffer_init(&once, 0, TEXT_MAX);
    buffer_init(&twice, 0, TEXT_MAX);
    ban_list_write(bans, &once);
    HOLD(ban_list_read(&again, buffer_payload(&once), once.len));
    HOLD(again.count == bans->count);
    ban_list_write(&again, &twice);
    HOLD(once.len == twice.len);
    HOLD(memcmp(buffer_payload(&once), buffer_payload(&twice), once.len) == 0);
    ban_list_release(&again);
    buffer_release(&once);
    buffer_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct admin_request request;
    struct refusal refusal;
    struct ban_list bans = {0};
    memset(&request, 0xa5, sizeof request);
    memset(&refusal, 0xa5, sizeof refusal);
    if (admin_request_read(&request, registry, (const char *)data, size, &refusal))
        hold_accepted(&request);
    else
        hold_refusal(&request, &refusal);
    if (ban_list_read(&bans, (const char *)data, size))
        hold_bans(&bans);
    ban_list_release(&bans);
    return 0;
}
