/*
 * A change of what a feature has of a session, the head of the feature's own struct: it waits for a
 * batch to be durable (hub/kernel.h), is carried out then or undone, and freed in any case.
 */
#ifndef HUB_KERNEL_CHANGE_H
#define HUB_KERNEL_CHANGE_H

struct hub;
struct kernel_change;
struct session;

struct kernel_change_type {
    void (*carry_out)(struct hub *hub, struct session *session, struct kernel_change *change);
    /* It could not be stored. NULL: then nothing has changed that would have to go back. */
    void (*undo)(struct hub *hub, struct session *session, struct kernel_change *change);
    void (*destroy)(struct kernel_change *change);
};

struct kernel_change {
    const struct kernel_change_type *type;
};

#endif
