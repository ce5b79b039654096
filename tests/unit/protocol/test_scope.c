/* What programs' tokens are for. */
#include "suites.h"
#include <protocol/export.h>
#include <protocol/scope.h>
#include <string.h>

static const struct {
    const char *text;
    unsigned scopes; /* 0: it is no such text */
    const char *written;
} cases[] = {
    {"play", SCOPE_PLAY, "play"},
    {"people games room play", SCOPE_GIVEN, "play room games people"},
    {"room play", SCOPE_PLAY | SCOPE_ROOM, "play room"},
    {"", 0, NULL},
    {" ", 0, NULL},
    {" play", 0, NULL},
    {"play ", 0, NULL},
    {"play  room", 0, NULL},
    {"play play", 0, NULL},
    {"Play", 0, NULL},
    {"play,room", 0, NULL},
    {"owner", 0, NULL},
    {"look", 0, NULL},
    {"pla", 0, NULL},
    {"plays", 0, NULL},
    {"play\nroom", 0, NULL},
};

START_TEST(test_words)
{
    unsigned scopes;
    char text[PROTOCOL_SCOPE_BYTES + 1];
    const bool read = scopes_read(&scopes, cases[_i].text, strlen(cases[_i].text));
    ck_assert_msg(read == (cases[_i].scopes != 0), "%s", cases[_i].text);
    if (!read)
        return;
    ck_assert_uint_eq(scopes, cases[_i].scopes);
    scopes_write(text, scopes);
    ck_assert_str_eq(text, cases[_i].written);
}
END_TEST

START_TEST(test_no_blanks_behind_the_end)
{
    unsigned scopes;
    ck_assert(scopes_read(&scopes, "play room", 4));
    ck_assert_uint_eq(scopes, SCOPE_PLAY);
    ck_assert(!scopes_read(&scopes, "play\0", 5));
}
END_TEST

/* What could lock an owner out, or ends something of theirs, is no token's, whatever it is for. */
START_TEST(test_the_owners_alone)
{
    static const enum request_op ops[] = {
        REQUEST_ADOPT,        REQUEST_CLAIM,    REQUEST_CLOSE_ACCOUNT, REQUEST_DEVICES,
        REQUEST_FORGET,       REQUEST_HEED,     REQUEST_INVITE,        REQUEST_KEEP_ACCOUNT,
        REQUEST_LINK,         REQUEST_NOTIFY,   REQUEST_PASSKEY,       REQUEST_PASSKEY_ADD,
        REQUEST_PASSKEY_DROP, REQUEST_PASSKEYS, REQUEST_PHRASE,        REQUEST_PROFILE_SHOW,
        REQUEST_PROVE,        REQUEST_REDEEM,   REQUEST_RENAME,        REQUEST_REPORT,
        REQUEST_UNNOTIFY,     REQUEST_SEEK,     REQUEST_UNSEEK,        REQUEST_CASES,
        REQUEST_JUDGE,        REQUEST_APPEAL,   REQUEST_INVITES,
    };
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        ck_assert_msg(!(scopes_of_request(ops[i]) & (SCOPE_GIVEN | SCOPE_LOOK)), "%s",
                      request_op_name(ops[i]));
        ck_assert_ptr_null(scope_needed(ops[i]));
    }
}
END_TEST

/* It reads what an export is made of, and nothing else; and nobody is given it by asking. */
START_TEST(test_an_export_reads)
{
    unsigned scopes;
    size_t count = 0;
    for (int op = 0; op < REQUEST_OPS; op++)
        count += (scopes_of_request((enum request_op)op) & SCOPE_EXPORT) != 0;
    ck_assert_uint_eq(count, EXPORT_STEPS - 1); /* a profile is everybody's to read */
    for (size_t at = 0; at < EXPORT_STEPS; at++) {
        int op = 0;
        while (strcmp(request_op_name((enum request_op)op), export_steps[at].op) != 0)
            op++;
        ck_assert_msg(scopes_of_request((enum request_op)op) & (SCOPE_EXPORT | SCOPE_LOOK), "%s",
                      export_steps[at].op);
    }
    ck_assert(scopes_read(&scopes, "export", 6));
    ck_assert_uint_eq(scopes, SCOPE_EXPORT);
    ck_assert(!(SCOPE_GIVEN & SCOPE_EXPORT));
}
END_TEST

/* What shows the hand of one's own seat, or gives the seat up. */
START_TEST(test_where_one_has_a_seat)
{
    static const enum request_op ops[] = {REQUEST_JOIN, REQUEST_LEAVE, REQUEST_PAST, REQUEST_WATCH};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        ck_assert_uint_eq(scopes_of_request(ops[i]), SCOPE_PLAY | SCOPE_ROOM);
        ck_assert_str_eq(scope_needed(ops[i]), "play");
    }
}
END_TEST

START_TEST(test_an_owner_may_do_everything)
{
    for (int op = 0; op < REQUEST_OPS; op++)
        ck_assert_uint_ne(scopes_of_request((enum request_op)op) & SCOPE_ALL, 0);
    ck_assert_str_eq(scope_needed(REQUEST_MOVE), "play");
    ck_assert_str_eq(scope_needed(REQUEST_START), "play");
    ck_assert_str_eq(scope_needed(REQUEST_CREATE), "room");
    ck_assert_ptr_null(scope_needed(REQUEST_ROOMS));
}
END_TEST

Suite *scope_suite(void)
{
    Suite *suite = suite_create("scope");
    TCase *tests = tcase_create("scopes");
    tcase_add_loop_test(tests, test_words, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(tests, test_no_blanks_behind_the_end);
    tcase_add_test(tests, test_the_owners_alone);
    tcase_add_test(tests, test_an_export_reads);
    tcase_add_test(tests, test_where_one_has_a_seat);
    tcase_add_test(tests, test_an_owner_may_do_everything);
    suite_add_tcase(suite, tests);
    return suite;
}
