/* Described rows in the embedded store: those of a guest book, which no migration knows. */
#include "../../support/model_query.h"
#include "cases.h"
#include "guest_rows.h"
#include <stdlib.h>
#include <string.h>

static struct sqlite_store *open_with_book(void)
{
    store_tables = guest_tables;
    return scratch_open_loaded(&scratch);
}

static const struct store_op ana = {.kind = STORE_PUT_SESSION,
                                    .u.session = {.id = 5, .name = "Ana"}};
static const struct store_op bo = {.kind = STORE_PUT_SESSION, .u.session = {.id = 6, .name = "Bo"}};

START_TEST(tables_are_made_of_what_describes_them)
{
    sqlite_store_close(scratch_open_loaded(&scratch)); /* by a program that knows none of them */
    struct sqlite_store *store = open_with_book();
    struct store_op ops[] = {ana, op_word(5, UINT32_MAX, "ana"),
                             op_page(UINT64_MAX, "\xe2\x98\x83")};
    ck_assert_int_eq(commit_ops(store, ops, 3), STORE_OK);
    sqlite_store_close(store);
    char *text = dump_folder(&scratch);
    ck_assert_str_eq(text, "session 5 Ana 0 0\n"
                           "guest_word 5 4294967295 1790000000007 'ana' 0 0001ff0000000000"
                           " 'Na\xc3\xafve, 'tis'\n"
                           "guest_page -1 1 '\xe2\x98\x83'\n");
    free(text);
}
END_TEST

START_TEST(a_row_takes_the_place_of_that_of_its_key_and_goes_with_its_session)
{
    struct sqlite_store *store = open_with_book();
    struct store_op ops[] = {ana, op_word(5, 1, "ana"), op_word(5, 1, "zoe"), op_word(5, 2, "ana")};
    struct store_op drop = {.kind = STORE_DROP_SESSION, .u.session_id = 5};
    struct store_op gone = op_word(5, 2, "");
    ck_assert_int_eq(commit_ops(store, ops, 4), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM guest_word"), 2);
    gone.kind = STORE_DROP_ROW;
    ck_assert_int_eq(commit_one(store, gone), STORE_OK);
    ck_assert_int_eq(commit_one(store, gone), STORE_OK); /* there is none */
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM guest_word"), 1);
    ck_assert_int_eq(commit_one(store, op_word(6, 1, "")), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, drop), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM guest_word"), 0);
    sqlite_store_close(store);
}
END_TEST

/* What stands beside it in the batch, of its session too, is stored. */
START_TEST(who_claims_what_is_taken_is_left_out_alone)
{
    struct sqlite_store *store = open_with_book();
    struct store_op first[] = {ana, bo, op_word(5, 1, "ana")};
    struct store_op ops[] = {bo, op_word(6, 1, "ana"), op_word(6, 2, ""), op_word(6, 3, "")};
    enum store_result results[4] = {STORE_OK};
    const struct store_batch batch = {4, ops, results};
    snprintf(ops[0].u.session.name, sizeof ops[0].u.session.name, "Bob");
    ck_assert_int_eq(commit_ops(store, first, 3), STORE_OK);
    ck_assert_int_eq(sqlite_store_commit(store, &batch), STORE_OK);
    ck_assert(results[0] == STORE_OK && results[1] == STORE_TAKEN && results[2] == STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM guest_word WHERE name = ''"),
                     2);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM session WHERE name = 'Bob'"),
                     1);
    struct store_op gone = op_word(5, 1, "");
    gone.kind = STORE_DROP_ROW;
    struct store_op again[] = {gone, op_word(6, 1, "ana")}; /* free in the same batch */
    ck_assert_int_eq(commit_ops(store, again, 2), STORE_OK);
    sqlite_store_close(store);
}
END_TEST

/* It was taken by a row that is refused for another reason, later in the batch. */
START_TEST(what_was_taken_by_who_is_refused_is_free)
{
    struct sqlite_store *store = open_with_book();
    struct store_op drop = {.kind = STORE_DROP_SESSION, .u.session_id = 5};
    struct store_op both[] = {ana, bo};
    ck_assert_int_eq(commit_ops(store, both, 2), STORE_OK);
    struct store_op all[] = {op_word(5, 1, "ana"), op_word(6, 1, "ana"), drop, op_word(5, 2, "")};
    enum store_result of_all[4] = {STORE_OK};
    ck_assert_int_eq(sqlite_store_commit(store, &(struct store_batch){4, all, of_all}), STORE_OK);
    ck_assert(of_all[0] == STORE_REFUSED && of_all[1] == STORE_OK && of_all[3] == STORE_REFUSED);
    sqlite_store_close(store);
}
END_TEST

START_TEST(a_row_that_was_changed_is_left_out)
{
    struct sqlite_store *store = open_with_book();
    struct store_op ops[] = {ana, op_word(5, 1, "ana"), op_word(5, 2, ""), op_page(1, "x")};
    ck_assert_int_eq(commit_ops(store, ops, 4), STORE_OK);
    sqlite_store_close(store);
    scratch_sql(&scratch, "UPDATE guest_word SET words = 'other' WHERE id = 1;"
                          "UPDATE guest_page SET mood = 3");
    store = scratch_open(&scratch);
    char *text = dump(store);
    ck_assert_ptr_null(strstr(text, "'ana'"));
    ck_assert_ptr_nonnull(strstr(text, "guest_word 5 2"));
    ck_assert_ptr_null(strstr(text, "guest_page"));
    ck_assert_uint_eq(sqlite_store_left_out(store), 2);
    free(text);
    sqlite_store_close(store);
}
END_TEST

/* A page of the desk is refused alone, whatever else there is of the desk. */
START_TEST(a_page_that_is_not_valid_is_not_the_others_fault)
{
    struct store_op ops[] = {op_page(1, "x"), op_page(2, "y"), ana, op_word(5, 1, "")};
    enum store_result results[4] = {STORE_OK};
    const struct store_batch batch = {4, ops, results};
    store_batch_refuse(&batch, 1);
    ck_assert(results[0] == STORE_OK && results[1] == STORE_REFUSED && results[2] == STORE_OK);
    store_batch_refuse(&batch, 3);
    ck_assert(results[0] == STORE_OK && results[2] == STORE_REFUSED);
}
END_TEST

/* ---- the bound of letters */

static const struct store_letter_bound bound = {.per_addressee = 2, .all = 3};

static struct store_op ask_for_letter(uint64_t addressee, uint64_t id)
{
    struct store_op op = op_letter(addressee, id, 1, "x");
    op.u.row.with = 5; /* whose request it is */
    op.within = bound;
    return op;
}

static size_t count_letters(void)
{
    return (size_t)scratch_number(&scratch, "SELECT count(*) FROM letter");
}

/* All that its session asks for in the batch is, and nothing of others. */
START_TEST(a_letter_too_many_is_refused_with_its_cause)
{
    struct sqlite_store *store = open_with_book();
    struct store_op first[] = {ana, bo, ask_for_letter(6, 1), ask_for_letter(6, 2)};
    ck_assert_int_eq(commit_ops(store, first, 4), STORE_OK); /* as many as may be */
    struct store_op ops[] = {op_word(5, 1, "ana"), ask_for_letter(6, 3), op_word(6, 1, "bo")};
    enum store_result results[3] = {STORE_OK};
    const struct store_batch batch = {3, ops, results};
    ck_assert_int_eq(sqlite_store_commit(store, &batch), STORE_OK);
    ck_assert(results[0] == STORE_REFUSED && results[1] == STORE_CROWDED && results[2] == STORE_OK);
    ck_assert(store_batch_is_crowded(&batch));
    ck_assert_uint_eq(count_letters(), 2);
    struct store_op last = op_letter(6, 1, 1, "");
    last.kind = STORE_DROP_ROW; /* one that is applied makes room */
    struct store_op again[] = {last, ask_for_letter(6, 3)};
    ck_assert_int_eq(commit_ops(store, again, 2), STORE_OK);
    sqlite_store_close(store);
}
END_TEST

static enum store_result try_room(struct sqlite_store *store, const char *id)
{
    struct store_op ops[] = {op_room(id), op_event(id, 1)};
    enum store_result results[2] = {STORE_OK};
    ops[0].within = bound;
    ops[1].epoch = sqlite_store_epoch(store);
    ck_assert_int_eq(sqlite_store_commit(store, &(struct store_batch){2, ops, results}), STORE_OK);
    ck_assert_int_eq(results[0] == STORE_OK, results[1] == STORE_OK);
    return results[0];
}

/* Whatever state they are in. What follows from what was acknowledged is stored in any case. */
START_TEST(with_too_many_letters_no_room_is_opened)
{
    struct sqlite_store *store = open_with_book();
    struct store_op ops[] = {ana, op_letter(7, 1, 1, ""), op_letter(8, 1, 1, ""),
                             op_letter(9, 1, 1, "")};
    ((struct store_letter *)op_row(&ops[3]))->state = STORE_LETTER_UNREADABLE;
    ck_assert_int_eq(commit_ops(store, ops, 3), STORE_OK);
    ck_assert_int_eq(try_room(store, "aaaaaaaa"), STORE_OK);
    ck_assert_int_eq(commit_one(store, ops[3]), STORE_OK);
    ck_assert_int_eq(try_room(store, "bbbbbbbb"), STORE_CROWDED);
    ck_assert_int_eq(commit_one(store, op_letter(9, 2, 1, "")), STORE_OK);
    ck_assert_uint_eq(count_letters(), 4);
    sqlite_store_close(store);
}
END_TEST

/* A rematch: both go back, and the store comes to an end with it. */
START_TEST(what_goes_with_a_room_that_is_crowded_out_is_refused)
{
    struct store_op ops[] = {op_room("aaaaaaaa"), op_event("bbbbbbbb", 4), op_letter(5, 1, 1, "")};
    enum store_result results[3] = {STORE_OK};
    const struct store_batch batch = {3, ops, results};
    memcpy(ops[0].with_id, "bbbbbbbb", sizeof ops[0].with_id);
    store_batch_crowd(&batch, 0);
    ck_assert(results[0] == STORE_CROWDED && results[1] == STORE_REFUSED && results[2] == STORE_OK);
    store_batch_refuse(&batch, 2);
    ck_assert(results[0] == STORE_CROWDED && results[1] == STORE_REFUSED);
}
END_TEST

/* ---- pages */

static char *ask(struct sqlite_store *store, struct store_query query)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    query.result = sqlite_store_query(store, &query);
    dump_query(out, &query);
    fclose(out);
    return text;
}

static void check_page(struct sqlite_store *store, const struct store_query *query,
                       const char *should)
{
    char *text = ask(store, *query);
    ck_assert_str_eq(text, should);
    free(text);
}

#define LETTER(addressee, id, at, text)                                                            \
    "letter " addressee " " id " 0 " at " 'book.greeting' '" text "'\n"

/* What is addressed is kept for whoever it is for, and nobody is given it at the opening. */
START_TEST(letters_are_handed_out_when_they_are_asked_for)
{
    struct sqlite_store *store = open_with_book();
    struct store_op ops[] = {op_letter(5, 2, 70, "b"), op_letter(UINT64_MAX, 1, 80, "c"),
                             op_letter(5, 1, 70, "a")};
    struct store_query query = {
        .table = &store_letter_table, .index = &store_letter_table.indexes[0], .limit = 2};
    struct store_letter behind = {.addressee = 5, .id = 2, .at_ms = 70};
    ck_assert_int_eq(commit_ops(store, ops, 3), STORE_OK);
    sqlite_store_close(store);
    store = scratch_open(&scratch);
    char *handed_out = dump(store);
    ck_assert_str_eq(handed_out, "");
    free(handed_out);
    check_page(store, &query, LETTER("5", "1", "70", "a") LETTER("5", "2", "70", "b") "0 more\n");
    query.behind = true;
    memcpy(query.from, &behind, sizeof behind);
    check_page(store, &query, LETTER("-1", "1", "80", "c") "0 no more\n");
    behind.state = STORE_LETTER_UNKNOWN;
    memcpy(query.from, &behind, sizeof behind);
    check_page(store, &query, "0 no more\n");
    sqlite_store_close(store);
}
END_TEST

/* Of a session the last stay, and what others have. */
START_TEST(of_a_session_so_many_rows_stay)
{
    struct sqlite_store *store = open_with_book();
    struct store_op ops[] = {ana, bo, op_word(5, 2, ""), op_word(5, 7, ""), op_word(6, 1, "")};
    struct store_op one_more = op_word(5, 4, ""), too_old = op_word(5, 1, "");
    ck_assert_int_eq(commit_ops(store, ops, 5), STORE_OK);
    one_more.u.row.keep = too_old.u.row.keep = 2;
    ck_assert_int_eq(commit_one(store, one_more), STORE_OK);
    ck_assert_int_eq(commit_one(store, too_old), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT sum(id * session) FROM guest_word"),
                     4 * 5 + 7 * 5 + 1 * 6);
    sqlite_store_close(store);
}
END_TEST

static struct store_op op_placed(uint64_t session, uint32_t id, uint64_t place)
{
    struct store_op op = op_word(session, id, "");
    ((struct guest_word *)op_row(&op))->place = place;
    return op;
}

static size_t count_page(struct sqlite_store *store, struct store_query query)
{
    ck_assert_int_eq(sqlite_store_query(store, &query), STORE_OK);
    const size_t count = query.count;
    query.release(&query);
    return count;
}

/* Of that session alone; nothing is behind what is not there. */
START_TEST(a_page_begins_behind_a_row_that_is_looked_up)
{
    struct sqlite_store *store = open_with_book();
    const struct store_op ops[] = {ana,
                                   bo,
                                   op_placed(5, 1, 10),
                                   op_placed(5, 2, 20),
                                   op_placed(5, 3, 30),
                                   op_placed(6, 1, 40)};
    struct guest_word from = {.session = 5, .place = 30, .words = ""};
    struct store_query query = {.table = &guest_word_table,
                                .index = &guest_word_table.indexes[2],
                                .limit = 9,
                                .behind = true,
                                .behind_by = GUEST_WORD_PLACE};
    ck_assert_int_eq(commit_ops(store, ops, 6), STORE_OK);
    memcpy(query.from, &from, sizeof from);
    ck_assert_uint_eq(count_page(store, query), 2);
    from.place = 40;
    memcpy(query.from, &from, sizeof from);
    ck_assert_uint_eq(count_page(store, query), 0);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM sqlite_schema"
                                              " WHERE name = 'guest_word_by_key'"),
                     0);
    sqlite_store_close(store);
}
END_TEST

START_TEST(a_row_that_was_changed_is_left_out_of_its_page)
{
    struct sqlite_store *store = open_with_book();
    const struct store_query query = {
        .table = &store_letter_table, .index = &store_letter_table.indexes[0], .limit = 9};
    struct store_op ops[] = {op_letter(5, 1, 70, "a"), op_letter(5, 2, 70, "b")};
    ck_assert_int_eq(commit_ops(store, ops, 2), STORE_OK);
    sqlite_store_close(store);
    scratch_sql(&scratch, "UPDATE letter SET text = 'other' WHERE id = 1");
    store = scratch_open_loaded(&scratch);
    check_page(store, &query, LETTER("5", "2", "70", "b") "0 no more\n");
    ck_assert_uint_eq(sqlite_store_left_out(store), 1);
    sqlite_store_close(store);
}
END_TEST

/* It has its place all the same: what is behind it is asked for next. */
START_TEST(a_page_without_a_row_that_was_changed_says_that_there_are_more)
{
    struct sqlite_store *store = open_with_book();
    struct store_query query = {
        .table = &store_letter_table, .index = &store_letter_table.indexes[0], .limit = 2};
    struct store_op ops[] = {op_letter(5, 1, 70, "a"), op_letter(5, 2, 70, "b"),
                             op_letter(5, 3, 70, "c"), op_letter(5, 4, 70, "d")};
    ck_assert_int_eq(commit_ops(store, ops, 4), STORE_OK);
    scratch_sql(&scratch, "UPDATE letter SET text = 'other' WHERE id IN (1, 3)");
    check_page(store, &query, LETTER("5", "2", "70", "b") "0 more\n");
    scratch_sql(&scratch, "UPDATE letter SET text = 'other' WHERE id = 2");
    check_page(store, &query, "0 no more\n"); /* behind nothing nobody can go on */
    sqlite_store_close(store);
}
END_TEST

/* Each row of the model is a line of what the store hands out, which has no others. */
static void compare_rows(const struct model_store *model, const char *text)
{
    size_t lines = 0, rows = 0;
    for (size_t at = 2; !guest_tables[at]->unloaded; at++) {
        const void *row;
        for (size_t nth = 0; (row = model_nth(model, guest_tables[at], nth)); nth++, rows++) {
            char *line;
            size_t len;
            FILE *out = open_memstream(&line, &len);
            dump_row(out, guest_tables[at], row);
            fclose(out);
            ck_assert_msg(strstr(text, line), "%s is not in %s", line, text);
            free(line);
        }
    }
    for (const char *at = text; (at = strstr(at, "guest_")); at++)
        lines++;
    for (const char *at = text; (at = strstr(at, "document ")); at++)
        lines++;
    ck_assert_uint_eq(lines, rows);
}

static void compare_page(struct sqlite_store *store, const struct model_store *model,
                         struct store_query query)
{
    char *text;
    size_t len;
    char *page = ask(store, query);
    FILE *out = open_memstream(&text, &len);
    model_answer_query(model, &query);
    dump_query(out, &query);
    fclose(out);
    ck_assert_str_eq(page, text);
    free(page);
    free(text);
}

START_TEST(anything_is_answered_as_by_the_model)
{
    enum { BATCHES = 300, OPS_MAX = 6 };
    struct rng rng = {20261126};
    struct model_store model;
    struct sqlite_store *store = open_with_book();
    size_t taken = 0, crowded = 0;
    model_init(&model);
    for (uint64_t session = 1; session <= 4; session++) {
        struct store_op op = ana;
        op.u.session.id = session;
        ck_assert_int_eq(commit_one(store, op), STORE_OK);
        enum store_result result = STORE_OK;
        ck_assert_int_eq(model_commit(&model, &(struct store_batch){1, &op, &result}), STORE_OK);
    }
    for (int number = 0; number < BATCHES; number++) {
        struct store_op ops[OPS_MAX];
        enum store_result results[OPS_MAX] = {STORE_OK}, others[OPS_MAX] = {STORE_OK};
        const size_t count = 1 + rng_below(&rng, OPS_MAX);
        for (size_t at = 0; at < count; at++)
            ops[at] = op_any_guest(&rng);
        ck_assert_int_eq(sqlite_store_commit(store, &(struct store_batch){count, ops, results}),
                         STORE_OK);
        ck_assert_int_eq(model_commit(&model, &(struct store_batch){count, ops, others}), STORE_OK);
        for (size_t at = 0; at < count; at++) {
            ck_assert_msg(results[at] == others[at], "batch %d, op %zu: %d, and %d", number, at,
                          (int)results[at], (int)others[at]);
            taken += results[at] == STORE_TAKEN;
            crowded += results[at] == STORE_CROWDED;
        }
        compare_page(store, &model, any_query(&rng));
    }
    sqlite_store_close(store);
    char *text = dump_folder(&scratch);
    compare_rows(&model, text);
    ck_assert_uint_gt(taken, BATCHES / 10);
    ck_assert_uint_gt(crowded, BATCHES / 30);
    free(text);
    model_release(&model);
}
END_TEST

void add_rows_tests(TCase *tests)
{
    tcase_add_test(tests, tables_are_made_of_what_describes_them);
    tcase_add_test(tests, a_row_takes_the_place_of_that_of_its_key_and_goes_with_its_session);
    tcase_add_test(tests, who_claims_what_is_taken_is_left_out_alone);
    tcase_add_test(tests, what_was_taken_by_who_is_refused_is_free);
    tcase_add_test(tests, a_row_that_was_changed_is_left_out);
    tcase_add_test(tests, a_page_that_is_not_valid_is_not_the_others_fault);
    tcase_add_test(tests, a_letter_too_many_is_refused_with_its_cause);
    tcase_add_test(tests, with_too_many_letters_no_room_is_opened);
    tcase_add_test(tests, what_goes_with_a_room_that_is_crowded_out_is_refused);
    tcase_add_test(tests, letters_are_handed_out_when_they_are_asked_for);
    tcase_add_test(tests, of_a_session_so_many_rows_stay);
    tcase_add_test(tests, a_page_begins_behind_a_row_that_is_looked_up);
    tcase_add_test(tests, a_row_that_was_changed_is_left_out_of_its_page);
    tcase_add_test(tests, a_page_without_a_row_that_was_changed_says_that_there_are_more);
    tcase_add_test(tests, anything_is_answered_as_by_the_model);
}
