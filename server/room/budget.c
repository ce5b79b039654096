#include "budget.h"

#include "room_internal.h"

/* ---- a lobby */

struct lobby_spent {
    unsigned by_host, by_others;
    unsigned own, own_ready; /* of one session */
};

static struct lobby_spent count_lobby(const struct room *room, uint64_t session)
{
    struct lobby_spent spent = {0};
    for (uint32_t i = 0; i < room->log.count; i++) {
        const struct log_entry *entry = &room->log.entries[i];
        const bool own = entry->origin.session == session;
        spent.own += own;
        spent.own_ready += own && entry->kind == ROOM_READIED;
        if (entry->origin.session == room->setup.seed.host)
            spent.by_host++;
        else
            spent.by_others++;
    }
    return spent;
}

static bool lobby_allows(const struct room *room, uint64_t session, enum budget_use use)
{
    const struct lobby_spent spent = count_lobby(room, session);
    if (session == room->setup.seed.host)
        return spent.by_host < BUDGET_LOBBY_HOST;
    if (use == BUDGET_READY && spent.own_ready < BUDGET_LOBBY_READY)
        return true;
    if (spent.by_others < ROOM_LOBBY_OTHERS)
        return spent.own < BUDGET_LOBBY_EACH;
    return spent.own < BUDGET_LOBBY_LATE &&
           spent.by_others < ROOM_LOBBY_EVENTS_MAX - BUDGET_LOBBY_HOST;
}

/* ---- a match */

/* Moves are bounded by the game, unless they are taken back. */
static bool is_repeatable(const struct log_entry *entry)
{
    return entry->kind != ROOM_MOVE || entry->undone_by != 0;
}

static unsigned count_match(const struct room *room, uint64_t session)
{
    unsigned spent = 0;
    for (uint32_t i = room->log.count; i > 0; i--) {
        const struct log_entry *entry = &room->log.entries[i - 1];
        if (entry->kind == ROOM_STARTED)
            break;
        spent += entry->origin.session == session && is_repeatable(entry);
    }
    return spent;
}

static bool match_allows(const struct room *room, uint64_t session, enum budget_use use)
{
    const unsigned part = ROOM_REPEATABLE_EVENTS_MAX / room->setup.seats;
    const unsigned kept = use == BUDGET_TO_END ? 0 : BUDGET_MATCH_TO_END;
    return count_match(room, session) < part - kept;
}

bool budget_allows(const struct room *room, uint64_t session, enum budget_use use)
{
    return room->match->phase == PROTOCOL_PHASE_LOBBY ? lobby_allows(room, session, use)
                                                      : match_allows(room, session, use);
}
