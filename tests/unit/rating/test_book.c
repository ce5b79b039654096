/* Lines of the book: one form each, and nothing else is one. */
#include "suites.h"
#include <rating/book.h>
#include <stdio.h>
#include <string.h>

#define DUEL                                                                                       \
    "{\"n\":2,\"at\":1790000000001,\"kind\":\"match\",\"room\":\"k3m9x0aq\","                      \
    "\"ended\":1790000000000,\"class\":\"taluva.duel.live\",\"seats\":["                           \
    "{\"account\":\"00000000000000a1\",\"side\":0,\"before\":[1500000,350000],"                    \
    "\"after\":[1662212,290230]},{\"account\":\"ff000000000000b2\",\"side\":1,"                    \
    "\"before\":[1500000,350000],\"after\":[1337788,290230]}]"
#define SEAT(account, side)                                                                        \
    "{\"account\":\"" account "\",\"side\":" side                                                  \
    ",\"before\":[1500000,350000],\"after\":[1500000,350000]}"
#define TABLE(class, seats)                                                                        \
    "{\"n\":3,\"at\":2,\"kind\":\"match\",\"room\":\"k3m9x0aq\",\"ended\":1,\"class\":\"" class    \
        "\",\"seats\":[" seats "]"
#define THREE                                                                                      \
    SEAT("00000000000000a1", "0")                                                                  \
    "," SEAT("00000000000000a2", "1") "," SEAT("00000000000000a3", "2")
#define FOUR                                                                                       \
    SEAT("00000000000000a1", "0")                                                                  \
    "," SEAT("00000000000000a2", "1") "," SEAT("00000000000000a3",                                 \
                                               "0") "," SEAT("00000000000000a4", "1")
#define ANNUL(reason, refunds)                                                                     \
    "{\"n\":4,\"at\":9,\"kind\":\"annul\",\"of\":2,\"class\":\"taluva.duel.live\",\"reason\":"     \
    "\"" reason "\",\"refunds\":[" refunds "]}"
#define REFUND(points) "{\"account\":\"00000000000000a1\",\"points\":" points "}"

static bool is_line(const char *line)
{
    struct book_entry entry;
    return book_read(&entry, line, strlen(line));
}

static const char *const lines[] = {
    "{\"n\":1,\"at\":0,\"kind\":\"system\",\"version\":1}",
    DUEL ",\"winners\":[0],\"still\":[]}",
    TABLE("taluva.table.slow", THREE) ",\"winners\":[0,2],\"still\":[]}",
    TABLE("totem.table.live", THREE) ",\"winners\":[],\"still\":[1,2]}",
    TABLE("taluva.ranking.live", THREE) ",\"places\":[2,1,2],\"still\":[]}",
    TABLE("taluva.team.live", FOUR) ",\"winners\":[1],\"still\":[]}",
    ANNUL("two accounts, one person", REFUND("150000") "," REFUND("0")),
    ANNUL("x", ""),
    "{\"n\":5,\"at\":9,\"kind\":\"gone\",\"account\":\"00c1a9b2e6f47d03\"}",
};

START_TEST(each_has_one_form)
{
    struct book_entry entry;
    char again[BOOK_LINE_MAX + 1];
    ck_assert(book_read(&entry, lines[_i], strlen(lines[_i])));
    ck_assert_uint_eq(book_write(&entry, again), strlen(lines[_i]));
    ck_assert_str_eq(again, lines[_i]);
}
END_TEST

/* Each byte in turn is another one, or is missing: what is read all the same is written so. */
START_TEST(nothing_else_is_read)
{
    char line[BOOK_LINE_MAX + 2], again[BOOK_LINE_MAX + 1];
    const size_t len = strlen(lines[_i]);
    static const char others[] = "0179af,]}[{\"- x\\";
    struct book_entry entry;
    for (size_t at = 0; at < len; at++) {
        memcpy(line, lines[_i], len + 1);
        ck_assert(!book_read(&entry, line, at));
        memmove(line + at, line + at + 1, len - at);
        if (book_read(&entry, line, len - 1))
            ck_assert(book_write(&entry, again) == len - 1 && memcmp(again, line, len - 1) == 0);
        for (size_t other = 0; other < sizeof others; other++) {
            memcpy(line, lines[_i], len + 1);
            line[at] = others[other];
            if (book_read(&entry, line, len))
                ck_assert(book_write(&entry, again) == len && memcmp(again, line, len) == 0);
        }
    }
    memcpy(line, lines[_i], len);
    line[len] = ' ';
    ck_assert(!book_read(&entry, line, len + 1));
}
END_TEST

static const char *const wrong[] = {
    "",
    "{\"n\":1,\"at\":0,\"kind\":\"system\",\"version\":65536}",
    "{\"n\":9007199254740992,\"at\":0,\"kind\":\"system\",\"version\":1}",
    "{\"n\":18446744073709551617,\"at\":0,\"kind\":\"system\",\"version\":1}",
    "{\"n\":1,\"at\":-1,\"kind\":\"system\",\"version\":1}",
    "{\"n\":1,\"at\":0,\"kind\":\"other\",\"version\":1}",
    DUEL ",\"winners\":[2],\"still\":[]}",
    DUEL ",\"winners\":[1,0],\"still\":[]}",
    DUEL ",\"winners\":[0,0],\"still\":[]}",
    DUEL ",\"places\":[1,2],\"still\":[]}",
    TABLE("taluva.duel.live", THREE) ",\"winners\":[0],\"still\":[]}",
    TABLE("taluva.nothing.live", THREE) ",\"winners\":[0],\"still\":[]}",
    TABLE("taluva.team.live", THREE) ",\"winners\":[0],\"still\":[]}",
    TABLE("taluva.table.live", FOUR) ",\"winners\":[0],\"still\":[]}",
    TABLE("taluva.table.live", THREE "," THREE "," THREE) ",\"winners\":[0],\"still\":[]}",
    TABLE("taluva.ranking.live", THREE) ",\"places\":[2,1],\"still\":[]}",
    TABLE("taluva.ranking.live", THREE) ",\"places\":[0,1,2],\"still\":[]}",
    TABLE("taluva.ranking.live", THREE) ",\"places\":[1,2,4],\"still\":[]}",
    TABLE("taluva.ranking.live", THREE) ",\"winners\":[0],\"still\":[]}",
    ANNUL("", ""),
    ANNUL("a\\b", ""),
    ANNUL("0123456789012345678901234567890123456789"
          "01234567890123456789012345678901234567890",
          ""),
    "{\"n\":5,\"at\":9,\"kind\":\"gone\",\"account\":\"00c1a9b2e6f47d0\"}",
    "{\"n\":5,\"at\":9,\"kind\":\"gone\",\"account\":\"00c1a9b2e6f47D03\"}",
    ANNUL("x", REFUND("150001")),
    ANNUL("x", REFUND("1") "," REFUND("1") "," REFUND("1") "," REFUND("1") "," REFUND(
                   "1") "," REFUND("1") "," REFUND("1") "," REFUND("1") "," REFUND("1")),
};

START_TEST(what_makes_no_sense_is_none)
{
    ck_assert_msg(!is_line(wrong[_i]), "%s", wrong[_i]);
}
END_TEST

START_TEST(ratings_are_within_their_bounds)
{
    static const char *const pairs[] = {"[99999,350000]",  "[4000001,350000]",
                                        "[1500000,49999]", "[1500000,350001]",
                                        "[1500000]",       "[1500000,50000,1]"};
    static const char whole[] = DUEL ",\"winners\":[0],\"still\":[]}";
    static const char usual[] = "[1500000,350000]";
    char line[BOOK_LINE_MAX];
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *at = strstr(whole, usual);
        (void)snprintf(line, sizeof line, "%.*s%s%s", (int)(at - whole), whole, pairs[i],
                       at + strlen(usual));
        ck_assert_msg(!is_line(line), "%s", line);
    }
}
END_TEST

/* What sha256sum makes of 32 zeros and the line. */
START_TEST(a_line_is_bound_to_the_one_before)
{
    static const uint8_t first[BOOK_HASH_BYTES];
    uint8_t one[BOOK_HASH_BYTES], two[BOOK_HASH_BYTES];
    static const uint8_t right[BOOK_HASH_BYTES] = {0xb8, 0x6d, 0x4e, 0x8a, 0xe9, 0x6f, 0x6f, 0x84,
                                                   0x7a, 0x1d, 0xa9, 0x19, 0x6e, 0xcf, 0xd1, 0x9e,
                                                   0x13, 0x12, 0x66, 0x79, 0xd6, 0xf1, 0x99, 0x2b,
                                                   0x57, 0x34, 0xb9, 0x9d, 0x6d, 0x8e, 0xff, 0x4a};
    book_hash(one, first, lines[0], strlen(lines[0]));
    ck_assert_mem_eq(one, right, sizeof right);
    book_hash(two, one, lines[0], strlen(lines[0]));
    ck_assert_mem_ne(one, two, sizeof one);
}
END_TEST

START_TEST(classes_are_found_by_name_and_number)
{
    ck_assert_ptr_null(rating_class_at(0));
    ck_assert_ptr_null(rating_class_at(RATING_CLASSES + 1));
    ck_assert_uint_eq(rating_class_find("taluva.duel"), 0);
    for (unsigned number = 1; number <= RATING_CLASSES; number++) {
        const struct rating_class *class = rating_class_at(number);
        ck_assert_uint_eq(rating_class_find(class->name), number);
        ck_assert_uint_le(strlen(class->name), RATING_CLASS_BYTES);
        ck_assert_int_eq(strncmp(class->name, class->game, strlen(class->game)), 0);
        ck_assert(class->slow == (strstr(class->name, ".slow") != NULL));
        for (unsigned sides = 0; sides <= RATING_SEATS; sides++)
            ck_assert(rating_class_has_sides(class, sides) == (class->percent[sides] != 0));
    }
    /* They are on disk, and never change. */
    ck_assert_uint_eq(rating_class_find("taluva.duel.live"), 1);
    ck_assert_uint_eq(rating_class_find("taluva.table.slow"), 4);
    ck_assert_uint_eq(rating_class_find("totem.table.slow"), RATING_CLASSES);
    const struct rating_class *table = rating_class_at(rating_class_find("taluva.table.live"));
    ck_assert_uint_eq(rating_class_scale(table, 5), 665719930);
}
END_TEST

Suite *book_suite(void)
{
    Suite *suite = suite_create("book");
    TCase *tcase = tcase_create("lines");
    const int count = sizeof lines / sizeof lines[0];
    tcase_add_loop_test(tcase, each_has_one_form, 0, count);
    tcase_add_loop_test(tcase, nothing_else_is_read, 0, count);
    tcase_add_loop_test(tcase, what_makes_no_sense_is_none, 0, sizeof wrong / sizeof wrong[0]);
    tcase_add_test(tcase, ratings_are_within_their_bounds);
    tcase_add_test(tcase, a_line_is_bound_to_the_one_before);
    tcase_add_test(tcase, classes_are_found_by_name_and_number);
    suite_add_tcase(suite, tcase);
    return suite;
}
