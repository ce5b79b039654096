/* What a client says that lies: no requests, requests of others with some bytes changed, too much.
 */
#include "client.h"
#include <stdio.h>
#include <string.h>

static unsigned below(struct sim *sim, unsigned n)
{
    return rng_scaled(&sim->rng, n);
}

static void write_garbage(struct sim *sim, char *text, size_t size)
{
    size_t len = below(sim, (unsigned)size - 1);
    for (size_t i = 0; i < len; i++)
        text[i] = (char)(32 + below(sim, 95));
    text[len] = '\0';
}

/* A request that somebody has sent, with some bytes of it changed. */
static void change_recent(struct sim *sim, char *text, size_t size)
{
    const char *recent = sim->recent[below(sim, sizeof sim->recent / sizeof sim->recent[0])];
    (void)snprintf(text, size, "%s", recent ? recent : "{}");
    size_t len = strlen(text);
    for (unsigned i = below(sim, 4); i > 0 && len > 0; i--) {
        char *at = &text[below(sim, (unsigned)len)];
        *at = below(sim, 2) ? (char)(32 + below(sim, 95)) : text[below(sim, (unsigned)len)];
    }
    if (len > 0 && below(sim, 8) == 0)
        text[below(sim, (unsigned)len)] = '\0';
}

static void reuse_id(struct sim *sim, const struct client *client, char *text, size_t size)
{
    int64_t id = client->next_id - 1 - below(sim, 20);
    const char *op = below(sim, 2) ? "resign" : "start";
    const char *room = sim->open_rooms[below(sim, 8)];
    (void)snprintf(text, size, "{\"id\":%lld,\"op\":\"%s\",\"room\":\"%s\"}", (long long)id, op,
                   room);
}

void client_lie(struct sim *sim, struct client *client)
{
    static char text[6000];
    switch (below(sim, 7)) {
    case 0:
        write_garbage(sim, text, 200);
        break;
    case 1:
        reuse_id(sim, client, text, sizeof text);
        break;
    case 2:
        (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"hello\",\"token\":\"%s\"}",
                       "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        break;
    case 3:
        memset(text, ' ', 5000);
        text[below(sim, 20) ? 100 : 5000] = '\0';
        break;
    default:
        change_recent(sim, text, sizeof text);
        break;
    }
    unsigned times = sim_chance(sim, 30) ? 400 : 1;
    for (unsigned i = 0; i < times && client->wire >= 0; i++)
        wire_send(sim, (unsigned)client->wire, text);
}
