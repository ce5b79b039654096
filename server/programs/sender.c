#include "sender.h"

#include <net/log.h>
#include <push/message.h>
#include <push/service.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

static bool is_allowed(void *ctx, const char *endpoint)
{
    const struct net_push *net = ctx;
    struct push_target target;
    return push_endpoint_allowed(endpoint, net->services, &target);
}

/* As RFC 8292 has it: a way to reach somebody. */
static bool is_contact(const char *text)
{
    enum { CONTACT_MAX = 200 };
    const bool mail = strncmp(text, "mailto:", 7) == 0 && strchr(text, '@');
    if (!mail && (strncmp(text, "https://", 8) != 0 || !text[8]))
        return false;
    for (const char *at = text; *at; at++) {
        if (*at <= ' ' || *at > '~')
            return false;
    }
    return strlen(text) <= CONTACT_MAX;
}

bool sender_begin(struct sender *sender, const struct options *options,
                  char message[static OPTIONS_MESSAGE_MAX])
{
    const struct option_list *services = &options->push_services;
    sender->net.services = services->count > 0 ? services->items : push_known_services;
    sender->hub.allowed = is_allowed;
    sender->hub.ctx = &sender->net;
    if (options->push_contact && !is_contact(options->push_contact)) {
        snprintf(message, OPTIONS_MESSAGE_MAX,
                 "--push-contact is no mailto: or https: address: %.200s", options->push_contact);
        return false;
    }
    for (size_t i = 0; i < services->count; i++) {
        if (push_service_is_valid(services->items[i]))
            continue;
        snprintf(message, OPTIONS_MESSAGE_MAX,
                 "--push-service is no host, *.host or origin in small letters: %.200s",
                 services->items[i]);
        return false;
    }
    return true;
}

int sender_open(struct sender *sender, const struct options *options, const struct site_keys *keys)
{
    if (!options->push_contact)
        return EX_OK;
    sender->signer = push_signer_create(keys->push, options->push_contact);
    if (!sender->signer) {
        fprintf(stderr, "taluvad: the key for push services is no key\n");
        return EX_DATAERR;
    }
    sender->net.signer = sender->signer;
    sender->hub.key = push_signer_key(sender->signer);
    log_text(LOG_INFO, "push_key", "key", sender->hub.key);
    return EX_OK;
}

void sender_end(struct sender *sender)
{
    push_signer_destroy(sender->signer);
}
