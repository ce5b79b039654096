/* A site that had sessions is given another number of parts: what opens a session leads to it. */
#include "../../support/model_divide.h"
#include "devices.h"
#include "suites.h"
#include <hub/part.h>
#include <hub/secret.h>
#include <string.h>

enum { PARTS = 3, PEOPLE = 4 };

struct person {
    uint64_t session;
    char tokens[2][TOKEN_SPACE]; /* of two devices */
    char link[PASS_SPACE], phrase[PASS_SPACE];
};

static struct world parts[PARTS];
static struct person people[PEOPLE];

static uint64_t number_of_session(const char *text)
{
    uint64_t session = 0;
    for (; *text; text++)
        session = session * 16 + (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    return session;
}

static void make(struct person *person)
{
    const int ana = world_guest(&device_world, "Ana"), phone = device_by_link(ana, "phone");
    person->session = number_of_session(device_world.tabs[ana].session);
    memcpy(person->tokens[0], device_world.tabs[ana].token, TOKEN_SPACE);
    memcpy(person->tokens[1], device_world.tabs[phone].token, TOKEN_SPACE);
    device_make(ana, "link", person->link);
    device_make(ana, "phrase", person->phrase);
    world_cut(&device_world, ana);
    world_cut(&device_world, phone);
}

/* Everybody was there when the site was one part. */
static void divide(void)
{
    struct model_store stores[PARTS];
    device_setup();
    for (int at = 0; at < PEOPLE; at++)
        make(&people[at]);
    model_divide(&device_world.store, 1, stores, PARTS);
    for (unsigned part = 0; part < PARTS; part++) {
        world_init(&parts[part]);
        parts[part].env.part = part;
        parts[part].env.parts = PARTS;
        parts[part].random = 1000 + part;
        model_release(&parts[part].store);
        parts[part].store = stores[part];
        world_restart(&parts[part]);
    }
}

static void release(void)
{
    for (unsigned part = 0; part < PARTS; part++)
        world_release(&parts[part]);
    device_teardown();
}

/* A hello on a connection of its own: "ok", the error's code, the close code, or the part where it
 * is answered. */
static void say(unsigned part, const char *with, const char *secret, char answer[static CODE_SPACE])
{
    struct world *world = &parts[part];
    const int tab = world_connect(world);
    const int64_t id = world_post(world, tab, "hello", "{s:s}", with, secret);
    world_settle(world);
    json_t *reply = world_reply(world, tab, id);
    if (reply)
        (void)snprintf(answer, CODE_SPACE, "%s",
                       json_object_get(reply, "ok") ? "ok"
                                                    : str(json_object_get(reply, "error"), "code"));
    else if (!world->tabs[tab].link.open && world->tabs[tab].elsewhere >= 0)
        (void)snprintf(answer, CODE_SPACE, "part %d", world->tabs[tab].elsewhere);
    else
        (void)snprintf(answer, CODE_SPACE, "%d", world->tabs[tab].close_code);
    json_decref(reply);
    if (world->tabs[tab].link.open)
        world_cut(world, tab);
}

/* How often it was misplaced. */
static size_t check_secret(uint64_t session, const char *with, const char *secret)
{
    uint8_t hash[32];
    if (strcmp(with, "token") == 0)
        ck_assert(secret_hash_token(hash, secret));
    else
        secret_hash_code(hash, secret);
    const unsigned home = part_of_session(session, PARTS), place = part_of_secret(hash, PARTS);
    char answer[CODE_SPACE], expected[CODE_SPACE];
    for (unsigned at = 1; at <= PARTS; at++) {
        const unsigned part = (home + at) % PARTS; /* its home is the last: a link is good once */
        say(part, with, secret, answer);
        (void)snprintf(expected, sizeof expected, "part %u", home);
        ck_assert_str_eq(answer, part == home                 ? "ok"
                                 : part == place              ? expected
                                 : strcmp(with, "token") == 0 ? "unknown_token"
                                                              : "unknown_pass");
        parts[part].now_ms += 3600000; /* guessing is allowed again */
    }
    return place != home;
}

START_TEST(test_every_secret_leads_home)
{
    size_t misplaced = 0;
    divide();
    for (int at = 0; at < PEOPLE; at++) {
        const struct person *person = &people[at];
        for (unsigned part = 0; part < PARTS; part++)
            parts[part].now_ms = device_world.now_ms;
        misplaced += check_secret(person->session, "token", person->tokens[0]);
        misplaced += check_secret(person->session, "token", person->tokens[1]);
        misplaced += check_secret(person->session, "pass", person->phrase);
    }
    ck_assert_uint_gt(misplaced, PEOPLE);
    ck_assert_uint_lt(misplaced, PEOPLE * 3);
    release();
}
END_TEST

/* The first whose secret of that kind is misplaced. */
static const char *find(bool link, unsigned *home, unsigned *place)
{
    for (int at = 0; at < PEOPLE; at++) {
        uint8_t hash[32];
        if (link)
            secret_hash_code(hash, people[at].link);
        else
            ck_assert(secret_hash_token(hash, people[at].tokens[0]));
        *home = part_of_session(people[at].session, PARTS);
        *place = part_of_secret(hash, PARTS);
        if (*home != *place)
            return link ? people[at].link : people[at].tokens[0];
    }
    ck_abort_msg("none is misplaced");
    return NULL;
}

START_TEST(test_a_link_is_good_once_all_the_same)
{
    unsigned home, place;
    char answer[CODE_SPACE], elsewhere[CODE_SPACE];
    divide();
    const char *link = find(true, &home, &place);
    (void)snprintf(elsewhere, sizeof elsewhere, "part %u", home);
    for (int again = 0; again < 2; again++) {
        say(place, "pass", link, answer);
        ck_assert_str_eq(answer, elsewhere);
        say(home, "pass", link, answer);
        ck_assert_str_eq(answer, again == 0 ? "ok" : "unknown_pass");
    }
    release();
}
END_TEST

/* Who has the secret has not guessed, however often it is said; and who guesses pays as ever. */
START_TEST(test_it_is_no_guess)
{
    unsigned home, place;
    char answer[CODE_SPACE], elsewhere[CODE_SPACE], wrong[TOKEN_SPACE];
    divide();
    const char *token = find(false, &home, &place);
    (void)snprintf(elsewhere, sizeof elsewhere, "part %u", home);
    const int guesses = (int)parts[place].config.guesses_burst;
    for (int again = 0; again < 2 * guesses; again++) {
        say(place, "token", token, answer);
        ck_assert_str_eq(answer, elsewhere);
    }
    ck_assert_int_eq((int)world_figure(&parts[place], "closes_total{code=\"other\"}"), 0);
    memset(wrong, 'A', sizeof wrong - 1);
    wrong[sizeof wrong - 1] = '\0';
    for (int guess = 0; guess <= guesses; guess++) {
        say(place, "token", wrong, answer);
        ck_assert_str_eq(answer, guess < guesses ? "unknown_token" : "slow_down");
    }
    say(place, "token", token, answer);
    ck_assert_str_eq(answer, elsewhere);
    release();
}
END_TEST

/* What is drawn after the division is where its session is. */
START_TEST(test_new_secrets_are_not_misplaced)
{
    divide();
    for (unsigned part = 0; part < PARTS; part++) {
        struct world *world = &parts[part];
        for (int at = 0; at < PEOPLE; at++) {
            if (part_of_session(people[at].session, PARTS) != part)
                continue;
            const int tab = world_connect(world);
            world_do(world, tab, "hello", "{s:s}", "token", people[at].tokens[1]);
            json_t *made = world_ok(world, tab, "phrase", "");
            uint8_t hash[32];
            secret_hash_code(hash, str(made, "pass"));
            ck_assert_uint_eq(part_of_secret(hash, PARTS), part);
            json_decref(made);
        }
    }
    release();
}
END_TEST

Suite *misplaced_suite(void)
{
    Suite *suite = suite_create("misplaced");
    TCase *tests = near_case(suite, NULL, NULL);
    tcase_add_test(tests, test_every_secret_leads_home);
    tcase_add_test(tests, test_a_link_is_good_once_all_the_same);
    tcase_add_test(tests, test_it_is_no_guess);
    tcase_add_test(tests, test_new_secrets_are_not_misplaced);
    return suite;
}
