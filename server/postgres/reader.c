#include "reader.h"

#include "queries.sql.h"
#include "row_table.h"
#include "rows.h"
#include "trim.h"
#include <assert.h>
#include <base/signals.h>
#include <sql/table_sql.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader_job {
    struct store_read *read;   /* or */
    struct store_query *query; /* or */
    struct store_trim *trim;
    struct reader_job *next;
};

static void warn_of(const struct reader *reader, const char *event, const char *message,
                    enum store_result result)
{
    if (reader->store->warn)
        reader->store->warn(event, message, result);
}

/* One statement, on a connection that may have to be made first. */
static enum store_result ask_database(struct reader *reader, const char *sql,
                                      const struct params *params, PGresult **rows)
{
    struct db *db = &reader->db;
    enum db_result result = DB_LOST;
    *rows = NULL;
    for (int tries = 0; tries < 2 && result == DB_LOST; tries++) {
        result = db->pg ? DB_OK : db_connect(db, reader->name);
        if (result == DB_OK)
            result = db_ask(db, sql, params, rows);
    }
    return result == DB_OK ? STORE_OK : STORE_FAILED;
}

/* ---- an archived room */

struct room_reading {
    struct store_room room;
    uint64_t guests[STORE_GUESTS_MAX];
    PGresult *rows; /* that the texts are of */
    struct room_event events[];
};

static void release_read(struct store_read *read)
{
    struct room_reading *reading = read->owner;
    if (reading)
        PQclear(reading->rows);
    free(reading);
    read->owner = NULL;
}

/* NULL: it is well. */
static const char *take_events(struct room_reading *reading, size_t *count)
{
    const int rows = PQntuples(reading->rows);
    if (!room_of(reading->rows, 0, 0, &reading->room))
        return "its row is not readable";
    for (int row = 0; row < rows && !PQgetisnull(reading->rows, row, 5); row++) {
        struct room_event *event = &reading->events[*count];
        if (event_is_newer(reading->rows, row, 5))
            return "its log is of a later version of this program";
        if (!event_of(reading->rows, row, 5, event))
            return "its log is not readable";
        if (event->seq != *count + 1)
            return "its log has a gap";
        ++*count;
    }
    return NULL;
}

static enum store_result take_room(struct db *db, struct store_read *read, PGresult *rows)
{
    const size_t count = (size_t)PQntuples(rows);
    struct room_reading *reading = malloc(sizeof *reading + count * sizeof reading->events[0]);
    if (!reading) {
        PQclear(rows);
        snprintf(db->message, sizeof db->message, "out of memory");
        return STORE_FAILED;
    }
    reading->rows = rows;
    read->owner = reading;
    if (count == 0)
        return STORE_OK;
    size_t events = 0;
    const char *wrong = take_events(reading, &events);
    if (wrong) {
        release_read(read);
        snprintf(db->message, sizeof db->message, "%s at event %zu", wrong, events + 1);
        return STORE_CORRUPT;
    }
    read->rows = (struct store_room_read){
        .room = &reading->room, .events = reading->events, .count = events};
    return STORE_OK;
}

/* Of a room that has been found. */
static enum store_result read_guests(struct reader *reader, struct store_read *read)
{
    struct room_reading *reading = read->owner;
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, read->room_id);
    params_add_number(&params, STORE_GUESTS_MAX);
    const enum store_result result = ask_database(reader, SQL_ROOM_GUESTS, &params, &rows);
    if (result != STORE_OK)
        return result;
    for (int row = 0; row < PQntuples(rows); row++)
        reading->guests[read->rows.guest_count++] = (uint64_t)cell_number(rows, row, 0);
    read->rows.guests = reading->guests;
    PQclear(rows);
    return STORE_OK;
}

static void answer_read(struct reader *reader, struct store_read *read)
{
    struct params params = {0};
    PGresult *rows;
    params_add_text(&params, read->room_id);
    read->rows = (struct store_room_read){0};
    read->owner = NULL;
    read->release = release_read;
    read->result = ask_database(reader, SQL_READ_ROOM, &params, &rows);
    if (read->result == STORE_OK)
        read->result = take_room(&reader->db, read, rows);
    if (read->result == STORE_OK && read->rows.room)
        read->result = read_guests(reader, read);
    if (read->result != STORE_OK) {
        char what[STORE_MESSAGE_MAX + 16];
        read->rows = (struct store_room_read){0};
        snprintf(what, sizeof what, "%s: %s", read->room_id, reader->db.message);
        warn_of(reader, "store_read_failed", what, read->result);
    }
    read->done(read);
}

/* ---- a page of described rows */

static enum store_result take_rows(struct reader *reader, struct store_query *query,
                                   const PGresult *rows)
{
    size_t left_out = 0;
    for (int at = 0; at < PQntuples(rows); at++) {
        alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
        if (!pg_row_take(query->table, rows, at, row)) {
            store_query_leave_out(query);
            left_out++;
        } else if (!store_query_add(query, row)) {
            snprintf(reader->db.message, sizeof reader->db.message, "out of memory");
            return STORE_FAILED;
        }
    }
    if (left_out > 0)
        warn_of(reader, "store_damaged", "the store is damaged: a row was left out", STORE_CORRUPT);
    return STORE_OK;
}

static enum store_result ask_page(struct reader *reader, struct store_query *query)
{
    struct sql sql = {.len = 0};
    struct params params = {0};
    PGresult *rows;
    if (!store_query_begin(query)) {
        snprintf(reader->db.message, sizeof reader->db.message, "out of memory");
        return STORE_FAILED;
    }
    pg_row_sql_query(query, &sql);
    pg_row_query_params(query, &params);
    enum store_result result = ask_database(reader, sql.text, &params, &rows);
    if (result == STORE_OK)
        result = take_rows(reader, query, rows);
    PQclear(rows);
    return result;
}

static void answer_query(struct reader *reader, struct store_query *query)
{
    query->result = ask_page(reader, query);
    if (query->result != STORE_OK)
        warn_of(reader, "store_query_failed", reader->db.message, query->result);
    query->done(query);
}

/* ---- letting finished rooms go */

static void answer_trim(struct reader *reader, struct store_trim *trim)
{
    struct db *db = &reader->db;
    const struct store_trim asked = *trim;
    enum db_result result = DB_LOST;
    for (int tries = 0; tries < 2 && result == DB_LOST; tries++) {
        *trim = asked;
        result = db->pg ? DB_OK : db_connect(db, reader->name);
        if (result == DB_OK)
            result = trim_rooms(db, reader->part, trim);
    }
    trim->result = result == DB_OK ? STORE_OK : STORE_FAILED;
    if (trim->result != STORE_OK)
        warn_of(reader, "store_trim_failed", db->message, trim->result);
    trim->done(trim);
}

/* ---- the thread */

static void answer_job(struct reader *reader, const struct reader_job *job)
{
    if (job->trim)
        answer_trim(reader, job->trim);
    else if (job->read)
        answer_read(reader, job->read);
    else
        answer_query(reader, job->query);
}

/* NULL: it is to end. */
static struct reader_job *wait_for_job(struct reader *reader)
{
    pthread_mutex_lock(&reader->mutex);
    while (!reader->first && !reader->ending)
        pthread_cond_wait(&reader->changed, &reader->mutex);
    struct reader_job *job = reader->first;
    if (job) {
        reader->first = job->next;
        if (!reader->first)
            reader->last = &reader->first;
    }
    pthread_mutex_unlock(&reader->mutex);
    return job;
}

static void *run_reader(void *arg)
{
    struct reader *reader = arg;
    struct reader_job *job;
    signals_block();
    while ((job = wait_for_job(reader))) {
        answer_job(reader, job);
        free(job);
    }
    db_disconnect(&reader->db);
    return NULL;
}

/* Without memory for the job, and so not on the reader's thread. */
static void fail_job(const struct reader_job *what)
{
    if (what->trim) {
        what->trim->result = STORE_FAILED;
        what->trim->done(what->trim);
    } else if (what->read) {
        what->read->rows = (struct store_room_read){0};
        what->read->owner = NULL;
        what->read->release = release_read;
        what->read->result = STORE_FAILED;
        what->read->done(what->read);
    } else {
        assert(what->query);
        (void)store_query_begin(what->query); /* no rows */
        what->query->result = STORE_FAILED;
        what->query->done(what->query);
    }
}

static void give_job(struct reader *reader, const struct reader_job *what)
{
    struct reader_job *job = malloc(sizeof *job);
    if (!job) {
        fail_job(what);
        return;
    }
    *job = *what;
    job->next = NULL;
    pthread_mutex_lock(&reader->mutex);
    *reader->last = job;
    reader->last = &job->next;
    pthread_cond_signal(&reader->changed);
    pthread_mutex_unlock(&reader->mutex);
}

void reader_read(struct reader *reader, struct store_read *read)
{
    give_job(reader, &(struct reader_job){.read = read});
}

void reader_query(struct reader *reader, struct store_query *query)
{
    give_job(reader, &(struct reader_job){.query = query});
}

void reader_trim(struct reader *reader, struct store_trim *trim)
{
    give_job(reader, &(struct reader_job){.trim = trim});
}

bool reader_start(struct reader *reader, const struct store *store, struct part part,
                  const struct url *url, const struct postgres_timeouts *timeouts, const char *name)
{
    *reader =
        (struct reader){.store = store, .part = part, .db = {.url = url, .timeouts = *timeouts}};
    snprintf(reader->name, sizeof reader->name, "%s reader", name);
    reader->last = &reader->first;
    pthread_mutex_init(&reader->mutex, NULL);
    pthread_cond_init(&reader->changed, NULL);
    reader->started = pthread_create(&reader->thread, NULL, run_reader, reader) == 0;
    return reader->started;
}

void reader_end(struct reader *reader)
{
    if (!reader->started)
        return;
    pthread_mutex_lock(&reader->mutex);
    reader->ending = true;
    pthread_cond_signal(&reader->changed);
    pthread_mutex_unlock(&reader->mutex);
    pthread_join(reader->thread, NULL);
    pthread_cond_destroy(&reader->changed);
    pthread_mutex_destroy(&reader->mutex);
}
