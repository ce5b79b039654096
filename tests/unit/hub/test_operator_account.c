/* What the operator asks about an account: who it is, another handle, a link for who has lost all.
 */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <hub/log_line.h>
#include <registry/registry.h>
#include <string.h>

#define RENAME "{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"%s\"}"
enum { HANDLES_MAX = 32 };

static struct world world;
static int ana, bo;

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    operator_init(&world);
    world_start(&world);
    ana = world_guest(&world, "Ana");
    bo = world_guest(&world, "Bo");
    world_do(&world, ana, "claim", "{s:s}", "handle", "Ana-1");
    world_do(&world, bo, "claim", "{s:s}", "handle", "Bo-1");
    world_forget(&world, ana);
}

static void tear_down(void)
{
    world_release(&world);
}

static void logs(const char *event)
{
    struct hub_log_line line;
    ck_assert(hub_log_take(world.hub, &line));
    ck_assert_str_eq(line.event, event);
    ck_assert_uint_eq(line.session, strtoull(world.tabs[ana].session, NULL, 16));
}

START_TEST(who_it_is)
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"account\",\"handle\":\"ana_1\"}");
    ck_assert_str_eq(str(ok, "handle"), "Ana-1");
    ck_assert_str_eq(str(ok, "name"), "Ana");
    ck_assert_str_eq(str(ok, "session"), world.tabs[ana].session);
    ck_assert_int_eq(num(ok, "handles"), 1);
    json_decref(ok);
    operator_denied("{\"id\":1,\"op\":\"account\",\"handle\":\"nobody-1\"}", "unknown_handle");
    operator_denied("{\"id\":1,\"op\":\"account\",\"handle\":\"no\"}", "bad_field");
}
END_TEST

/* Their devices are told, and what they were called leads to them still. */
START_TEST(another_handle)
{
    json_decref(
        operator_granted("{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"Hanna\"}"));
    json_t *push = world_push(&world, ana, "account");
    ck_assert_str_eq(str(json_object_get(push, "account"), "handle"), "Hanna");
    json_decref(push);
    logs("account_renamed");
    json_decref(
        operator_granted("{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"Moderator\"}"));
    world_restart(&world);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"account\",\"handle\":\"hanna\"}");
    ck_assert_str_eq(str(ok, "handle"), "Moderator");
    ck_assert_int_eq(num(ok, "handles"), 3);
    json_decref(ok);
    const int cat = world_guest(&world, "Cat");
    world_refused(&world, cat, "handle_taken", "claim", "{s:s}", "handle", "hanna");
}
END_TEST

START_TEST(a_handle_that_it_cannot_have)
{
    static const char *const refused[][2] = {
        {"{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"B0-1\"}", "handle_taken"},
        {"{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"ana-bot\"}", "handle_reserved"},
        {"{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"?\"}", "bad_field"},
        {"{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\"}", "missing_field"},
        {"{\"id\":1,\"op\":\"rename\",\"handle\":\"nobody\",\"to\":\"Hanna\"}", "unknown_handle"},
    };
    struct hub_log_line line;
    operator_denied(refused[_i][0], refused[_i][1]);
    ck_assert_ptr_null(world_push(&world, ana, "account"));
    ck_assert(!hub_log_take(world.hub, &line));
    world_restart(&world);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"account\",\"handle\":\"Ana-1\"}");
    ck_assert_str_eq(str(ok, "handle"), "Ana-1");
    json_decref(ok);
}
END_TEST

/* From another part, which knows whose the handle is: there is only the other one to ask for. */
START_TEST(it_comes_from_elsewhere)
{
    static const char text[] = "{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"Hanna\"}";
    struct admin_request request;
    struct refusal refusal = {0};
    struct buffer line;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert(admin_request_read(&request, registry, text, strlen(text), &refusal));
    request.session = strtoull(world.tabs[ana].session, NULL, 16);
    ck_assert_int_eq(hub_admin(world.hub, &request, world.now_ms, &line, &refusal), ADMIN_WAITS);
    ck_assert_uint_eq(hub_batch_ops(world.hub), 0); /* for that, before anything is changed */
    world_settle(&world);
    ck_assert_int_eq(operator_waited(&line), ADMIN_DONE);
    buffer_release(&line);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"account\",\"handle\":\"Ana-1\"}");
    ck_assert_str_eq(str(ok, "handle"), "Hanna");
    json_decref(ok);
}
END_TEST

/* What it was called then would be nobody's, and what it is called now somebody's again. */
START_TEST(none_while_it_closes)
{
    static const char *const refused[] = {"Hanna", "ANA-1"};
    char text[128];
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1");
    world_forget(&world, ana);
    (void)snprintf(text, sizeof text, RENAME, refused[_i]);
    operator_denied(text, "already_account");
    ck_assert_ptr_null(world_push(&world, ana, "account"));
    world_do(&world, ana, "keep_account", "");
    json_decref(operator_granted(text));
}
END_TEST

/* As many as are read at once when it closes. Its case may be changed still. */
START_TEST(only_so_many_handles)
{
    char text[128], handle[PROTOCOL_HANDLE_BYTES];
    for (int number = 1; number <= HANDLES_MAX; number++) {
        (void)snprintf(handle, sizeof handle, "Hana%c%c", 'a' + number / 8, 'a' + number % 8);
        (void)snprintf(text, sizeof text, RENAME, handle);
        if (number < HANDLES_MAX)
            json_decref(operator_granted(text));
    }
    operator_denied(text, "already_account");
    operator_denied("{\"id\":1,\"op\":\"account\",\"handle\":\"Hanaea\"}", "unknown_handle");
    json_decref(
        operator_granted("{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"HANADH\"}"));
    world_restart(&world);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"account\",\"handle\":\"Ana-1\"}");
    ck_assert_str_eq(str(ok, "handle"), "HANADH");
    ck_assert_int_eq(num(ok, "handles"), HANDLES_MAX);
    json_decref(ok);
}
END_TEST

/* Until all of it is durable there is no answer; what is not stored has not happened. */
START_TEST(it_waits_for_the_store)
{
    struct buffer line;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    world.held = true;
    ck_assert_int_eq(
        operator_ask("{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"Hanna\"}", &line),
        ADMIN_WAITS);
    operator_denied("{\"id\":1,\"op\":\"account\",\"handle\":\"Ana-1\"}", "busy");
    world_settle(&world);
    ck_assert_int_eq(operator_waited(&line), ADMIN_WAITS);
    world.held = false;
    world_commit(&world, _i ? STORE_FULL : STORE_OK);
    ck_assert_int_eq(operator_waited(&line), _i ? ADMIN_REFUSED : ADMIN_DONE);
    buffer_release(&line);
    world_pass(&world, 60000);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"account\",\"handle\":\"Ana-1\"}");
    ck_assert_str_eq(str(ok, "handle"), _i ? "Ana-1" : "Hanna");
    json_decref(ok);
}
END_TEST

START_TEST(a_link)
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"link\",\"handle\":\"ana-1\"}");
    const int tab = world_connect(&world), late = world_connect(&world);
    logs("account_link");
    ck_assert_str_eq(str(ok, "handle"), "Ana-1");
    ck_assert_int_eq(num(ok, "until"), world.now_ms + world.config.link_ms);
    world_do(&world, tab, "hello", "{s:s}", "pass", str(ok, "pass"));
    world_refused(&world, late, "unknown_pass", "hello", "{s:s}", "pass", str(ok, "pass"));
    json_decref(ok);
    ok = world_ok(&world, tab, "claim", "{s:s}", "handle", "ANA-1");
    json_decref(ok);
    operator_denied("{\"id\":1,\"op\":\"link\",\"handle\":\"nobody-1\"}", "unknown_handle");
}
END_TEST

/* Whoever has the account learns of it on all devices, once it is durable, and nobody else does. */
START_TEST(a_link_is_told)
{
    static const char text[] = "{\"id\":1,\"op\":\"link\",\"handle\":\"ana-1\"}";
    const int other = world_back(&world, ana), chi = world_guest(&world, "Chi");
    world_forget(&world, ana);
    json_decref(operator_granted(text));
    const int tabs[] = {ana, other, chi};
    for (size_t at = 0; at < 3; at++) {
        json_t *push = world_push(&world, tabs[at], "notice");
        ck_assert_str_eq(str(push, "code"), tabs[at] == chi ? "" : "announcement");
        json_decref(push);
    }
    world.answer = STORE_FULL;
    json_decref(operator_asked(text));
    world.answer = STORE_OK;
    ck_assert_ptr_null(world_push(&world, ana, "notice"));
}
END_TEST

START_TEST(test_what_changes)
{
    static const char looks[] =
        " status rooms room sessions addresses bans letters account reports "
        "report moderators lobby ";
    const struct operator_word *word;
    for (size_t at = 0; (word = operator_word_at(registry, at)); at++) {
        char name[24];
        (void)snprintf(name, sizeof name, " %s ", word->word);
        ck_assert_msg(word->changes == !strstr(looks, name), "%s", word->word);
    }
}
END_TEST

/* Of two features with one word the second would never be asked. */
START_TEST(test_each_word_is_one_operation)
{
    const struct operator_word *word;
    for (size_t at = 0; (word = operator_word_at(registry, at)); at++) {
        for (size_t other = 0; other < at; other++)
            ck_assert_str_ne(operator_word_at(registry, other)->word, word->word);
    }
}
END_TEST

Suite *operator_account_suite(void)
{
    Suite *suite = suite_create("operator account");
    TCase *tests = tcase_create("operator account");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, who_it_is);
    tcase_add_test(tests, another_handle);
    tcase_add_loop_test(tests, a_handle_that_it_cannot_have, 0, 5);
    tcase_add_test(tests, it_comes_from_elsewhere);
    tcase_add_loop_test(tests, none_while_it_closes, 0, 2);
    tcase_add_test(tests, only_so_many_handles);
    tcase_add_loop_test(tests, it_waits_for_the_store, 0, 2);
    tcase_add_test(tests, test_what_changes);
    tcase_add_test(tests, test_each_word_is_one_operation);
    tcase_add_test(tests, a_link);
    tcase_add_test(tests, a_link_is_told);
    suite_add_tcase(suite, tests);
    return suite;
}
