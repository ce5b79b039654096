/* A record with a server's signature in it, by a key of the tests. */
#ifndef SUPPORT_SIGNED_RECORD_H
#define SUPPORT_SIGNED_RECORD_H

#include <protocol/signature.h>
#include <stddef.h>

/* The key of a number; each is another one. */
void test_signer(struct record_signer *signer, unsigned char number);

/* The record as the signer's server would write it: a text with a NUL, to be freed; its length. */
char *sign_record(const struct record *record, const struct record_signer *signer, size_t *len);

#endif
