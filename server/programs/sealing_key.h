/* The key that the keys of a site are sealed with (store/site_keys.h): a file, or a credential of
 * the service. */
#ifndef SERVER_SEALING_KEY_H
#define SERVER_SEALING_KEY_H

#include "choose_store.h"
#include "options.h"
#include <store/site_keys.h>

struct sealing_key {
    bool given;
    uint8_t bytes[SITE_KEY_BYTES];
};

/* An exit status; what is wrong has been said. Without an option and a credential none is given. */
int sealing_key_open(struct sealing_key *key, const struct options *options,
                     const struct store_choice *choice);
void sealing_key_wipe(struct sealing_key *key);

#endif
