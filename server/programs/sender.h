/* What the server needs to send messages to browsers, from its options and its folder. */
#ifndef SERVER_SENDER_H
#define SERVER_SENDER_H

#include "options.h"
#include <hub/push.h>
#include <net/net.h>
#include <store/site_keys.h>

struct sender {
    struct push_signer *signer;
    struct hub_push hub;
    struct net_push net;
};

/* Before the hub is made. False: `message` says which option is wrong. */
bool sender_begin(struct sender *sender, const struct options *options,
                  char message[static OPTIONS_MESSAGE_MAX]);
/* An exit status; what is wrong has been said. */
int sender_open(struct sender *sender, const struct options *options, const struct site_keys *keys);
void sender_end(struct sender *sender);

#endif
