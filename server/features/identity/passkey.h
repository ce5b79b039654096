/*
 * What a browser sends of a passkey, held against its challenge and what is kept of it; and what of
 * a request waits for the rows that it has to do with.
 */
#ifndef IDENTITY_PASSKEY_H
#define IDENTITY_PASSKEY_H

#include "challenge.h"
#include "passkey_table.h"
#include <hub/kernel_query.h>
#include <jansson.h>
#include <protocol/buffer.h>
#include <stdbool.h>
#include <stdint.h>

struct call;
struct hub;
struct store_query;
struct writer;

struct passkey_asked {
    struct kernel_kept kept;
    json_t *passkey; /* as it was sent; NULL: nothing */
    uint8_t challenge[CHALLENGE_BYTES];
    enum challenge_purpose purpose;
    uint32_t changes; /* of passkeys, in this part, when it was asked */
    uint32_t key;
    char name[PROTOCOL_CLIENT_BYTES + 1]; /* of the device, or of the passkey */
};

/* Does the server take them? Else that is answered. */
bool passkey_is_on(const struct call *call);

/* Asks for the rows of the session, or for that with the id that was sent, with what is to be kept
 * of the request (whose `name` is said); else it is answered. */
void passkey_ask(const struct call *call, unsigned index, const struct passkey_asked *asked,
                 const char *name);
/* The rows may not be what they were any more: it is to be asked again. */
bool passkey_is_stale(const struct call *call, const struct passkey_asked *asked);

/* Room for what a row borrows. */
struct passkey_texts {
    char id[PROTOCOL_PASSKEY_ID_BYTES + 1], cose[PASSKEY_COSE_TEXT_MAX + 1];
};

/* A new one of the call's session, whose key and name are still to be given. False: it is refused,
 * and counted. */
bool passkey_register(const struct call *call, const struct passkey_asked *asked,
                      struct passkey_row *row, struct passkey_texts *texts);
/* Is the proof that was sent one of this passkey? The row is as it is to be stored then. */
bool passkey_verify(struct hub *hub, const struct passkey_asked *asked, struct passkey_row *row);

/* How much text of its own a row has. */
size_t passkey_text_len(const struct passkey_row *row);

void passkey_write(const struct hub *hub, const struct passkey_row *row, struct writer *writer);
void passkey_write_figures(const struct hub *hub, struct buffer *out);

#endif
