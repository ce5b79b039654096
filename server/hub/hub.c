#include "admin_wait.h"
#include "changes/room_clock.h"
#include "connections/conn.h"
#include "connections/long_queue.h"
#include "connections/presence_queue.h"
#include "durable/jump_keep.h"
#include "durable/read_done.h"
#include "durable/retention.h"
#include "feature_table.h"
#include "http/http_wait.h"
#include "hub_private.h"
#include "kernel/document_change.h"
#include "kernel/enter.h"
#include "key_map.h"
#include "limits/address.h"
#include "parts/mail.h"
#include "requests/op_analysis.h"
#include "requests/op_hint.h"
#include "requests/read.h"
#include "requests/route.h"
#include "rooms/catch_up.h"
#include "rooms/damaged.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "rooms/pending.h"
#include "rows/document_rows.h"
#include "sessions/notice.h"
#include "sessions/probe.h"
#include "sessions/session.h"
#include "thinking/analysis.h"
#include "thinking/hint_job.h"
#include "timer.h"
#include "waiting/audit_lines.h"
#include "waiting/batch.h"
#include "waiting/note_queue.h"
#include "waiting/query.h"
#include "waiting/think_queue.h"
#include <assert.h>
#include <features/feature.h>
#include <hub/address_prefix.h>
#include <hub/call.h>
#include <hub/kernel_account.h>
#include <hub/kernel_others.h>
#include <hub/part.h>
#include <protocol/limits.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- creating and destroying */

static void take_rules(struct hub *hub)
{
    const struct hub_config *config = &hub->config;
    enum { MINUTE_MS = 60000 };
    hub->rules.rate = (struct bucket_rule){config->requests_burst, config->requests_per_s, 1000};
    hub->rules.requests = (struct bucket_rule){config->requests_per_address_burst,
                                               config->requests_per_address_per_s, 1000};
    hub->rules.work = (struct bucket_rule){config->work_burst, config->work_per_s, 1000};
    hub->rules.refusals =
        (struct bucket_rule){config->flood_refusals, config->requests_per_s, 1000};
    hub->rules.rooms = (struct bucket_rule){config->rooms_per_address_burst,
                                            config->rooms_per_address_per_min, MINUTE_MS};
    hub->rules.says = (struct bucket_rule){config->says_burst, config->says_per_min, MINUTE_MS};
    hub->rules.address_says = (struct bucket_rule){config->says_per_address_burst,
                                                   config->says_per_address_per_min, MINUTE_MS};
    hub->rules.watchers_say =
        (struct bucket_rule){config->watchers_say_burst, config->watchers_say_per_min, MINUTE_MS};
    hub->rules.hints = (struct bucket_rule){config->hints_burst, config->hints_per_min, MINUTE_MS};
    hub->rules.analyses = (struct bucket_rule){config->analyses_per_address_burst,
                                               config->analyses_per_address_per_min, MINUTE_MS};
    hub->rules.address_hints = (struct bucket_rule){config->hints_per_address_burst,
                                                    config->hints_per_address_per_min, MINUTE_MS};
    hub->rules.guesses =
        (struct bucket_rule){config->guesses_burst, config->guesses_per_min, MINUTE_MS};
    hub->rules.sessions = (struct bucket_rule){config->sessions_per_address_burst,
                                               config->sessions_per_address_per_min, MINUTE_MS};
    hub->rules.alone =
        (struct bucket_rule){config->think_alone_burst, config->think_alone_per_min, MINUTE_MS};
    hub->rules.room_limits = (struct room_limits){.abandoned_ms = config->abandoned_ms,
                                                  .paused_ms = config->paused_ms,
                                                  .computer_ms = config->computer_ms};
}

struct hub *hub_create(const struct hub_config *config, const struct hub_env *env)
{
    if (sodium_init() < 0)
        return NULL;
    struct hub *hub = calloc(1, sizeof *hub);
    if (!hub)
        return NULL;
    hub->config = *config;
    hub->env = *env;
    assert(env->part < env->parts && env->parts <= PARTS_MAX);
    hub->commit.filling = &hub->commit.batches[0];
    hub->commit.sign_due_ms = env->sign_of_life_ms > 0 ? 0 : INT64_MAX;
    think_init(&hub->thinking);
    mail_init(hub);
    read_done_begin(hub);
    take_rules(hub);
    env->random(env->ctx, hub->addresses.hash_key, sizeof hub->addresses.hash_key);
    routes_begin(&hub->features);
    if (features_begin(hub) == 0)
        return hub;
    hub_destroy(hub);
    return NULL;
}

static void discard_batch(struct batch *batch)
{
    for (size_t i = 0; i < batch->pending_count; i++)
        pending_discard(&batch->pending[i]);
    batch_release(batch);
}

static void detach_all(struct hub *hub)
{
    uint32_t at = 0;
    struct conn *conn;
    while ((conn = conn_next(hub, &at)) != NULL)
        entry_detach(hub, conn);
}

void hub_destroy(struct hub *hub)
{
    if (!hub)
        return;
    long_queue_release(hub);
    detach_all(hub);
    conns_release(hub);
    room_destroy(hub->restoring.room);
    discard_batch(&hub->commit.batches[0]);
    discard_batch(&hub->commit.batches[1]);
    hub_rooms_release(hub);
    think_release(hub);
    note_queue_release(hub);
    analyses_release(hub);
    sessions_release(hub);
    reads_release(hub);
    queries_release(hub);
    admin_wait_end(hub);
    document_change_release(hub);
    damaged_release(hub);
    document_rows_release(hub);
    http_waits_release(hub);
    addresses_release(hub);
    features_end(hub);
    audit_lines_release(&hub->audit_lines);
    timers_release(&hub->timers);
    free(hub);
}

/* ---- peers */

int hub_connect(struct hub *hub, const uint8_t address[static 16], int64_t now_ms,
                struct hub_peer *peer)
{
    entry_begin(hub, now_ms);
    const struct address_prefix prefix = address_prefix_of(address);
    if (features_barred_until_ms(hub, BAR_CONNECT, 0, &prefix)) {
        hub->metrics.refused_connections++;
        return CLOSE_BANNED;
    }
    struct conn *conn = hub->commit.stopped ? NULL : conn_open(hub, address);
    if (!conn) {
        hub->metrics.refused_connections++;
        return CLOSE_FULL;
    }
    *peer = conn->peer;
    return 0;
}

/* NULL: nothing is taken from this peer. */
static struct conn *begin_message(struct hub *hub, struct hub_peer peer, size_t len, int64_t now_ms)
{
    struct conn *conn = conn_of(hub, peer);
    if (!conn || conn->state != CONN_OPEN)
        return NULL;
    entry_begin(hub, now_ms);
    hub->metrics.received++;
    hub->metrics.received_bytes += len;
    conn->received_bytes += len;
    probe_answered(conn);
    return conn;
}

void hub_request(struct hub *hub, struct hub_peer peer, const struct hub_decoded *decoded,
                 int64_t now_ms)
{
    struct conn *conn = begin_message(hub, peer, decoded->len, now_ms);
    if (!conn)
        return;
    route_decoded(hub, conn, decoded);
    entry_end(hub);
}

void hub_receive(struct hub *hub, struct hub_peer peer, const char *bytes, size_t len,
                 int64_t now_ms)
{
    struct conn *conn = begin_message(hub, peer, len, now_ms);
    if (!conn)
        return;
    if (len > (size_t)hub->config.message_bytes)
        conn_close(hub, conn, CLOSE_TOO_LONG);
    else
        route(hub, conn, bytes, len);
    entry_end(hub);
}

void hub_reject(struct hub *hub, struct hub_peer peer, int close_code)
{
    struct conn *conn = conn_of(hub, peer);
    if (conn)
        conn_close(hub, conn, close_code);
    entry_end(hub);
}

void hub_disconnect(struct hub *hub, struct hub_peer peer, int64_t now_ms)
{
    struct conn *conn = conn_of(hub, peer);
    if (!conn)
        return;
    entry_begin(hub, now_ms);
    long_queue_forget(hub, peer);
    hint_jobs_forget(hub, peer);
    analyses_forget(hub, peer);
    entry_detach(hub, conn);
    entry_end(hub);
    conn_free(hub, conn);
}

/* ---- foreign peers */

/* 0, or the close code. */
static int enter_as(struct hub *hub, struct conn *conn, uint64_t session_id, const char *name)
{
    struct session *session = session_find(hub, session_id);
    if (features_barred_until_ms(hub, BAR_CONNECT, session_id, NULL))
        return CLOSE_BANNED;
    if (session ? session->conn_count >= hub->config.connections_per_session
                : !sessions_have_room(hub))
        return CLOSE_FULL;
    if (!session_within_share(hub, session, address_share(conn->address)))
        return CLOSE_FULL;
    session = session_meet(hub, session_id, name);
    if (!session || !session_call(session, name))
        return CLOSE_FULL;
    session_attach(hub, session, conn, 0);
    conn_arm_timer(hub, conn);
    return 0;
}

/* Of a connection that may not be one of the session's after all. */
static int end_entering(struct hub *hub, struct conn *conn, int refused, struct hub_peer *peer)
{
    *peer = conn->peer;
    if (refused) {
        hub->metrics.refused_connections++;
        conn_free(hub, conn);
    }
    entry_end(hub);
    return refused;
}

int hub_connect_as(struct hub *hub, const uint8_t address[static 16], uint64_t session_id,
                   const char *name, int64_t now_ms, struct hub_peer *peer)
{
    struct hub_peer opened;
    assert(session_is_elsewhere(hub, session_id));
    int refused = hub_connect(hub, address, now_ms, &opened);
    if (refused)
        return refused;
    struct conn *conn = conn_of(hub, opened);
    return end_entering(hub, conn, enter_as(hub, conn, session_id, name), peer);
}

bool hub_set_account(struct hub *hub, struct hub_peer peer, const struct protocol_account *account)
{
    const struct conn *conn = conn_of(hub, peer);
    if (!conn || !conn->session || conn->session->state != SESSION_FOREIGN)
        return true;
    struct kernel_account *own = calloc(1, sizeof *own);
    if (!own)
        return false;
    own->shown = *account;
    session_give_account(hub, conn->session, own);
    return true;
}

uint64_t hub_owner(const struct hub *hub, struct hub_peer peer)
{
    const struct conn *conn = conn_of(hub, peer);
    return conn && conn->session ? kernel_owner(conn->session) : 0;
}

void hub_set_quiet(struct hub *hub, struct hub_peer peer, bool quiet)
{
    struct conn *conn = conn_of(hub, peer);
    if (conn)
        conn->quiet = quiet;
}

void hub_set_owner(struct hub *hub, struct hub_peer peer, uint64_t owner)
{
    const struct conn *conn = conn_of(hub, peer);
    if (conn && conn->session && conn->session->state == SESSION_FOREIGN && conn->session->account)
        conn->session->account->owner = owner;
}

/* ---- peers that have been here, or where this part was before */

/* 0, or the close code. Of what is not known any more the client is told when it says hello. */
static int enter_known(struct hub *hub, struct conn *conn, const uint8_t secret_hash[static 32])
{
    const struct feature_doors *doors = hub->features.doors;
    struct feature_opened opened;
    if (!doors || !doors->open(hub, secret_hash, &opened))
        return CLOSE_RESTART;
    return enter_again(hub, conn, &opened);
}

int hub_connect_again(struct hub *hub, const uint8_t address[static 16],
                      const uint8_t secret_hash[static 32], int64_t now_ms, struct hub_peer *peer)
{
    struct hub_peer opened;
    const int refused = hub_connect(hub, address, now_ms, &opened);
    if (refused)
        return refused;
    struct conn *conn = conn_of(hub, opened);
    return end_entering(hub, conn, enter_known(hub, conn, secret_hash), peer);
}

void hub_follow(struct hub *hub, struct hub_peer peer, int64_t number, const char *room_id,
                int64_t have, int64_t now_ms)
{
    struct conn *conn = conn_of(hub, peer);
    if (!conn || conn->state != CONN_OPEN || !conn->session)
        return;
    entry_begin(hub, now_ms);
    route_follow(hub, conn, number, room_id, have);
    entry_end(hub);
}

bool hub_elsewhere(const struct hub *hub, struct hub_peer peer, unsigned *part)
{
    const struct conn *conn = conn_of(hub, peer);
    if (!conn || conn->elsewhere == 0)
        return false;
    *part = conn->elsewhere - 1U;
    return true;
}

_Static_assert((int)HUB_CHALLENGE_BYTES == (int)FEATURE_CHALLENGE_BYTES, "one challenge");

bool hub_challenge(struct hub *hub, struct hub_peer peer,
                   uint8_t challenge[static HUB_CHALLENGE_BYTES])
{
    struct conn *conn = conn_of(hub, peer);
    const struct call call = {.hub = hub, .conn = conn};
    return conn && conn->elsewhere && hub->features.doors->challenge &&
           hub->features.doors->challenge(&call, challenge);
}

void hub_set_challenge(struct hub *hub, struct hub_peer peer,
                       const uint8_t challenge[static HUB_CHALLENGE_BYTES], int64_t now_ms)
{
    struct conn *conn = conn_of(hub, peer);
    const struct feature_doors *doors = hub->features.doors;
    const struct call call = {.hub = hub, .conn = conn};
    if (!conn || conn->state != CONN_OPEN || conn->session || !doors || !doors->set_challenge)
        return;
    entry_begin(hub, now_ms);
    doors->set_challenge(&call, challenge);
    entry_end(hub);
}

size_t hub_seats(const struct hub *hub, uint64_t session_id, struct hub_seat *seats, size_t max)
{
    const struct session *session = session_find(hub, session_id);
    const struct seat_link *link = session ? session->seats : NULL;
    size_t count = 0;
    for (; link; link = link->next) {
        const uint8_t seat = hub_room_seat_of(link);
        if (!hub_room_seat_is_durable(link->hub_room, seat))
            continue;
        if (count < max) {
            seats[count].seat = seat;
            memcpy(seats[count].room_id, link->hub_room->id, sizeof seats[count].room_id);
        }
        count++;
    }
    return count;
}

void hub_keep(struct hub *hub, struct hub_peer peer, bool keep, int64_t now_ms)
{
    struct conn *conn = conn_of(hub, peer);
    if (!conn || conn->state != CONN_OPEN || conn->kept == keep)
        return;
    entry_begin(hub, now_ms);
    conn->kept = keep;
    conn->active_ms = hub->now_ms;
    conn_arm_timer(hub, conn);
    entry_end(hub);
}

/* ---- time */

static void fire_timer(struct hub *hub, struct timer *timer)
{
    switch ((enum timer_kind)timer->kind) {
    case TIMER_CONN:
        conn_due(hub, (struct conn *)(void *)((char *)timer - offsetof(struct conn, timer)));
        break;
    case TIMER_ROOM:
        room_clock_fired(
            hub, (struct hub_room *)(void *)((char *)timer - offsetof(struct hub_room, timer)));
        break;
    case TIMER_PRESENCE:
        presence_queue_add(
            hub,
            (struct hub_room *)(void *)((char *)timer - offsetof(struct hub_room, presence_timer)));
        break;
    }
}

/* What one has reserved is not kept for the next. */
static void tick_features(struct hub *hub)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->tick)
            (*feature)->tick(hub);
        batch_keep_nothing(hub->commit.filling);
    }
}

void hub_tick(struct hub *hub, int64_t now_ms)
{
    struct timer *timer;
    entry_begin(hub, now_ms);
    while ((timer = timers_pop(&hub->timers, hub->now_ms)) != NULL)
        fire_timer(hub, timer);
    route_in_turn(hub);
    op_hint_late(hub);
    op_analysis_late(hub);
    jumps_keep(hub);
    sessions_expire(hub);
    mail_tick(hub);
    tick_features(hub);
    entry_end(hub);
}

static int64_t earlier_of(int64_t one_ms, int64_t other_ms)
{
    return one_ms < other_ms ? one_ms : other_ms;
}

int64_t hub_deadline_ms(const struct hub *hub)
{
    int64_t due_ms = earlier_of(timers_next_ms(&hub->timers), sessions_deadline_ms(hub));
    /* One that is due already can be taken: then it is the caller who waits, for its pace. */
    const int64_t empty_ms =
        hub->commit.failing ? hub->commit.retry_at_ms : hub->commit.sign_due_ms;
    const bool waits = !hub->commit.out && !hub->commit.stopped && empty_ms > hub->now_ms;
    due_ms = earlier_of(due_ms, long_queue_deadline_ms(hub));
    due_ms = earlier_of(due_ms, hint_jobs_deadline_ms(hub));
    due_ms = earlier_of(due_ms, analyses_deadline_ms(hub));
    due_ms = earlier_of(due_ms, note_queue_deadline_ms(hub));
    due_ms = earlier_of(due_ms, features_deadline_ms(hub));
    due_ms = earlier_of(due_ms, mail_deadline_ms(hub));
    due_ms = earlier_of(due_ms, retention_deadline_ms(hub));
    return waits ? earlier_of(due_ms, empty_ms) : due_ms;
}

/* ---- output */

bool hub_next_ready(struct hub *hub, struct hub_peer *peer)
{
    struct conn *conn = conn_pop_ready(hub);
    if (conn)
        *peer = conn->peer;
    return conn;
}

unsigned char *hub_output(struct hub *hub, struct hub_peer peer, size_t *len)
{
    const struct conn *conn = conn_of(hub, peer);
    struct blob *blob = conn ? conn_first(conn) : NULL;
    if (!blob)
        return NULL;
    *len = blob->len;
    return blob_bytes(blob);
}

const struct hub_head *hub_output_head(const struct hub *hub, struct hub_peer peer)
{
    const struct conn *conn = conn_of(hub, peer);
    const struct blob *blob = conn ? conn_first(conn) : NULL;
    return blob ? &blob->head : NULL;
}

struct facts hub_output_facts(const struct hub *hub, struct hub_peer peer)
{
    const struct conn *conn = conn_of(hub, peer);
    struct blob *blob = conn ? conn_first(conn) : NULL;
    return blob ? blob_facts(blob) : (struct facts){NULL, 0};
}

bool hub_hurries(const struct hub *hub, struct hub_peer peer)
{
    const struct conn *conn = conn_of(hub, peer);
    return conn && (conn->hurries || conn->close_code != 0 || conn->probe_wanted);
}

void hub_sent(struct hub *hub, struct hub_peer peer)
{
    struct conn *conn = conn_of(hub, peer);
    if (!conn)
        return;
    conn_sent(hub, conn);
    if (!conn->left_out || conn->state != CONN_OPEN)
        return;
    catch_up(hub, conn);
    entry_end(hub);
}

int hub_close_code(const struct hub *hub, struct hub_peer peer)
{
    const struct conn *conn = conn_of(hub, peer);
    return conn ? conn->close_code : 0;
}

bool hub_take_probe(struct hub *hub, struct hub_peer peer, int64_t now_ms)
{
    struct conn *conn = conn_of(hub, peer);
    if (!conn || !conn->probe_wanted)
        return false;
    entry_begin(hub, now_ms);
    probe_sent(hub, conn);
    entry_end(hub);
    return true;
}

void hub_heard(struct hub *hub, struct hub_peer peer)
{
    struct conn *conn = conn_of(hub, peer);
    if (conn)
        probe_answered(conn);
}

/* ---- draining and closing */

void hub_drain(struct hub *hub, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    if (!hub->draining) {
        hub->draining = true;
        notice_to_all(hub, PROTOCOL_NOTICE_DRAINING, NULL);
    }
    entry_end(hub);
}

void hub_drain_cancel(struct hub *hub, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    if (hub->draining) {
        hub->draining = false;
        notice_to_all(hub, PROTOCOL_NOTICE_SERVING, NULL);
    }
    entry_end(hub);
}

void hub_metrics(const struct hub *hub, struct hub_metrics *metrics)
{
    *metrics = (struct hub_metrics){.sessions = key_map_count(&hub->sessions.by_id) -
                                                hub->sessions.foreign_count,
                                    .foreign_sessions = hub->sessions.foreign_count,
                                    .connections = hub->conns.count,
                                    .rooms = key_map_count(&hub->rooms.by_id),
                                    .addresses = key_map_count(&hub->addresses.by_prefix),
                                    .outbox_bytes = hub->conns.outbox_bytes,
                                    .history_bytes = hub->history.bytes};
}
