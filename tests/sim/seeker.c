/* Who wants a handle, and a match with somebody who is found for them. */
#include "client.h"
#include <string.h>

static unsigned below(struct sim *sim, unsigned n)
{
    return rng_scaled(&sim->rng, n);
}

static void ask(struct sim *sim, struct client *client, const char *op, json_t *members)
{
    struct ask *ask = ask_begin(client);
    if (ask)
        ask_send(sim, client, ask, op, "", members);
    else
        json_decref(members);
}

/* Now and then many want the same; who seeks rated matches needs a handle first, and of teams there
 * are enough if each wants their own. */
enum { RUSH_MS = 1500, RUSHES_MS = 20000, CLAIMS = 10, CLAIMS_IN_RUSH = 400, CLAIMS_TO_SEEK = 300 };
enum { SEEKS = 300, SEEKS_BESIDE = 60, TEAMS_IN = 6 };

static bool wants_handle(struct sim *sim, const struct client *client)
{
    if (sim->rated && !sim->calm && !client->has_handle)
        return sim_chance(sim, CLAIMS_TO_SEEK);
    const bool rush = sim->now_ms % RUSHES_MS < RUSH_MS;
    return !sim->calm && sim_chance(sim, rush ? CLAIMS_IN_RUSH : CLAIMS);
}

static void claim(struct sim *sim, struct client *client)
{
    const unsigned now = (unsigned)(sim->now_ms / RUSHES_MS);
    const unsigned group = (sim->teams ? client->index : now) % HANDLES_GROUPS;
    const char *handle = handles_word(group, below(sim, HANDLES_SPELLINGS));
    ask(sim, client, "claim", json_pack("{s:s}", "handle", handle));
}

static void seek(struct sim *sim, struct client *client)
{
    if (sim->teams && below(sim, TEAMS_IN)) { /* nearly all, or there are never four */
        ask(sim, client, "seek", json_pack("{s:{s:b}}", "options", "teams", 1));
        return;
    }
    json_t *options = below(sim, 2) ? json_pack("{s:[i,i]}", "sizes", 2, 3) : json_object();
    ask(sim, client, "seek",
        json_pack("{s:s,s:o}", "game", below(sim, 4) ? "taluva" : "totem", "options", options));
}

/* Or is about to. */
static bool plays_rated(const struct client *client)
{
    for (size_t at = 0; at < client->room_count; at++) {
        const struct client_room *room = &client->rooms[at];
        if (!room->state || (json_object_get(room->state, "rated") &&
                             strcmp(text_of(room->state, "phase"), "over") != 0))
            return true;
    }
    return false;
}

void client_seek(struct sim *sim, struct client *client, bool seeks)
{
    if (wants_handle(sim, client))
        claim(sim, client);
    if (seeks && sim_chance(sim, plays_rated(client) ? SEEKS_BESIDE : SEEKS))
        seek(sim, client);
}
