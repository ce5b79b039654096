#include "adopted.h"

#include <hub/hub.h>
#include <hub/kernel.h>
#include <protocol/reply.h>
#include <string.h>

enum { TOLD_BYTES = 128 };

const char adopted_letter[] = "identity.adopted";

static const char *word_of(enum protocol_error error)
{
    return error == PROTOCOL_OK ? "ok" : protocol_error_code(error);
}

int adopt_tell(struct hub *hub, uint64_t heir, enum protocol_error error)
{
    const char *text = word_of(error);
    return kernel_send_letter(hub, &(struct kernel_letter){.addressee = heir,
                                                           .kind = adopted_letter,
                                                           .text = text,
                                                           .text_len = strlen(text)});
}

/* False: it is none that this program has. */
static bool find_error(const struct store_letter *letter, enum protocol_error *error)
{
    for (int at = 0; at < PROTOCOL_ERROR_COUNT; at++) {
        *error = (enum protocol_error)at;
        if (strlen(word_of(*error)) == letter->text_len &&
            memcmp(word_of(*error), letter->text, letter->text_len) == 0)
            return true;
    }
    return false;
}

static void tell_devices(struct hub *hub, const struct session *session, enum protocol_error error)
{
    struct buffer text;
    struct writer writer;
    buffer_init(&text, 0, TOLD_BYTES);
    writer_init(&writer, &text);
    push_begin(&writer, "adopted", NULL);
    if (error != PROTOCOL_OK)
        writer_key_string(&writer, "refused", protocol_error_code(error));
    push_end(&writer);
    if (!text.failed) /* else they see it when they come again */
        kernel_tell_session(hub, session, NULL, buffer_payload(&text), text.len);
    buffer_release(&text);
}

/* They are told before its end is durable, of what is. */
enum letter_fate adopted_apply(struct hub *hub, const struct store_letter *letter)
{
    const struct session *session = kernel_session_find(hub, letter->addressee);
    enum protocol_error error;
    if (!find_error(letter, &error))
        return LETTER_REFUSED;
    if (session)
        tell_devices(hub, session, error);
    return LETTER_APPLIED;
}
