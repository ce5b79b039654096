#include "base64url.h"

#include <sodium.h>
#include <string.h>

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

size_t base64url_decode(uint8_t bytes[static BASE64URL_BYTES_MAX], const char *text)
{
    size_t len = 0;
    return sodium_base642bin(bytes, BASE64URL_BYTES_MAX, text, strlen(text), NULL, &len, NULL,
                             VARIANT) == 0
               ? len
               : 0;
}

void base64url_encode(char *text, size_t size, const uint8_t *bytes, size_t len)
{
    sodium_bin2base64(text, size, bytes, len, VARIANT);
}
