/* The end of an account: when, by whom, what it takes back, and that nothing of it is left. */
#include "../../support/model_query.h"
#include "operator.h"
#include "suites.h"
#include "tables/closing_table.h"
#include "world.h"
#include <history/game_table.h>
#include <hub/log_line.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000 };

static struct world world;
static int ana, bo;
static char token[TOKEN_SPACE], session[CODE_SPACE];

static void set_up_with(const struct feature *const *features)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    if (features)
        world.env.features = features;
    world.config.claims_per_address_per_day = 1000;
    operator_init(&world);
    world_start(&world);
    ana = world_guest(&world, "Ana Nym");
    bo = world_guest(&world, "Bo");
    memcpy(token, world.tabs[ana].token, sizeof token);
    memcpy(session, world.tabs[ana].session, sizeof session);
    world_do(&world, ana, "claim", "{s:s}", "handle", "Ana-1903");
    world_forget(&world, ana);
}

static void set_up(void)
{
    set_up_with(NULL);
}

static void tear_down(void)
{
    world_release(&world);
}

static int64_t closing_of(json_t *ok)
{
    const int64_t at_ms = num(json_object_get(ok, "account"), "closing");
    json_decref(ok);
    return at_ms;
}

static int64_t close_it(int tab)
{
    return closing_of(world_ok(&world, tab, "close_account", "{s:s}", "handle", "ana_1903"));
}

static json_t *back(int *tab)
{
    *tab = world_connect(&world);
    return world_ok(&world, *tab, "hello", "{s:s}", "token", token);
}

/* Any text of all that the store has. */
static bool is_anywhere(const char *text)
{
    for (size_t at = 0; at < world.store.row_count; at++) {
        const struct model_row *row = &world.store.rows[at];
        for (size_t i = 0; i < row->table->count; i++) {
            const struct store_column *column = &row->table->columns[i];
            size_t len;
            if (column->type != STORE_NUMBER && column->type != STORE_BYTES &&
                strstr(store_bytes(column, row->row, &len), text))
                return true;
        }
    }
    for (size_t at = 0; at < world.store.session_count; at++) {
        if (strstr(world.store.sessions[at].name, text))
            return true;
    }
    return false;
}

/* Any row that is Ana's, but what is the desk's. */
static bool has_rows(void)
{
    const uint64_t id = strtoull(session, NULL, 16);
    for (size_t at = 0; at < world.store.row_count; at++) {
        if (store_owner_of(world.store.rows[at].table, world.store.rows[at].row) == id)
            return true;
    }
    return false;
}

START_TEST(it_is_erased_when_its_time_has_come)
{
    struct hub_log_line line;
    const int64_t at_ms = close_it(ana);
    ck_assert_int_eq(at_ms, world.now_ms + world.config.closing_ms);
    ck_assert(hub_log_take(world.hub, &line));
    ck_assert_str_eq(line.event, "account_closing");
    world_restart(&world);
    ck_assert_int_eq(closing_of(back(&ana)), at_ms); /* whoever has it sees that */
    ck_assert(is_anywhere("Ana-1903") && is_anywhere("Ana Nym") && has_rows());
    world_pass(&world, at_ms - world.now_ms - 60000);
    ck_assert(is_anywhere("Ana-1903"));
    world_pass(&world, 120000);
    ck_assert(!is_anywhere("Ana-1903") && !is_anywhere("Ana Nym") && !has_rows());
    ck_assert(hub_log_take(world.hub, &line));
    ck_assert_str_eq(line.event, "account_erased");
    world_restart(&world);
    const int late = world_connect(&world);
    world_refused(&world, late, "unknown_token", "hello", "{s:s}", "token", token);
}
END_TEST

static void jump_at_the_start(void)
{
    world.now_ms += 100 * (int64_t)DAY_MS;
    world_restart(&world);
}

static void jump_meanwhile(void)
{
    const int64_t since_ms = world.now_ms;
    world.now_ms += 100 * (int64_t)DAY_MS;
    hub_clock_set(world.hub, since_ms, world.now_ms);
}

/*
 * The clock was a hundred days behind and is set right: whoever closes an account has the days that
 * they were promised, also if the server is started again; and is told when it ends now.
 */
START_TEST(a_jump_of_the_clock_erases_nothing)
{
    static void (*const jumps[])(void) = {jump_at_the_start, jump_meanwhile};
    const int64_t was_ms = close_it(ana);
    world_cut(&world, ana);
    jumps[_i]();
    world_pass(&world, 0);
    world_cut(&world, world_guest(&world, "Cat")); /* by whom the time is known at the next start */
    world_restart(&world);
    world_pass(&world, 0);
    const int64_t at_ms = closing_of(back(&ana));
    ck_assert_int_eq(at_ms, was_ms + 99 * (int64_t)DAY_MS);
    ck_assert_int_gt(at_ms, world.now_ms + world.config.closing_ms - 2 * (int64_t)DAY_MS);
    world_pass(&world, at_ms - world.now_ms - 60000);
    ck_assert(is_anywhere("Ana-1903"));
    world_pass(&world, 120000);
    ck_assert(!is_anywhere("Ana-1903"));
}
END_TEST

static int64_t ends_ms(void)
{
    return closing_at_ms(world.hub, strtoull(session, NULL, 16));
}

/* What cannot be stored is no promise, and is made when it can. */
START_TEST(a_jump_while_the_store_fails)
{
    const int64_t was_ms = close_it(ana);
    jump_meanwhile();
    world.answer = STORE_FULL;
    world_pass(&world, 30000);
    ck_assert_int_eq(ends_ms(), was_ms);
    world.answer = STORE_OK;
    world_pass(&world, 120000);
    ck_assert_int_eq(ends_ms(), was_ms + 99 * (int64_t)DAY_MS);
}
END_TEST

/* Nor is it put off twice for the same jump, of which a part is behind what it was put off to. */
START_TEST(a_jump_counts_once)
{
    const int64_t was_ms = close_it(ana);
    world_pass(&world, 3 * (int64_t)DAY_MS);
    jump_meanwhile();
    world_pass(&world, 0);
    ck_assert_int_eq(ends_ms(), was_ms + 99 * (int64_t)DAY_MS);
    world_pass(&world, ends_ms() - world.now_ms + 120000);
    ck_assert_int_eq(ends_ms(), 0);
    ck_assert(!is_anywhere("Ana-1903"));
}
END_TEST

/* While its name is taken out of its matches it begins none. */
START_TEST(it_sits_down_nowhere_at_the_end)
{
    close_it(ana);
    json_t *ok = world_ok(&world, ana, "create", "");
    char room[16];
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    closing_find(world.hub, strtoull(session, NULL, 16))->erasing = true;
    world_refused(&world, ana, "account_closing", "create", "");
    world_refused(&world, ana, "account_closing", "join", "{s:s}", "room", room);
    world_refused(&world, ana, "account_closing", "rematch", "{s:s}", "room", room);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    world_do(&world, bo, "join", "{s:s}", "room", room);
}
END_TEST

/* What is being taken back just then is. */
START_TEST(a_jump_puts_nothing_off_that_is_taken_back)
{
    close_it(ana);
    world.held = true;
    (void)world_post(&world, ana, "keep_account", "");
    world_settle(&world);
    jump_meanwhile();
    world_pass(&world, 0);
    world_commit(&world, STORE_OK);
    world.held = false;
    world_pass(&world, 60000);
    world_restart(&world);
    ck_assert_int_eq(closing_of(back(&ana)), -1);
}
END_TEST

/* Not even by its owner, and whatever looks like it: as long as it closes, and for ever after. */
START_TEST(its_handles_are_nobodys)
{
    static const char *const handles[] = {"Ana-1903", "anal9o3", "Hanna"};
    world_do(&world, ana, "claim", "{s:s}", "handle", "Hanna");
    closing_of(world_ok(&world, ana, "close_account", "{s:s}", "handle", "Hanna"));
    world_refused(&world, ana, "account_closing", "claim", "{s:s}", "handle", "another");
    world_refused(&world, ana, "account_closing", "seek", "");
    world_pass(&world, world.config.closing_ms + 120000);
    ck_assert(!is_anywhere("Hanna"));
    world_restart(&world);
    const int cat = world_guest(&world, "Cat");
    world_refused(&world, cat, "handle_taken", "claim", "{s:s}", "handle", handles[_i]);
    world_do(&world, cat, "claim", "{s:s}", "handle", "Cat-1");
    json_t *ok = operator_asked("{\"id\":1,\"op\":\"account\",\"handle\":\"Hanna\"}");
    ck_assert_str_eq(str(json_object_get(ok, "error"), "code"), "unknown_handle");
    json_decref(ok);
}
END_TEST

/* Not even from the operator: of one that has no account any more its claim alone is left. */
START_TEST(the_operator_gives_none_of_them)
{
    char text[128];
    static const char *const handles[] = {"Ana-1903", "anal9o3"};
    world_do(&world, bo, "claim", "{s:s}", "handle", "Bo-1");
    close_it(ana);
    world_pass(&world, world.config.closing_ms + 120000);
    world_restart(&world);
    (void)snprintf(text, sizeof text,
                   "{\"id\":1,\"op\":\"rename\",\"handle\":\"Bo-1\",\"to\":\"%s\"}", handles[_i]);
    json_t *answer = operator_asked(text);
    const json_t *error = json_object_get(answer, "error");
    ck_assert_str_eq(str(error, "code"), "handle_taken");
    ck_assert_str_eq(str(error, "field"), "to");
    json_decref(answer);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"account\",\"handle\":\"Bo-1\"}");
    ck_assert_str_eq(str(ok, "handle"), "Bo-1");
    json_decref(ok);
}
END_TEST

/* What is burnt was read before it had another handle: then none of it is burnt. */
START_TEST(it_is_called_otherwise_meanwhile)
{
    struct store_query proof, handles;
    const int64_t id = world_post(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    ck_assert(hub_query_take(world.hub, &proof));
    model_query(&world.store, world.hub, &proof, world.now_ms);
    ck_assert(hub_query_take(world.hub, &handles));
    model_answer_query(&world.store, &handles);
    json_decref(
        operator_granted("{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1903\",\"to\":\"Hanna\"}"));
    hub_query_done(world.hub, &handles, world.now_ms);
    handles.release(&handles);
    world_settle(&world);
    world_denied(&world, ana, id, "slow_down");
    ck_assert_uint_eq(model_rows(&world.store, &burnt_table), 0);
    closing_of(world_ok(&world, ana, "close_account", "{s:s}", "handle", "Hanna"));
    ck_assert_uint_eq(model_rows(&world.store, &burnt_table), 2);
}
END_TEST

START_TEST(it_is_taken_back)
{
    close_it(ana);
    json_t *push = world_push(&world, ana, "account");
    ck_assert_int_gt(num(json_object_get(push, "account"), "closing"), 0);
    json_decref(push);
    ck_assert_int_eq(closing_of(world_ok(&world, ana, "keep_account", "")), -1);
    push = world_push(&world, ana, "account");
    ck_assert_int_eq(num(json_object_get(push, "account"), "closing"), -1);
    json_decref(push);
    world_pass(&world, world.config.closing_ms + DAY_MS);
    ck_assert_int_eq(closing_of(back(&ana)), -1);
    world_restart(&world);
    ck_assert_int_eq(closing_of(back(&ana)), -1);
    world_do(&world, ana, "claim", "{s:s}", "handle", "ANA-1903");
    ck_assert_int_gt(close_it(ana), world.now_ms); /* and again */
}
END_TEST

START_TEST(what_is_refused)
{
    world_refused(&world, bo, "account_needed", "close_account", "{s:s}", "handle", "Ana-1903");
    world_refused(&world, bo, "account_needed", "keep_account", "");
    world_do(&world, bo, "claim", "{s:s}", "handle", "Bo-1");
    world_refused(&world, bo, "bad_field", "close_account", "{s:s}", "handle", "Ana-1903");
    ck_assert_int_eq(closing_of(world_ok(&world, ana, "keep_account", "")), -1);
    const int64_t at_ms = close_it(ana);
    world_pass(&world, 60000);
    ck_assert_int_eq(close_it(ana), at_ms); /* said twice it is not put off */
    world.answer = STORE_FULL;
    world_refused(&world, bo, "store_failing", "close_account", "{s:s}", "handle", "Bo-1");
    world.answer = STORE_OK;
    world_pass(&world, 60000);
    ck_assert_int_eq(closing_of(world_ok(&world, bo, "keep_account", "")), -1);
}
END_TEST

/* Whoever has the device alone does not end it. */
START_TEST(it_takes_a_proof)
{
    json_t *ok = world_ok(&world, ana, "phrase", "");
    const int other = world_back(&world, ana);
    world_refused(&world, other, "proof_needed", "close_account", "{s:s}", "handle", "Ana-1903");
    world_do(&world, other, "prove", "{s:s}", "pass", str(ok, "pass"));
    ck_assert_int_gt(close_it(other), world.now_ms);
    json_decref(ok);
}
END_TEST

/* Who is there is closed; who sits at a table stays until that is over, and loses no match. */
START_TEST(in_the_middle_of_a_match)
{
    struct table table;
    world.config.closing_ms = 60000;
    world_restart(&world);
    json_decref(back(&ana));
    bo = world_back(&world, bo);
    json_t *ok = world_ok(&world, bo, "create", "");
    snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, bo, "join", "{s:s}", "room", table.room);
    world_do(&world, ana, "join", "{s:s}", "room", table.room);
    close_it(ana);
    for (int i = 0; i < 20; i++) {
        world_pass(&world, 15000);
        world_do(&world, bo, "ping", "");
    }
    ck_assert(world.tabs[ana].close_code != 0);
    ck_assert(is_anywhere("Ana-1903")); /* she sits there */
    json_decref(back(&ana));
    world_do(&world, ana, "leave", "{s:s}", "room", table.room);
    world_pass(&world, 120000);
    ck_assert(!has_rows());
    world_do(&world, bo, "ping", "");
}
END_TEST

/* ---- matches that are over */

static void end_a_match(struct table *table)
{
    *table = (struct table){.players = 2};
    table->tabs[0] = bo;
    table->tabs[1] = ana;
    json_t *ok = world_ok(&world, bo, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(table->room, sizeof table->room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int seat = 0; seat < 2; seat++)
        world_do(&world, table->tabs[seat], "join", "{s:s,s:i}", "room", table->room, "seat", seat);
    world_begin(&world, table);
    world_do(&world, ana, "resign", "{s:s}", "room", table->room);
    world_settle(&world);
}

/* In logs, and in lists. */
static unsigned count_said(const char *text)
{
    unsigned count = 0;
    for (size_t at = 0; at < world.store.room_count; at++) {
        const struct model_room *room = &world.store.rooms[at];
        for (size_t i = 0; i < room->count; i++)
            count += strstr(room->events[i].text, text) ? 1U : 0U;
    }
    const struct game_row *game;
    for (size_t at = 0; (game = model_nth(&world.store, &game_table, at)); at++)
        count += strstr(game->text, text) ? 1U : 0U;
    return count;
}

static void look_back(const char *room, const char *name)
{
    json_t *ok = world_ok(&world, bo, "past", "{s:s,s:i}", "room", room, "have", 0);
    char *text = json_dumps(ok, 0);
    ck_assert_msg(strstr(text, name), "%s", text);
    ck_assert(!strstr(text, "Ana Nym"));
    free(text);
    json_decref(ok);
}

/* Of the others what they have stays, without her name. */
START_TEST(its_name_in_matches_of_others)
{
    enum { MATCHES = STORE_ERASE_ROOMS + 2 };
    struct table table;
    world.config.closing_ms = 60000;
    world.config.requests_burst = world.config.requests_per_address_burst = 1000000;
    world_restart(&world);
    json_decref(back(&ana));
    bo = world_back(&world, bo);
    for (int match = 0; match < MATCHES; match++)
        end_a_match(&table);
    ck_assert_uint_eq(count_said("Ana Nym"), 3 * MATCHES);
    close_it(ana);
    world_pass(&world, 120000);
    ck_assert(world.tabs[ana].close_code != 0);
    ck_assert_uint_eq(count_said("Ana Nym"), 3 * MATCHES); /* they are in memory yet */
    world_pass(&world, world.config.over_idle_ms);         /* though Bo looks at them */
    ck_assert(!has_rows());
    ck_assert_uint_eq(count_said("Ana Nym") + count_said("Ana-1903"), 0);
    ck_assert_uint_eq(count_said("deleted"), 2 * MATCHES);
    world_cut(&world, bo);
    world_pass(&world, world.config.over_idle_ms + 60000);
    bo = world_back(&world, bo);
    look_back(table.room, "deleted");
}
END_TEST

/* ---- what fails */

/* While the store fails it stays whole, and goes later. */
START_TEST(it_could_not_be_stored)
{
    close_it(ana);
    world_pass(&world, world.config.closing_ms - 60000);
    world.answer = STORE_FULL;
    world_pass(&world, 180000);
    ck_assert(has_rows());
    world.answer = STORE_OK;
    world_pass(&world, 180000);
    ck_assert(!has_rows() && !is_anywhere("Ana-1903"));
}
END_TEST

/* What waits for the store has its place, though others are found to end meanwhile. */
START_TEST(its_place_is_kept)
{
    enum { ALL_BUT_ONE = 47 }; /* of the smallest table */
    for (uint64_t other = 1; other <= ALL_BUT_ONE; other++)
        ck_assert(closing_restore(world.hub, &(struct closing_row){other, INT64_MAX}));
    world.held = true;
    const int64_t id = world_post(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    world_settle(&world);
    ck_assert(closing_restore(world.hub, &(struct closing_row){ALL_BUT_ONE + 1, INT64_MAX}));
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    world_granted(&world, ana, id);
    for (uint64_t other = 1; other <= ALL_BUT_ONE + 1; other++)
        ck_assert_int_eq(closing_at_ms(world.hub, other), INT64_MAX);
}
END_TEST

/* ---- what is left: a search of all that the store has */

static const char words_of_hers[][12] = {"Ana-1903", "Ana Nym", "Hanna", "ana-bot"};

static bool is_about_her(const struct model_row *row, uint64_t id)
{
    for (size_t at = 0; at < row->table->count; at++) {
        const struct store_column *column = &row->table->columns[at];
        size_t len;
        if (column->type == STORE_NUMBER) {
            if (column->size == 8 && (uint64_t)store_number(column, row->row) == id)
                return true;
            continue;
        }
        if (column->type == STORE_BYTES)
            continue;
        const char *text = store_bytes(column, row->row, &len);
        if (strstr(text, session))
            return true;
        for (size_t i = 0; i < sizeof words_of_hers / sizeof words_of_hers[0]; i++) {
            if (strstr(text, words_of_hers[i]))
                return true;
        }
    }
    return false;
}

/* Of which tables there is something of hers; a bit each, in the order of `may`. Of any other there
 * is nothing. */
static unsigned left_in(const char *const *may)
{
    const uint64_t id = strtoull(session, NULL, 16);
    unsigned found = 0;
    for (size_t at = 0; at < world.store.row_count; at++) {
        const struct model_row *row = &world.store.rows[at];
        size_t i = 0;
        if (!is_about_her(row, id))
            continue;
        while (may[i] && strcmp(may[i], row->table->name) != 0)
            i++;
        ck_assert_msg(may[i], "in %s", row->table->name);
        found |= 1U << i;
    }
    for (size_t at = 0; at < world.store.session_count; at++)
        ck_assert(world.store.sessions[at].id != id);
    return found;
}

static void by_operator(const char *text)
{
    json_decref(operator_granted(text));
}

/* As much as one can leave behind: another handle, devices, programs, people, reports. */
static void live_a_little(void)
{
    struct table table = {.players = 0};
    ck_assert(operator_holds(""));
    by_operator("{\"id\":1,\"op\":\"rename\",\"handle\":\"Ana-1903\",\"to\":\"Hanna\"}");
    by_operator("{\"id\":1,\"op\":\"moderator\",\"handle\":\"Hanna\"}");
    world_do(&world, bo, "claim", "{s:s}", "handle", "Bo-1");
    world_do(&world, ana, "block", "{s:s}", "handle", "Bo-1");
    world_do(&world, ana, "unblock", "{s:s}", "handle", "Bo-1");
    world_do(&world, ana, "follow", "{s:s}", "handle", "Bo-1");
    world_do(&world, bo, "follow", "{s:s}", "handle", "Hanna");
    world_do(&world, ana, "link", "");
    world_do(&world, ana, "bot_account", "{s:s}", "handle", "ana-bot");
    world_do(&world, ana, "token_add", "{s:s,s:s,s:i,s:s}", "name", "x", "scope", "play", "days", 9,
             "handle", "ana-bot");
    json_t *ok = world_ok(&world, bo, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, bo, "join", "{s:s,s:i}", "room", table.room, "seat", 0);
    world_do(&world, ana, "join", "{s:s,s:i}", "room", table.room, "seat", 1);
    world_do(&world, bo, "report", "{s:s,s:i,s:s}", "room", table.room, "seat", 1, "why", "talk");
    world_do(&world, ana, "report", "{s:s,s:i,s:s}", "room", table.room, "seat", 0, "why", "talk");
    by_operator("{\"id\":1,\"op\":\"judge\",\"report\":1,\"verdict\":\"warn\",\"why\":\"talk\"}");
    by_operator(
        "{\"id\":1,\"op\":\"judge\",\"report\":2,\"verdict\":\"dismiss\",\"why\":\"talk\"}");
    world_settle(&world);
    world_do(&world, ana, "appeal", "{s:i,s:s}", "judgement", 3, "text", "Not I, Ana Nym.");
    world_settle(&world);
    by_operator("{\"id\":1,\"op\":\"judge\",\"report\":5,\"verdict\":\"uphold\",\"why\":\"talk\"}");
    world_do(&world, ana, "leave", "{s:s}", "room", table.room);
    world_do(&world, bo, "leave", "{s:s}", "room", table.room);
    world_settle(&world);
}

/* At once only what the operator keeps of reports names her, and when that is over nothing does. */
START_TEST(nothing_of_it_is_left)
{
    static const char *const kept[] = {"report", "judgement", NULL}, *const none[] = {NULL};
    tear_down();
    set_up_with(registry);
    live_a_little();
    json_decref(world_ok(&world, ana, "close_account", "{s:s}", "handle", "Hanna"));
    world_pass(&world, 8 * (int64_t)DAY_MS);
    ck_assert_uint_eq(left_in(kept), 3);
    if (_i) {
        world_restart(&world);
        ck_assert(operator_holds("")); /* else judgements ask for the bans each second */
    }
    world_pass(&world, 91 * (int64_t)DAY_MS);
    ck_assert_uint_eq(left_in(none), 0);
}
END_TEST

Suite *closing_suite(void)
{
    Suite *suite = suite_create("closing");
    TCase *tests = tcase_create("closing"), *memory = tcase_create("in memory");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, it_is_erased_when_its_time_has_come);
    tcase_add_loop_test(tests, a_jump_of_the_clock_erases_nothing, 0, 2);
    tcase_add_test(tests, a_jump_while_the_store_fails);
    tcase_add_test(tests, a_jump_counts_once);
    tcase_add_test(tests, it_sits_down_nowhere_at_the_end);
    tcase_add_test(tests, a_jump_puts_nothing_off_that_is_taken_back);
    tcase_add_loop_test(tests, its_handles_are_nobodys, 0, 3);
    tcase_add_loop_test(tests, the_operator_gives_none_of_them, 0, 2);
    tcase_add_test(tests, it_is_called_otherwise_meanwhile);
    tcase_add_test(tests, it_is_taken_back);
    tcase_add_test(tests, what_is_refused);
    tcase_add_test(tests, it_takes_a_proof);
    tcase_add_test(tests, in_the_middle_of_a_match);
    tcase_add_test(tests, its_name_in_matches_of_others);
    tcase_add_test(tests, it_could_not_be_stored);
    tcase_add_loop_test(tests, nothing_of_it_is_left, 0, 2);
    tcase_set_tags(memory, "near");
    tcase_add_checked_fixture(memory, set_up, tear_down);
    tcase_add_test(memory, its_place_is_kept);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, memory);
    return suite;
}
