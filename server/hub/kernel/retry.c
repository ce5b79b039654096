#include "retry.h"

#include "connections/conn.h"
#include "connections/price.h"
#include "feature_table.h"
#include "hub_private.h"
#include "limits/address.h"
#include "rooms/hub_room.h"
#include "rooms/watchers_rule.h"
#include "sessions/session.h"
#include <hub/bucket.h>
#include <protocol/request.h>

enum {
    RETRY_UNKNOWN_MS = 100,
    CROWD_CONNS = 32,     /* more of one address are sent away to different moments */
    CROWD_MOST_MS = 1000, /* that lie at most so far apart */
};

static int64_t later(int64_t a_ms, int64_t b_ms)
{
    return a_ms > b_ms ? a_ms : b_ms;
}

/* A hello that opens no session that there is. */
static bool makes_session(const struct request *request)
{
    return request->op == REQUEST_HELLO && !request_has(request, REQUEST_TOKEN) &&
           !request_has(request, REQUEST_PASS) && !request_has(request, REQUEST_PASSKEY_SENT) &&
           !request_has(request, REQUEST_VOUCHER);
}

/* Of what only a session has; 0 before `hello`. */
static int64_t session_wait_ms(const struct hub *hub, const struct session *session,
                               const struct request *request)
{
    if (!session)
        return 0;
    const struct feature *owner =
        request->op < REQUEST_OPS ? hub->features.owners[request->op] : NULL;
    if (owner && owner->wait_ms)
        return owner->wait_ms(hub, session, request);
    if (request->op == REQUEST_SAY)
        return bucket_wait_ms(&session->says, &hub->rules.says, hub->now_ms);
    if (request->op == REQUEST_HINT)
        return bucket_wait_ms(&session->hints, &hub->rules.hints, hub->now_ms);
    return 0;
}

static int64_t address_wait_ms(const struct hub *hub, const struct address *address,
                               const struct request *request)
{
    const struct hub_rules *const rules = &hub->rules;
    if (request->op == REQUEST_SAY)
        return bucket_wait_ms(&address->says, &rules->address_says, hub->now_ms);
    if (request->op == REQUEST_HINT)
        return bucket_wait_ms(&address->hints, &rules->address_hints, hub->now_ms);
    if (request->op == REQUEST_ANALYSIS)
        return bucket_wait_ms(&address->analyses, &rules->analyses, hub->now_ms);
    if (request->op == REQUEST_CREATE || request->op == REQUEST_REMATCH)
        return bucket_wait_ms(&address->rooms, &rules->rooms, hub->now_ms);
    return makes_session(request)
               ? bucket_wait_ms(&address->sessions, &rules->sessions, hub->now_ms)
               : 0;
}

/* Of what all share who watch the room; 0 for players. */
static int64_t watchers_wait_ms(const struct hub *hub, const struct conn *conn,
                                const struct request *request)
{
    const struct session *const session = conn->session;
    const struct hub_room *const hub_room =
        session && request->op == REQUEST_SAY ? hub_room_find(hub, request->room) : NULL;
    if (!hub_room || room_seat_of(hub_room->room, session->id) != ROOM_NO_SEAT)
        return 0;
    const struct bucket_rule rule = watchers_rule(hub, hub_room, conn->address);
    return bucket_wait_ms(&hub_room->watchers_say, &rule, hub->now_ms);
}

/*
 * A crowd that was all told the same moment would come back in one turn of the loop, to be refused
 * once more. So each of its connections has a place of its own in a round as long as the address
 * needs to be granted a request of each, and is told when its place comes next.
 */
static int64_t apart_ms(const struct hub *hub, const struct conn *conn, int64_t wait_ms)
{
    const struct bucket_rule *const rule = &hub->rules.requests;
    const int64_t conns = conn->address->conns;
    const int64_t needed_ms = conns * rule->per_ms / rule->count;
    const int64_t round_ms = needed_ms < CROWD_MOST_MS ? needed_ms : CROWD_MOST_MS;
    if (conns <= CROWD_CONNS || round_ms < 1)
        return wait_ms;
    const uint32_t scattered = conn->peer.index * UINT32_C(2654435769);
    const int64_t place_ms = (scattered >> 16) % round_ms;
    const int64_t then_ms = (hub->now_ms + wait_ms) % round_ms;
    return wait_ms + (place_ms - then_ms + round_ms) % round_ms;
}

int64_t retry_ms(const struct hub *hub, const struct conn *conn, const struct request *request,
                 bool is_long)
{
    int64_t wait_ms = price_wait_ms(hub, conn, is_long);
    wait_ms = later(wait_ms, session_wait_ms(hub, conn->session, request));
    wait_ms = later(wait_ms, watchers_wait_ms(hub, conn, request));
    wait_ms = later(wait_ms, address_wait_ms(hub, conn->address, request));
    return apart_ms(hub, conn, wait_ms > 0 ? wait_ms : RETRY_UNKNOWN_MS);
}

int64_t retry_guess_ms(const struct hub *hub, const struct conn *conn)
{
    const struct bucket_rule *const rule = &hub->rules.guesses;
    int64_t wait_ms = bucket_wait_ms(&conn->address->guesses, rule, hub->now_ms);
    return conn->session
               ? later(wait_ms, bucket_wait_ms(&conn->session->guesses, rule, hub->now_ms))
               : wait_ms;
}
