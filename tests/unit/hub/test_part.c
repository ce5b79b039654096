/* What belongs to which part of a site, and that a hub draws what belongs to its own. */
#include "suites.h"
#include "world.h"
#include <hub/part.h>
#include <hub/secret.h>
#include <protocol/encoding.h>
#include <string.h>

static struct world world;

/* ---- what belongs where */

static const struct {
    const char *id;
    unsigned slot;
} slots[] = {
    {"00000000", 0},    {"01zzzzzz", 1},           {"0z000000", 31}, {"10000000", 32},
    {"zz000000", 1023}, {"k3m9x0aq", 19 * 32 + 3}, {"", 0},          {"z", 0},
    {"zi000000", 0},    {"uz000000", 0},           {"ZZ000000", 0},
};

START_TEST(test_slots)
{
    ck_assert_uint_eq(part_slot(slots[_i].id), slots[_i].slot);
}
END_TEST

START_TEST(test_every_part_has_its_share)
{
    for (unsigned parts = 1; parts <= PARTS_MAX; parts++) {
        unsigned count[PARTS_MAX] = {0};
        for (unsigned slot = 0; slot < PART_SLOTS; slot++)
            count[part_of_slot(slot, parts)]++;
        for (unsigned part = 0; part < PARTS_MAX; part++) {
            ck_assert_uint_le(count[part], part < parts ? PART_SLOTS / parts + 1 : 0);
            ck_assert(count[part] >= PART_SLOTS / parts || part >= parts);
        }
    }
}
END_TEST

START_TEST(test_a_table)
{
    const uint8_t hash[32] = {[0] = 0xff, [28] = 1, [30] = 2, [31] = 3};
    ck_assert_uint_eq(part_of_room("k3m9x0aq", 64), (19 * 32 + 3) % 64);
    ck_assert_uint_eq(part_of_room("nonsense", 1), 0);
    ck_assert_uint_eq(part_of_session(INT64_MAX, 64), 63);
    ck_assert_uint_eq(part_of_secret(hash, 64), 3);
    ck_assert_uint_eq(part_of_secret(hash, 7), 0x01000203 % 7);
}
END_TEST

/* ---- drawing */

static const struct {
    unsigned part, parts;
} sites[] = {{0, 2}, {1, 2}, {2, 3}, {17, 33}, {0, 64}, {63, 64}};

/* Each way to a new session, device, link, phrase and room. */
static void make_all(void)
{
    struct table table;
    world_table(&world, &table, 2, "{s:s}", "access", "code");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[1], "rematch", "{s:s}", "room", table.room);
    for (int i = 0; i < 2; i++) {
        world_do(&world, table.tabs[i], "phrase", "");
        json_t *link = world_ok(&world, table.tabs[i], "link", "");
        world_do(&world, world_connect(&world), "hello", "{s:s}", "pass", str(link, "pass"));
        world_do(&world, table.tabs[i], "link", "");
        json_decref(link);
    }
}

START_TEST(test_draws_its_own)
{
    enum { ROUNDS = 5 };
    const unsigned part = sites[_i].part, parts = sites[_i].parts;
    world_init(&world);
    world.env.part = part;
    world.env.parts = parts;
    world_start(&world);
    for (int i = 0; i < ROUNDS; i++)
        make_all();
    ck_assert_uint_eq(world.store.session_count, ROUNDS * 2);
    for (size_t i = 0; i < world.store.session_count; i++)
        ck_assert_uint_eq(part_of_session(world.store.sessions[i].id, parts), part);
    ck_assert_uint_eq(model_rows(&world.store, &credential_table), ROUNDS * 2 * 4);
    for (size_t i = 0; i < ROUNDS * 2 * 4; i++) {
        const struct credential_row *pass = model_nth(&world.store, &credential_table, i);
        ck_assert_uint_eq(part_of_secret(pass->secret_hash, parts), part);
    }
    ck_assert_uint_eq(world.store.room_count, ROUNDS * 2);
    for (size_t i = 0; i < world.store.room_count; i++)
        ck_assert_uint_eq(part_of_room(world.store.rooms[i].row.seed.id, parts), part);
    world_release(&world);
}
END_TEST

/* Some numbers of parts are no divisor of PART_TOGETHER: 37, 41, ..., 61, and 64. */
START_TEST(test_a_program_is_where_its_owner_is)
{
    enum { BOTS = 4 };
    const unsigned parts = (unsigned)_i, part = parts / 2;
    char handle[16];
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.part = part;
    world.env.parts = parts;
    world.config.bots_per_account = BOTS;
    world_start(&world);
    const int tab = world_guest(&world, "Ana");
    world_do(&world, tab, "claim", "{s:s}", "handle", "ana-1903");
    for (int bot = 0; bot < BOTS; bot++) {
        (void)snprintf(handle, sizeof handle, "ana-%d-bot", bot);
        world_do(&world, tab, "bot_account", "{s:s}", "handle", handle);
    }
    ck_assert_uint_eq(world.store.session_count, 1 + BOTS);
    for (size_t i = 0; i < world.store.session_count; i++) {
        const uint64_t id = world.store.sessions[i].id;
        ck_assert_uint_eq(part_of_session(id, parts), part);
        ck_assert_uint_eq(id % PART_TOGETHER, world.store.sessions[0].id % PART_TOGETHER);
    }
    world_release(&world);
}
END_TEST

/* Whoever has a secret finds the part from it. */
START_TEST(test_a_secret_leads_to_its_part)
{
    uint8_t hash[32];
    world_init(&world);
    world.env.part = 5;
    world.env.parts = 7;
    world_start(&world);
    const int tab = world_guest(&world, "Ana");
    ck_assert(secret_hash_token(hash, world.tabs[tab].token));
    ck_assert_uint_eq(part_of_secret(hash, 7), 5);
    ck_assert(!secret_hash_token(hash, "none"));
    for (int i = 0; i < 2; i++) {
        json_t *made = world_ok(&world, tab, i == 0 ? "link" : "phrase", "");
        secret_hash_code(hash, str(made, "pass"));
        ck_assert_uint_eq(part_of_secret(hash, 7), 5);
        json_decref(made);
    }
    world_release(&world);
}
END_TEST

static size_t drawn;

static void count_random(void *ctx, void *bytes, size_t len)
{
    static uint8_t next;
    (void)ctx;
    drawn += len;
    memset(bytes, ++next, len);
}

/* The only part takes what comes. */
START_TEST(test_the_only_part_draws_once)
{
    enum { SESSION = 8, SECRET = 32 };
    world_init(&world);
    world.env.random = count_random;
    world.env.parts = 1;
    world_start(&world);
    drawn = 0;
    int tab = world_guest(&world, "Ana");
    ck_assert_uint_eq(drawn, SESSION + TOKEN_RANDOM_BYTES);
    drawn = 0;
    world_do(&world, tab, "create", "");
    ck_assert_uint_eq(drawn, ROOM_ID_RANDOM_BYTES + SECRET);
    drawn = 0;
    world_do(&world, tab, "phrase", "");
    ck_assert_uint_eq(drawn, sizeof(uint32_t) + PASS_RANDOM_BYTES);
    world_release(&world);
}
END_TEST

Suite *part_suite(void)
{
    Suite *suite = suite_create("part");
    TCase *tests = tcase_create("part");
    tcase_add_loop_test(tests, test_slots, 0, sizeof slots / sizeof slots[0]);
    tcase_add_test(tests, test_every_part_has_its_share);
    tcase_add_loop_test(tests, test_a_program_is_where_its_owner_is, 1, PARTS_MAX + 1);
    tcase_add_test(tests, test_a_table);
    tcase_add_loop_test(tests, test_draws_its_own, 0, sizeof sites / sizeof sites[0]);
    tcase_add_test(tests, test_a_secret_leads_to_its_part);
    tcase_add_test(tests, test_the_only_part_draws_once);
    suite_add_tcase(suite, tests);
    return suite;
}
