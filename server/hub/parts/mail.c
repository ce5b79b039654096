#include "mail.h"

#include "changes/change.h"
#include "feature_table.h"
#include "hub_private.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include "waiting/note_queue.h"
#include <assert.h>
#include <hub/part.h>
#include <hub/store.h>
#include <hub/store_query.h>
#include <hub/store_tables.h>
#include <stdio.h>
#include <string.h>

/* Before a page is asked for again that could not be read, or had letters that were left. */
enum { MAIL_AGAIN_MS = 500 };

void mail_init(struct hub *hub)
{
    const struct hub_config *config = &hub->config;
    const struct store_letter_bound bound = {.per_sender = (uint32_t)config->letters_per_sender,
                                             .per_addressee =
                                                 (uint32_t)config->letters_per_addressee,
                                             .all = (uint32_t)config->letters};
    hub->mail = (struct mail){.due_ms = INT64_MAX};
    for (size_t at = 0; at < sizeof hub->commit.batches / sizeof hub->commit.batches[0]; at++)
        hub->commit.batches[at].within = bound;
}

void mail_begin(struct hub *hub)
{
    hub->mail.state = STORE_LETTER_UNKNOWN;
    hub->mail.wanted = true;
}

void mail_wake(struct hub *hub)
{
    hub->mail.wanted = true;
}

bool mail_leaves_aside(const struct hub *hub)
{
    return hub->mail.state == STORE_LETTER_WAITS && !hub->mail.batch;
}

static bool is_busy(const struct hub *hub)
{
    return hub->mail.asked || hub->mail.batch || hub->commit.failing || hub->commit.stopped;
}

int64_t mail_deadline_ms(const struct hub *hub)
{
    return is_busy(hub) ? INT64_MAX : hub->mail.due_ms;
}

void mail_tick(struct hub *hub)
{
    if (is_busy(hub) || hub->mail.due_ms > hub->now_ms)
        return;
    hub->mail.due_ms = INT64_MAX;
    hub->mail.wanted = true;
}

/* ---- asking */

static void begin_round(struct hub *hub)
{
    struct mail *mail = &hub->mail;
    mail->going = true;
    mail->wanted = mail->left = mail->moved = mail->behind = false;
    mail->looked_ms = hub->now_ms;
    mail->found = (struct mail_waiting){0};
    mail->last = (struct store_letter){.state = mail->state};
}

bool mail_take(struct hub *hub, struct store_query *query)
{
    struct mail *mail = &hub->mail;
    if (is_busy(hub) || (!mail->wanted && !mail->going))
        return false;
    if (!mail->going)
        begin_round(hub);
    mail->asked = true;
    *query = (struct store_query){.table = &store_letter_table,
                                  .index = &store_letter_table.indexes[0],
                                  .part = hub->env.part,
                                  .parts = hub->env.parts,
                                  .limit = MAIL_PAGE,
                                  .behind = mail->behind};
    memcpy(query->from, &mail->last, sizeof mail->last);
    return true;
}

/* ---- what the store has refused */

static struct mail_failure *find_failure(struct mail *mail, const struct store_letter *letter)
{
    for (size_t at = 0; at < MAIL_PAGE; at++) {
        struct mail_failure *failure = &mail->failures[at];
        if (failure->count > 0 && failure->addressee == letter->addressee &&
            failure->id == letter->id)
            return failure;
    }
    return NULL;
}

static void note_failure(struct mail *mail, const struct store_letter *letter)
{
    struct mail_failure *failure = find_failure(mail, letter);
    mail->refused++;
    if (!failure) {
        failure = &mail->failures[mail->next_failure++ % MAIL_PAGE];
        *failure = (struct mail_failure){.addressee = letter->addressee, .id = letter->id};
    }
    failure->count++;
}

void mail_forget_failure(struct hub *hub, const struct store_letter *letter)
{
    struct mail_failure *failure = find_failure(&hub->mail, letter);
    if (failure)
        failure->count = 0;
}

/* ---- one letter */

enum step { STEP_DONE, STEP_LEFT, STEP_FULL };

/* The batch that fills has it, whatever becomes of it. */
static void is_in_batch(struct hub *hub)
{
    hub->mail.batch = hub->commit.filling;
    hub->mail.in_batch++;
    hub->mail.moved = true;
}

/* It waits again, as somebody knows it now. */
static void put_back(struct hub *hub, const struct store_letter *letter)
{
    struct store_letter waiting = *letter;
    waiting.state = STORE_LETTER_WAITS;
    batch_put_row(hub->commit.filling, &store_letter_table, &waiting);
    hub->commit.filling->has_letters = true;
    hub->mail.put_back++;
    is_in_batch(hub);
}

static void set_aside(struct hub *hub, const struct store_letter *letter,
                      enum store_letter_state state)
{
    struct store_letter aside = *letter;
    aside.state = state;
    batch_put_row(hub->commit.filling, &store_letter_table, &aside);
    hub->mail.set_aside++;
    is_in_batch(hub);
}

static enum step apply_letter(struct hub *hub, const struct letter_row *row,
                              const struct store_letter *letter)
{
    struct batch *batch = hub->commit.filling;
    const struct batch_mark before = batch_mark(batch);
    const uint64_t sent = hub->mail.sent;
    const enum letter_fate fate = row->apply(hub, letter);
    batch_keep_nothing(batch);
    if (fate == LETTER_LATER) {
        batch_take_back(batch, before);
        hub->mail.sent = sent;
    }
    assert(batch->op_count <= before.ops + (fate == LETTER_APPLIED ? row->ops_max : 0));
    switch (fate) {
    case LETTER_APPLIED:
        batch_drop_letter(batch, letter);
        is_in_batch(hub);
        return STEP_DONE;
    case LETTER_REFUSED:
        set_aside(hub, letter, STORE_LETTER_UNREADABLE);
        return STEP_DONE;
    case LETTER_LATER:
        break;
    }
    return STEP_LEFT;
}

/*
 * The addressee is to be dropped, and that is not known to be durable: if it is not, it is there
 * again, and what was applied to nobody is missing.
 */
static bool waits_for_end(const struct hub *hub, const struct store_letter *letter)
{
    const struct session *session = session_find(hub, letter->addressee);
    return session && session_is_gone(session);
}

static enum step take_letter(struct hub *hub, const struct store_letter *letter)
{
    const struct letter_row *row = features_letter(hub, letter->kind);
    const struct mail_failure *failure = find_failure(&hub->mail, letter);
    const size_t ops = row ? row->ops_max : 0, text = row ? row->text_max : 0;
    if (!row && letter->state == STORE_LETTER_UNKNOWN)
        return STEP_DONE; /* it stays set aside */
    if (row && waits_for_end(hub, letter))
        return STEP_LEFT;
    if (change_allowed(hub, ops + 1) != PROTOCOL_OK ||
        batch_keep(hub->commit.filling, ops + 1, 1, text + letter->text_len + 1U) < 0)
        return STEP_FULL;
    if (row && letter->state == STORE_LETTER_UNKNOWN) {
        put_back(hub, letter);
        return STEP_DONE;
    }
    if (row && !(failure && failure->count >= MAIL_TRIES))
        return apply_letter(hub, row, letter);
    set_aside(hub, letter, row ? STORE_LETTER_INEFFECTIVE : STORE_LETTER_UNKNOWN);
    return STEP_DONE;
}

/* ---- a page */

static void look_again_ms(struct mail *mail, int64_t at_ms)
{
    mail->due_ms = at_ms < mail->due_ms ? at_ms : mail->due_ms;
}

/* Those that were set aside are looked at once, before the others. */
static void end_round(struct hub *hub)
{
    struct mail *mail = &hub->mail;
    mail->going = false;
    if (mail->left && mail->moved) /* what waits for another one of this round can go on */
        mail->wanted = true;
    else if (mail->left)
        look_again_ms(mail, hub->now_ms + MAIL_AGAIN_MS);
    if (mail->state == STORE_LETTER_WAITS) {
        mail->waiting = mail->found;
        return;
    }
    mail->state = STORE_LETTER_WAITS;
    mail->wanted = true;
}

static void count_waiting(struct mail_waiting *found, const struct store_letter *letter)
{
    if (found->count++ == 0 || letter->at_ms < found->since_ms)
        found->since_ms = letter->at_ms;
}

/* False: the batch has no place for all of them. */
static bool take_letters(struct hub *hub, const struct store_query *query)
{
    struct mail *mail = &hub->mail;
    for (size_t at = 0; at < query->count; at++) {
        const struct store_letter *letter = store_query_row(query, at);
        const enum step step = take_letter(hub, letter);
        if (step == STEP_FULL)
            return false;
        mail->left |= step == STEP_LEFT;
        if (step == STEP_LEFT)
            count_waiting(&mail->found, letter);
        mail->last = *letter;
        mail->last.text = NULL;
        mail->behind = true;
    }
    return true;
}

void mail_received(struct hub *hub, const struct store_query *query)
{
    struct mail *mail = &hub->mail;
    assert(mail->asked);
    mail->asked = false;
    if (query->result != STORE_OK || hub->commit.failing) {
        mail->going = false;
        look_again_ms(mail, hub->now_ms + MAIL_AGAIN_MS);
        return;
    }
    const bool all = take_letters(hub, query);
    if (!all)
        look_again_ms(mail, hub->now_ms + (mail->batch ? 0 : MAIL_AGAIN_MS));
    mail->going = all;
    if (all && !query->more)
        end_round(hub);
}

/* ---- batches */

static void tell_addressee(struct hub *hub, const struct store_letter *letter)
{
    if (part_of_session(letter->addressee, hub->env.parts) == hub->env.part)
        mail_wake(hub);
    else
        note_queue_letter(hub, letter->addressee);
}

static void tell_addressees(struct hub *hub, const struct batch *batch)
{
    for (size_t i = 0; i < batch->op_count; i++) {
        const struct store_op *op = &batch->ops[i];
        const bool stored = batch->results[i] == STORE_OK && op->kind == STORE_PUT_ROW &&
                            op->u.row.table == &store_letter_table;
        const struct store_letter *letter = stored ? op->u.row.row : NULL;
        if (letter && letter->state == STORE_LETTER_WAITS)
            tell_addressee(hub, letter);
    }
}

/* Of a letter for this part: it is dropped, or set aside. What was aside the operator drops. */
static bool is_end(const struct store_op *op)
{
    const bool put = op->kind == STORE_PUT_ROW;
    if ((!put && op->kind != STORE_DROP_ROW) || op->u.row.table != &store_letter_table)
        return false;
    const bool waits = ((const struct store_letter *)op->u.row.row)->state == STORE_LETTER_WAITS;
    return put ? !waits : waits;
}

/* Whose effect is refused stays, and is seen again. It is not its fault if its addressee has asked
 * for one letter too many. */
static void settle_letters(struct hub *hub, const struct batch *batch)
{
    struct mail *mail = &hub->mail;
    const bool crowded = store_batch_is_crowded(&batch->handed);
    size_t done = 0;
    for (size_t i = 0; i < batch->op_count; i++) {
        const struct store_op *op = &batch->ops[i];
        if (!is_end(op))
            continue;
        const bool stored = batch->results[i] == STORE_OK;
        done += stored;
        if (op->kind == STORE_DROP_ROW && stored)
            mail->applied++;
        else if (op->kind == STORE_DROP_ROW && !crowded)
            note_failure(mail, op->u.row.row);
    }
    if (done < mail->in_batch)
        mail->wanted = true;
    mail->batch = NULL;
    mail->in_batch = 0;
}

void mail_stored(struct hub *hub, const struct batch *batch)
{
    struct mail *mail = &hub->mail;
    if (batch->has_letters)
        tell_addressees(hub, batch);
    if (mail->batch == batch)
        settle_letters(hub, batch);
    /* With the heartbeat, as who was to tell of them may be gone. */
    if (hub->env.parts > 1 && hub->now_ms - mail->looked_ms >= hub->config.mail_look_ms)
        mail->wanted = true;
}

void mail_count_crowded(struct hub *hub, const struct batch *batch)
{
    for (size_t i = 0; i < batch->op_count; i++)
        hub->mail.crowded += batch->results[i] == STORE_CROWDED;
}

void mail_undone(struct hub *hub)
{
    struct mail *mail = &hub->mail;
    mail->batch = NULL;
    mail->in_batch = 0;
    mail->going = false;
    mail->wanted = true;
    mail->state = STORE_LETTER_UNKNOWN; /* what was put back is aside again */
}

/* Where from somebody asks for a letter; what follows from something else nobody has asked for. */
static uint16_t sender_of(const struct hub *hub, const struct kernel_letter *sent)
{
    const struct session *session = sent->session ? session_find(hub, sent->session) : NULL;
    return session && !sent->at_end ? session->origin.turns : 0;
}

/* Those of one moment are taken in the order of their ids: so in that in which they were sent. */
static uint64_t draw_id(const struct hub *hub, const struct kernel_letter *sent)
{
    uint64_t drawn;
    hub->env.random(hub->env.ctx, &drawn, sizeof drawn);
    return store_letter_id(sender_of(hub, sent), hub->mail.sent << 32 | (uint32_t)drawn);
}

int mail_send(struct hub *hub, const struct kernel_letter *sent)
{
    struct batch *batch = hub->commit.filling;
    struct store_letter letter = {.addressee = sent->addressee,
                                  .at_ms = hub->now_ms,
                                  .text = sent->text,
                                  .text_len = (uint16_t)sent->text_len};
    assert(strlen(sent->kind) <= STORE_LETTER_KIND_MAX);
    assert(sent->text_len <= STORE_LETTER_TEXT_MAX && !memchr(sent->text, 0, sent->text_len));
    if (batch_reserve(batch, 1, 0, 0, sent->text_len + 1) < 0)
        return -1;
    letter.id = draw_id(hub, sent);
    memcpy(letter.kind, sent->kind, strlen(sent->kind) + 1);
    batch_send_letter(batch, &letter, sent);
    hub->mail.sent++;
    return 0;
}
