/* What the server needs to send messages to browsers, from its options and its folder. */
#ifndef SERVER_SENDER_H
#define SERVER_SENDER_H

#include "options.h"
#include <hub/push.h>
#include <net/net.h>

struct sender {
    struct push_signer *signer;
    struct hub_push hub;
    struct net_push net;
};

/* Before the hub is made. False: `message` says which option is wrong. */
bool sender_begin(struct sender *sender, const struct options *options,
                  char message[static OPTIONS_MESSAGE_MAX]);
/* The store is open. STORE_OK, or why the key cannot be used. */
enum store_result sender_open(struct sender *sender, const struct options *options,
                              char message[static STORE_MESSAGE_MAX]);
void sender_end(struct sender *sender);

#endif
