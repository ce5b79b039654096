/*
 * The hub as a whole, private to this folder: one part for each file that changes it, in the header
 * of that file.
 *
 * How a request passes through the files:
 *
 *     hub.c --bytes--> route.c --admit, decode, one row per op--> op_*.c --decide--> change.c
 *                                                                                       |
 *     outbox of every subscriber <--release-- commit.c <--store ops, pending effects-- batch.c
 *
 * The layers, lowest last. A file calls files below it, or further to the right in its own layer,
 * and includes the header of each that it calls; tests/lint/cycles.py holds it so.
 *
 *     admin  document                         what the operator asks, and what of the site holds
 *     push                                    messages to browsers, which a feature has
 *     hub  restore  commit  refused           calls from outside, and the answers
 *     retention  jump_keep                    how long matches are kept, and jumps of the clock
 *     read_done  think_done                   of the store and of the workers
 *     http  route                             what is asked
 *     admin_list  admin_letters               what the operator is shown; letters set aside
 *     admin_feature                           what features answer them
 *     op_analysis  op_hint  op_lobby          one function per operation
 *     op_play  op_ping  read
 *     document_change  kernel  enter          the hub as features see it (hub/kernel.h)
 *     kernel_hand  kernel_talk  gate  kernel_others
 *     room_open                               rooms that begin
 *     call                                    the ways to answer a request
 *     lobby_share                             what an address may change in a lobby
 *     note  mail                              news from and for other parts of the site; letters
 *     room_clock  think_move  change          what changes a room
 *     pending  view                           what waits for the store
 *     admin_wait                              the operator, for the store
 *     entry  catch_up  notice  presence       what subscribers are told
 *     analysis  hint_job                      what is asked of the workers
 *     room_evict                              which room goes for others
 *     retry                                   when to send what was refused again
 *     watchers_rule                           how much who looks on may say
 *     kept_share                              how many finished matches come from where
 *     hub_room  room_list                     rooms
 *     probe  session_evict                    who is gone without a word; who goes for others
 *     left_out                                for whom there is no place
 *     subscription  presence_queue  session   who is there
 *     http_query                              pages of HTTP that are made of rows
 *     http_work                               pages of HTTP that a thread makes
 *     long_queue                              who waits for a long answer
 *     price                                   what requests cost
 *     conn  batch  http_wait                  connections; what goes to the store; HTTP answers
 *     query                                   what the store is asked for
 *     fair_queue                              who waits for that
 *     think_queue  note_queue                 what goes to the workers, and to other parts
 *     address                                 what is known of one
 *     origin                                  where sessions, rooms and questions come from
 *     turns  jump                             of addresses, in queues; of the clock
 *     document_rows                           texts of the site that the store has
 *     metrics  damaged  history               counters; rooms that cannot be served; old pushes
 *     log_lines  audit_lines                  what the logs are to have
 *     record_cache                            and old records
 *     feature_table                           which features there are
 *     store_tables  store_query               the described rows of the hub, and pages of them
 *     check  store_trim  store  blob  facts   parts that know nothing
 *     bucket  config  names
 *     store_row  admin_page  admin_request    of the hub
 *     secret  http_page  voucher
 *     ban_target  address_turns  address_prefix
 *     key_map  timer  prometheus  pacing
 *
 * Rules that all files follow:
 *
 * - Clients are told only what is durable. A reply, a push or a subscription that depends on events
 *   in a batch waits behind them in that batch (`struct pending`); commit.c releases it when the
 *   store has committed the batch, or refuses it when the store has failed. Those of one room are
 *   released in the order in which they were made, so a subscriber's `seq` grows by one with every
 *   push, without a gap or a repeat.
 * - When the store fails, every room goes back to its durable_seq; a room that has none is removed.
 * - A connection is never freed or detached in the middle of a call: `conn_close` only marks it,
 *   and `entry_end`, at the end of every call from outside, detaches what is marked.
 * - Memory is reserved before the first change, so that nothing fails halfway.
 */
#ifndef HUB_PRIVATE_H
#define HUB_PRIVATE_H

#include "admin_wait.h"
#include "connections/conn.h"
#include "connections/long_queue.h"
#include "connections/presence_queue.h"
#include "durable/commit.h"
#include "durable/restore.h"
#include "durable/retention.h"
#include "feature_table.h"
#include "http/http_wait.h"
#include "jump.h"
#include "kernel/document_change.h"
#include "limits/address.h"
#include "metrics.h"
#include "parts/mail.h"
#include "requests/read.h"
#include "rooms/damaged.h"
#include "rooms/history.h"
#include "rooms/hub_room.h"
#include "rooms/kept_share.h"
#include "rooms/record_cache.h"
#include "rooms/room_list.h"
#include "rows/document_rows.h"
#include "sessions/session.h"
#include "thinking/analysis.h"
#include "thinking/hint_job.h"
#include "timer.h"
#include "waiting/audit_lines.h"
#include "waiting/log_lines.h"
#include "waiting/note_queue.h"
#include "waiting/query.h"
#include "waiting/think_queue.h"
#include <hub/bucket.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <protocol/request.h>
#include <room/event.h>
#include <room/room.h>
#include <stdbool.h>
#include <stdint.h>

enum timer_kind { TIMER_CONN, TIMER_ROOM, TIMER_PRESENCE };

/* Made of the configuration. */
struct hub_rules {
    struct bucket_rule rate, refusals;  /* of a connection */
    struct bucket_rule requests;        /* of an address */
    struct bucket_rule work;            /* of the server; see price.h */
    struct bucket_rule says, hints;     /* of a session */
    struct bucket_rule address_says;    /* of an address */
    struct bucket_rule watchers_say;    /* of a room, all of them together */
    struct bucket_rule address_hints;   /* of an address */
    struct bucket_rule analyses;        /* of an address */
    struct bucket_rule guesses;         /* of a session and of an address */
    struct bucket_rule sessions, rooms; /* of an address */
    struct bucket_rule alone;           /* thoughtful moves of matches of computers alone */
    struct room_limits room_limits;
};

struct hub {
    struct hub_config config;
    struct hub_env env;
    struct hub_rules rules;
    struct bucket work, alone;
    int64_t now_ms;
    bool draining;
    uint64_t epoch; /* of the store, since it was opened */

    struct timers timers;
    struct metrics metrics;
    struct addresses addresses;
    struct origin_counts address_origins; /* of all that are remembered */
    struct shares shares;
    struct conns conns;
    struct origin_counts conn_origins; /* of all connections */
    struct sessions sessions;
    struct hub_rooms rooms;
    struct room_list list;
    struct presence_queue presence_queue;
    struct commit commit;
    struct long_queue long_queue;
    struct reads reads;
    struct queries queries;
    struct mail mail;
    struct retention retention;
    struct kept_share kept_share;
    struct history history;
    struct record_cache records;
    struct http_waits http;
    struct thinking thinking;
    struct hint_jobs hints;
    struct note_queue notes;
    struct analyses analyses;
    struct restoring restoring;
    struct jump jumps[JUMPS_KEPT];
    struct damaged_rooms damaged;
    struct admin_wait admin;
    struct log_lines log_lines;
    struct audit_lines audit_lines;
    struct document_rows documents;
    struct document_change document_change;
    struct feature_table features;

    struct request request;  /* the one that is being handled */
    struct room_draft draft; /* what a room has decided about it */
    char scratch[ROOM_EVENT_TEXT_MAX];
};

#endif
