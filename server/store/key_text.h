/* The texts of the files of keys (store/signing.h, store/push_key.h), for what else holds them.
 * They hold secrets. */
#ifndef STORE_KEY_TEXT_H
#define STORE_KEY_TEXT_H

#include <protocol/signature.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <store/push_key.h>

enum { SIGNING_TEXT_MAX = 8192, PUSH_TEXT_BYTES = 69 };

/* The length; a NUL follows. */
size_t signing_write(char text[static SIGNING_TEXT_MAX], const struct record_signer *signer);
/* False: it is damaged. The text need not end with a NUL. */
bool signing_read(const char *text, size_t len, struct record_signer *signer);

void push_key_write(char text[static PUSH_TEXT_BYTES], const uint8_t secret[static PUSH_KEY_BYTES]);
bool push_key_read(const char *text, size_t len, uint8_t secret[static PUSH_KEY_BYTES]);

#endif
