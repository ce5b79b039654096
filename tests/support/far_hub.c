/*
 * Puts two nodes between a test and its hub: linked into a program that drives hubs, with
 * `--wrap` for the functions below, each hub is served by one node, and all its clients are
 * connected to another one that serves nothing. So what holds for a client of a hub is tried for
 * one that came to the wrong node.
 *
 *     the test's peers --> struct site --> frames --> struct site --> the hub
 *                            (wrong)                   (right)
 */
#include "hub_driver.h"
#include <hub/hub.h>
#include <site/site.h>
#include <stdlib.h>
#include <string.h>

/* What the linker puts in the place of a function, and the function. */
#define WRAPPED(result, name, arguments)                                                           \
    result __wrap_##name arguments;                                                                \
    result __real_##name arguments

WRAPPED(struct hub *, hub_create, (const struct hub_config *config, const struct hub_env *env));
WRAPPED(void, hub_destroy, (struct hub * hub));
WRAPPED(int, hub_restored, (struct hub * hub, int64_t now_ms));
WRAPPED(int, hub_connect,
        (struct hub * hub, const uint8_t address[static 16], int64_t now_ms,
         struct hub_peer *peer));
WRAPPED(void, hub_receive,
        (struct hub * hub, struct hub_peer peer, const char *bytes, size_t len, int64_t now_ms));
WRAPPED(void, hub_reject, (struct hub * hub, struct hub_peer peer, int close_code));
WRAPPED(void, hub_disconnect, (struct hub * hub, struct hub_peer peer, int64_t now_ms));
WRAPPED(bool, hub_next_ready, (struct hub * hub, struct hub_peer *peer));
WRAPPED(unsigned char *, hub_output, (struct hub * hub, struct hub_peer peer, size_t *len));
WRAPPED(void, hub_sent, (struct hub * hub, struct hub_peer peer));
WRAPPED(int, hub_close_code, (const struct hub *hub, struct hub_peer peer));
WRAPPED(int64_t, hub_deadline_ms, (const struct hub *hub));
WRAPPED(void, hub_tick, (struct hub * hub, int64_t now_ms));
WRAPPED(bool, hub_http_next, (struct hub * hub, uint64_t *ticket, struct hub_http_answer *answer));

enum { HUBS = 8 };

static struct far {
    struct hub *hub;
    struct site *right, *wrong;
    struct site_link *to_wrong, *to_right; /* the ends at the right and at the wrong node */
    int64_t now_ms;
} all[HUBS];

/* A site is calling: its calls are for the hub. */
static bool inside;

static struct far *far_of(const struct hub *hub)
{
    struct far *far = all;
    while (far < all + HUBS && far->hub != hub)
        far++;
    return inside || far == all + HUBS ? NULL : far;
}

static void enter(struct far *far, int64_t now_ms)
{
    inside = true;
    if (now_ms > far->now_ms)
        far->now_ms = now_ms;
}

static void join(struct far *far)
{
    far->to_wrong = site_link_open(far->right, far->now_ms);
    far->to_right = site_link_open(far->wrong, far->now_ms);
}

static void part(struct far *far)
{
    if (far->to_right)
        site_link_close(far->to_right, far->now_ms);
    if (far->to_wrong)
        site_link_close(far->to_wrong, far->now_ms);
    far->to_wrong = far->to_right = NULL;
}

static bool is_joined(const struct far *far)
{
    return far->to_wrong && far->to_right && !site_link_broken(far->to_wrong) &&
           !site_link_broken(far->to_right);
}

/* False: nothing was under way. */
static bool carry(struct site_link *from, struct site_link *to, int64_t now_ms)
{
    const unsigned char *bytes;
    size_t len;
    bool any = false;
    while (!site_link_broken(to) && (bytes = site_link_output(from, &len)) != NULL) {
        (void)site_link_receive(to, bytes, len, now_ms);
        site_link_sent(from);
        any = true;
    }
    return any;
}

/* A link that breaks, as there is no memory, is made anew. */
static void settle(struct far *far)
{
    bool more = true;
    while (more) {
        if (!is_joined(far)) {
            part(far);
            join(far);
        }
        site_pump(far->right, far->now_ms);
        site_pump(far->wrong, far->now_ms);
        more = is_joined(far) && carry(far->to_wrong, far->to_right, far->now_ms);
        more = (is_joined(far) && carry(far->to_right, far->to_wrong, far->now_ms)) || more;
    }
}

static void leave(struct far *far)
{
    settle(far);
    inside = false;
}

struct hub *__wrap_hub_create(const struct hub_config *config, const struct hub_env *env)
{
    struct far *far = far_of(NULL);
    hub_is_far = true;
    struct site_config site = site_usual;
    site.message_bytes = (size_t)config->message_bytes;
    site.held_bytes = (size_t)config->outbox_bytes;
    struct hub *hub = __real_hub_create(config, env);
    if (!hub || !far)
        return hub;
    *far = (struct far){.hub = hub, .right = site_create(&site), .wrong = site_create(&site)};
    if (!far->right || !far->wrong) {
        __wrap_hub_destroy(hub);
        return NULL;
    }
    return hub;
}

int __wrap_hub_restored(struct hub *hub, int64_t now_ms)
{
    struct far *far = far_of(hub);
    const int done = __real_hub_restored(hub, now_ms);
    if (!far || done < 0)
        return done;
    enter(far, now_ms);
    site_serve(far->right, 0, 1, hub, now_ms);
    leave(far);
    return done;
}

void __wrap_hub_destroy(struct hub *hub)
{
    struct far *far = hub ? far_of(hub) : NULL;
    if (far) {
        inside = true;
        part(far);
        site_destroy(far->wrong);
        site_destroy(far->right);
        *far = (struct far){0};
        inside = false;
    }
    __real_hub_destroy(hub);
}

int __wrap_hub_connect(struct hub *hub, const uint8_t address[static 16], int64_t now_ms,
                       struct hub_peer *peer)
{
    struct far *far = far_of(hub);
    if (!far)
        return __real_hub_connect(hub, address, now_ms, peer);
    enter(far, now_ms);
    int code = site_connect(far->wrong, address, now_ms, peer);
    leave(far);
    if (code == 0 && (code = site_close_code(far->wrong, *peer)) != 0) {
        inside = true;
        site_disconnect(far->wrong, *peer, now_ms);
        leave(far);
    }
    return code;
}

void __wrap_hub_receive(struct hub *hub, struct hub_peer peer, const char *bytes, size_t len,
                        int64_t now_ms)
{
    struct far *far = far_of(hub);
    if (!far) {
        __real_hub_receive(hub, peer, bytes, len, now_ms);
        return;
    }
    enter(far, now_ms);
    site_receive(far->wrong, peer, bytes, len, now_ms);
    leave(far);
}

void __wrap_hub_reject(struct hub *hub, struct hub_peer peer, int close_code)
{
    struct far *far = far_of(hub);
    if (!far)
        __real_hub_reject(hub, peer, close_code);
    else
        site_reject(far->wrong, peer, close_code);
}

void __wrap_hub_disconnect(struct hub *hub, struct hub_peer peer, int64_t now_ms)
{
    struct far *far = far_of(hub);
    if (!far) {
        __real_hub_disconnect(hub, peer, now_ms);
        return;
    }
    enter(far, now_ms);
    site_disconnect(far->wrong, peer, now_ms);
    leave(far);
}

bool __wrap_hub_next_ready(struct hub *hub, struct hub_peer *peer)
{
    struct far *far = far_of(hub);
    if (!far)
        return __real_hub_next_ready(hub, peer);
    inside = true;
    leave(far);
    return site_next_ready(far->wrong, peer);
}

unsigned char *__wrap_hub_output(struct hub *hub, struct hub_peer peer, size_t *len)
{
    struct far *far = far_of(hub);
    return far ? site_output(far->wrong, peer, len) : __real_hub_output(hub, peer, len);
}

void __wrap_hub_sent(struct hub *hub, struct hub_peer peer)
{
    struct far *far = far_of(hub);
    if (far)
        site_sent(far->wrong, peer);
    else
        __real_hub_sent(hub, peer);
}

int __wrap_hub_close_code(const struct hub *hub, struct hub_peer peer)
{
    const struct far *far = far_of(hub);
    return far ? site_close_code(far->wrong, peer) : __real_hub_close_code(hub, peer);
}

int64_t __wrap_hub_deadline_ms(const struct hub *hub)
{
    const struct far *far = far_of(hub);
    const int64_t due_ms = __real_hub_deadline_ms(hub);
    if (!far)
        return due_ms;
    const int64_t site_ms = site_deadline_ms(far->wrong);
    return site_ms < due_ms ? site_ms : due_ms;
}

void __wrap_hub_tick(struct hub *hub, int64_t now_ms)
{
    struct far *far = far_of(hub);
    __real_hub_tick(hub, now_ms);
    if (!far)
        return;
    enter(far, now_ms);
    site_tick(far->right, now_ms);
    site_tick(far->wrong, now_ms);
    leave(far);
}

/* The tests ask for those themselves. */
bool __wrap_hub_http_next(struct hub *hub, uint64_t *ticket, struct hub_http_answer *answer)
{
    return !inside && __real_hub_http_next(hub, ticket, answer);
}
