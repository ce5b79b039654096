/* Bytes that somebody else keeps. */
#ifndef WEBAUTHN_BYTES_H
#define WEBAUTHN_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct webauthn_bytes {
    const uint8_t *at;
    size_t len;
};

#endif
