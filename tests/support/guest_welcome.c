/* The welcome of the guest book: a document of the site, of one line behind its version. */
#include "guest_book_private.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/store_document.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "welcome 1\n"

static void *read_welcome(const char *text, size_t len)
{
    const size_t head = sizeof VERSION - 1;
    if (len == 0)
        return calloc(1, 1);
    if (len <= head || len >= head + WORD_BYTES || text[len - 1] != '\n' ||
        memcmp(text, VERSION, head) != 0)
        return NULL;
    return strndup(text + head, len - head - 1);
}

static size_t hold(struct hub *hub, const void *value)
{
    guest_book_of(hub)->welcome = value;
    return 0;
}

static void answer_kept(struct call *call, int kept)
{
    struct reply reply;
    switch ((enum document_kept)kept) {
    case DOCUMENT_OTHERS:
        call_error(call, PROTOCOL_SEAT_TAKEN, NULL);
        return;
    case DOCUMENT_FAILED:
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return;
    case DOCUMENT_KEPT:
    case DOCUMENT_LATE:
        break;
    }
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "welcome", guest_book_of(call->hub)->welcome);
    call_reply(call, &reply, NULL);
}

static_assert(sizeof VERSION + WORD_BYTES <= GUEST_WELCOME_BYTES, "all of it fits");

void guest_welcome_write(char text[static GUEST_WELCOME_BYTES], const char *welcome)
{
    (void)snprintf(text, GUEST_WELCOME_BYTES, VERSION "%.*s\n", WORD_BYTES - 2, welcome);
}

bool guest_book_welcome(struct hub *hub, const char *welcome)
{
    char text[GUEST_WELCOME_BYTES];
    guest_welcome_write(text, welcome);
    return kernel_make_document(hub, &guest_welcome, text, strlen(text)) == PROTOCOL_OK;
}

const char *guest_book_welcomed(const struct hub *hub)
{
    return guest_book_of(hub)->welcome;
}

void guest_welcome_change(struct call *call)
{
    char text[GUEST_WELCOME_BYTES];
    const char *greeting = guest_book_of(call->hub)->greeting;
    guest_welcome_write(text, *greeting ? greeting : kernel_session_name(call->session));
    const enum protocol_error error = kernel_change_document(call, text, strlen(text));
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}

void guest_welcome_write_hello(const struct hub *hub, const struct session *session,
                               struct writer *writer)
{
    unsigned own = 0;
    for (unsigned i = 0; i < guest_book_of(hub)->count; i++)
        own += guest_book_of(hub)->words[i].session == kernel_session_id(session);
    writer_key_int(writer, "own_words", own);
    if (guest_book_of(hub)->welcome && *guest_book_of(hub)->welcome)
        writer_key_string(writer, "welcome", guest_book_of(hub)->welcome);
}

const struct feature_document guest_welcome = {
    .name = "welcome", .read = read_welcome, .release = free, .hold = hold, .kept = answer_kept};
