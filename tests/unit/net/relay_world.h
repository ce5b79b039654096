/*
 * Nodes with links between them, all on one loop and on 127.0.0.1, and what may stand between them:
 * a forwarder whose connections can be stopped, as a network does that loses everything.
 */
#ifndef RELAY_WORLD_H
#define RELAY_WORLD_H

#include "relay/relay.h"
#include <stdbool.h>
#include <sys/types.h>
#include <uv.h>

enum { PLACE_FRAMES = 20000, WORLD_HANGS_MS = 120000 };

/* A frame of a test: so many bytes that are all the same. */
struct frame {
    size_t len;
    unsigned char byte;
};

/* A node, with at most one end at a time: tests look at one link of it. */
struct place {
    struct relay *relay;
    struct net_relay_options options;
    struct relay_limits limits;
    char cert[128], key[128], ca[128], message[NET_MESSAGE_MAX];
    struct frame *out; /* what is to be sent, whatever the link */
    size_t out_count, out_at;
    unsigned char *bytes; /* of out[out_at] */
    struct frame *in;     /* what has come */
    size_t in_count;
    int opened, closed;
    bool no_memory, refuses, broken;
};

extern const char *world_folder; /* of certificates, see relay_certificates.py */
extern uv_loop_t world_loop;

void world_begin(void);
void world_end(void); /* all places and forwarders are closed */
void world_run(int64_t for_ms);
/* Runs the loop until it is so; after WORLD_HANGS_MS it never will be, on whatever machine. */
#define WORLD_UNTIL(condition)                                                                     \
    do {                                                                                           \
        bool is_so = false;                                                                        \
        for (int i_ = 0; i_ < WORLD_HANGS_MS / 5 && !is_so; i_++) {                                \
            is_so = (condition);                                                                   \
            if (!is_so)                                                                            \
                world_run(5);                                                                      \
        }                                                                                          \
        ck_assert_msg(is_so, "%s", #condition);                                                    \
    } while (false)

/* With the files of a folder: "good", "a". It listens on any port. */
struct place *place_new(const char *name, const char *folder, const char *files);
enum net_result place_start(struct place *place);
void place_end(struct place *place);
/* Another node, at 127.0.0.1; port 0: the list is empty. */
void place_knows(struct place *place, const char *name, unsigned port);
void place_send(struct place *place, size_t len, unsigned char byte);
uint64_t place_refused(const struct place *place, enum net_relay_refusal refusal);

/* The two of most tests. */
extern struct place *a, *b;
void pair_begin(void); /* with world_begin */
void pair_end(void);
void pair_start(struct place *place); /* place_start, which must not fail */
void start_both(void);                /* they know each other */
bool both_up(void);

struct forwarder;
struct forwarder *forwarder_new(unsigned to_port);
unsigned forwarder_port(const struct forwarder *forwarder);
/* Nothing more goes through what is connected now; what connects later is not concerned. */
void forwarder_stop(struct forwarder *forwarder);
void forwarder_end(struct forwarder *forwarder);

/* A command of the shell in the folder of certificates; `world_stop` ends it if it has not. */
pid_t world_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void world_stop(pid_t pid);

#endif
