/*
 * Browsers: where those of a session take messages (hub/push.h). Durable, a few for each session,
 * the oldest first; one more takes the place of that one.
 */
#ifndef NOTIFY_BROWSER_H
#define NOTIFY_BROWSER_H

#include <hub/kernel.h>
#include <notify/browser_table.h>
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

enum { BROWSERS_MAX = 4 };

struct browser {
    struct browser *next; /* of its session, the newer one */
    uint64_t key;         /* of its endpoint */
    uint32_t device;      /* of the session: that it is on */
    int64_t since_ms;
    uint8_t point[HUB_PUSH_POINT_BYTES];
    uint8_t auth[HUB_PUSH_AUTH_BYTES];
    char endpoint[];
};

/* What is to be made durable and then carried out: these go, and this one comes. */
struct browser_change {
    struct kernel_change change; /* its head */
    struct browser *add;         /* NULL: none */
    unsigned drop_count;
    uint64_t drop[BROWSERS_MAX];
};

/* NULL: out of memory. */
struct browser *browser_create(const char *endpoint, int64_t since_ms);
uint64_t browser_key(const char *endpoint);
/* Of a list; NULL: none has that key. */
struct browser *browser_find(struct browser *browsers, uint64_t key);
void browsers_release(struct browser **browsers);
/* Those on a device that is gone. */
void browsers_drop_device(struct browser **browsers, uint32_t device);

/*
 * NULL: out of memory. For browser_change_free, or for the hub, which carries it out. `add` is
 * taken over, also without memory.
 */
struct browser_change *browser_change_create(struct browser *add);
void browser_change_drop(struct browser_change *change, uint64_t key);
void browser_change_free(struct browser_change *change); /* takes NULL */
/* To the batch that fills, with so many ops and a text reserved. */
void browser_change_store(struct hub *hub, uint64_t session, const struct browser_change *change);
size_t browser_change_ops(const struct browser_change *change);
size_t browser_change_text(const struct browser_change *change);
/* The same of one that goes. */
void browser_drop(struct hub *hub, uint64_t session, uint64_t key);
/* The member "devices", as it is after the change; NULL: as it is. */
void browsers_write(const struct browser *browsers, const struct browser_change *change,
                    struct writer *writer);

/* From the store. False: out of memory. */
bool browser_restore(struct browser **browsers, const struct browser_row *stored);

#endif
