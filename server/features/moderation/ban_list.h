/*
 * Who may not connect, and who may not speak: sessions and networks, each until some time. And the
 * text that is kept of them:
 *
 *     {"bans":1}
 *     {"target":"203.0.113.0/24","silence":false,"since":MS,"until":MS,"reason":"..."}
 *     ...
 *     {"end":COUNT}
 *
 * `reason` is left out if there is none. Knows no hub and no file.
 */
#ifndef MODERATION_BAN_LIST_H
#define MODERATION_BAN_LIST_H

#include <hub/ban_target.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

struct ban {
    struct ban_target target;
    bool silence; /* it may connect, but not speak */
    int64_t since_ms, until_ms;
    char reason[PROTOCOL_SAY_BYTES + 1]; /* "": none was given */
};

struct ban_list {
    struct ban *items;
    size_t count, size;
};

void ban_list_release(struct ban_list *list);
/* By then it is over: of a time by which that hub's clock jumped a day counts; NULL: all of it. */
int64_t ban_until_ms(const struct ban *ban, const struct hub *hub);
/* <0: no memory, and `copy` is empty. What is over by now is left out. */
int ban_list_copy(struct ban_list *copy, const struct ban_list *list, const struct hub *hub,
                  int64_t now_ms);

/* In place of what there is of this kind for the same target. <0: no memory. */
int ban_list_put(struct ban_list *list, const struct ban *ban);
/* All that there is for just this target; how many. */
size_t ban_list_lift(struct ban_list *list, const struct ban_target *target);

/* The ban, or silence, that a session got at just that time; NULL: there is none. */
const struct ban *ban_list_of(const struct ban_list *list, bool silence, uint64_t session,
                              int64_t since_ms);
/* Takes it out of the list, which it is in. */
void ban_list_drop(struct ban_list *list, const struct ban *ban);

/*
 * The one that ends last, of those that hold now for a session (0: none) or an address (NULL:
 * none). NULL: there is none.
 */
const struct ban *ban_list_find(const struct ban_list *list, bool silence, uint64_t session,
                                const struct address_prefix *address, const struct hub *hub,
                                int64_t now_ms);

void ban_write(const struct ban *ban, struct writer *writer); /* the members */
void ban_list_write(const struct ban_list *list, struct buffer *text);
/* Into an empty list. False: it is no such text, or no memory; then it is empty. */
bool ban_list_read(struct ban_list *list, const char *text, size_t len);

#endif
