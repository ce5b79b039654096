/* The keys of a provider, as token.c looks them up. */
#ifndef OIDC_KEYS_H
#define OIDC_KEYS_H

#include <oidc/token.h>
#include <public_key/public_key.h>

enum { OIDC_KEY_ID_MAX = 255 };

struct oidc_key {
    char id[OIDC_KEY_ID_MAX + 1]; /* "": it has none */
    struct public_key key;        /* points into what follows */
    uint8_t x[PUBLIC_KEY_POINT_BYTES], y[PUBLIC_KEY_POINT_BYTES];
    uint8_t n[PUBLIC_KEY_MODULUS_BYTES_MAX], e[PUBLIC_KEY_POINT_BYTES];
};

struct oidc_keys {
    size_t count;
    struct oidc_key list[OIDC_KEYS_MAX];
};

/* Of that kind: the one with the id; without one (NULL), the only one. NULL: there is none such. */
const struct oidc_key *oidc_keys_find(const struct oidc_keys *keys, enum public_key_kind kind,
                                      const char *id);

#endif
