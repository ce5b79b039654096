/*
 * The whole server without a socket: sessions, connections, lobby, routing, outboxes, what is to be stored.
 *
 * Down by call, up by data. The hub never asks the clock, never touches a socket, a file or a thread: bytes and time are
 * arguments, randomness comes from `hub_env`, output waits in outboxes and batches until somebody fetches it. So the
 * simulator drives the real hub, and a test is a table.
 *
 * Time is milliseconds since 1970-01-01 UTC and never goes back within one run (net sees to that).
 */
#ifndef HUB_HUB_H
#define HUB_HUB_H

#include <hub/config.h>
#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

struct hub_env {
    void (*random)(void *ctx, void *bytes, size_t len);
    void *ctx;
};

/* A connection, across layers: an index and a generation; {0, 0} is nobody. */
struct hub_peer {
    uint32_t index, generation;
};

struct hub *hub_create(const struct hub_config *config, const struct hub_env *env);
void hub_destroy(struct hub *hub);

/* Before the first peer: everything the store knows, in any order of rooms, events of a room in order. <0: unusable. */
int hub_restore_session(struct hub *hub, const struct store_session *session);
int hub_restore_room(struct hub *hub, const struct store_room *room);
int hub_restore_event(struct hub *hub, const char room_id[static 8], const struct room_event *event);
void hub_restored(struct hub *hub, int64_t now_ms);

/*
 * Peers. `address` is 16 bytes (IPv4 mapped), for the limits per address. hub_connect returns 0, or the close code / HTTP-ish
 * refusal to give (PROTOCOL_CLOSE_FULL).
 */
int hub_connect(struct hub *hub, const uint8_t address[static 16], int64_t now_ms, struct hub_peer *peer);
void hub_receive(struct hub *hub, struct hub_peer peer, const char *bytes, size_t len, int64_t now_ms);
void hub_disconnect(struct hub *hub, struct hub_peer peer, int64_t now_ms);

/* Clocks, time-outs, computer players. Returns when to be called again (INT64_MAX: never). */
int64_t hub_tick(struct hub *hub, int64_t now_ms);

/*
 * Output. `hub_next_ready` pops one peer that has something to be written or is to be closed (each is listed once until popped);
 * net asks for a writable callback, then takes messages with hub_output / hub_sent, and closes with hub_close_code (0: stay open)
 * when the outbox is empty.
 * A message's bytes have HUB_OUTPUT_HEADROOM writable bytes before them (for the frame's header; the same for every receiver).
 */
enum { HUB_OUTPUT_HEADROOM = 16 };
bool hub_next_ready(struct hub *hub, struct hub_peer *peer);
unsigned char *hub_output(struct hub *hub, struct hub_peer peer, size_t *len); /* NULL: nothing more */
void hub_sent(struct hub *hub, struct hub_peer peer);
int hub_close_code(const struct hub *hub, struct hub_peer peer);

/*
 * What is to be made durable since the last call, or NULL. At most one batch is out at a time; it is read by another thread
 * while it is out, so the hub does not touch it until hub_batch_done.
 */
const struct store_batch *hub_batch_take(struct hub *hub);
void hub_batch_done(struct hub *hub, enum store_result result, int64_t now_ms);

/* Draining: no new matches, notices sent; hub_drained when nothing is left to store. */
void hub_drain(struct hub *hub, int64_t now_ms);
bool hub_drained(const struct hub *hub);

/* HTTP: bodies for /api/rooms, /api/records/ROOM, /metrics, /readyz, written by the hub, sent by net. */
/* ... to be completed by the hub's author ... */

#endif
