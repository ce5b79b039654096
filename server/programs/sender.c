#include "sender.h"

#include <assert.h>
#include <net/log.h>
#include <push/message.h>
#include <push/service.h>
#include <sodium.h>
#include <stdio.h>
#include <store/push_key.h>
#include <string.h>

static bool allowed(void *ctx, const char *endpoint)
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
    sender->hub.allowed = allowed;
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

enum store_result sender_open(struct sender *sender, const struct options *options,
                              char message[static STORE_MESSAGE_MAX])
{
    uint8_t secret[PUSH_SECRET_BYTES];
    bool made;
    static_assert((int)PUSH_SECRET_BYTES == (int)PUSH_KEY_BYTES, "they are the same");
    if (!options->push_contact)
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX, "no key for push services can be made");
    if (!push_secret_make(secret))
        return STORE_FAILED;
    enum store_result result = push_key_open(options->data, secret, &made, message);
    if (result != STORE_OK)
        return result;
    sender->signer = push_signer_create(secret, options->push_contact);
    sodium_memzero(secret, sizeof secret);
    if (!sender->signer) {
        snprintf(message, STORE_MESSAGE_MAX, "the key in %.200s/" PUSH_KEY_FILE " is no key",
                 options->data);
        return STORE_CORRUPT;
    }
    sender->net.signer = sender->signer;
    sender->hub.key = push_signer_key(sender->signer);
    log_text(LOG_INFO, made ? "push_key_made" : "push_key", "key", sender->hub.key);
    return STORE_OK;
}

void sender_end(struct sender *sender)
{
    push_signer_destroy(sender->signer);
}
