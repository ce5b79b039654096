/* Invariants of a single hub and its store. */
#include "sim.h"
#include <history/game_table.h>
#include <string.h>

bool sim_knows_session(const struct sim *sim, uint64_t session)
{
    return model_session(&sim->store, session);
}

/* Not the store's: matches that ended while the hub had no memory are missing, which is allowed. */
void check_list(const struct sim *sim, uint64_t session)
{
    for (size_t i = 0; i < sim->oracle.count; i++) {
        const struct truth *truth = &sim->oracle.rooms[i];
        const struct game_row *game;
        size_t at = 0;
        if (room_phase(truth->room) != PROTOCOL_PHASE_OVER ||
            room_seat_of(truth->room, session) == ROOM_NO_SEAT)
            continue;
        while ((game = model_row(&sim->store, &game_table, session, at)) != NULL &&
               strcmp(game->room, truth->id) != 0)
            at++;
        if (!game && !letters_has(&sim->oracle.letters, truth->id, session) &&
            at < (size_t)sim->config.games_per_session && sim->faults.memory == 0)
            sim_fail(sim, "the match of room %s is over and not in the list of session %llx",
                     truth->id, (unsigned long long)session);
    }
}

/* ---- after every event */

void check_always(struct sim *sim)
{
    struct hub_metrics figures;
    size_t open = 0;
    for (unsigned i = 0; i < SIM_WIRES; i++)
        open += sim->wires[i].link.open;
    hub_metrics(sim->hub, &figures);
    if (figures.connections != open)
        sim_fail(sim, "the hub has %zu connections, there are %zu", figures.connections, open);
    if (figures.outbox_bytes > open * (size_t)sim->config.outbox_bytes)
        sim_fail(sim, "%zu bytes in the outboxes of %zu", figures.outbox_bytes, open);
    if (figures.rooms > (size_t)sim->config.rooms ||
        figures.sessions > (size_t)sim->config.sessions)
        sim_fail(sim, "%zu rooms, %zu sessions", figures.rooms, figures.sessions);
}

/* ---- when all is quiet */

void check_at_end(struct sim *sim)
{
    if (sim->oracle.letters.waiting > 0)
        sim_fail(sim, "%zu letters were never applied", sim->oracle.letters.waiting);
    const char *wrong = letters_check_aside(&sim->oracle.letters, &sim->store);
    if (wrong)
        sim_fail(sim, "%s", wrong);
    if (letters_counted(&sim->oracle.letters) != letters_stored(&sim->store) &&
        !sim->disk.ever_lied)
        sim_fail(sim, "%llu matches are counted, and %llu letters said so",
                 (unsigned long long)letters_stored(&sim->store),
                 (unsigned long long)letters_counted(&sim->oracle.letters));
    if (guests_stored(&sim->oracle.guests, &sim->store) != guests_expected(&sim->oracle.guests))
        sim_fail(sim, "the words of the guest book are not in the store as they were written");
    wrong = oracle_check_rated(&sim->oracle);
    if (wrong)
        sim_fail(sim, "%s", wrong);
    if (rated_agreeing(&sim->oracle.rated, &sim->store) != rated_expected(&sim->oracle.rated))
        sim_fail(sim, "what is kept of ratings is not what the book says");
    if (!measured_agrees(&sim->oracle.measured, &sim->store))
        sim_fail(sim, "levels are not counted as they were told");
    if (behaved_agreeing(&sim->oracle.behaved, &sim->store) !=
            behaved_expected(&sim->oracle.behaved) &&
        !sim->disk.ever_lied)
        sim_fail(sim, "what is kept of how people behave is not what was said");
    wrong = sim->disk.ever_lied ? NULL : oracle_check_placed(&sim->oracle, &sim->store);
    if (wrong)
        sim_fail(sim, "%s", wrong);
    for (size_t i = 0; i < sim->oracle.count; i++) {
        const struct truth *truth = &sim->oracle.rooms[i];
        const struct model_room *stored = model_room(&sim->store, truth->id);
        if (!truth->dropped && (!stored || stored->count != truth->count))
            sim_fail(sim, "room %s is not in the store as it was written", truth->id);
    }
    for (unsigned i = 0; i < SIM_WIRES; i++) {
        const struct wire *wire = &sim->wires[i];
        if (wire->link.open && wire->connected && !wire->stalled && !sim->disk.batch &&
            sim->disk.reads == 0 && !thinkers_busy(sim) && wire->received != wire->replied)
            sim_fail(sim, "%llu requests, %llu replies", (unsigned long long)wire->received,
                     (unsigned long long)wire->replied);
    }
}
