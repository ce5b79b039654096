#include "write.h"

#include "check_op.h"
#include "erase.h"
#include "hand.h"
#include "letter_bound.h"
#include "row_table.h"
#include "statements.h"
#include <assert.h>
#include <sql/table_sql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name_of(enum statement which, char name[8])
{
    snprintf(name, 8, "w%d", (int)which);
}

enum { ROW_NAME = 24 };

static void name_of_row(size_t table, enum row_statement which, char name[ROW_NAME])
{
    snprintf(name, ROW_NAME, "r%u_%u", (unsigned)table, (unsigned)which);
}

static size_t number_of(const struct store_table *table)
{
    size_t at = 0;
    while (store_tables[at] != table)
        at++;
    return at;
}

/* ---- the ends of the logs */

static bool grow_array(void **array, size_t *size, size_t need, size_t each)
{
    if (need <= *size)
        return true;
    void *grown = realloc(*array, need * 2 * each);
    if (!grown)
        return false;
    *array = grown;
    *size = need * 2;
    return true;
}

/* A letter may have three statements. */
static bool reserve_steps(struct writing *writing, struct pg_log_ends *log_ends, size_t ops)
{
    void *steps = writing->steps, *sent = writing->sent;
    bool done = grow_array(&steps, &writing->size, ops + 1, sizeof *writing->steps);
    done = grow_array(&sent, &writing->sent_size, (ops + 1) * 3, sizeof *writing->sent) && done;
    writing->steps = steps;
    writing->sent = sent;
    return done && pg_log_ends_reserve(log_ends, ops);
}

void writing_release(struct writing *writing)
{
    free(writing->steps);
    free(writing->sent);
    for (size_t at = 0; at < EVENT_COLUMNS; at++)
        array_release(&writing->columns[at]);
}

static int64_t key_of(const struct pg_log_ends *log_ends, const char *room_id)
{
    const struct pg_log_end *log_end = pg_log_ends_find(log_ends, pg_log_ends_id(room_id));
    return log_end ? log_end->key : 0;
}

static bool plan_batch(struct db *db, struct writing *writing, struct pg_log_ends *log_ends,
                       const struct write_request *request, size_t *at)
{
    const struct store_batch *batch = request->batch;
    writing->count = 0;
    for (*at = 0; *at < batch->count; ++*at) {
        const struct store_op *op = &batch->ops[*at];
        if (batch->results[*at] != STORE_OK)
            continue;
        const int64_t before = key_of(log_ends, op->room_id); /* an archived one has none after */
        if (!write_check_op(db, log_ends, request, op))
            return false;
        const int64_t key = before ? before : key_of(log_ends, op->room_id);
        writing->steps[writing->count++] = (struct step){*at, key};
    }
    return true;
}

/* ---- sending */

static bool send_named(struct db *db, const char *name, const struct params *p)
{
    return PQsendQueryPrepared(db->pg, name, p->count, p->values, p->lengths, p->formats, 1) == 1;
}

static bool send_statement(struct db *db, enum statement which, const struct params *params)
{
    char name[8];
    name_of(which, name);
    return send_named(db, name, params);
}

static void note_sent(struct writing *writing, size_t op, bool bounds)
{
    assert(writing->sent_count < writing->sent_size);
    writing->sent[writing->sent_count++] = (struct sent){op, bounds};
}

static bool send_for(struct db *db, struct writing *writing, enum statement which,
                     const struct params *params, size_t op)
{
    note_sent(writing, op, which == BOUND_LETTERS || which == BOUND_LETTERS_TO);
    return send_statement(db, which, params);
}

static void clear_events(struct writing *writing)
{
    for (size_t at = 0; at < EVENT_COLUMNS; at++)
        array_clear(&writing->columns[at]);
}

static bool add_event(struct writing *writing, int64_t key, const struct room_event *event)
{
    const int64_t numbers[EVENT_COLUMNS - 1] = {
        key,
        (int64_t)event->seq,
        event->at_ms,
        event->held_ms,
        (int64_t)event->origin.session,
        event->origin.request_id,
        (int64_t)event->origin.digest,
        (int64_t)event->kind,
        event->seat,
    };
    for (size_t at = 0; at < EVENT_COLUMNS - 1; at++) {
        if (!array_add_number(&writing->columns[at], numbers[at], at < 7 ? 8 : 2))
            return false;
    }
    return array_add_text(&writing->columns[EVENT_COLUMNS - 1], event->text, event->text_len);
}

static bool send_events(struct db *db, struct writing *writing, size_t op)
{
    struct params params = {0};
    if (writing->columns[0].count == 0)
        return true;
    for (size_t at = 0; at < EVENT_COLUMNS; at++)
        params_add_array(&params, &writing->columns[at],
                         at < 7                   ? ARRAY_OF_INT8
                         : at < EVENT_COLUMNS - 1 ? ARRAY_OF_INT2
                                                  : ARRAY_OF_TEXT);
    const bool sent = send_for(db, writing, APPEND, &params, op);
    clear_events(writing);
    return sent;
}

static bool send_room(struct db *db, struct writing *writing, const struct step *step,
                      const struct store_room *room)
{
    struct params params = {0};
    params_add_number(&params, step->key);
    params_add_text(&params, room->seed.id);
    params_add_text(&params, room->seed.code);
    params_add_bytes(&params, room->seed.secret, sizeof room->seed.secret);
    params_add_number(&params, (int64_t)room->seed.host);
    params_add_number(&params, room->created_ms);
    return send_for(db, writing, PUT_ROOM, &params, step->op);
}

static bool send_session(struct db *db, struct writing *writing, size_t op,
                         const struct store_session *session)
{
    struct params params = {0};
    params_add_number(&params, (int64_t)session->id);
    params_add_text(&params, session->name);
    params_add_number(&params, session->created_ms);
    params_add_number(&params, session->seen_ms);
    return send_for(db, writing, PUT_SESSION, &params, op);
}

static bool send_row(struct db *db, struct writing *writing, enum row_statement which, size_t op,
                     const struct store_row *row)
{
    struct params params = {0};
    char name[ROW_NAME];
    name_of_row(number_of(row->table), which, name);
    pg_row_params(row->table, which, row->row, &params);
    if (which == ROW_TRIM)
        params_add_number(&params, row->keep);
    note_sent(writing, op, false);
    return send_named(db, name, &params);
}

static bool send_put_row(struct db *db, struct writing *writing, size_t op,
                         const struct store_row *row)
{
    return send_row(db, writing, ROW_PUT, op, row) &&
           (row->keep == 0 || send_row(db, writing, ROW_TRIM, op, row));
}

static bool send_one(struct db *db, struct writing *writing, enum statement which, size_t op,
                     int64_t only)
{
    struct params params = {0};
    params_add_number(&params, only);
    return send_for(db, writing, which, &params, op);
}

static bool send_let(struct db *db, struct writing *writing, enum statement which, size_t op,
                     const char *room_id, uint64_t session)
{
    struct params params = {0};
    params_add_text(&params, room_id);
    params_add_number(&params, (int64_t)session);
    return send_for(db, writing, which, &params, op);
}

static bool send_guest(struct db *db, struct writing *writing, size_t op, const char *room_id,
                       const struct store_guest *guest)
{
    return (guest->instead_of == 0 ||
            send_let(db, writing, LET_OUT, op, room_id, guest->instead_of)) &&
           send_let(db, writing, LET_IN, op, room_id, guest->session);
}

static bool send_hand_room(struct db *db, struct writing *writing, const struct step *step,
                           const struct store_hand *hand)
{
    struct params params = {0};
    params_add_number(&params, (int64_t)hand->from);
    params_add_number(&params, (int64_t)hand->to);
    params_add_number(&params, step->key);
    return send_for(db, writing, HAND_ROOM, &params, step->op);
}

static bool send_drop_room(struct db *db, struct writing *writing, size_t op, const char *room_id)
{
    struct params params = {0};
    params_add_text(&params, room_id);
    return send_for(db, writing, DROP_ROOM, &params, op);
}

static bool send_step(struct db *db, struct writing *writing, const struct step *step,
                      const struct store_op *op)
{
    switch (op->kind) {
    case STORE_PUT_SESSION:
        return send_session(db, writing, step->op, &op->u.session);
    case STORE_DROP_SESSION:
        return send_one(db, writing, DROP_SESSION, step->op, (int64_t)op->u.session_id);
    case STORE_PUT_ROOM:
        return send_room(db, writing, step, &op->u.room);
    case STORE_APPEND:
        return add_event(writing, step->key, &op->u.event);
    case STORE_ARCHIVE_ROOM:
        return send_one(db, writing, ARCHIVE_ROOM, step->op, step->key);
    case STORE_DROP_ROOM:
        return send_drop_room(db, writing, step->op, op->room_id);
    case STORE_LET_IN:
        return send_guest(db, writing, step->op, op->room_id, &op->u.guest);
    case STORE_PUT_ROW:
        return send_put_row(db, writing, step->op, &op->u.row);
    case STORE_DROP_ROW:
        return send_row(db, writing, ROW_DROP, step->op, &op->u.row);
    case STORE_ERASE_NAMES:
        note_sent(writing, step->op, false);
        return erase_send(db, op->u.session_id);
    case STORE_HAND_ROOM:
        return send_hand_room(db, writing, step, &op->u.hand);
    case STORE_HAND_MATCHES:
        note_sent(writing, step->op, false);
        return hand_send(db, &op->u.hand);
    }
    return false;
}

static bool send_bound(struct db *db, struct writing *writing, size_t at, const struct store_op *op)
{
    struct params params;
    return send_one(db, writing, BOUND_LETTERS, at, op->within.all) &&
           (!letter_bound_params(op, &params) ||
            send_for(db, writing, BOUND_LETTERS_TO, &params, at));
}

/* Events that follow each other go together. */
static bool send_steps(struct db *db, struct writing *writing, const struct store_batch *batch)
{
    clear_events(writing);
    writing->sent_count = 0;
    for (size_t at = 0; at < writing->count; at++) {
        const struct step *step = &writing->steps[at];
        const struct store_op *op = &batch->ops[step->op];
        const bool gathers = op->kind == STORE_APPEND && !writing->one_by_one;
        if (!gathers && at > 0 && !send_events(db, writing, writing->steps[at - 1].op))
            return false;
        if (op->within.all > 0 && !send_bound(db, writing, step->op, op))
            return false;
        if (!send_step(db, writing, step, op))
            return false;
        if (writing->one_by_one && !send_events(db, writing, step->op))
            return false;
    }
    return writing->count == 0 || send_events(db, writing, writing->steps[writing->count - 1].op);
}

static bool send_all(struct db *db, struct writing *writing, const struct write_request *request)
{
    static const struct params none;
    struct params fence = {0};
    params_add_number(&fence, request->part.number);
    params_add_number(&fence, request->term);
    params_add_number(&fence, request->number);
    return send_statement(db, BEGIN, &none) && send_statement(db, FENCE, &fence) &&
           send_steps(db, writing, request->batch) && send_statement(db, COMMIT, &none) &&
           PQpipelineSync(db->pg) == 1;
}

/* ---- answers */

static bool state_is(const struct db *db, const char *state)
{
    return strncmp(db->state, state, strlen(state)) == 0;
}

/* `sent`: the statement that has failed; NULL: it is of no op. */
static enum write_result why_refused(const struct db *db, const struct sent *sent)
{
    if (state_is(db, "TA001"))
        return WRITE_ALREADY;
    if (state_is(db, "TA002"))
        return WRITE_FENCED;
    if (state_is(db, "TA003"))
        return WRITE_BEHIND;
    if (state_is(db, "40P01"))
        return WRITE_CROSSED;
    if (sent && sent->bounds && state_is(db, "22012"))
        return WRITE_CROWDED;
    if (state_is(db, "53100"))
        return WRITE_FULL;
    if (state_is(db, "XX001") || state_is(db, "XX002"))
        return WRITE_CORRUPT;
    /* A constraint, or a value that cannot be stored. */
    if (sent && (state_is(db, "23") || state_is(db, "22")))
        return WRITE_REFUSED;
    return WRITE_FAILED;
}

/* The answer to one statement: one result, then the end of them. */
static enum db_result read_answer(struct db *db, PGresult **answer)
{
    PGresult *end = NULL;
    *answer = NULL;
    enum db_result result = db_result(db, answer);
    if (result == DB_OK && *answer && PQresultStatus(*answer) != PGRES_PIPELINE_SYNC)
        result = db_result(db, &end);
    if (result == DB_OK && (!*answer || end))
        result = db_lost(db, "the database has given an answer that was not expected");
    PQclear(end);
    if (result != DB_OK) {
        PQclear(*answer);
        *answer = NULL;
    }
    return result;
}

static bool is_done(const PGresult *answer)
{
    const ExecStatusType status = PQresultStatus(answer);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* The answers to BEGIN, the fence, `ops` statements, COMMIT; *failed is the first that failed. */
static enum db_result read_answers(struct db *db, size_t ops, size_t *failed)
{
    const size_t commit = ops + 2;
    enum db_result worst = DB_OK;
    for (size_t at = 0; at <= commit + 1; at++) {
        PGresult *answer;
        if (read_answer(db, &answer) != DB_OK)
            return DB_LOST;
        const bool aborted = PQresultStatus(answer) == PGRES_PIPELINE_ABORTED;
        bool fine = at > commit ? PQresultStatus(answer) == PGRES_PIPELINE_SYNC : is_done(answer);
        if (at == commit && fine && strcmp(PQcmdStatus(answer), "COMMIT") != 0)
            fine = false; /* it was a transaction that had failed */
        if (!fine && !aborted && worst == DB_OK) {
            worst = db_refused(db, answer);
            *failed = at;
        }
        PQclear(answer);
        if (worst == DB_LOST)
            return worst;
    }
    return worst;
}

static enum db_result roll_back(struct db *db)
{
    char message[STORE_MESSAGE_MAX], state[sizeof db->state];
    memcpy(message, db->message, sizeof message);
    memcpy(state, db->state, sizeof state);
    const bool sent = PQsendQueryParams(db->pg, "ROLLBACK", 0, NULL, NULL, NULL, NULL, 1) == 1 &&
                      PQpipelineSync(db->pg) == 1;
    enum db_result result = sent ? db_flush(db) : db_lost(db, PQerrorMessage(db->pg));
    PGresult *answer;
    for (int at = 0; at < 2 && result == DB_OK; at++) {
        result = read_answer(db, &answer);
        PQclear(answer);
    }
    memcpy(db->message, message, sizeof message);
    memcpy(db->state, state, sizeof state);
    return result;
}

static enum write_result settle_result(struct db *db, const struct writing *writing,
                                       const struct store_batch *batch, size_t failed, size_t *at)
{
    const bool of_an_op = failed >= 2 && failed - 2 < writing->sent_count;
    const struct sent *sent = of_an_op ? &writing->sent[failed - 2] : NULL;
    const enum write_result why = why_refused(db, sent);
    *at = sent ? sent->op : 0;
    (void)roll_back(db); /* if it is lost now, nothing was written all the same */
    /* A row of the same key is replaced: so it is a claim. */
    const bool taken = why == WRITE_REFUSED && batch->ops[*at].kind == STORE_PUT_ROW &&
                       strcmp(db->state, "23505") == 0;
    return taken ? WRITE_TAKEN : why;
}

static enum write_result try_write(struct db *db, struct writing *writing,
                                   struct pg_log_ends *log_ends,
                                   const struct write_request *request, size_t *at)
{
    size_t failed = 0;
    db->state[0] = '\0';
    db->warned = false;
    if (!plan_batch(db, writing, log_ends, request, at))
        return WRITE_REFUSED;
    if (!send_all(db, writing, request)) {
        (void)db_lost(db, PQstatus(db->pg) == CONNECTION_BAD ? PQerrorMessage(db->pg)
                                                             : "out of memory");
        return WRITE_LOST;
    }
    if (db_flush(db) != DB_OK)
        return WRITE_LOST;
    switch (read_answers(db, writing->sent_count, &failed)) {
    case DB_OK:
        return WRITE_OK;
    case DB_FAILED:
        return settle_result(db, writing, request->batch, failed, at);
    case DB_LOST:
        break;
    }
    return WRITE_LOST;
}

enum write_result write_batch(struct db *db, struct writing *writing, struct pg_log_ends *log_ends,
                              const struct write_request *request, size_t *at)
{
    if (!reserve_steps(writing, log_ends, request->batch->count)) {
        snprintf(db->message, sizeof db->message, "out of memory");
        return WRITE_FAILED;
    }
    const int64_t first_key = *request->next_key;
    writing->one_by_one = false;
    enum write_result result = try_write(db, writing, log_ends, request, at);
    if (result == WRITE_REFUSED && db->pg && *at < request->batch->count &&
        request->batch->ops[*at].kind == STORE_APPEND && state_is(db, "2")) {
        /* One of several that were sent together. */
        pg_log_ends_take_back(log_ends);
        *request->next_key = first_key;
        writing->one_by_one = true;
        result = try_write(db, writing, log_ends, request, at);
    }
    if (result != WRITE_OK && result != WRITE_ALREADY)
        *request->next_key = first_key;
    return result;
}

/* ---- preparing */

static bool prepare_row(struct db *db, size_t table, enum row_statement which)
{
    char name[ROW_NAME];
    struct sql sql = {.len = 0};
    name_of_row(table, which, name);
    pg_row_sql(store_tables[table], which, &sql);
    return PQsendPrepare(db->pg, name, sql.text, 0, NULL);
}

/* How many it has sent; 0: they cannot be sent. */
static size_t prepare_rows(struct db *db)
{
    size_t count = 0;
    for (size_t at = 0; store_tables[at]; at++) {
        for (int which = 0; which < ROW_STATEMENTS; which++) {
            if (which == ROW_TRIM && !store_tables[at]->bounded)
                continue;
            if (!prepare_row(db, at, (enum row_statement)which))
                return 0;
            count++;
        }
    }
    return count;
}

enum db_result write_prepare(struct db *db)
{
    if (!PQenterPipelineMode(db->pg))
        return db_lost(db, PQerrorMessage(db->pg));
    for (int which = 0; which < STATEMENTS; which++) {
        char name[8];
        name_of((enum statement)which, name);
        if (!PQsendPrepare(db->pg, name, statements[which], 0, NULL))
            return db_lost(db, PQerrorMessage(db->pg));
    }
    const size_t rows = prepare_rows(db);
    if (rows == 0 || !PQpipelineSync(db->pg))
        return db_lost(db, PQerrorMessage(db->pg));
    enum db_result result = db_flush(db), worst = result;
    for (size_t at = 0; at <= STATEMENTS + rows && result == DB_OK; at++) {
        PGresult *answer;
        result = read_answer(db, &answer);
        if (result == DB_OK && PQresultStatus(answer) == PGRES_FATAL_ERROR)
            worst = db_refused(db, answer);
        PQclear(answer);
    }
    return result == DB_OK ? worst : result;
}
