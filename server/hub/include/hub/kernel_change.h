/*
 * A change of what a feature has of a session, or of none, the head of the feature's own struct: it
 * waits for a batch to be durable (hub/kernel.h), is carried out then or undone, and freed in any
 * case.
 */
#ifndef HUB_KERNEL_CHANGE_H
#define HUB_KERNEL_CHANGE_H

#include <protocol/error.h>

struct hub;
struct kernel_change;
struct session;

struct kernel_change_type {
    void (*carry_out)(struct hub *hub, struct session *session, struct kernel_change *change);
    /* It could not be stored. NULL: then nothing has changed that would have to go back. */
    void (*undo)(struct hub *hub, struct session *session, struct kernel_change *change);
    /*
     * A row of the session that was put with it claims what another row has (hub/store_row.h): it
     * was left out, alone, and all else is durable. Instead of `carry_out`; NULL: `undo`. Whoever
     * waits for the reply is refused with `taken_error`.
     */
    void (*taken)(struct hub *hub, struct session *session, struct kernel_change *change);
    enum protocol_error taken_error;
    void (*destroy)(struct kernel_change *change);
};

struct kernel_change {
    const struct kernel_change_type *type;
};

#endif
