#include "suites.h"
#include <protocol/state.h>
#include <protocol/text.h>
#include <string.h>

/* Of Unicode 15.0. */
enum { CLEAN_REFUSED = 2196, CLEAN_UNSEEN = 6398 };

/* `want` NULL: refused. */
static const struct {
    const char *in;
    const char *want;
} CASES[] = {
    {"Ana", "Ana"},
    {"  Ana\t\n", "Ana"},
    {"\xc2\xa0\xe3\x80\x80 Bo \xe2\x80\x83", "Bo"}, /* no-break, ideographic and em space */
    {"Ana Bo", "Ana Bo"},
    {"\xe5\xb0\x8f\xe6\x98\x8e", "\xe5\xb0\x8f\xe6\x98\x8e"},
    {"123456789012345678901234", "123456789012345678901234"},
    {"   123456789012345678901234   ", "123456789012345678901234"},
    {"1234567890123456789012345", NULL},
    /* 24 code points of four bytes each, then 25 */
    {"\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c"
     "\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f"
     "\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0"
     "\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b"
     "\xf0\x9f\x8c\x8b",
     "\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c"
     "\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f"
     "\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0"
     "\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b"
     "\xf0\x9f\x8c\x8b"},
    {"\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c"
     "\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f"
     "\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0"
     "\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b"
     "\xf0\x9f\x8c\x8b\xf0\x9f\x8c\x8b",
     NULL},
    {"", NULL},
    {"   ", NULL},
    {"a\nb", NULL},
    {"a\x7f", NULL},
    {"a\xc2\x9f"
     "b",
     NULL},                                          /* C1 */
    {"a\xe2\x80\xa8z", NULL},                        /* line separator */
    {"a\xe2\x80\xaez", NULL},                        /* right-to-left override */
    {"a\xe2\x80\xaaz", NULL},                        /* left-to-right embedding */
    {"a\xe2\x81\xa6z", NULL},                        /* isolate */
    {"a\xe2\x81\xa9z", NULL},                        /* pop isolate */
    {"a\xe2\x80\x8fz", NULL},                        /* right-to-left mark */
    {"a\xd8\x9cz", NULL},                            /* Arabic letter mark */
    {"a\xef\xbf\xbez", NULL},                        /* noncharacter U+FFFE */
    {"a\xf0\x9f\xbf\xbfz", NULL},                    /* noncharacter U+1FFFF */
    {"a\xef\xb7\x90z", NULL},                        /* noncharacter U+FDD0 */
    {"\xe2\x80\x8b", NULL},                          /* zero width space alone */
    {"\xe2\x80\x8d\xe2\x80\x8c \xef\xbb\xbf", NULL}, /* joiners and a BOM */
    {"\xe3\x85\xa4", NULL},                          /* Hangul filler */
    {"\xef\xb8\x8f", NULL},                          /* a variation selector */
    {"a\xe2\x80\x8d", "a\xe2\x80\x8d"},              /* a joiner beside something seen */
    {"\xd7\x90\xd7\x91", "\xd7\x90\xd7\x91"},        /* Hebrew letters are fine */
    {"\xf0\x9d\x85\x99", NULL},                      /* U+1D159, a note without a head */
    {"\xf0\x96\xbf\xa4", NULL},                      /* U+16FE4, a filler */
    {"\xef\xbf\xbc", NULL},                          /* U+FFFC, in the place of an object */
    {"\xcc\x81\xcc\x88", NULL},                      /* marks that combine with nothing */
    {"\xe0\xa4\xbe", NULL},                          /* a vowel sign alone */
    {"e\xcc\x81", "e\xcc\x81"},                      /* with a letter they are fine */
    {"\xe0\xa4\x95\xe0\xa4\xbe", "\xe0\xa4\x95\xe0\xa4\xbe"},
    {"\xf0\x9f\x8c\x8b\xef\xb8\x8f", "\xf0\x9f\x8c\x8b\xef\xb8\x8f"}, /* a symbol */
    {"\xff", NULL},
    {"a\xc3", NULL},            /* cut */
    {"\xc0\xaf", NULL},         /* overlong */
    {"\xed\xa0\x80", NULL},     /* surrogate */
    {"\xf4\x90\x80\x80", NULL}, /* beyond U+10FFFF */
    {"\xe0\x80\xaf", NULL},     /* overlong, three bytes */
    {"\xf0\x80\x80\xaf", NULL}, /* overlong, four bytes */
    {"  \xff", NULL},           /* bad where it would be trimmed to */
};

START_TEST(test_clean)
{
    char out[97];
    bool fine = text_clean(out, sizeof out, CASES[_i].in, strlen(CASES[_i].in), 24);
    if (CASES[_i].want) {
        ck_assert_msg(fine, "case %d refused", _i);
        ck_assert_str_eq(out, CASES[_i].want);
    } else {
        ck_assert_msg(!fine, "case %d accepted as \"%s\"", _i, out);
        ck_assert_str_eq(out, "");
    }
}
END_TEST

START_TEST(test_nul_is_control)
{
    char out[97];
    ck_assert(!text_clean(out, sizeof out, "a\0b", 3, 24));
}
END_TEST

START_TEST(test_too_small_a_buffer)
{
    char out[4];
    ck_assert(text_clean(out, sizeof out, "abc", 3, 24));
    ck_assert(!text_clean(out, sizeof out, "abcd", 4, 24));
    ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(test_what_was_clean_is_kept)
{
    char out[97];
    static const char unseen[] = " \xf0\x9d\x85\x99";
    ck_assert(text_kept(out, sizeof out, unseen, strlen(unseen), 24));
    ck_assert_str_eq(out, unseen + 1);
    ck_assert(!text_kept(out, sizeof out, "a\nb", 3, 24));
    ck_assert(!text_kept(out, sizeof out, "  ", 2, 24));
}
END_TEST

static const struct {
    const char *one, *other;
    bool alike;
} LOOKS[] = {
    {"Ana", "Ana", true},
    {"Ana", "Anna", false},
    {"Ana", "An", false},
    {"Ana", "ana", true},
    {"Ana", "A\xe2\x80\x8bna\xe2\x80\x8d", true},                      /* what may be ignored */
    {"Ana Bo", "Ana\xc2\xa0 Bo", true},                                /* white space */
    {"Ana", "\xd0\x90n\xd0\xb0", true},                                /* Cyrillic */
    {"Ana", "\xce\x91na", true},                                       /* Greek */
    {"Ana", "\xef\xbc\xa1\xef\xbd\x8e\xef\xbd\x81", true},             /* of full width */
    {"Ana", "\xf0\x9d\x93\x90\xf0\x9d\x93\xb7\xf0\x9d\x93\xaa", true}, /* of mathematics */
    {"Jos\xc3\xa9", "Jose\xcc\x81", true},                             /* composed and not */
    {"Jos\xc3\xa9", "Jose", false},
    {"\xea\xb0\x81", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", true}, /* Hangul */
    {"\xea\xb0\x80", "\xe1\x84\x80\xe1\x85\xa1", true},
    {"Bill", "BiII", true},
    {"B0b", "Bob", true},
    {"O\xe2\x80\x99Neill", "O'Neill", true},
    {"stra\xc3\x9f"
     "e",
     "STRASSE", true},
    {"\xe5\xb0\x8f\xe6\x98\x8e", "\xe5\xa4\xa7\xe6\x98\x8e", false},
};

START_TEST(test_looks)
{
    ck_assert(text_looks_alike(LOOKS[_i].one, LOOKS[_i].other) == LOOKS[_i].alike);
    ck_assert(text_looks_alike(LOOKS[_i].other, LOOKS[_i].one) == LOOKS[_i].alike);
}
END_TEST

/* What is folded is folded: so it does not matter how often. Nothing that is seen becomes nothing.
 */
START_TEST(test_folds_of_all)
{
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        uint32_t to[TEXT_FOLD_MAX], again[TEXT_FOLD_MAX];
        const size_t count = text_fold(point, to);
        for (size_t i = 0; i < count; i++) {
            if (text_fold(to[i], again) != 1 || again[0] != to[i])
                ck_abort_msg("U+%04x becomes U+%04x, and that another one", (unsigned)point,
                             (unsigned)to[i]);
        }
    }
}
END_TEST

static size_t encode(char bytes[4], uint32_t point)
{
    size_t len = 0;
    if (point < 0x80) {
        bytes[len++] = (char)point;
        return len;
    }
    int tails = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    unsigned lead = 0xffU << (7 - tails) & 0xff;
    bytes[len++] = (char)(lead | point >> (6 * tails));
    while (tails-- > 0)
        bytes[len++] = (char)(0x80 | (point >> (6 * tails) & 0x3f));
    return len;
}

/* How many are refused wherever they stand, and how many alone: a change of the table is seen. */
START_TEST(test_clean_all)
{
    char bytes[8] = "a", out[16];
    unsigned refused = 0, unseen = 0;
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        const size_t len = encode(bytes + 1, point);
        bytes[1 + len] = 'b';
        const bool among = text_clean(out, sizeof out, bytes, len + 2, 24);
        const bool alone = text_clean(out, sizeof out, bytes + 1, len, 24);
        refused += !among;
        unseen += among && !alone;
        if (alone && !among)
            ck_abort_msg("U+%04x is fine alone only", (unsigned)point);
    }
    ck_assert_uint_eq(refused, CLEAN_REFUSED);
    ck_assert_uint_eq(unseen, CLEAN_UNSEEN);
}
END_TEST

/* Every code point survives encoding by hand and decoding; every surrogate is refused. */
START_TEST(test_utf8_all)
{
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        char bytes[4];
        const size_t len = encode(bytes, point);
        const char *at = bytes;
        uint32_t got = utf8_next(&at, bytes + len);
        bool surrogate = point >= 0xd800 && point <= 0xdfff;
        /* Every ck_assert tells the parent where it is: not a million times. */
        if (got != (surrogate ? UTF8_BAD : point) || at != bytes + (surrogate ? 1 : len))
            ck_abort_msg("U+%04x was read as U+%04x, %td bytes", (unsigned)point, (unsigned)got,
                         at - bytes);
    }
}
END_TEST

START_TEST(test_utf8_valid)
{
    static const char *const good[] = {"", "a", "Zo\xc3\xab", "\xe2\x98\x83", "\xf0\x9f\x98\x80!"};
    static const char *const bad[] = {"\x80",     "\xff",         "a\xc3",
                                      "\xc0\xaf", "\xe2\x98",     "\xed\xa0\x80",
                                      "\xc3(",    "\xf0\x9f\x98", "\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ck_assert_msg(utf8_valid(good[i], strlen(good[i])), "good %zu", i);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!utf8_valid(bad[i], strlen(bad[i])), "bad %zu", i);
    ck_assert(utf8_valid(NULL, 0));
    ck_assert(utf8_valid("a\0b", 3));
}
END_TEST

static const struct {
    const char *state;
    int seat;
    bool acts;
} ACTING[] = {
    {"{\"acting\":[0]}", 0, true},      {"{\"acting\":[0]}", 1, false},
    {"{\"acting\":[1,3]}", 3, true},    {"{\"acting\":[1,3]}", 2, false},
    {"{\"acting\":[]}", 0, false},      {"{}", 0, false},
    {"{\"acting\":null}", 0, false},    {"{\"acting\":0}", 0, false},
    {"{\"acting\":[\"0\"]}", 0, false}, {"{\"acting\":[{}]}", 0, false},
    {"{\"acting\":[0.0]}", 0, false},   {"{\"acting\":{\"0\":true}}", 0, false},
};

START_TEST(test_acting)
{
    json_t *state = json_loads(ACTING[_i].state, 0, NULL);
    ck_assert_ptr_nonnull(state);
    ck_assert(state_acts(state, ACTING[_i].seat) == ACTING[_i].acts);
    json_decref(state);
}
END_TEST

Suite *text_suite(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_loop_test(tests, test_clean, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_loop_test(tests, test_acting, 0, sizeof ACTING / sizeof ACTING[0]);
    tcase_add_test(tests, test_nul_is_control);
    tcase_add_test(tests, test_too_small_a_buffer);
    tcase_add_test(tests, test_what_was_clean_is_kept);
    tcase_add_loop_test(tests, test_looks, 0, sizeof LOOKS / sizeof LOOKS[0]);
    tcase_add_test(tests, test_folds_of_all);
    tcase_add_test(tests, test_clean_all);
    tcase_add_test(tests, test_utf8_all);
    tcase_add_test(tests, test_utf8_valid);
    suite_add_tcase(suite, tests);
    return suite;
}
