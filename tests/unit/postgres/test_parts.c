/* A site that is divided: each part is a store for itself, and all of them are one site. */
#include "cases.h"
#include "fixture.h"
#include <hub/part.h>
#include <identity/credential_table.h>
#include <inttypes.h>
#include <notify/browser_table.h>
#include <postgres/store.h>
#include <row_ops.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of two parts: 0k.. has slot 19 and is of part 1, 0j.. has 18. */
static const char *const room_of[2] = {"0jaaaaaa", "0kaaaaaa"};

struct part {
    struct store *store;
    uint64_t term;
};

static struct part open_part(unsigned part, unsigned parts)
{
    struct part opened;
    char message[STORE_MESSAGE_MAX];
    const enum store_result result = fixture_open_part(part, parts, &opened.store, message);
    ck_assert_msg(result == STORE_OK, "%d: %s", (int)result, message);
    opened.term = fixture_epoch();
    return opened;
}

/* The only result of the ops, which are of one room or session. */
static enum store_result commit(const struct part *part, const struct store_op *ops, size_t count)
{
    enum store_result results[8] = {STORE_OK};
    const struct store_batch batch = {count, ops, NULL};
    const enum store_result result = fixture_commit_as(part->store, &batch, part->term, results);
    return result == STORE_OK && count > 0 ? results[count - 1] : result;
}

static struct store_op a_session(uint64_t id)
{
    struct store_op op = {.kind = STORE_PUT_SESSION};
    op.u.session = (struct store_session){.id = id, .name = "Ana"};
    return op;
}

static struct store_op a_room(const char *id)
{
    struct store_op op = {.kind = STORE_PUT_ROOM};
    snprintf(op.room_id, sizeof op.room_id, "%s", id);
    memcpy(op.u.room.seed.id, op.room_id, sizeof op.room_id);
    return op;
}

static struct store_op an_event(const char *id, uint64_t seq)
{
    struct store_op op = {.kind = STORE_APPEND};
    snprintf(op.room_id, sizeof op.room_id, "%s", id);
    op.u.event = (struct room_event){.seq = seq, .text = "{}", .text_len = 2};
    return op;
}

static struct store_op a_game(uint64_t session)
{
    struct game_row row = {.session = session, .at_ms = 5, .text_len = 2, .text = "{}"};
    memcpy(row.room, room_of[0], 9);
    return op_put_game(&row, 2);
}

/* A session with all that it may have, a room with an event and a guest. */
static void fill(const struct part *part, uint64_t session, const char *room_id)
{
    struct credential_row pass = {.session = session, .name = "Phone"};
    const struct browser_row push = {.session = session, .endpoint = "https://p/1"};
    memset(pass.secret_hash, (int)(session & 0xff), 32);
    struct store_op ops[6] = {a_session(session),
                              op_put_row(&credential_table, &pass),
                              op_put_row(&browser_table, &push),
                              a_room(room_id),
                              an_event(room_id, 1),
                              {.kind = STORE_LET_IN}};
    memcpy(ops[5].room_id, ops[3].room_id, sizeof ops[5].room_id);
    ops[5].u.guest.session = session;
    ck_assert_int_eq(commit(part, ops, 6), STORE_OK);
}

START_TEST(two_parts_are_used_at_once)
{
    fixture_divide(2);
    const struct part even = open_part(0, 2), odd = open_part(1, 2);
    ck_assert_uint_ne(even.term, odd.term);
    fill(&even, 8, room_of[0]);
    fill(&odd, 7, room_of[1]);
    for (uint64_t seq = 2; seq < 6; seq++) {
        const struct store_op ops[2] = {an_event(room_of[0], seq), an_event(room_of[1], seq)};
        ck_assert_int_eq(commit(&even, &ops[0], 1), STORE_OK);
        ck_assert_int_eq(commit(&even, NULL, 0), STORE_OK);
        ck_assert_int_eq(commit(&odd, &ops[1], 1), STORE_OK);
    }
    ck_assert_int_eq(fixture_number("SELECT batch FROM taluva.server WHERE part = 0"), 9);
    ck_assert_int_eq(fixture_number("SELECT batch FROM taluva.server WHERE part = 1"), 5);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event"), 10);
    fixture_close(even.store);
    fixture_close(odd.store);
}
END_TEST

START_TEST(a_part_is_opened_with_what_is_its_own)
{
    fixture_divide(2);
    const struct part even = open_part(0, 2), odd = open_part(1, 2);
    fill(&even, 8, room_of[0]);
    fill(&odd, UINT64_MAX, room_of[1]);
    fixture_close(even.store);
    fixture_close(odd.store);
    static const char *const mine[2] = {" 8 ", " 18446744073709551615 "};
    for (unsigned part = 0; part < 2; part++) {
        struct part again = open_part(part, 2);
        char *rows = fixture_rows(NULL);
        ck_assert_msg(strstr(rows, room_of[part]) && strstr(rows, mine[part]), "%s", rows);
        ck_assert_msg(!strstr(rows, room_of[!part]) && !strstr(rows, mine[!part]), "%s", rows);
        size_t lines = 0;
        for (const char *at = rows; (at = strchr(at, '\n')); at++)
            lines++;
        ck_assert_msg(lines == 6, "%s", rows);
        free(rows);
        const struct store_op next = an_event(room_of[part], 2);
        ck_assert_int_eq(commit(&again, &next, 1), STORE_OK);
        fixture_close(again.store);
    }
}
END_TEST

START_TEST(what_is_another_parts_is_refused)
{
    fixture_divide(2);
    const struct part even = open_part(0, 2);
    const struct credential_row pass = {.session = 7, .name = ""};
    const struct browser_row push = {.session = 7, .endpoint = ""};
    const struct store_letter letter = {.addressee = 7, .id = 1, .text = ""};
    struct store_op others[8] = {a_room(room_of[1]),
                                 a_session(7),
                                 op_put_row(&credential_table, &pass),
                                 op_put_row(&browser_table, &push),
                                 {.kind = STORE_DROP_ROOM},
                                 {.kind = STORE_DROP_SESSION},
                                 op_drop_row(&store_letter_table, &letter),
                                 a_game(7)};
    memcpy(others[4].room_id, room_of[1], 9);
    others[5].u.session_id = 7;
    for (size_t at = 0; at < 8; at++) {
        ck_assert_int_eq(commit(&even, &others[at], 1), STORE_REFUSED);
        ck_assert_ptr_nonnull(strstr(fixture_said(), "of part 1, and not 0"));
    }
    fixture_close(even.store);
}
END_TEST

START_TEST(a_letter_is_put_by_any_part_and_dropped_by_its_addressee)
{
    fixture_divide(2);
    const struct part even = open_part(0, 2), odd = open_part(1, 2);
    const struct store_letter letter = {.addressee = 7, .id = UINT64_MAX, .text = "{}"};
    const struct store_op put = op_put_row(&store_letter_table, &letter),
                          drop = op_drop_row(&store_letter_table, &letter);
    ck_assert_int_eq(commit(&even, &put, 1), STORE_OK);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.letter WHERE id = -1"), 1);
    fixture_close(odd.store);
    free(fixture_rows(NULL));
    const struct part again = open_part(1, 2);
    char *rows = fixture_rows(NULL);
    ck_assert_msg(!strstr(rows, "letter"), "%s", rows);
    free(rows);
    ck_assert_int_eq(commit(&again, &drop, 1), STORE_OK);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.letter"), 0);
    fixture_close(even.store);
    fixture_close(again.store);
}
END_TEST

START_TEST(what_is_read_later_is_read_of_the_whole_site)
{
    struct store_read read;
    struct store_query page = games_page(7, "");
    fixture_divide(2);
    const struct part even = open_part(0, 2), odd = open_part(1, 2);
    fill(&odd, 7, room_of[1]);
    struct store_op ops[2] = {a_game(7), {.kind = STORE_ARCHIVE_ROOM}};
    memcpy(ops[1].room_id, room_of[1], 9);
    ck_assert_int_eq(commit(&odd, ops, 2), STORE_OK);
    fixture_read(even.store, &read, room_of[1]);
    ck_assert(read.result == STORE_OK && read.rows.count == 1);
    read.release(&read);
    fixture_query(even.store, &page);
    ck_assert(page.result == STORE_OK && page.count == 1);
    page.release(&page);
    fixture_close(even.store);
    fixture_close(odd.store);
}
END_TEST

static size_t count_rows(struct store *store, unsigned part, unsigned parts)
{
    struct store_query query = {.table = &store_letter_table,
                                .index = &store_letter_table.indexes[0],
                                .limit = 9,
                                .part = part,
                                .parts = parts};
    fixture_query(store, &query);
    ck_assert_int_eq(query.result, STORE_OK);
    const size_t count = query.count;
    query.release(&query);
    return count;
}

START_TEST(a_page_is_of_the_whole_site_or_of_one_part)
{
    fixture_divide(2);
    const struct part even = open_part(0, 2);
    struct store_op ops[3];
    for (uint64_t id = 0; id < 3; id++) {
        const struct store_letter letter = {.addressee = 7 + id, .id = 1, .text = ""};
        ops[id] = op_put_row(&store_letter_table, &letter);
    }
    ck_assert_int_eq(commit(&even, ops, 3), STORE_OK);
    ck_assert_uint_eq(count_rows(even.store, 0, 0), 3);
    ck_assert_uint_eq(count_rows(even.store, 0, 2), 1);
    ck_assert_uint_eq(count_rows(even.store, 1, 2), 2);
    ck_assert_uint_eq(count_rows(even.store, 0, 1), 3);
    fixture_close(even.store);
}
END_TEST

START_TEST(another_number_of_parts_is_refused)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    fixture_divide(2);
    ck_assert_int_eq(fixture_open_at(fixture_url(), &store, message), STORE_REFUSED);
    ck_assert_int_eq(postgres_store_problem(store), POSTGRES_PARTS);
    ck_assert_str_eq(message, "the site is divided into 2 parts, not 1");
    fixture_close(store);
    ck_assert_int_eq(fixture_open_part(2, 3, &store, message), STORE_REFUSED);
    fixture_close(store);
    ck_assert_int_eq(fixture_number("SELECT max(term) FROM taluva.server"), 2);
}
END_TEST

START_TEST(a_part_is_one_servers)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    fixture_divide(2);
    const struct part even = open_part(0, 2);
    ck_assert_int_eq(fixture_open_part(0, 2, &store, message), STORE_FENCED);
    ck_assert_msg(strstr(message, "another server uses it (taluvad 3 part 0"), "%s", message);
    fixture_close(store);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.server WHERE part = 0"
                                    " AND node = 'here' AND relay = '[::1]:7'"),
                     1);
    fixture_close(even.store);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.server WHERE node = ''"), 2);
}
END_TEST

/* Events of a kind that a later version writes: that has to open the part, others are not held up.
 */
START_TEST(what_a_later_version_has_written_is_not_opened)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    fixture_divide(2);
    for (unsigned part = 0; part < 2; part++) {
        const struct part opened = open_part(part, 2);
        fill(&opened, part + 2, room_of[part]);
        fixture_close(opened.store);
    }
    const struct part even = open_part(0, 2);
    const struct store_op archive[] = {a_room("0jbbbbbb"),
                                       an_event("0jbbbbbb", 1),
                                       {.kind = STORE_ARCHIVE_ROOM, .room_id = "0jbbbbbb"}};
    ck_assert_int_eq(commit(&even, archive, 3), STORE_OK);
    fixture_sql("UPDATE taluva.event SET kind = 18 FROM taluva.room"
                " WHERE event.room = room.key AND id IN ('0kaaaaaa', '0jbbbbbb')");
    ck_assert_int_eq(fixture_open_part(1, 2, &store, message), STORE_NEWER);
    ck_assert_str_eq(message, "room 0kaaaaaa: event 1 is of a later version of this program, which "
                              "has to open it");
    ck_assert_int_eq(postgres_store_problem(store), POSTGRES_NEWER);
    fixture_close(store);
    struct store_read read;
    fixture_read(even.store, &read, "0jbbbbbb");
    ck_assert_int_eq(read.result, STORE_CORRUPT); /* and it goes on */
    read.release(&read);
    fixture_close(even.store);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event WHERE kind = 18"), 2);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.server WHERE node = ''"), 2);
    fixture_sql("UPDATE taluva.event SET kind = 0"); /* as for one that knows it */
    fixture_close(open_part(1, 2).store);
}
END_TEST

/* Where nobody else can open it, the other rooms do not wait for somebody. */
START_TEST(what_a_later_version_has_written_is_set_aside)
{
    fixture_divide(2);
    const struct part odd = open_part(1, 2);
    fill(&odd, 3, "0kaaaaaa");
    fill(&odd, 5, "0kbbbbbb");
    fixture_close(odd.store);
    fixture_sql("UPDATE taluva.event SET kind = 18 FROM taluva.room"
                " WHERE event.room = room.key AND id = '0kaaaaaa'");
    fixture_set_aside(true);
    fixture_close(open_part(1, 2).store);
    char *rows = fixture_rows(NULL);
    ck_assert_ptr_nonnull(
        strstr(rows, "damaged 0kaaaaaa: event 1 is of a later version of this program"));
    ck_assert_ptr_null(strstr(rows, "damaged 0kbbbbbb"));
    ck_assert_ptr_nonnull(strstr(rows, "0kbbbbbb"));
    free(rows);
    ck_assert_int_ge(fixture_number("SELECT count(*) FROM taluva.event WHERE kind = 18"), 1);
}
END_TEST

/* In the schema and in the program it is one rule. */
START_TEST(parts_are_reckoned_the_same_everywhere)
{
    static const char *const ids[] = {"00aaaaaa", "0zaaaaaa", "z0aaaaaa", "zzaaaaaa", "k3m9x0aq",
                                      "hth6fyqg", "roomfull", "ROOMFULL", "kiaaaaaa", "ik000000"};
    static const uint64_t sessions[] = {1, 63, 64, INT64_MAX, UINT64_MAX, UINT64_MAX - 62};
    enum { PARTS = 5, IDS = 10, SESSIONS = 6 };
    struct part parts[PARTS];
    char sql[256];
    fixture_divide(PARTS);
    for (unsigned part = 0; part < PARTS; part++) {
        parts[part] = open_part(part, PARTS);
        for (size_t at = 0; at < IDS; at++) {
            const struct store_op op = a_room(ids[at]);
            (void)commit(&parts[part], &op, 1);
        }
        for (size_t at = 0; at < SESSIONS; at++) {
            const struct store_op op = a_session(sessions[at]);
            const enum store_result result = commit(&parts[part], &op, 1);
            ck_assert_int_eq(result, sessions[at] % PARTS == part ? STORE_OK : STORE_REFUSED);
        }
        fixture_close(parts[part].store);
    }
    for (size_t at = 0; at < IDS; at++) {
        snprintf(sql, sizeof sql, "SELECT slot FROM taluva.room WHERE id = '%s'", ids[at]);
        ck_assert_int_eq(fixture_number(sql), part_slot(ids[at]));
    }
    /* Each is handed out by one part. */
    size_t found = 0;
    for (unsigned part = 0; part < PARTS; part++) {
        parts[part] = open_part(part, PARTS);
        fixture_close(parts[part].store);
        char *rows = fixture_rows(NULL);
        for (const char *row = rows; (row = strchr(row, '\n')); row++)
            found++;
        free(rows);
    }
    ck_assert_uint_eq(found, IDS + SESSIONS);
    for (unsigned count = 1; count <= PARTS_MAX; count += 7) {
        for (size_t at = 0; at < SESSIONS; at++) {
            snprintf(sql, sizeof sql, "SELECT taluva.session_part(%" PRId64 ", %u)",
                     (int64_t)sessions[at], count);
            ck_assert_int_eq(fixture_number(sql), (long long)(sessions[at] % count));
        }
        const uint8_t hash[32] = {[27] = 9, 0xfe, 0x83, 0x47, 0xc1};
        snprintf(sql, sizeof sql, "SELECT taluva.secret_part('\\x%056dfe8347c1'::bytea, %u)", 9,
                 count);
        ck_assert_int_eq(fixture_number(sql), part_of_secret(hash, count));
    }
}
END_TEST

void add_part_tests(TCase *tests)
{
    tcase_add_test(tests, two_parts_are_used_at_once);
    tcase_add_test(tests, a_part_is_opened_with_what_is_its_own);
    tcase_add_test(tests, what_is_another_parts_is_refused);
    tcase_add_test(tests, a_letter_is_put_by_any_part_and_dropped_by_its_addressee);
    tcase_add_test(tests, what_is_read_later_is_read_of_the_whole_site);
    tcase_add_test(tests, a_page_is_of_the_whole_site_or_of_one_part);
    tcase_add_test(tests, another_number_of_parts_is_refused);
    tcase_add_test(tests, a_part_is_one_servers);
    tcase_add_test(tests, what_a_later_version_has_written_is_not_opened);
    tcase_add_test(tests, what_a_later_version_has_written_is_set_aside);
    tcase_add_test(tests, parts_are_reckoned_the_same_everywhere);
}
