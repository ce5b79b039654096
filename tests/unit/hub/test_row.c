/* Rows as they are described: values in and out of a struct, and laws of every table. */
#include "../../support/guest_table.h"
#include "suites.h"
#include <features/feature.h>
#include <hub/store.h>
#include <hub/store_document.h>
#include <registry/registry.h>
#include <string.h>

struct sample {
    uint64_t key;
    int64_t below;
    uint32_t wide;
    uint16_t narrow;
    uint8_t small;
    uint8_t bytes[4];
    char name[6];
    const char *lent;
    const char *text;
    uint16_t text_len;
};

enum { KEY, BELOW, WIDE, NARROW, SMALL, BYTES, NAME, LENT, TEXT, COLUMNS };

static const struct store_table table = {
    .name = "sample",
    .size = sizeof(struct sample),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = COLUMNS,
    .columns = {[KEY] = {"key", STORE_NUMBER, STORE_MEMBER(struct sample, key)},
                [BELOW] = {"below", STORE_NUMBER, STORE_MEMBER(struct sample, below)},
                [WIDE] = {"wide", STORE_NUMBER, STORE_MEMBER(struct sample, wide)},
                [NARROW] = {"narrow", STORE_NUMBER, STORE_MEMBER(struct sample, narrow)},
                [SMALL] = {"small", STORE_NUMBER, STORE_MEMBER(struct sample, small), .max = 3},
                [BYTES] = {"bytes", STORE_BYTES, STORE_MEMBER(struct sample, bytes)},
                [NAME] = {"name", STORE_STRING, STORE_MEMBER(struct sample, name)},
                [LENT] = {"lent", STORE_LENT, STORE_MEMBER(struct sample, lent), .max = 7},
                [TEXT] = {"text", STORE_TEXT, STORE_MEMBER(struct sample, text),
                          .len_at = offsetof(struct sample, text_len), .max = 9}},
};

static struct sample sample(void)
{
    return (struct sample){UINT64_MAX,   -1,    UINT32_MAX, UINT16_MAX, 3,
                           {1, 2, 3, 0}, "Ana", "lent",     "a\0b",     3};
}

/* ---- values */

START_TEST(every_value_goes_from_one_row_into_another)
{
    const struct sample from = sample();
    struct sample to = {0};
    for (size_t at = 0; at < COLUMNS; at++) {
        const struct store_column *column = &table.columns[at];
        size_t len;
        if (column->type == STORE_NUMBER) {
            ck_assert(store_set_number(column, &to, store_number(column, &from)));
        } else {
            const void *bytes = store_bytes(column, &from, &len);
            ck_assert(store_set_bytes(column, &to, bytes, len));
        }
        ck_assert(store_same_value(column, &from, &to));
    }
    ck_assert_uint_eq(to.key, UINT64_MAX);
    ck_assert_int_eq(to.below, -1);
    ck_assert_uint_eq(to.wide, UINT32_MAX);
    ck_assert_uint_eq(to.narrow, UINT16_MAX);
    ck_assert_uint_eq(to.small, 3);
    ck_assert_mem_eq(to.bytes, from.bytes, sizeof to.bytes);
    ck_assert_str_eq(to.name, "Ana");
    ck_assert_str_eq(to.lent, "lent");
    ck_assert_uint_eq(to.text_len, 3);
    ck_assert_mem_eq(to.text, "a\0b", 3);
}
END_TEST

static bool takes_number(int column, int64_t value)
{
    struct sample row = sample();
    const struct sample before = row;
    const bool taken = store_set_number(&table.columns[column], &row, value);
    ck_assert(taken || memcmp(&row, &before, sizeof row) == 0);
    return taken;
}

START_TEST(a_number_that_is_none_of_its_column_is_refused)
{
    ck_assert(takes_number(SMALL, 0) && takes_number(SMALL, 3));
    ck_assert(!takes_number(SMALL, 4) && !takes_number(SMALL, -1));
    ck_assert(takes_number(NARROW, UINT16_MAX) && !takes_number(NARROW, UINT16_MAX + 1));
    ck_assert(takes_number(WIDE, UINT32_MAX) && !takes_number(WIDE, (int64_t)UINT32_MAX + 1));
    ck_assert(!takes_number(WIDE, -1));
    ck_assert(takes_number(BELOW, INT64_MIN) && takes_number(KEY, -1));
}
END_TEST

static bool takes(int column, const char *bytes, size_t len)
{
    struct sample row = sample();
    const struct sample before = row;
    const bool taken = store_set_bytes(&table.columns[column], &row, bytes, len);
    ck_assert(taken || memcmp(&row, &before, sizeof row) == 0);
    return taken;
}

START_TEST(bytes_that_are_none_of_their_column_are_refused)
{
    ck_assert(takes(BYTES, "abcd", 4) && !takes(BYTES, "abc", 3) && !takes(BYTES, "abcde", 5));
    ck_assert(takes(NAME, "", 0) && takes(NAME, "abcde", 5) && !takes(NAME, "abcdef", 6));
    ck_assert(!takes(NAME, "a\0b", 3));
    ck_assert(takes(LENT, "1234567", 7) && !takes(LENT, "12345678", 8) && !takes(LENT, "\0", 1));
    ck_assert(takes(TEXT, "123456789", 9) && !takes(TEXT, "1234567890", 10));
}
END_TEST

START_TEST(nothing_is_0_or_empty)
{
    const struct sample some = sample(), none = {.lent = "", .text = ""};
    for (size_t at = 0; at < COLUMNS; at++) {
        ck_assert(!store_is_nothing(&table.columns[at], &some));
        ck_assert(store_is_nothing(&table.columns[at], &none));
        ck_assert(!store_same_value(&table.columns[at], &some, &none));
    }
}
END_TEST

/* ---- rows */

START_TEST(rows_of_one_key_are_the_same_row)
{
    const struct sample one = sample();
    struct sample other = {.key = one.key, .below = one.below};
    ck_assert(store_same_key(&table, &one, &other));
    other.below--;
    ck_assert(!store_same_key(&table, &one, &other));
    ck_assert_uint_eq(store_owner_of(&table, &one), UINT64_MAX);
}
END_TEST

START_TEST(a_row_with_a_wrong_value_is_not_valid)
{
    struct sample row = sample();
    ck_assert(store_row_is_valid(&table, &row));
    row.small = 4;
    ck_assert(!store_row_is_valid(&table, &row));
    row = sample();
    row.lent = "12345678";
    ck_assert(!store_row_is_valid(&table, &row));
    row = sample();
    memset(row.name, 'x', sizeof row.name); /* without its end */
    ck_assert(!store_row_is_valid(&table, &row));
    row = sample();
    row.text_len = 10;
    ck_assert(!store_row_is_valid(&table, &row));
}
END_TEST

START_TEST(a_copy_of_a_row_borrows_nothing_of_it)
{
    struct sample row = sample(), copy;
    char lent[] = "lent", text[] = "a\0b", borrowed[16];
    row.lent = lent;
    row.text = text;
    ck_assert_uint_eq(store_row_borrows(&table, &row), 5 + 4);
    store_row_copy(&table, &copy, &row, borrowed);
    memset(lent, 'x', sizeof lent);
    memset(text, 'x', sizeof text);
    ck_assert_str_eq(copy.lent, "lent");
    ck_assert_mem_eq(copy.text, "a\0b", 4);
    ck_assert_str_eq(copy.name, "Ana");
}
END_TEST

/* ---- the tables of a server */

static void check_column(const struct store_table *of, const struct store_column *column)
{
    const bool borrowed = column->type == STORE_LENT || column->type == STORE_TEXT;
    ck_assert_msg(column->at + column->size <= of->size, "%s.%s", of->name, column->name);
    ck_assert_uint_le(strlen(column->name), 30);
    ck_assert_uint_eq(strspn(column->name, "abcdefghijklmnopqrstuvwxyz_"), strlen(column->name));
    if (column->type == STORE_NUMBER)
        ck_assert(column->size == 1 || column->size == 2 || column->size == 4 || column->size == 8);
    if (borrowed)
        ck_assert(column->max > 0 && column->max <= STORE_DOCUMENT_BYTES_MAX &&
                  column->size == sizeof(char *));
    if (column->type == STORE_TEXT)
        ck_assert_uint_le(column->max, STORE_TEXT_MAX);
    if (column->flags & STORE_CLAIM)
        ck_assert(column->type != STORE_BYTES && column->type != STORE_TEXT);
    if (column->flags & (STORE_DIGEST | STORE_LINE))
        ck_assert(column->type == STORE_TEXT && of->room_at);
    if (column->flags & STORE_SECRET)
        ck_assert(column->type == STORE_BYTES && column->size == 32);
}

static void check_index(const struct store_table *of, const struct store_index *index)
{
    ck_assert_uint_eq(strspn(index->name, "abcdefghijklmnopqrstuvwxyz_"), strlen(index->name));
    ck_assert(index->same <= index->count && index->count <= STORE_INDEX_COLUMNS_MAX);
    for (size_t at = 0; at < index->count; at++) {
        ck_assert_uint_lt(index->columns[at], of->count);
        const struct store_column *column = &of->columns[index->columns[at]];
        ck_assert(column->type == STORE_NUMBER || column->type == STORE_STRING);
    }
}

static void check_table(const struct store_table *of)
{
    ck_assert_uint_le(of->size, STORE_ROW_SIZE_MAX);
    ck_assert(of->keys > 0 && of->keys < of->count && of->count <= STORE_COLUMNS_MAX);
    ck_assert(of->number > 0 && of->what[0]);
    for (size_t at = 0; at < STORE_INDEXES_MAX && of->indexes[at].name; at++)
        check_index(of, &of->indexes[at]);
    if (of->owner != STORE_OF_DESK && of->owner != STORE_OF_SITE)
        ck_assert_uint_eq(of->columns[of->owner_at].size, 8);
    if (of->room_at) /* its rows are found by their key, or are few */
        ck_assert(of->owner == STORE_OF_SESSION && of->owner_at == 0 && of->room_at < of->keys &&
                  (of->room_at == 1 || of->bounded) &&
                  of->columns[of->room_at].type == STORE_STRING);
    if (of->bounded)
        ck_assert(of->owner == STORE_OF_SESSION && of->owner_at == 0 && of->keys >= 2);
    for (size_t at = 0; at < of->count; at++)
        check_column(of, &of->columns[at]);
    for (size_t at = 0; at < of->keys; at++)
        ck_assert_uint_eq(of->columns[at].flags & STORE_LATER, 0);
}

START_TEST(an_index_that_is_the_key_is_told_apart)
{
    const struct store_index key = {"a", .columns = {KEY}, .count = 1},
                             other = {"b", .columns = {BELOW}, .count = 1},
                             more = {"c", .columns = {KEY, BELOW, NAME}, .count = 3};
    ck_assert(store_index_is_key(&table, &key));
    ck_assert(!store_index_is_key(&table, &other));
    ck_assert(!store_index_is_key(&table, &more));
}
END_TEST

START_TEST(an_index_orders_by_the_rest_of_the_key_last)
{
    const struct store_index index = {"by_below", .columns = {NAME, BELOW}, .count = 2};
    uint8_t columns[STORE_ORDER_MAX];
    ck_assert_uint_eq(store_index_order(&table, &index, columns), 3);
    ck_assert(columns[0] == NAME && columns[1] == BELOW && columns[2] == KEY);
}
END_TEST

/* With its cause: an event of a room, or a session; of the addressee its effect. */
START_TEST(a_letter_is_refused_with_what_it_goes_with)
{
    const struct store_letter letter = {.addressee = 5, .id = 1, .text = ""};
    struct store_op ops[5] = {
        {.kind = STORE_APPEND, .room_id = "room000a"},
        {.kind = STORE_PUT_ROW,
         .room_id = "room000a",
         .u.row = {&store_letter_table, &letter, 0, 0}},
        {.kind = STORE_PUT_ROW, .u.row = {&store_letter_table, &letter, 7, 0}},
        {.kind = STORE_DROP_ROW, .u.row = {&store_letter_table, &letter, 5, 0}},
        {.kind = STORE_PUT_SESSION, .u.session = {.id = 5}},
    };
    enum store_result results[5] = {STORE_OK};
    const struct store_batch batch = {5, ops, results};
    ck_assert_uint_eq(store_op_session(&ops[1]), 0);
    ck_assert_uint_eq(store_op_session(&ops[2]), 7);
    ck_assert_uint_eq(store_home_of(&store_letter_table, &letter), 5);
    store_batch_refuse(&batch, 0);
    ck_assert(results[0] == STORE_REFUSED && results[1] == STORE_REFUSED);
    ck_assert(results[2] == STORE_OK && results[3] == STORE_OK && results[4] == STORE_OK);
    store_batch_refuse(&batch, 4);
    ck_assert(results[2] == STORE_OK && results[3] == STORE_REFUSED);
}
END_TEST

START_TEST(every_table_keeps_the_laws)
{
    store_tables_of(registry);
    for (size_t at = 0; store_tables[at]; at++) {
        check_table(store_tables[at]);
        for (size_t other = 0; other < at; other++) {
            ck_assert_uint_ne(store_tables[at]->number, store_tables[other]->number);
            ck_assert_str_ne(store_tables[at]->name, store_tables[other]->name);
        }
    }
}
END_TEST

static const struct store_table *const own_tables[] = {&guest_page_table, &store_letter_table,
                                                       NULL};
static const struct feature keeps_pages = {.name = "pages", .tables = own_tables};

/* Each once, wherever it comes from. */
START_TEST(a_table_of_a_feature_is_in_all_stores)
{
    static const struct feature *const features[] = {&keeps_pages, NULL}, *const none[] = {NULL};
    store_tables_of(features);
    ck_assert(store_tables_have(&guest_page_table));
    ck_assert_ptr_eq(store_tables[0], &guest_page_table);
    ck_assert_ptr_eq(store_tables[1], &store_letter_table);
    ck_assert_ptr_eq(store_tables[2], &store_document_table);
    ck_assert_ptr_eq(store_tables[3], &store_jump_table);
    ck_assert_ptr_null(store_tables[4]);
    store_tables_of(none);
    ck_assert(!store_tables_have(&guest_page_table));
    ck_assert_ptr_null(store_tables[3]);
}
END_TEST

Suite *row_suite(void)
{
    Suite *suite = suite_create("rows");
    TCase *tests = tcase_create("described");
    tcase_add_test(tests, every_value_goes_from_one_row_into_another);
    tcase_add_test(tests, a_number_that_is_none_of_its_column_is_refused);
    tcase_add_test(tests, bytes_that_are_none_of_their_column_are_refused);
    tcase_add_test(tests, nothing_is_0_or_empty);
    tcase_add_test(tests, rows_of_one_key_are_the_same_row);
    tcase_add_test(tests, a_row_with_a_wrong_value_is_not_valid);
    tcase_add_test(tests, a_copy_of_a_row_borrows_nothing_of_it);
    tcase_add_test(tests, an_index_that_is_the_key_is_told_apart);
    tcase_add_test(tests, an_index_orders_by_the_rest_of_the_key_last);
    tcase_add_test(tests, a_letter_is_refused_with_what_it_goes_with);
    tcase_add_test(tests, every_table_keeps_the_laws);
    tcase_add_test(tests, a_table_of_a_feature_is_in_all_stores);
    suite_add_tcase(suite, tests);
    return suite;
}
