/*
 * What a browser says of itself, as JSON: what for, by which challenge, on whose page. It may have
 * members that nobody knows yet.
 */
#ifndef WEBAUTHN_CLIENT_DATA_H
#define WEBAUTHN_CLIENT_DATA_H

#include <webauthn/webauthn.h>

enum webauthn_fault client_data_check(const struct webauthn_party *party,
                                      struct webauthn_bytes client_data, const char *type);

#endif
