/* What browsers and authenticators send, in base64url without padding, as the protocol has let it
 * through. */
#ifndef IDENTITY_BASE64URL_H
#define IDENTITY_BASE64URL_H

#include <protocol/limits.h>
#include <stddef.h>
#include <stdint.h>

enum { BASE64URL_BYTES_MAX = PROTOCOL_MESSAGE_BYTES / 4 * 3 };

/* How many bytes there are; 0: the text is none, or too long. */
size_t base64url_decode(uint8_t bytes[static BASE64URL_BYTES_MAX], const char *text);
/* `size` is enough for the text and its end. */
void base64url_encode(char *text, size_t size, const uint8_t *bytes, size_t len);

#endif
