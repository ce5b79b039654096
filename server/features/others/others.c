#include <others/others.h>

#include "block.h"
#include "block_table.h"
#include "forget.h"
#include "sitting.h"
#include <hub/kernel.h>

static int begin_feature(struct hub *hub)
{
    blocks_init(hub);
    return 0;
}

static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    const struct block_row *stored = row;
    const struct session *session = kernel_session_find(hub, stored->session);
    (void)table;
    if (!session)
        return true;
    if (!blocks_reserve(hub, session))
        return false;
    blocks_put(blocks_of(hub, session), stored);
    return true;
}

static void session_gone(struct hub *hub, struct session *session)
{
    blocks_release(hub, session);
}

static bool hides_from(const struct hub *hub, const struct session *session, uint64_t speaker)
{
    return blocks_find(blocks_of(hub, session), speaker);
}

static size_t list_blocks(const struct hub *hub, const struct session *session, uint64_t *others,
                          size_t max)
{
    const struct blocks *blocks = blocks_of(hub, session);
    size_t count = 0;
    for (; count < blocks->count && count < max; count++)
        others[count] = blocks->items[count].other;
    return count;
}

static const struct request_row requests[] = {
    {REQUEST_BLOCK, REQUEST_AT_HOME, op_block},
    {REQUEST_UNBLOCK, REQUEST_AT_HOME, op_unblock},
    {REQUEST_BLOCKS, REQUEST_AT_HOME, op_blocks},
};

static const struct store_table *const tables[] = {&block_table, NULL};
static const struct letter_row letters[] = {{block_letter, 0, 0, block_apply}};

const struct feature feature_others = {
    .name = "others",
    .memory = &others_memory,
    .begin = begin_feature,
    .end = blocks_end,
    .forget = forget_blocked,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .session_gone = session_gone,
    .tables = tables,
    .restore_row = restore_row,
    .queried = op_block_queried,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .gate = sitting_passes,
    .held = sitting_held,
    .hides = hides_from,
    .blocks = list_blocks,
};
