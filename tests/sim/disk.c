/*
 * The disk: it is slow, full, fails, reports a failure although it has written, or belongs to
 * another server. Everything that it writes is passed to the oracle.
 */
#include "../support/guest_table.h"
#include "../support/model_rows.h"
#include "mutants.h"
#include "sim.h"
#include <assert.h>
#include <history/game_table.h>
#include <hub/store_document.h>
#include <pairing/places.h>
#include <profiles/tally.h>
#include <rows/rows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tables/account_table.h>
#include <waiting/conduct.h>

enum { QUICK_MS = 8, SLOW_MS = 4000, BAD_TIME_MS = 40000, PACE_MAX_US = 4000 };
/* Fewer people play here than on a server that paces its commits. So for the pacing time is slow.
 */
enum { PACING_SLOWER = 400 };

enum sim_mutant sim_mutant;

/* ---- faults that are put in on purpose */

static bool is_row(const struct store_op *op, const struct store_table *table)
{
    return (op->kind == STORE_PUT_ROW || op->kind == STORE_DROP_ROW) && op->u.row.table == table;
}

/* NULL: it puts none. */
static const struct store_letter *letter_put(const struct store_op *op)
{
    return op->kind == STORE_PUT_ROW && is_row(op, &store_letter_table) ? op->u.row.row : NULL;
}

static bool is_letter_of(const struct store_letter *letter, const char *kind)
{
    return letter && letter->state == STORE_LETTER_WAITS && strcmp(letter->kind, kind) == 0;
}

static bool is_of_teams(const struct store_letter *letter)
{
    static const char class[] = "\"taluva.team.live\"";
    return memmem(letter->text, letter->text_len, class, sizeof class - 1);
}

/* The first team becomes the second, or the other way round. */
static void swap_winners(const struct store_letter *letter)
{
    static const char winners[] = "\"winners\":[";
    char *at = memmem(letter->text, letter->text_len, winners, sizeof winners - 1);
    if (at)
        at[sizeof winners - 1] ^= 1;
}

static const char *word_put(const struct store_op *op)
{
    return ((const struct guest_word *)op->u.row.row)->words;
}

static bool annuls_match(const struct store_op *op)
{
    static const char kind[] = "\"annul\"";
    const struct book_row *row = op->u.row.row;
    return op->kind == STORE_PUT_ROW && is_row(op, &book_table) &&
           memmem(row->line, row->line_len, kind, sizeof kind - 1);
}

static bool is_left_out(const struct store_op *op)
{
    const struct store_letter *letter = letter_put(op);
    switch (sim_mutant) {
    case SIM_MUTANT_LETTER_LOST:
        return letter && letter->state == STORE_LETTER_WAITS;
    case SIM_MUTANT_LETTER_STAYS:
        return op->kind == STORE_DROP_ROW && is_row(op, &store_letter_table);
    case SIM_MUTANT_EFFECT_LOST:
        return is_row(op, &game_table);
    case SIM_MUTANT_POISON_STAYS:
    case SIM_MUTANT_POISON_LOST:
        return letter && letter->state != STORE_LETTER_WAITS;
    case SIM_MUTANT_COUNT_LOST:
        return is_row(op, &tally_table);
    case SIM_MUTANT_CLAIM_LOST:
        return is_row(op, &account_table);
    case SIM_MUTANT_MATCH_UNSENT:
        return is_letter_of(letter, "ratings.match");
    case SIM_MUTANT_TEAMS_UNSENT:
        return is_letter_of(letter, "ratings.match") && is_of_teams(letter);
    case SIM_MUTANT_LINE_LOST:
        return is_row(op, &book_table);
    case SIM_MUTANT_RATING_LOST:
        return is_row(op, &rating_table);
    case SIM_MUTANT_BOOK_END_LOST:
        return is_row(op, &book_end_table);
    case SIM_MUTANT_RATED_UNSAID:
        return is_letter_of(letter, "ratings.told");
    case SIM_MUTANT_ANNUL_LOST:
        return annuls_match(op);
    case SIM_MUTANT_LEVEL_LOST:
        return measured_is_put(op);
    case SIM_MUTANT_REFUND_UNSAID:
        return is_letter_of(letter, "ratings.refunded");
    case SIM_MUTANT_CONDUCT_UNSENT:
        return is_letter_of(letter, conduct_letter);
    case SIM_MUTANT_REPORT_UNSENT:
        return is_letter_of(letter, "moderation.report");
    case SIM_MUTANT_CONDUCT_LOST:
        return op->kind == STORE_PUT_ROW && is_row(op, &conduct_table);
    case SIM_MUTANT_PLACE_LOST:
        return op->kind == STORE_PUT_ROW && is_row(op, &place_table);
    case SIM_MUTANT_PLACE_UNSAID:
        return is_letter_of(letter, "ratings.playing");
    case SIM_MUTANT_DOCUMENT_LOST:
        return is_row(op, &store_document_table);
    case SIM_MUTANT_GREETING_LOST:
        return is_row(op, &guest_word_table) && word_put(op)[0] == 'g';
    case SIM_MUTANT_WORD_LOST:
        return is_row(op, &guest_word_table) && word_put(op)[0] != 'g';
    case SIM_MUTANT_TEAMS_SWAPPED:
    case SIM_MUTANT_ANNUL_EARLY:
    case SIM_MUTANT_LEVEL_TWICE:
    case SIM_MUTANT_PAGE_ENDS:
    case SIM_MUTANT_PAGE_AGAIN:
    case SIM_MUTANT_CLAIM_TWICE:
    case SIM_MUTANT_DOCUMENT_EARLY:
    case SIM_MUTANT_DOCUMENT_OLD:
    case SIM_MUTANT_DOCUMENT_UNHELD:
    case SIM_MUTANT_LOBBY_UNTOLD:
    case SIM_MUTANT_LOBBY_NUMBER:
    case SIM_MUTANT_LOBBY_STAYS:
    case SIM_MUTANT_NONE:
    case SIM_MUTANT_COUNT:
        break;
    }
    return false;
}

static void change_teams(const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count && sim_mutant == SIM_MUTANT_TEAMS_SWAPPED; i++) {
        const struct store_letter *letter = letter_put(&batch->ops[i]);
        if (is_letter_of(letter, "ratings.match") && is_of_teams(letter))
            swap_winners(letter);
    }
}

static void count_twice(const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count && sim_mutant == SIM_MUTANT_LEVEL_TWICE; i++) {
        if (measured_is_put(&batch->ops[i]))
            measured_count_more(&batch->ops[i]);
    }
}

/* Of what is left out nobody is told: STORE_CROWDED, which nothing else here has. */
static void leave_out(struct sim *sim, const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->results[i] != STORE_OK || !is_left_out(&batch->ops[i]))
            continue;
        batch->results[i] = STORE_CROWDED;
        if (sim_mutant == SIM_MUTANT_POISON_LOST)
            model_drop_row(&sim->store, &batch->ops[i].u.row);
    }
}

static void forget_left_out(const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->results[i] == STORE_CROWDED)
            batch->results[i] = STORE_OK;
    }
}

static void make_document_old(struct sim *sim)
{
    const struct store_document old = {
        .name = "welcome", .revision = sim->documents.durable - 1, .text = "welcome 1\n0\n"};
    if (sim_mutant == SIM_MUTANT_DOCUMENT_OLD && old.revision > 0)
        model_put_row(&sim->store,
                      &(struct store_row){.table = &store_document_table, .row = &old});
}

/* ---- writing */

static void write_batch(struct sim *sim, const struct store_batch *batch)
{
    documents_apply(sim, batch);
    oracle_apply(&sim->oracle, batch);
    if (sim->oracle.complaint[0])
        sim_fail(sim, "%s", sim->oracle.complaint);
}

/*
 * Only what makes sense may be written. What does not is the hub's fault, unless the store has
 * something that the hub was told it had not.
 */
static void commit(struct sim *sim, const struct store_batch *batch)
{
    sim->store.complaint[0] = '\0';
    change_teams(batch);
    count_twice(batch);
    leave_out(sim, batch);
    sim->store.gives_twice = sim_mutant == SIM_MUTANT_CLAIM_TWICE;
    model_commit(&sim->store, batch);
    forget_left_out(batch);
    if (sim->store.complaint[0] && !sim->disk.lied)
        sim_fail(sim, "the store refuses: %s", sim->store.complaint);
    sim->oracle.handles.lied = sim->disk.lied;
    write_batch(sim, batch);
}

/*
 * A world in eight, of which the seed itself says so: a draw would make another world of each. A
 * room that was refused once is refused with each batch, as often as a server asks for it before it
 * sets it apart.
 */
enum { AGAIN_EACH = 8, AGAIN_AT = 2, AGAIN_BATCHES = 3 };

static bool refuses_again(const struct sim *sim)
{
    return sim->plan.seed % AGAIN_EACH == AGAIN_AT;
}

/* A room of the batch that was refused before and is refused again, or NULL. */
static const char *room_refused_again(struct sim *sim, const struct store_batch *batch)
{
    struct disk *disk = &sim->disk;
    for (size_t i = 0; disk->again_left > 0 && i < batch->count; i++) {
        if (strcmp(batch->ops[i].room_id, disk->refused) == 0) {
            disk->again_left--;
            return batch->ops[i].room_id;
        }
    }
    return NULL;
}

/* Of one room of the batch the store says that it is not as the hub thinks, and takes the rest. */
static void refuse_a_room(struct sim *sim, const struct store_batch *batch)
{
    const char *room = batch->ops[rng_scaled(&sim->rng, (unsigned)batch->count)].room_id;
    if (!room[0])
        return;
    sim->store.refuse = room;
    mark(MARK_ROOM_REFUSED);
    if (refuses_again(sim)) {
        snprintf(sim->disk.refused, sizeof sim->disk.refused, "%s", room);
        sim->disk.again_left = AGAIN_BATCHES - 1;
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->ops[i].kind == STORE_APPEND && strcmp(batch->ops[i].room_id, room) != 0) {
            mark(MARK_ROOM_REFUSED_ALONE);
            return;
        }
    }
}

/* ---- a batch comes */

static size_t rooms_in(const struct store_batch *batch)
{
    size_t rooms = 0;
    for (size_t i = 0; i < batch->count; i++) {
        bool first = batch->ops[i].kind == STORE_APPEND;
        for (size_t j = 0; j < i && first; j++)
            first = strcmp(batch->ops[i].room_id, batch->ops[j].room_id) != 0;
        rooms += first;
    }
    return rooms;
}

static void plan_result(struct sim *sim)
{
    struct disk *disk = &sim->disk;
    disk->result = STORE_OK;
    disk->written = true;
    if (disk->mode == DISK_FULL || disk->mode == DISK_FAILING) {
        disk->result = disk->mode == DISK_FULL ? STORE_FULL : STORE_FAILED;
        disk->written = !sim->rated && disk->mode == DISK_FAILING && sim_chance(sim, 60);
    } else if (sim_chance(sim, sim->faults.fence)) {
        disk->result = STORE_FENCED;
        disk->written = false;
    }
}

/* When the server would let the next commit begin: 0, or in so many milliseconds. */
static int64_t pace_ms(const struct sim *sim)
{
    const int64_t now_us = sim->now_ms * 1000 / PACING_SLOWER;
    const int64_t due_us = pacing_due_us(&sim->disk.pacing, hub_batch_ops(sim->hub));
    return due_us > now_us ? (due_us - now_us) * PACING_SLOWER / 1000 + 1 : 0;
}

static bool is_early(struct sim *sim)
{
    const int64_t in_ms = pace_ms(sim);
    if (in_ms == 0)
        return false;
    if (!sim->disk.paced) {
        sim->disk.paced = true;
        mark(MARK_BATCH_PACED);
        sim_schedule(sim, in_ms, (struct event){.kind = EVENT_PACE, .c = sim->starts});
    }
    return true;
}

static void take_queries(struct sim *sim)
{
    struct store_query query;
    while (hub_query_take(sim->hub, &query)) {
        struct store_query *copy = malloc(sizeof *copy);
        assert(copy);
        *copy = query;
        sim->disk.reads++;
        sim_schedule(sim, rng_between(&sim->rng, 1, QUICK_MS),
                     (struct event){.kind = EVENT_QUERY, .c = sim->starts, .text = (char *)copy});
    }
}

void disk_take(struct sim *sim)
{
    struct disk *disk = &sim->disk;
    char room[ROOM_SPACE];
    while (hub_read_take(sim->hub, room)) {
        char *copy = malloc(sizeof room);
        assert(copy);
        memcpy(copy, room, sizeof room);
        disk->reads++;
        sim_schedule(sim, rng_between(&sim->rng, 1, QUICK_MS),
                     (struct event){.kind = EVENT_READ, .c = sim->starts, .text = copy});
    }
    take_queries(sim);
    if (!hub_batch_ready(sim->hub) || is_early(sim))
        return;
    pacing_begin(&disk->pacing, sim->now_ms * 1000 / PACING_SLOWER, hub_batch_ops(sim->hub));
    disk->batch = hub_batch_take(sim->hub);
    if (rooms_in(disk->batch) >= 5)
        mark(MARK_BATCH_OF_MANY);
    plan_result(sim);
    int64_t most_ms = disk->mode == DISK_GOOD ? QUICK_MS : SLOW_MS;
    sim_schedule(sim, rng_between(&sim->rng, 1, most_ms),
                 (struct event){.kind = EVENT_COMMIT, .b = ++disk->generation});
}

/* ---- it answers */

static void count_result(enum store_result result)
{
    switch (result) {
    case STORE_OK:
        mark(MARK_COMMIT_OK);
        break;
    case STORE_FULL:
        mark(MARK_STORE_FULL);
        break;
    case STORE_FAILED:
        mark(MARK_STORE_FAILED);
        break;
    case STORE_FENCED:
        mark(MARK_STORE_FENCED);
        break;
    case STORE_CORRUPT:
    case STORE_NEWER:
    case STORE_REFUSED:
    case STORE_TAKEN:
    case STORE_CROWDED:
        break;
    }
}

static void commit_done(struct sim *sim)
{
    struct disk *disk = &sim->disk;
    enum store_result result = disk->result;
    if (disk->written) {
        if (result == STORE_OK && disk->batch->count > 0 && sim_chance(sim, sim->faults.refuse))
            refuse_a_room(sim, disk->batch);
        else if (result == STORE_OK)
            sim->store.refuse = room_refused_again(sim, disk->batch);
        commit(sim, disk->batch);
        sim->store.refuse = NULL;
        if (result != STORE_OK && disk->batch->count > 0) {
            mark(MARK_STORE_LIED);
            disk->lied = disk->ever_lied = true;
        }
    }
    count_result(result);
    sim_trace(sim, &result, sizeof result);
    disk->batch = NULL;
    hub_begin(sim);
    hub_batch_done(sim->hub, result, 1000, sim->now_ms);
    hub_end(sim);
    if (sim->hub && hub_stopped(sim->hub))
        sim_crash(sim); /* as the program ends then */
}

static void read_done(struct sim *sim, const char *room)
{
    sim->disk.reads--;
    if (model_room(&sim->store, room))
        mark(MARK_FETCHED);
    hub_begin(sim);
    if (sim->disk.mode == DISK_FAILING)
        hub_read_done(sim->hub, room, STORE_FAILED, NULL, sim->now_ms);
    else
        model_read(&sim->store, sim->hub, room, sim->now_ms);
    hub_end(sim);
}

static void query_done(struct sim *sim, struct store_query *query)
{
    const bool guests = query->table == &guest_word_table;
    sim->disk.reads--;
    sim->store.ends_pages = guests && sim_mutant == SIM_MUTANT_PAGE_ENDS;
    query->behind &= !(guests && sim_mutant == SIM_MUTANT_PAGE_AGAIN);
    hub_begin(sim);
    if (sim->disk.mode == DISK_FAILING) {
        query->result = STORE_FAILED;
        hub_query_done(sim->hub, query, sim->now_ms);
    } else {
        if (query->table == &game_table)
            check_list(sim, ((const struct game_row *)(const void *)query->from)->session);
        model_query(&sim->store, sim->hub, query, sim->now_ms);
    }
    hub_end(sim);
}

/* It may have begun meanwhile, as enough was waiting for it. */
static void pace_over(struct sim *sim)
{
    sim->disk.paced = false;
    disk_take(sim);
}

void disk_event(struct sim *sim, const struct event *event)
{
    if (!sim->hub)
        return;
    if (event->kind == EVENT_PACE && event->c == sim->starts)
        pace_over(sim);
    if (event->kind == EVENT_READ && event->c == sim->starts)
        read_done(sim, event->text);
    else if (event->kind == EVENT_QUERY && event->c == sim->starts)
        query_done(sim, (struct store_query *)(void *)event->text);
    else if (event->kind == EVENT_COMMIT && event->b == sim->disk.generation && sim->disk.batch)
        commit_done(sim);
}

/* ---- it goes wrong */

/* The server dies: a batch that was out is written whole, or not at all. */
void disk_lost(struct sim *sim)
{
    struct disk *disk = &sim->disk;
    const struct store_batch *batch = disk->batch;
    disk->batch = NULL;
    disk->reads = 0;
    disk->generation++;
    if (disk->mode != DISK_GOOD)
        mark(MARK_CRASH_WHILE_FAILING);
    if (disk->paced && !batch && hub_batch_ops(sim->hub) > 0)
        mark(MARK_CRASH_WHILE_PACED);
    if (!batch || batch->count == 0)
        return;
    if (disk->result == STORE_OK && sim_chance(sim, 500)) {
        commit(sim, batch);
        mark(MARK_CRASH_KEPT_BATCH);
    } else {
        mark(MARK_CRASH_LOST_BATCH);
    }
}

static void turn_bad(struct sim *sim, enum disk_mode mode)
{
    sim->disk.mode = mode;
    sim->disk.mode_until_ms = sim->now_ms + rng_between(&sim->rng, 1, BAD_TIME_MS);
}

/* Opening needs no write: the server comes up, and its first commits fail. */
void disk_start(struct sim *sim)
{
    pacing_init(&sim->disk.pacing, sim_chance(sim, 300) ? 0 : PACE_MAX_US);
    sim->disk.paced = false;
    if (sim->calm || !sim_chance(sim, 3 * sim->faults.disk))
        return;
    mark(MARK_FULL_AT_START);
    turn_bad(sim, DISK_FULL);
}

void disk_poison(struct sim *sim)
{
    static const char *const kinds[] = {"history.match", "nobody.knows"};
    struct store_letter letter = {.addressee = rng_next(&sim->rng),
                                  .id = rng_next(&sim->rng),
                                  .at_ms = sim->now_ms,
                                  .text = "cannot be read",
                                  .text_len = 14};
    make_document_old(sim);
    if (sim->calm || !sim_chance(sim, sim->faults.poison))
        return;
    (void)snprintf(letter.kind, sizeof letter.kind, "%s", kinds[rng_scaled(&sim->rng, 2)]);
    model_put_row(&sim->store, &(struct store_row){.table = &store_letter_table, .row = &letter});
    letters_poisoned(&sim->oracle.letters, &letter);
}

void disk_chaos(struct sim *sim)
{
    struct disk *disk = &sim->disk;
    if (disk->mode != DISK_GOOD && disk->mode_until_ms <= sim->now_ms)
        disk->mode = DISK_GOOD;
    if (disk->mode == DISK_GOOD && sim_chance(sim, sim->faults.disk))
        turn_bad(sim, (enum disk_mode)rng_between(&sim->rng, DISK_SLOW, DISK_FAILING));
}
