/*
 * Any bytes as what comes on a socket: as the head of an HTTP request and as frames of a WebSocket.
 * What is read of it does not depend on how the bytes are cut, lies within them, and keeps its
 * bounds.
 */
#include "fuzz.h"
#include "http/http_head.h"
#include "http/upgrade.h"
#include "ws/ws_frame.h"
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

/* ---- heads */

static void hold_within(const struct http_text *text, const char *bytes, size_t len)
{
    if (text->at)
        HOLD(text->at >= bytes && text->at + text->len <= bytes + len);
}

static void hold_head(const struct http_head *head, const char *bytes, size_t used)
{
    const struct http_text *texts[] = {
        &head->path,         &head->host,         &head->origin,          &head->upgrade,
        &head->key,          &head->version,      &head->accept_encoding, &head->if_none_match,
        &head->content_type, &head->authorization};
    for (size_t at = 0; at < sizeof texts / sizeof texts[0]; at++)
        hold_within(texts[at], bytes, used);
    HOLD(head->path.len > 0);
    HOLD(head->has_length || head->length == 0);
    HOLD(head->length < UINT64_C(1000000000000000000));
    HOLD(memchr(head->forwarded, '\0', sizeof head->forwarded));
    if (head->wants_upgrade && upgrade_check(head) == 0) {
        char answer[UPGRADE_ANSWER_MAX];
        HOLD(upgrade_write_answer(head, answer) == strlen(answer));
    }
}

/* Of every beginning too: nothing that waits for more has been refused before. */
static void heads(const char *bytes, size_t len)
{
    struct http_head head;
    size_t used = 0;
    enum http_parsed whole = http_head_parse(&head, bytes, len, UPGRADE_PROTOCOL, &used);
    if (whole == HTTP_COMPLETE) {
        HOLD(used > 0 && used <= len);
        hold_head(&head, bytes, used);
        size_t again = 0;
        HOLD(http_head_parse(&head, bytes, used, UPGRADE_PROTOCOL, &again) == HTTP_COMPLETE);
        HOLD(again == used);
        HOLD(http_head_parse(&head, bytes, used - 1, UPGRADE_PROTOCOL, &again) == HTTP_INCOMPLETE);
    }
    if (whole == HTTP_INCOMPLETE && len > 0)
        HOLD(http_head_parse(&head, bytes, len - 1, UPGRADE_PROTOCOL, &used) == HTTP_INCOMPLETE);
}

/* ---- frames */

struct told {
    uint64_t hash;
    size_t message_len;
    bool ended;
};

static void tell(struct told *told, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        told->hash = (told->hash ^ at[i]) * UINT64_C(1099511628211);
}

/* Pieces are told without where they were cut. */
static void tell_part(struct told *told, enum ws_event event, const struct ws_part *part)
{
    tell(told, part->bytes, part->len);
    if (event == WS_EVENT_CONTROL) {
        HOLD(part->len <= WS_CONTROL_MAX);
        tell(told, &part->opcode, sizeof part->opcode);
        (void)ws_close_answer(part->bytes, part->len);
        return;
    }
    told->message_len += part->len;
    HOLD(told->message_len <= WS_MESSAGE_MAX);
    if (part->last) {
        tell(told, "|", 1);
        told->message_len = 0;
    }
}

/* Control frames between pieces are told where they end, however those are cut. */
static uint64_t frames(const uint8_t *data, size_t len, size_t bite)
{
    struct ws_reader reader = {0};
    struct told told = {0};
    for (size_t from = 0; from < len && !told.ended; from += bite) {
        size_t some = len - from < bite ? len - from : bite;
        unsigned char *copy = malloc(some); /* so that a sanitizer sees who reads further */
        HOLD(copy);
        memcpy(copy, data + from, some);
        unsigned char *at = copy;
        for (;;) {
            struct ws_part part;
            enum ws_event event = ws_reader_next(&reader, &at, copy + some, &part);
            HOLD(at >= copy && at <= copy + some);
            if (event == WS_EVENT_NONE)
                break;
            if (event == WS_EVENT_WRONG) {
                tell(&told, &part.code, sizeof part.code);
                told.ended = true;
                break;
            }
            tell_part(&told, event, &part);
        }
        HOLD(told.ended || at == copy + some);
        free(copy);
    }
    return told.hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heads((const char *)data, size);
    uint64_t whole = frames(data, size, size + 1);
    HOLD(frames(data, size, 1) == whole);
    HOLD(frames(data, size, 7) == whole);
    return 0;
}
