/* The store through hub/store.h, as the server has it: what is answered, and what is warned of. */
#include "cases.h"
#include "faulty_vfs.h"
#include <identity/credential_table.h>
#include <notify/browser_table.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>

/* ---- what the engine says */

static struct {
    char event[40], message[STORE_MESSAGE_MAX];
    enum store_result result;
    int count;
} warned;

static void take_warning(const char *event, const char *message, enum store_result result)
{
    snprintf(warned.event, sizeof warned.event, "%s", event);
    snprintf(warned.message, sizeof warned.message, "%s", message);
    warned.result = result;
    warned.count++;
}

/* Exactly this one since the last time; NULL: none. */
static void check_warned(const char *event, enum store_result result)
{
    ck_assert_int_eq(warned.count, event ? 1 : 0);
    if (event) {
        ck_assert_str_eq(warned.event, event);
        ck_assert_str_ne(warned.message, "");
        ck_assert_int_eq(warned.result, result);
    }
    memset(&warned, 0, sizeof warned);
}

/* ---- what the hub hands in */

static struct {
    uint64_t epoch;
    int sessions, passes, pushes, rooms, events, guests, damaged;
    int answer; /* to a room */
} taken;

static int take_epoch(void *ctx, uint64_t epoch)
{
    (void)ctx;
    taken.epoch = epoch;
    return 0;
}

static int take_session(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    taken.sessions++;
    return 0;
}

static int take_row(void *ctx, const struct store_table *table, const void *row)
{
    (void)ctx, (void)row;
    taken.passes += table == &credential_table;
    taken.pushes += table == &browser_table;
    return 0;
}

static int take_room(void *ctx, const struct store_room *room)
{
    (void)ctx, (void)room;
    taken.rooms++;
    return taken.answer;
}

static int take_event(void *ctx, const char *room_id, const struct room_event *event)
{
    (void)ctx, (void)room_id, (void)event;
    taken.events++;
    return 0;
}

static int take_guest(void *ctx, const char *room_id, uint64_t session)
{
    (void)ctx, (void)room_id, (void)session;
    taken.guests++;
    return 0;
}

static int take_damaged(void *ctx, const char *room_id, const char *why)
{
    (void)ctx, (void)room_id, (void)why;
    taken.damaged++;
    return 0;
}

static const struct store_sink sink = {take_epoch, take_session, take_row,     take_room,
                                       take_event, take_guest,   take_damaged, NULL};

static enum store_result open_engine(struct store **store, char message[STORE_MESSAGE_MAX])
{
    memset(&warned, 0, sizeof warned);
    memset(&taken, 0, sizeof taken);
    message[0] = 0;
    *store = sqlite_store_create(scratch.folder);
    ck_assert_ptr_nonnull(*store);
    (*store)->warn = take_warning;
    return (*store)->engine->open(*store, &sink, message);
}

static int done_count;

static void commit_done(struct store_commit *commit)
{
    ck_assert_ptr_eq(commit->ctx, &done_count);
    done_count++;
}

static enum store_result commit(struct store *store, struct store_op *ops, size_t count,
                                enum store_result *results)
{
    for (size_t at = 0; at < count; at++) {
        ops[at].epoch = taken.epoch;
        results[at] = STORE_OK;
    }
    struct store_batch batch = {count, ops, results};
    struct store_commit request = {.batch = &batch, .done = commit_done, .ctx = &done_count};
    done_count = 0;
    store->engine->commit(store, &request);
    ck_assert_int_eq(done_count, 1);
    return request.result;
}

static void read_done(struct store_read *read)
{
    (void)read;
    done_count++;
}

static struct store_read read_room(struct store *store, const char *room_id)
{
    struct store_read request = {.done = read_done};
    snprintf(request.room_id, sizeof request.room_id, "%s", room_id);
    done_count = 0;
    store->engine->read(store, &request);
    ck_assert_int_eq(done_count, 1);
    return request;
}

/* A session, a live room with a guest, and an archived one. */
static void fill(struct store *store)
{
    struct store_op ops[] = {{.kind = STORE_PUT_SESSION, .u.session = {.id = 7, .name = "Ana"}},
                             op_pass(7, 3, 7),
                             op_room("room000a"),
                             op_event("room000a", 1),
                             op_guest("room000a", 7, 0),
                             op_room("room000z"),
                             op_event("room000z", 1),
                             op_event("room000z", 2),
                             op_of(STORE_ARCHIVE_ROOM, "room000z")};
    enum store_result results[9];
    ck_assert_int_eq(commit(store, ops, 9, results), STORE_OK);
    check_warned(NULL, STORE_OK);
}

static struct store *open_filled(void)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    ck_assert_msg(open_engine(&store, message) == STORE_OK, "%s", message);
    fill(store);
    return store;
}

START_TEST(what_is_stored_is_handed_out)
{
    char message[STORE_MESSAGE_MAX];
    struct store *store = open_filled();
    ck_assert_uint_eq(taken.epoch, 1);
    store->engine->close(store);
    ck_assert_int_eq(open_engine(&store, message), STORE_OK);
    check_warned(NULL, STORE_OK);
    ck_assert_uint_eq(taken.epoch, 2);
    ck_assert_int_eq(taken.sessions, 1);
    ck_assert_int_eq(taken.passes, 1);
    ck_assert_int_eq(taken.rooms, 1);
    ck_assert_int_eq(taken.events, 1);
    ck_assert_int_eq(taken.guests, 1);
    ck_assert_int_eq(taken.damaged, 0);
    store->engine->close(store);
}
END_TEST

START_TEST(what_cannot_be_opened_is_told_and_closed)
{
    char message[STORE_MESSAGE_MAX];
    struct store *store = open_filled();
    store->engine->close(store);
    scratch_sql(&scratch, "PRAGMA user_version = 1000");
    ck_assert_int_eq(open_engine(&store, message), STORE_NEWER);
    ck_assert_ptr_nonnull(strstr(message, "version 1000"));
    store->engine->close(store);
}
END_TEST

START_TEST(what_the_hub_does_not_take_is_told)
{
    char message[STORE_MESSAGE_MAX];
    struct store *store = open_filled();
    store->engine->close(store);
    memset(&taken, 0, sizeof taken);
    store = sqlite_store_create(scratch.folder);
    store->warn = take_warning;
    taken.answer = STORE_CORRUPT;
    ck_assert_int_eq(store->engine->open(store, &sink, message), STORE_CORRUPT);
    ck_assert_ptr_nonnull(strstr(message, "not usable"));
    check_warned(NULL, STORE_OK);
    store->engine->close(store);
}
END_TEST

START_TEST(what_is_left_out_is_warned_of)
{
    char message[STORE_MESSAGE_MAX];
    struct store *store = open_filled();
    store->engine->close(store);
    scratch_sql(&scratch, "UPDATE session SET name = 'Bo'");
    ck_assert_int_eq(open_engine(&store, message), STORE_OK);
    check_warned("store_damaged", STORE_CORRUPT);
    ck_assert_int_eq(taken.sessions, 0);
    store->engine->close(store);
}
END_TEST

START_TEST(what_is_refused_of_a_batch_is_warned_of)
{
    struct store *store = open_filled();
    struct store_op ops[] = {op_event("room000a", 5), op_room("room000b"), op_event("room000b", 1)};
    enum store_result results[3];
    ck_assert_int_eq(commit(store, ops, 3, results), STORE_OK);
    ck_assert_int_eq(results[0], STORE_REFUSED);
    ck_assert_int_eq(results[1], STORE_OK);
    check_warned("store_refused", STORE_REFUSED);
    /* The last one too. */
    struct store_op last[] = {op_event("room000b", 2), op_event("room000a", 5)};
    ck_assert_int_eq(commit(store, last, 2, results), STORE_OK);
    check_warned("store_refused", STORE_REFUSED);
    /* What another batch has left behind the last result is none. */
    ck_assert_int_eq(results[1], STORE_REFUSED);
    ck_assert_int_eq(commit(store, last, 0, results), STORE_OK);
    results[0] = STORE_REFUSED;
    ck_assert_int_eq(commit(store, last, 0, results), STORE_OK);
    check_warned(NULL, STORE_OK);
    store->engine->close(store);
}
END_TEST

START_TEST(a_commit_that_fails_is_warned_of)
{
    struct store *store = open_filled();
    scratch_sql(&scratch, "UPDATE engine SET epoch = epoch + 1");
    ck_assert_int_eq(commit(store, NULL, 0, NULL), STORE_FENCED);
    check_warned("store_commit_failed", STORE_FENCED);
    store->warn = NULL; /* nobody wants to know */
    ck_assert_int_eq(commit(store, NULL, 0, NULL), STORE_FENCED);
    store->engine->close(store);
}
END_TEST

/* Each failure, and once that they are over. */
START_TEST(a_commit_that_succeeds_again_is_told)
{
    faulty_install();
    struct store *store = open_filled();
    struct store_op ops[] = {op_room("room000b")};
    enum store_result results[1];
    for (int failures = 1; failures <= 2; failures++) {
        for (int at = 0; at < failures; at++) {
            faulty_plan(0, 1000000, SQLITE_IOERR_WRITE, false);
            ck_assert_int_eq(commit(store, ops, 1, results), STORE_FAILED);
            check_warned("store_commit_failed", STORE_FAILED);
        }
        faulty_clear();
        ck_assert_int_eq(commit(store, ops, 0, results), STORE_OK);
        ck_assert_ptr_nonnull(strstr(warned.message, failures == 1 ? "1 " : "2 "));
        check_warned("store_recovered", STORE_OK);
        ck_assert_int_eq(commit(store, ops, 0, results), STORE_OK);
        check_warned(NULL, STORE_OK);
    }
    store->warn = NULL; /* nobody wants to know */
    faulty_plan(0, 1000000, SQLITE_IOERR_WRITE, false);
    ck_assert_int_eq(commit(store, ops, 1, results), STORE_FAILED);
    faulty_clear();
    ck_assert_int_eq(commit(store, ops, 0, results), STORE_OK);
    store->engine->close(store);
}
END_TEST

static void fail_from_now_on(struct store_commit *commit)
{
    commit_done(commit);
    faulty_plan(0, 1000000, SQLITE_IOERR_WRITE, false);
}

/* A room whose events make the log so long that it is moved into the database: 8 MiB, and 6 do. */
static void commit_much(struct store *store)
{
    enum { EVENTS = (8 << 20) / ROOM_EVENT_TEXT_MAX };
    static struct store_op ops[1 + EVENTS];
    static enum store_result results[1 + EVENTS];
    static char text[ROOM_EVENT_TEXT_MAX];
    memset(text, 'x', sizeof text);
    ops[0] = op_room("room0big");
    for (size_t at = 1; at <= EVENTS; at++) {
        ops[at] = op_event("room0big", at);
        ops[at].epoch = taken.epoch;
        ops[at].u.event.text = text;
        ops[at].u.event.text_len = sizeof text;
    }
    struct store_batch batch = {1 + EVENTS, ops, results};
    struct store_commit request = {.batch = &batch, .done = fail_from_now_on, .ctx = &done_count};
    done_count = 0;
    store->engine->commit(store, &request);
    ck_assert_int_eq(done_count, 1);
    ck_assert_int_eq(request.result, STORE_OK);
}

/* What was committed stays so. */
START_TEST(a_log_that_cannot_be_moved_is_warned_of)
{
    char message[STORE_MESSAGE_MAX];
    faulty_install();
    struct store *store = open_filled();
    commit_much(store);
    check_warned("store_tidy_failed", STORE_FAILED);
    faulty_clear();
    store->engine->close(store);
    ck_assert_int_eq(open_engine(&store, message), STORE_OK);
    ck_assert_int_eq(taken.rooms, 2);
    ck_assert_int_eq(taken.damaged, 0);
    store->engine->close(store);
}
END_TEST

START_TEST(an_archived_room_is_lent)
{
    struct store *store = open_filled();
    struct store_read read = read_room(store, "room000z");
    ck_assert_int_eq(read.result, STORE_OK);
    ck_assert_str_eq(read.rows.room->seed.id, "room000z");
    ck_assert_uint_eq(read.rows.count, 2);
    read.release(&read);
    ck_assert_ptr_null(read.owner);
    read = read_room(store, "room000y");
    ck_assert_int_eq(read.result, STORE_OK);
    ck_assert_ptr_null(read.rows.room);
    read.release(&read);
    check_warned(NULL, STORE_OK);
    scratch_sql(&scratch, "DELETE FROM archived_event WHERE seq = 2");
    read = read_room(store, "room000z");
    ck_assert_int_eq(read.result, STORE_CORRUPT);
    ck_assert_ptr_null(read.rows.room);
    read.release(&read);
    check_warned("store_read_failed", STORE_CORRUPT);
    store->engine->close(store);
}
END_TEST

void add_engine_tests(TCase *tests)
{
    tcase_add_test(tests, what_is_stored_is_handed_out);
    tcase_add_test(tests, what_cannot_be_opened_is_told_and_closed);
    tcase_add_test(tests, what_the_hub_does_not_take_is_told);
    tcase_add_test(tests, what_is_left_out_is_warned_of);
    tcase_add_test(tests, what_is_refused_of_a_batch_is_warned_of);
    tcase_add_test(tests, a_commit_that_fails_is_warned_of);
    tcase_add_test(tests, a_commit_that_succeeds_again_is_told);
    tcase_add_test(tests, a_log_that_cannot_be_moved_is_warned_of);
    tcase_add_test(tests, an_archived_room_is_lent);
}
