/* The store by itself: what goes in comes out, what does not fit is refused whole, and one server
 * has it at a time. */
#include "../../support/run_suites.h"
#include "cases.h"
#include "row_ops.h"
#include "scenario.h"
#include <check.h>
#include <identity/credential_table.h>
#include <notify/browser_table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void set_up(void)
{
    store_tables = store_test_tables;
    scratch_init(&scratch);
}

static void tear_down(void)
{
    scratch_release(&scratch);
}

/* ---- what goes in comes out */

START_TEST(a_new_store_is_empty_and_private)
{
    struct stat status;
    mode_t old = umask(0);
    char *text = dump_folder(&scratch);
    ck_assert_str_eq(text, "");
    free(text);
    umask(old);
    ck_assert_int_eq(stat(scratch.folder, &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(scratch.file, &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0600);
}
END_TEST

START_TEST(files_beside_are_private_too)
{
    static const char *const suffixes[] = {"-wal", "-shm"};
    mode_t old = umask(0);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    umask(old);
    for (size_t at = 0; at < 2; at++) {
        char path[128];
        struct stat status;
        snprintf(path, sizeof path, "%s%s", scratch.file, suffixes[at]);
        ck_assert_int_eq(stat(path, &status), 0);
        ck_assert_int_eq(status.st_mode & 0777, 0600);
    }
    sqlite_store_close(store);
}
END_TEST

START_TEST(every_column_comes_back)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op ops[5] = {{.kind = STORE_PUT_SESSION},
                              op_room("k3m9x0aq"),
                              op_event("k3m9x0aq", 1),
                              op_pass(UINT64_MAX, UINT32_MAX, 0xfe),
                              op_push(UINT64_MAX, 2, "https://push.example/2")};
    ops[0].u.session = (struct store_session){
        .id = UINT64_MAX, .name = "Zo\xc3\xab", .created_ms = -1, .seen_ms = INT64_MAX};
    ops[1].u.room.seed.host = UINT64_C(0x8000000000000001);
    ops[1].u.room.created_ms = INT64_MIN;
    snprintf(ops[1].u.room.seed.code, sizeof ops[1].u.room.seed.code, "0123456789abcdef");
    ops[2].u.event = (struct room_event){.seq = 1,
                                         .at_ms = INT64_MAX,
                                         .held_ms = INT64_MAX - 1,
                                         .origin = {UINT64_MAX, 0, UINT64_MAX - 1},
                                         .kind = ROOM_REMATCHED,
                                         .seat = ROOM_NO_SEAT,
                                         .text = "{\"to\":\"\xe2\x98\x83\"}!",
                                         .text_len = 12};
    struct credential_row *pass = op_row(&ops[3]);
    pass->kind = CREDENTIAL_PHRASE;
    pass->since_ms = INT64_MIN;
    pass->seen_ms = INT64_MAX;
    pass->name = "T\xc3\xa9l\xc3\xa9phone";
    ((struct browser_row *)op_row(&ops[4]))->pass = UINT32_MAX;
    ck_assert_int_eq(commit_ops(store, ops, 5), STORE_OK);
    sqlite_store_close(store);
    char *text = dump_folder(&scratch);
    ck_assert_str_eq(
        text,
        "session 18446744073709551615 Zo\xc3\xab -1 9223372036854775807\n"
        "pass 18446744073709551615 4294967295 of kind 2 "
        "fefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefe "
        "'T\xc3\xa9l\xc3\xa9phone' since -9223372036854775808 seen 9223372036854775807\n"
        "push 18446744073709551615 2 on 4294967295 since 1790000000004 04..00 c3..00 "
        "https://push.example/2\n"
        "room k3m9x0aq code '0123456789abcdef' "
        "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e host 9223372036854775809 "
        "at -9223372036854775808\n"
        "event k3m9x0aq 1 at 9223372036854775807+9223372036854775806 by "
        "18446744073709551615/0/18446744073709551614 16 255 "
        "{\"to\":\"\xe2\x98\x83\"}\n");
    free(text);
}
END_TEST

START_TEST(sessions_are_replaced_and_dropped)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op put = {.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}};
    struct store_op drop = {.kind = STORE_DROP_SESSION, .u.session_id = 6};
    ck_assert_int_eq(commit_one(store, put), STORE_OK);
    snprintf(put.u.session.name, sizeof put.u.session.name, "Bo");
    ck_assert_int_eq(commit_one(store, put), STORE_OK);
    ck_assert_int_eq(commit_one(store, drop), STORE_OK); /* there is none */
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM session WHERE name = 'Bo'"), 1);
    drop.u.session_id = 5;
    ck_assert_int_eq(commit_one(store, drop), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM session"), 0);
    sqlite_store_close(store);
}
END_TEST

/* A second one of the same key takes the place of the first; they go with their session. */
START_TEST(browsers_go_with_their_session)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {{.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}},
                               {.kind = STORE_PUT_SESSION, .u.session = {.id = 6, .name = "Bo"}},
                               op_push(5, UINT64_MAX, "https://push.example/1"),
                               op_push(5, 2, "https://push.example/2"),
                               op_push(6, 2, "https://push.example/3"),
                               op_push(5, 2, "https://push.example/4")};
    struct store_op gone = op_push(6, 2, ""), again = begin[0];
    ck_assert_int_eq(commit_ops(store, begin, 6), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_push(7, 2, "https://push.example/5")), STORE_REFUSED);
    gone.kind = STORE_DROP_ROW;
    ck_assert_int_eq(commit_one(store, gone), STORE_OK);
    ck_assert_int_eq(commit_one(store, gone), STORE_OK);  /* there is none */
    ck_assert_int_eq(commit_one(store, again), STORE_OK); /* a session that is stored again */
    sqlite_store_close(store);
    store = scratch_open(&scratch);
    char *text = dump(store);
    ck_assert_ptr_nonnull(strstr(text, "push 5 18446744073709551615 on 0 since 1790000000004 "
                                       "04..00 c3..00 https://push.example/1\n"
                                       "push 5 2 on 0 since 1790000000004 04..00 c3..00 "
                                       "https://push.example/4\n"));
    ck_assert_ptr_null(strstr(text, "push 6"));
    free(text);
    struct store_op drop = {.kind = STORE_DROP_SESSION, .u.session_id = 5};
    ck_assert_int_eq(commit_one(store, drop), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM push"), 0);
    sqlite_store_close(store);
}
END_TEST

/* The same of what opens a session. */
START_TEST(passes_go_with_their_session)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {{.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}},
                               {.kind = STORE_PUT_SESSION, .u.session = {.id = 6, .name = "Bo"}},
                               op_pass(5, 0, 1),
                               op_pass(5, 9, 2),
                               op_pass(6, 0, 3),
                               op_pass(5, 9, 4)};
    struct store_op gone = op_pass(6, 0, 0), again = begin[0];
    ck_assert_int_eq(commit_ops(store, begin, 6), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_pass(7, 0, 5)), STORE_REFUSED);
    gone.kind = STORE_DROP_ROW;
    ck_assert_int_eq(commit_one(store, gone), STORE_OK);
    ck_assert_int_eq(commit_one(store, gone), STORE_OK);  /* there is none */
    ck_assert_int_eq(commit_one(store, again), STORE_OK); /* a session that is stored again */
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM pass"), 2);
    /* Another has taken the place of its second one. */
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM pass WHERE id = 9"
                                              " AND hex(secret_hash) LIKE '0404%'"),
                     1);
    struct store_op drop = {.kind = STORE_DROP_SESSION, .u.session_id = 5};
    ck_assert_int_eq(commit_one(store, drop), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM pass"), 0);
    sqlite_store_close(store);
}
END_TEST

/* As long as the room is kept; one takes the place of another; of no room there are none. */
START_TEST(guests_stay_while_the_room_is_kept)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {
        op_room("room000a"),        op_event("room000a", 1),    op_guest("room000a", 5, 0),
        op_guest("room000a", 5, 0), op_guest("room000a", 6, 0), op_room("room000b"),
        op_event("room000b", 1),    op_guest("room000b", 5, 0), op_guest("room000c", 5, 0)};
    ck_assert_int_eq(commit_ops(store, begin, 9), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_guest("room000a", 7, 5)), STORE_OK);
    sqlite_store_close(store);
    store = scratch_open(&scratch);
    char *text = dump(store);
    ck_assert_str_eq(strstr(text, "guest"),
                     "guest room000a 6\nguest room000a 7\nguest room000b 5\n");
    free(text);
    struct store_op end[] = {{.kind = STORE_ARCHIVE_ROOM, .room_id = "room000a"},
                             {.kind = STORE_DROP_ROOM, .room_id = "room000b"},
                             op_guest("room000a", 8, 6),
                             op_guest("room000b", 8, 0)};
    ck_assert_int_eq(commit_ops(store, end, 4), STORE_OK);
    struct sqlite_reading *reading;
    ck_assert_int_eq(sqlite_store_read(store, "room000a", &reading), STORE_OK);
    ck_assert_uint_eq(reading->rows.guest_count, 2);
    ck_assert_uint_eq(reading->rows.guests[0], 7);
    ck_assert_uint_eq(reading->rows.guests[1], 8);
    sqlite_reading_destroy(reading);
    ck_assert_int_eq(commit_one(store, op_of(STORE_DROP_ROOM, "room000a")), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM guest"), 0);
    sqlite_store_close(store);
}
END_TEST

/* ---- appends are fenced */

START_TEST(only_the_next_event_is_taken)
{
    static const uint64_t wrong[] = {0, 1, 2, 4, UINT64_MAX};
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {op_room("room000a"), op_event("room000a", 1),
                               op_event("room000a", 2)};
    ck_assert_int_eq(commit_ops(store, begin, 3), STORE_OK);
    for (size_t at = 0; at < sizeof wrong / sizeof wrong[0]; at++)
        ck_assert_int_eq(commit_one(store, op_event("room000a", wrong[at])), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_event("room000b", 1)), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_event("", 1)), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 3)), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_REFUSED);
    sqlite_store_close(store);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM event"), 3);
}
END_TEST

/* Ops on sessions and on other rooms of the same batch are stored as if it had not been there. */
START_TEST(a_refused_room_leaves_nothing_and_harms_nobody)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {op_room("room000a"), op_event("room000a", 1), op_room("room000b"),
                               op_event("room000b", 1)};
    ck_assert_int_eq(commit_ops(store, begin, 4), STORE_OK);
    struct store_op ops[] = {op_event("room000a", 2), op_room("room000c"),
                             op_event("room000c", 1), op_of(STORE_ARCHIVE_ROOM, "room000b"),
                             op_event("room000a", 3), {.kind = STORE_PUT_SESSION},
                             op_event("room000c", 3)};
    enum store_result results[7] = {STORE_OK};
    ops[5].u.session = (struct store_session){.id = 5, .name = "Ana"};
    for (size_t i = 0; i < 7; i++)
        ops[i].epoch = sqlite_store_epoch(store);
    ck_assert_int_eq(sqlite_store_commit(store, &(struct store_batch){7, ops, results}), STORE_OK);
    for (size_t i = 0; i < 7; i++)
        ck_assert_int_eq(results[i], i == 1 || i == 2 || i == 6 ? STORE_REFUSED : STORE_OK);
    ck_assert_ptr_nonnull(strstr(sqlite_store_message(store), "room000c"));
    /* Each of these would be refused if anything of it had stayed. */
    struct store_op good[] = {op_event("room000a", 4), op_room("room000c"),
                              op_event("room000c", 1)};
    ck_assert_int_eq(commit_ops(store, good, 3), STORE_OK);
    sqlite_store_close(store);
    free(dump_folder(&scratch));
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM event"), 5);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM archived_event"), 1);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM session"), 1);
}
END_TEST

/* A rematch is in both rooms, or in none. */
START_TEST(rooms_that_change_together_are_refused_together)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {op_room("room000a"), op_event("room000a", 1), op_room("room000z"),
                               op_event("room000z", 1), op_of(STORE_ARCHIVE_ROOM, "room000z")};
    ck_assert_int_eq(commit_ops(store, begin, 5), STORE_OK);
    struct store_op taken[] = {op_room("room000z"), op_event("room000z", 1),
                               op_event("room000a", 2), op_room("room000b")};
    memcpy(taken[0].with_id, "room000a", 9);
    ck_assert_int_eq(commit_ops(store, taken, 4), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_event("room000b", 1)), STORE_OK);
    struct store_op late[] = {op_room("room000c"), op_event("room000c", 1),
                              op_event("room000a", 7)};
    memcpy(late[0].with_id, "room000a", 9);
    ck_assert_int_eq(commit_ops(store, late, 3), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 2)), STORE_OK);
    sqlite_store_close(store);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM room"), 3);
}
END_TEST

START_TEST(an_append_under_another_epoch_is_refused)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op ops[] = {op_room("room000a"), op_event("room000a", 1)};
    enum store_result results[2] = {STORE_OK, STORE_OK};
    ops[1].epoch = sqlite_store_epoch(store) - 1;
    ck_assert_int_eq(sqlite_store_commit(store, &(struct store_batch){2, ops, results}), STORE_OK);
    ck_assert_int_eq(results[0], STORE_REFUSED);
    ck_assert_int_eq(results[1], STORE_REFUSED);
    sqlite_store_close(store);
}
END_TEST

START_TEST(many_rooms_side_by_side)
{
    enum { ROOMS = 300, ROUNDS = 5 };
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    char id[9];
    for (int round = 0; round <= ROUNDS; round++) {
        for (int room = 0; room < ROOMS; room++) {
            snprintf(id, sizeof id, "%08d", room);
            struct store_op op = round == 0 ? op_room(id) : op_event(id, (uint64_t)round);
            ck_assert_int_eq(commit_one(store, op), STORE_OK);
        }
    }
    for (int room = 0; room < ROOMS; room += 2) {
        snprintf(id, sizeof id, "%08d", room);
        ck_assert_int_eq(
            commit_one(store, op_of(room % 4 ? STORE_DROP_ROOM : STORE_ARCHIVE_ROOM, id)),
            STORE_OK);
    }
    for (int room = 1; room < ROOMS; room += 2) {
        snprintf(id, sizeof id, "%08d", room);
        ck_assert_int_eq(commit_one(store, op_event(id, ROUNDS + 1)), STORE_OK);
    }
    sqlite_store_close(store);
    free(dump_folder(&scratch));
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM event"),
                     (long long)(ROUNDS + 1) * ROOMS / 2);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM archived_event"),
                     (long long)ROUNDS * ROOMS / 4);
}
END_TEST

/* What a log is: its rows, each with its place and the one before it in its room. */
static char *log_rows(const struct scratch *of)
{
    char *rows = calloc(1, 1 << 16);
    ck_assert_ptr_nonnull(rows);
    scratch_text(
        of,
        "SELECT group_concat(row, x'0a') FROM (SELECT n || ' ' || prev || ' ' || room || ' '"
        " || seq || ' ' || text || ' ' || hex(hash) AS row FROM event ORDER BY n)",
        rows, 1 << 16);
    return rows;
}

/* Several rows are stored by one statement, so each number of rooms from 1 on; a room that comes
 * twice; and what must find all that comes before it stored. */
START_TEST(a_batch_leaves_the_same_rows_as_its_ops_one_by_one)
{
    enum { ROOMS = 17, EXTRA = 6 };
    struct scratch alone;
    scratch_init(&alone);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct sqlite_store *other = scratch_open_loaded(&alone);
    char ids[ROOMS][9];
    uint64_t seqs[ROOMS] = {0};
    for (int room = 0; room < ROOMS; room++) {
        snprintf(ids[room], sizeof ids[room], "%08d", room);
        ck_assert_int_eq(commit_one(store, op_room(ids[room])), STORE_OK);
        ck_assert_int_eq(commit_one(other, op_room(ids[room])), STORE_OK);
    }
    for (size_t rooms = 1; rooms <= ROOMS; rooms++) {
        struct store_op ops[ROOMS + EXTRA];
        size_t count = 0;
        for (size_t room = 0; room < rooms; room++)
            ops[count++] = op_event(ids[room], ++seqs[room]);
        ops[count++] = op_event(ids[rooms / 2], ++seqs[rooms / 2]);
        ops[count++] = op_event(ids[0], ++seqs[0]);
        ck_assert_int_eq(commit_ops(store, ops, count), STORE_OK);
        for (size_t at = 0; at < count; at++)
            ck_assert_int_eq(commit_one(other, ops[at]), STORE_OK);
    }
    const struct store_op ops[] = {
        op_event(ids[3], seqs[3] + 1), op_of(STORE_DROP_ROOM, ids[3]),
        op_event(ids[4], seqs[4] + 1), op_of(STORE_ARCHIVE_ROOM, ids[4]),
        op_event(ids[5], seqs[5] + 1),
    };
    ck_assert_int_eq(commit_ops(store, ops, sizeof ops / sizeof ops[0]), STORE_OK);
    for (size_t at = 0; at < sizeof ops / sizeof ops[0]; at++)
        ck_assert_int_eq(commit_one(other, ops[at]), STORE_OK);
    sqlite_store_close(store);
    sqlite_store_close(other);
    char *rows = log_rows(&scratch), *other_rows = log_rows(&alone);
    ck_assert_str_eq(rows, other_rows);
    free(rows);
    free(other_rows);
    char *text = dump_folder(&scratch), *other_text = dump_folder(&alone);
    ck_assert_str_eq(text, other_text);
    ck_assert_ptr_null(strstr(text, "damaged"));
    free(text);
    free(other_text);
    scratch_release(&alone);
}
END_TEST

/* ---- archived rooms */

START_TEST(an_archived_room_can_be_read_and_dropped)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct sqlite_reading *reading;
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    for (uint64_t seq = 1; seq <= 200; seq++) {
        char text[32];
        struct store_op op = op_event("room000a", seq);
        snprintf(text, sizeof text, "move %llu", (unsigned long long)seq);
        op.u.event.text = text;
        op.u.event.text_len = (uint16_t)strlen(text);
        ck_assert_int_eq(commit_one(store, op), STORE_OK);
    }
    ck_assert_int_eq(sqlite_store_read(store, "room000a", &reading), STORE_OK);
    ck_assert_ptr_null(reading->rows.room); /* live rooms are the hub's */
    sqlite_reading_destroy(reading);

    ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room000a")), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 201)), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room000a")), STORE_REFUSED);
    ck_assert_int_eq(sqlite_store_read(store, "room000a", &reading), STORE_OK);
    ck_assert_str_eq(reading->rows.room->seed.id, "room000a");
    ck_assert_uint_eq(reading->rows.count, 200);
    for (uint64_t seq = 1; seq <= 200; seq++) {
        const struct room_event *event = &reading->rows.events[seq - 1];
        char text[32];
        snprintf(text, sizeof text, "move %llu", (unsigned long long)seq);
        ck_assert_uint_eq(event->seq, seq);
        ck_assert_uint_eq(event->text_len, strlen(text));
        ck_assert_int_eq(memcmp(event->text, text, strlen(text)), 0);
    }
    sqlite_reading_destroy(reading);
    sqlite_store_close(store);

    char *text = dump_folder(&scratch);
    ck_assert_str_eq(text, "");
    free(text);
    store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_one(store, op_of(STORE_DROP_ROOM, "room000a")), STORE_OK);
    ck_assert_int_eq(sqlite_store_read(store, "room000a", &reading), STORE_OK);
    ck_assert_ptr_null(reading->rows.room);
    sqlite_reading_destroy(reading);
    sqlite_store_close(store);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM archived_event"), 0);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM event"), 0);
}
END_TEST

START_TEST(the_id_of_an_archived_room_is_refused)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room000a")), STORE_OK);
    struct store_op again[] = {op_room("room000b"), op_room("room000a")};
    ck_assert_int_eq(commit_ops(store, again, 2), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_event("room000b", 1)), STORE_OK);
    sqlite_store_close(store);
}
END_TEST

START_TEST(dropping_what_is_not_there_is_fine)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_one(store, op_of(STORE_DROP_ROOM, "room000a")), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room000a")), STORE_REFUSED);
    sqlite_store_close(store);
}
END_TEST

START_TEST(an_empty_batch_writes_something)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    long long before = scratch_number(&scratch, "SELECT probes FROM engine");
    ck_assert_int_eq(commit_batch(store, &(struct store_batch){0, NULL, NULL}), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT probes FROM engine"), before + 1);
    sqlite_store_close(store);
}
END_TEST

/* ---- one server at a time */

START_TEST(a_second_server_is_told_who_has_the_store)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    pid_t child = fork();
    if (child == 0) {
        char message[STORE_MESSAGE_MAX], expected[STORE_MESSAGE_MAX];
        struct sqlite_store *second;
        snprintf(expected, sizeof expected, "another server (process %ld) uses the store in %s",
                 (long)getppid(), scratch.folder);
        enum store_result result = sqlite_store_open(scratch.folder, &second, message);
        _exit(result == STORE_FENCED && !second && strcmp(message, expected) == 0 ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    sqlite_store_close(store);
}
END_TEST

/* Within one process the lock keeps nobody out, as on a file system whose locks do not work. */
START_TEST(a_server_that_lost_the_store_is_fenced)
{
    struct sqlite_store *first = scratch_open_loaded(&scratch);
    struct store_op begin[] = {op_room("room000a"), op_event("room000a", 1)};
    ck_assert_int_eq(commit_ops(first, begin, 2), STORE_OK);
    struct sqlite_store *second = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_one(first, op_event("room000a", 2)), STORE_FENCED);
    ck_assert_int_eq(commit_batch(first, &(struct store_batch){0, NULL, NULL}), STORE_FENCED);
    ck_assert_int_eq(commit_one(second, op_event("room000a", 2)), STORE_OK);
    ck_assert_int_eq(commit_one(first, op_event("room000a", 2)), STORE_FENCED);
    sqlite_store_close(first);
    sqlite_store_close(second);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM event"), 2);
}
END_TEST

START_TEST(the_epoch_goes_up_with_every_opening)
{
    for (long long epoch = 1; epoch <= 3; epoch++) {
        sqlite_store_close(scratch_open_loaded(&scratch));
        ck_assert_int_eq(scratch_number(&scratch, "SELECT epoch FROM engine"), epoch);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, a_new_store_is_empty_and_private);
    tcase_add_test(tests, files_beside_are_private_too);
    tcase_add_test(tests, every_column_comes_back);
    tcase_add_test(tests, sessions_are_replaced_and_dropped);
    tcase_add_test(tests, browsers_go_with_their_session);
    tcase_add_test(tests, passes_go_with_their_session);
    tcase_add_test(tests, guests_stay_while_the_room_is_kept);
    tcase_add_test(tests, only_the_next_event_is_taken);
    tcase_add_test(tests, a_refused_room_leaves_nothing_and_harms_nobody);
    tcase_add_test(tests, rooms_that_change_together_are_refused_together);
    tcase_add_test(tests, an_append_under_another_epoch_is_refused);
    tcase_add_test(tests, many_rooms_side_by_side);
    tcase_add_test(tests, a_batch_leaves_the_same_rows_as_its_ops_one_by_one);
    tcase_add_test(tests, an_archived_room_can_be_read_and_dropped);
    tcase_add_test(tests, the_id_of_an_archived_room_is_refused);
    tcase_add_test(tests, dropping_what_is_not_there_is_fine);
    tcase_add_test(tests, an_empty_batch_writes_something);
    tcase_add_test(tests, a_second_server_is_told_who_has_the_store);
    tcase_add_test(tests, a_server_that_lost_the_store_is_fenced);
    tcase_add_test(tests, the_epoch_goes_up_with_every_opening);
}

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *tests = tcase_create("store");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    add_tests(tests);
    add_opening_tests(tests);
    add_push_key_tests(tests);
    add_site_keys_tests(tests);
    add_loading_tests(tests);
    add_damage_tests(tests);
    add_end_tests(tests);
    add_files_tests(tests);
    add_engine_tests(tests);
    add_erase_tests(tests);
    add_games_tests(tests);
    add_hand_tests(tests);
    add_rows_tests(tests);
    add_trim_tests(tests);
    add_check_tests(tests);
    add_large_tests(tests);
    add_signing_tests(tests);
    add_bans_tests(tests);
    add_restore_tests(tests);
    suite_add_tcase(suite, tests);
    return run_suites(srunner_create(suite));
}
