#include "hub_maker.h"

#include <registry/registry.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void draw_random(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    randombytes_buf(bytes, len);
}

struct hub *hub_maker_create(const struct hub_maker *maker, unsigned part, unsigned parts)
{
    const struct hub_env env = {.random = draw_random,
                                .server = "taluvad " TALUVA_VERSION,
                                .games = maker->games,
                                .features = registry,
                                .signer = maker->signer,
                                .push = maker->push,
                                .accounts = maker->options->accounts,
                                .accounts_only = maker->options->accounts_only,
                                .chat = maker->options->chat,
                                .reserved_handles = maker->reserved_handles,
                                .patterns = maker->patterns,
                                .passkeys = maker->passkeys,
                                .external = maker->external,
                                .sign_of_life_ms = maker->sign_of_life_ms,
                                .part = part,
                                .parts = parts};
    return hub_create(&maker->options->hub, &env);
}

static void say_damaged(const struct hub *hub)
{
    const char *id, *why;
    for (size_t at = 0; hub_damaged_at(hub, at, &id, &why); at++) {
        char what[128];
        snprintf(what, sizeof what, "%s: %s", id, why);
        log_text(LOG_ERROR, "room_damaged", "what", what);
    }
}

enum store_result hub_maker_restore(const struct hub_maker *maker, struct hub *hub,
                                    char message[static STORE_MESSAGE_MAX])
{
    const int64_t known_ms = hub_known_ms(hub), seen_ms = net_clock_seen_ms(maker->clock);
    if (hub_restored(hub, known_ms > seen_ms ? known_ms : seen_ms) < 0) {
        snprintf(message, STORE_MESSAGE_MAX, "the store's contents cannot be loaded");
        return STORE_CORRUPT;
    }
    say_damaged(hub);
    return STORE_OK;
}

bool hub_maker_reads(const char *name, const char *text, size_t len)
{
    void *value = NULL;
    for (const struct feature *const *feature = registry; *feature; feature++) {
        const struct feature_document *document = (*feature)->document;
        if (!document || strcmp(document->name, name) != 0)
            continue;
        value = document->read(text, len);
        document->release(value);
    }
    return value;
}
