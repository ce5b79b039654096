/* Accounts of programs, their tokens, and those who try to do more with one than it is for. */
#include "../../support/model_rows.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000, ACCESS_SPACE = 58 };

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
    world_do(&world, ana, "claim", "{s:s}", "handle", "Ana-1903");
    world_do(&world, bo, "claim", "{s:s}", "handle", "bo-1904");
    world_forget(&world, ana);
}

static void tear_down(void)
{
    world_release(&world);
}

/* ---- what is done again and again */

struct access {
    char token[ACCESS_SPACE], key[9];
};

static void take_access(json_t *ok, struct access *access)
{
    const json_t *tokens = json_object_get(ok, "tokens");
    const json_t *last = json_array_get(tokens, json_array_size(tokens) - 1);
    (void)snprintf(access->token, sizeof access->token, "%s", str(ok, "token"));
    (void)snprintf(access->key, sizeof access->key, "%s", str(last, "key"));
    ck_assert_uint_eq(strlen(access->token), sizeof access->token - 1);
    json_decref(ok);
}

static struct access token_of(int tab, const char *scope, int days)
{
    struct access access;
    take_access(world_ok(&world, tab, "token_add", "{s:s,s:s,s:i}", "name", "a program", "scope",
                         scope, "days", days),
                &access);
    return access;
}

static struct access bot_token(const char *handle, const char *scope)
{
    struct access access;
    take_access(world_ok(&world, ana, "token_add", "{s:s,s:s,s:i,s:s}", "name", "a program",
                         "scope", scope, "days", 30, "handle", handle),
                &access);
    return access;
}

static int enter(const char *token, const char *scope)
{
    const int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "{s:s}", "token", token);
    ck_assert_str_eq(str(ok, "scope"), scope);
    ck_assert_str_eq(str(ok, "token"), "");
    json_decref(ok);
    return tab;
}

static void is_unknown(const char *token)
{
    world_refused(&world, world_connect(&world), "unknown_token", "hello", "{s:s}", "token", token);
}

static size_t count_of(int tab, const char *op, const char *member)
{
    json_t *ok = world_ok(&world, tab, op, "");
    const size_t count = json_array_size(json_object_get(ok, member));
    json_decref(ok);
    return count;
}

static void make_bot(int tab, const char *handle)
{
    world_do(&world, tab, "bot_account", "{s:s}", "handle", handle);
}

static void come_back(void)
{
    world_restart(&world);
    for (int tab = 0; tab < 2; tab++)
        world.tabs[tab].link.open = false;
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
}

/* ---- tokens */

START_TEST(test_a_token_opens_its_account)
{
    const struct access access = token_of(ana, "games play", 30);
    const int tab = enter(access.token, "play games");
    ck_assert_uint_eq(count_of(tab, "games", "games"), 0);
    world_refused(&world, tab, "not_allowed", "create", "");
    come_back();
    enter(access.token, "play games");
    ck_assert_uint_eq(count_of(ana, "tokens", "tokens"), 1);
    ck_assert_uint_eq(count_of(bo, "tokens", "tokens"), 0);
}
END_TEST

/* It is in no row, and no answer but the first one has it. */
START_TEST(test_only_its_hash_is_kept)
{
    const struct access access = token_of(ana, "play", 30);
    for (size_t at = 0; at < world.store.row_count; at++) {
        const struct model_row *row = &world.store.rows[at];
        for (size_t i = 0; i < row->table->count; i++) {
            const struct store_column *column = &row->table->columns[i];
            size_t len;
            if (column->type != STORE_NUMBER && column->type != STORE_BYTES)
                ck_assert_ptr_null(strstr(store_bytes(column, row->row, &len), access.token + 7));
        }
    }
    json_t *ok = world_ok(&world, ana, "tokens", "");
    char *text = json_dumps(ok, 0);
    ck_assert_ptr_null(strstr(text, access.token + 7));
    free(text);
    json_decref(ok);
}
END_TEST

/* Whatever it is for: what opens the session, what it is called and its end are its owner's. */
START_TEST(test_what_no_token_may)
{
    static const char *const requests[] = {
        "\"op\":\"claim\",\"handle\":\"another\"",
        "\"op\":\"close_account\",\"handle\":\"Ana-1903\"",
        "\"op\":\"keep_account\"",
        "\"op\":\"link\"",
        "\"op\":\"phrase\"",
        "\"op\":\"devices\"",
        "\"op\":\"forget\",\"device\":\"00000000\"",
        "\"op\":\"rename\",\"name\":\"Eve\"",
        "\"op\":\"passkeys\"",
        "\"op\":\"passkey\",\"for\":\"add\"",
        "\"op\":\"passkey_drop\",\"key\":\"00000000\"",
        "\"op\":\"prove\",\"pass\":\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"",
        "\"op\":\"tokens\"",
        "\"op\":\"token_add\",\"name\":\"x\",\"scope\":\"play\",\"days\":365",
        "\"op\":\"token_drop\",\"key\":\"00000000\"",
        "\"op\":\"bots\"",
        "\"op\":\"bot_account\",\"handle\":\"eve-bot\"",
        "\"op\":\"invite\"",
        "\"op\":\"profile_show\",\"hidden\":true",
        "\"op\":\"heed\"",
        "\"op\":\"seek\"",
        "\"op\":\"unseek\"",
        "\"op\":\"report\",\"room\":\"k3m9x0aq\",\"seat\":1,\"why\":\"talk\"",
        "\"op\":\"cases\"",
        "\"op\":\"judge\",\"case\":1,\"verdict\":\"warn\",\"why\":\"talk\"",
        "\"op\":\"appeal\",\"judgement\":1,\"text\":\"no\"",
    };
    const struct access access = token_of(ana, "play room games people", 30);
    const int tab = enter(access.token, "play room games people");
    for (size_t at = 0; at < sizeof requests / sizeof requests[0]; at++) {
        char text[256];
        (void)snprintf(text, sizeof text, "{\"id\":%zu,%s}", 900 + at, requests[at]);
        world_send(&world, tab, text);
        world_settle(&world);
        world_denied(&world, tab, (int64_t)(900 + at), "not_allowed");
    }
}
END_TEST

static const struct {
    const char *scope, *op, *room, *lacks; /* NULL: it may */
} beyond[] = {
    {"games", "create", NULL, "room"},
    {"play", "create", NULL, "room"},
    {"room", "games", NULL, "games"},
    {"room", "move", "k3m9x0aq", "play"},
    {"games", "join", "k3m9x0aq", "play"},
    {"games", "say", "k3m9x0aq", "play"},
    {"play", "unseat", "k3m9x0aq", "room"},
    {"play", "blocks", NULL, "people"},
    {"games", "rooms", NULL, NULL},
    {"people", "blocks", NULL, NULL},
    {"room", "create", NULL, NULL},
    {"games", "watch", "k3m9x0aq", "play"},
    {"games people", "leave", "k3m9x0aq", "play"},
    {"people", "past", "k3m9x0aq", "play"},
};

START_TEST(test_beyond_its_scope)
{
    const struct access access = token_of(ana, beyond[_i].scope, 30);
    const int tab = enter(access.token, beyond[_i].scope);
    char text[256], more[128] = "";
    if (beyond[_i].room)
        (void)snprintf(more, sizeof more, ",\"room\":\"%s\"%s", beyond[_i].room,
                       strcmp(beyond[_i].op, "move") == 0     ? ",\"move\":\"draw\""
                       : strcmp(beyond[_i].op, "say") == 0    ? ",\"text\":\"x\""
                       : strcmp(beyond[_i].op, "unseat") == 0 ? ",\"seat\":1"
                       : strcmp(beyond[_i].op, "past") == 0   ? ",\"have\":0"
                                                              : "");
    (void)snprintf(text, sizeof text, "{\"id\":77,\"op\":\"%s\"%s}", beyond[_i].op, more);
    world_send(&world, tab, text);
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, 77);
    const json_t *error = json_object_get(reply, "error");
    ck_assert_str_eq(str(error, "code"), beyond[_i].lacks ? "not_allowed" : "");
    ck_assert_str_eq(str(error, "field"), beyond[_i].lacks ? beyond[_i].lacks : "");
    json_decref(reply);
}
END_TEST

/* A typing error is one without asking anybody, and costs nothing of what may be guessed. */
START_TEST(test_a_token_with_a_slip)
{
    struct access access = token_of(ana, "play", 30);
    const int tab = world_connect(&world);
    access.token[20] = access.token[20] == 'A' ? 'B' : 'A';
    for (int64_t tries = 0; tries < 2 * world.config.guesses_burst; tries++)
        world_refused(&world, tab, "bad_field", "hello", "{s:s}", "token", access.token);
    /* one that nobody has made is one that was guessed */
    is_unknown("taluva_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh83krq0en");
}
END_TEST

START_TEST(test_a_token_that_was_ended)
{
    const struct access access = token_of(ana, "play", 30), other = token_of(ana, "play", 30);
    const int tab = enter(access.token, "play"), stays = enter(other.token, "play");
    world_refused(&world, bo, "bad_field", "token_drop", "{s:s}", "key", access.key);
    world_do(&world, ana, "token_drop", "{s:s}", "key", access.key);
    ck_assert_int_eq(world.tabs[tab].close_code, 4006);
    ck_assert(world.tabs[stays].link.open && world.tabs[ana].link.open);
    is_unknown(access.token);
    world_refused(&world, ana, "bad_field", "token_drop", "{s:s}", "key", access.key);
    come_back();
    is_unknown(access.token);
    enter(other.token, "play");
}
END_TEST

START_TEST(test_a_token_whose_time_is_over)
{
    const struct access access = token_of(ana, "play", 1), later = token_of(ana, "play", 2);
    const int tab = enter(access.token, "play");
    ck_assert_uint_eq(count_of(ana, "tokens", "tokens"), 2);
    for (int minute = 0; minute < 24 * 60 - 1; minute++) {
        world_do(&world, tab, "ping", "");
        world_do(&world, ana, "ping", "");
        world_pass(&world, 60000);
    }
    ck_assert(world.tabs[tab].link.open);
    world_pass(&world, 2 * 60000);
    ck_assert_int_eq(world.tabs[tab].close_code, 4006);
    is_unknown(access.token);
    enter(later.token, "play");
    token_of(ana, "play", 1); /* what is over goes with the next change */
    ck_assert_uint_eq(count_of(ana, "tokens", "tokens"), 2);
}
END_TEST

START_TEST(test_so_many_and_no_more)
{
    world.config.tokens_per_account = 2;
    world.config.bots_per_account = 1;
    world_start(&world);
    world_restart(&world);
    ana = world_guest(&world, "Chi");
    world_do(&world, ana, "claim", "{s:s}", "handle", "chi-1");
    token_of(ana, "play", 30);
    token_of(ana, "play", 30);
    world_refused(&world, ana, "too_many_tokens", "token_add", "{s:s,s:s,s:i}", "name", "x",
                  "scope", "play", "days", 3);
    make_bot(ana, "chi-bot");
    world_refused(&world, ana, "too_many_bots", "bot_account", "{s:s}", "handle", "chi-2-bot");
}
END_TEST

/* By its key neither ended nor called otherwise: that is what tokens' operations are for. */
START_TEST(test_a_token_is_no_device)
{
    const struct access access = token_of(ana, "play", 30);
    json_t *ok = world_ok(&world, ana, "devices", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "devices")), 1);
    json_decref(ok);
    world_refused(&world, ana, "unknown_device", "forget", "{s:s}", "device", access.key);
    world_refused(&world, ana, "unknown_device", "rename", "{s:s,s:s}", "device", access.key,
                  "name", "x");
    enter(access.token, "play");
}
END_TEST

/* A name is its owner's to choose, in `hello` as anywhere. */
START_TEST(test_no_name_comes_with_a_token)
{
    const struct access access = token_of(ana, "play room games people", 30);
    json_t *ok = world_ok(&world, world_connect(&world), "hello", "{s:s,s:s}", "token",
                          access.token, "name", "Eve");
    ck_assert_str_eq(str(ok, "name"), "Ana");
    json_decref(ok);
    come_back();
    ok = world_ok(&world, world_connect(&world), "hello", "{s:s}", "token", access.token);
    ck_assert_str_eq(str(ok, "name"), "Ana");
    json_decref(ok);
}
END_TEST

/* Of who has a phrase the device alone is not enough. */
START_TEST(test_a_proof_is_needed)
{
    json_t *ok = world_ok(&world, ana, "phrase", "");
    world_refused(&world, ana, "proof_needed", "token_add", "{s:s,s:s,s:i}", "name", "x", "scope",
                  "play", "days", 3);
    world_do(&world, ana, "prove", "{s:s}", "pass", str(ok, "pass"));
    json_decref(ok);
    token_of(ana, "play", 3);
}
END_TEST

START_TEST(test_without_an_account)
{
    const int chi = world_guest(&world, "Chi");
    world_refused(&world, chi, "account_needed", "tokens", "");
    world_refused(&world, chi, "account_needed", "token_add", "{s:s,s:s,s:i}", "name", "x", "scope",
                  "play", "days", 3);
    world_refused(&world, chi, "account_needed", "bot_account", "{s:s}", "handle", "chi-bot");
}
END_TEST

START_TEST(test_a_store_that_fails)
{
    int64_t id = world_post(&world, ana, "token_add", "{s:s,s:s,s:i}", "name", "x", "scope", "play",
                            "days", 3);
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, ana, id, "store_failing");
    world_pass(&world, 60000);
    ck_assert_uint_eq(count_of(ana, "tokens", "tokens"), 0);
    id = world_post(&world, ana, "bot_account", "{s:s}", "handle", "ana-bot");
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, ana, id, "store_failing");
    world_pass(&world, 60000);
    ck_assert_uint_eq(count_of(ana, "bots", "bots"), 0);
    make_bot(ana, "ana-bot");
}
END_TEST

/* ---- accounts of programs */

START_TEST(test_an_account_of_a_program)
{
    make_bot(ana, "Ana-Bot");
    ck_assert_uint_eq(count_of(ana, "bots", "bots"), 1);
    ck_assert_uint_eq(count_of(bo, "bots", "bots"), 0);
    come_back();
    ck_assert_uint_eq(count_of(ana, "bots", "bots"), 1);
    const struct access access = bot_token("ana_bot", "play room");
    const int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "{s:s}", "token", access.token);
    const json_t *account = json_object_get(ok, "account");
    ck_assert_str_eq(str(account, "handle"), "Ana-Bot");
    ck_assert(json_is_true(json_object_get(account, "bot")));
    ck_assert_str_eq(str(ok, "name"), "Ana-Bot");
    json_decref(ok);
    world_refused(&world, tab, "not_allowed", "seek", "");
}
END_TEST

static const struct {
    const char *handle, *code;
} wrong[] = {
    {"ana", "bad_field"},
    {"Ana-1903", "bad_field"},
    {"robot", "bad_field"},
    {"ana-robot", "bad_field"},
    {"mod-e-rator_bot", "handle_reserved"},
    {"b0-1904", "bad_field"},
    {"my-mod-bot", ""},
};

START_TEST(test_what_a_program_cannot_be_called)
{
    if (wrong[_i].code[0])
        world_refused(&world, ana, wrong[_i].code, "bot_account", "{s:s}", "handle",
                      wrong[_i].handle);
    else
        make_bot(ana, wrong[_i].handle);
    world_refused(&world, ana, "handle_reserved", "claim", "{s:s}", "handle", "ana-bot");
}
END_TEST

/* Of two who ask at once one has it, and nothing is left of the other's. */
START_TEST(test_two_want_the_same)
{
    world.held = true;
    const int64_t first = world_post(&world, ana, "bot_account", "{s:s}", "handle", "the-bot");
    const int64_t second = world_post(&world, bo, "bot_account", "{s:s}", "handle", "The_Bot");
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    world_granted(&world, ana, first);
    world_denied(&world, bo, second, "handle_taken");
    ck_assert_uint_eq(count_of(bo, "bots", "bots"), 0);
    come_back();
    ck_assert_uint_eq(count_of(ana, "bots", "bots"), 1);
    ck_assert_uint_eq(count_of(bo, "bots", "bots"), 0);
    world_refused(&world, bo, "handle_taken", "bot_account", "{s:s}", "handle", "the-bot");
}
END_TEST

START_TEST(test_somebody_elses)
{
    make_bot(ana, "ana-bot");
    const struct access access = bot_token("ana-bot", "play");
    world_refused(&world, bo, "unknown_handle", "tokens", "{s:s}", "handle", "ana-bot");
    world_refused(&world, bo, "unknown_handle", "token_add", "{s:s,s:s,s:i,s:s}", "name", "x",
                  "scope", "play", "days", 3, "handle", "ana-bot");
    world_refused(&world, bo, "unknown_handle", "token_drop", "{s:s,s:s}", "key", access.key,
                  "handle", "ana-bot");
    world_refused(&world, bo, "bad_field", "close_account", "{s:s}", "handle", "ana-bot");
    world_refused(&world, bo, "unknown_handle", "token_add", "{s:s,s:s,s:i,s:s}", "name", "x",
                  "scope", "play", "days", 3, "handle", "Ana-1903");
    enter(access.token, "play");
}
END_TEST

/* It sits there under its handle, and a token for it says nothing of its owner. */
START_TEST(test_a_program_plays)
{
    struct table table;
    make_bot(ana, "ana-bot");
    const int robot = enter(bot_token("ana-bot", "play").token, "play");
    world_table(&world, &table, 2, "");
    world_do(&world, table.tabs[1], "leave", "{s:s}", "room", table.room);
    json_t *ok = world_ok(&world, robot, "join", "{s:s}", "room", table.room);
    const json_t *seat =
        json_object_get(json_object_get(json_object_get(ok, "state"), "seats"), "1");
    ck_assert_str_eq(str(seat, "handle"), "ana-bot");
    json_decref(ok);
}
END_TEST

START_TEST(test_it_ends_with_its_owner)
{
    make_bot(ana, "ana-bot");
    const struct access access = bot_token("ana-bot", "play");
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    world_refused(&world, ana, "account_closing", "bot_account", "{s:s}", "handle", "late-bot");
    enter(access.token, "play");
    world_pass(&world, world.config.closing_ms + 120000);
    is_unknown(access.token);
    for (size_t at = 0; at < world.store.row_count; at++)
        ck_assert_str_ne(world.store.rows[at].table->name, "bot");
    world_restart(&world);
    const int chi = world_guest(&world, "Chi");
    world_do(&world, chi, "claim", "{s:s}", "handle", "chi-1");
    world_refused(&world, chi, "handle_taken", "bot_account", "{s:s}", "handle", "ana-bot");
}
END_TEST

/* As the store has it when only that is durable. */
static void drop_session(uint64_t id)
{
    size_t at = 0;
    while (world.store.sessions[at].id != id)
        at++;
    world.store.sessions[at] = world.store.sessions[--world.store.session_count];
    model_drop_rows_of(&world.store, id);
}

/* Its server may end between the two. */
START_TEST(test_whose_owner_is_gone_when_a_server_begins)
{
    make_bot(ana, "ana-bot");
    const struct access access = bot_token("ana-bot", "play");
    const uint64_t id = strtoull(world.tabs[ana].session, NULL, 16);
    drop_session(id);
    world_restart(&world);
    world_pass(&world, 120000);
    is_unknown(access.token);
    for (size_t at = 0; at < world.store.row_count; at++)
        ck_assert_str_ne(world.store.rows[at].table->name, "bot");
}
END_TEST

START_TEST(test_its_owner_ends_it)
{
    make_bot(ana, "ana-bot");
    const struct access access = bot_token("ana-bot", "play");
    json_t *ok = world_ok(&world, ana, "close_account", "{s:s}", "handle", "ana-bot");
    ck_assert_str_eq(str(json_object_get(ok, "account"), "handle"), "ana-bot");
    ck_assert_int_gt(num(json_object_get(ok, "account"), "closing"), world.now_ms);
    json_decref(ok);
    world_do(&world, ana, "keep_account", "{s:s}", "handle", "ana-bot");
    world_pass(&world, world.config.closing_ms + 120000);
    come_back();
    enter(access.token, "play");
    world_do(&world, ana, "close_account", "{s:s}", "handle", "ana-bot");
    world_pass(&world, world.config.closing_ms + 120000);
    come_back();
    is_unknown(access.token);
    ck_assert_uint_eq(count_of(ana, "bots", "bots"), 0);
    world_refused(&world, bo, "handle_taken", "bot_account", "{s:s}", "handle", "ana-bot");
}
END_TEST

/* Else a program would be the way around a ban. */
START_TEST(test_its_owner_is_banned)
{
    char text[128];
    make_bot(ana, "ana-bot");
    const struct access access = bot_token("ana-bot", "play");
    const int robot = enter(access.token, "play");
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"ban\",\"target\":\"%s\",\"for_s\":3600}",
                   world.tabs[ana].session);
    json_decref(operator_granted(text));
    world_settle(&world);
    ck_assert_int_eq(world.tabs[robot].close_code, 4005);
    world_refused(&world, world_connect(&world), "banned", "hello", "{s:s}", "token", access.token);
    ck_assert(world.tabs[bo].link.open);
}
END_TEST

/* What it was called by the operator's word is nobody's either, when it ends with its owner. */
START_TEST(test_it_is_called_otherwise_and_ends)
{
    make_bot(ana, "ana-bot");
    json_decref(
        operator_granted("{\"id\":1,\"op\":\"rename\",\"handle\":\"ana-bot\",\"to\":\"b-bot\"}"));
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    world_pass(&world, world.config.closing_ms + 120000);
    world_restart(&world);
    const int chi = world_guest(&world, "Chi");
    world_do(&world, chi, "claim", "{s:s}", "handle", "chi-1");
    world_refused(&world, chi, "handle_taken", "bot_account", "{s:s}", "handle", "b-bot");
    world_refused(&world, chi, "handle_taken", "bot_account", "{s:s}", "handle", "ana-bot");
}
END_TEST

/* Nobody enters as a program: then it could do what no token may. */
START_TEST(test_the_operator_makes_no_link_to_it)
{
    make_bot(ana, "ana-bot");
    json_t *answer = operator_asked("{\"id\":1,\"op\":\"link\",\"handle\":\"ana-bot\"}");
    ck_assert_str_eq(str(json_object_get(answer, "error"), "code"), "bad_field");
    json_decref(answer);
}
END_TEST

Suite *token_suite(void)
{
    Suite *suite = suite_create("token");
    TCase *tokens = tcase_create("tokens"), *bots = tcase_create("accounts of programs");
    tcase_add_checked_fixture(tokens, set_up, tear_down);
    tcase_add_test(tokens, test_a_token_opens_its_account);
    tcase_add_test(tokens, test_only_its_hash_is_kept);
    tcase_add_test(tokens, test_what_no_token_may);
    tcase_add_loop_test(tokens, test_beyond_its_scope, 0, sizeof beyond / sizeof beyond[0]);
    tcase_add_test(tokens, test_a_token_with_a_slip);
    tcase_add_test(tokens, test_a_token_that_was_ended);
    tcase_add_test(tokens, test_a_token_whose_time_is_over);
    tcase_add_test(tokens, test_so_many_and_no_more);
    tcase_add_test(tokens, test_a_token_is_no_device);
    tcase_add_test(tokens, test_no_name_comes_with_a_token);
    tcase_add_test(tokens, test_a_proof_is_needed);
    tcase_add_test(tokens, test_without_an_account);
    tcase_add_test(tokens, test_a_store_that_fails);
    tcase_add_checked_fixture(bots, set_up, tear_down);
    tcase_add_test(bots, test_an_account_of_a_program);
    tcase_add_loop_test(bots, test_what_a_program_cannot_be_called, 0,
                        sizeof wrong / sizeof wrong[0]);
    tcase_add_test(bots, test_two_want_the_same);
    tcase_add_test(bots, test_somebody_elses);
    tcase_add_test(bots, test_a_program_plays);
    tcase_add_test(bots, test_it_ends_with_its_owner);
    tcase_add_test(bots, test_its_owner_ends_it);
    tcase_add_test(bots, test_it_is_called_otherwise_and_ends);
    tcase_add_test(bots, test_its_owner_is_banned);
    tcase_add_test(bots, test_the_operator_makes_no_link_to_it);
    suite_add_tcase(suite, tokens);
    suite_add_tcase(suite, bots);
    TCase *model = model_case(suite, set_up, tear_down);
    tcase_add_test(model, test_whose_owner_is_gone_when_a_server_begins);
    return suite;
}
