#include "full_batch.h"

#include "hub_private.h"
#include "waiting/batch.h"
#include <check.h>
#include <hub/kernel.h>

static void change_nothing(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static void keep_change(struct kernel_change *change)
{
    (void)change;
}

static const struct kernel_change_type nothing_type = {.carry_out = change_nothing,
                                                       .destroy = keep_change};
static struct kernel_change nothing = {&nothing_type};

void leave_ops(struct hub *hub, size_t left)
{
    enum { NOBODY = 1 };
    struct batch *batch = hub->commit.filling;
    ck_assert_int_eq(batch_reserve(batch, left + 1, 0, 0, 0), 0);
    while (batch->op_count + left < batch->op_size)
        batch_drop_session(batch, NOBODY);
}

void leave_pending(struct hub *hub, size_t left)
{
    struct batch *batch = hub->commit.filling;
    ck_assert_int_eq(batch_reserve(batch, 0, left + 1, 0, 0), 0);
    while (batch->pending_count + left < batch->pending_size)
        kernel_change_hub(hub, &nothing);
}
