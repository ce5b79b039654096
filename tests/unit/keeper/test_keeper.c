/* Keepers of several nodes with a real database. What they open is a store without a hub; a thread
 * serves it as net would: it commits now and then, and gives back what it is asked for. */
#include "../../support/run_suites.h"
#include "../postgres/fixture.h"
#include "cases.h"
#include <keeper/keeper.h>
#include <pthread.h>
#include <scratch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PARTS = 6 };

static const struct keeper_pace pace = {.look_ms = 50,
                                        .beat_ms = 200,
                                        .silent_ms = 2000,
                                        .settle_ms = 400,
                                        .between_ms = 50,
                                        .retry_ms = 100,
                                        .retry_max_ms = 400,
                                        .damaged_ms = 60000,
                                        .forget_ms = 1000};

struct node {
    const char *name;
    struct keeper *keeper;
    pthread_t server;
    bool stops;
    pthread_mutex_t mutex;
    struct keeper_part parts[PARTS];
    bool serves[PARTS], asked[PARTS];
    int opened, closed, replaced, tries;
    enum store_result fails; /* of part 0 */
    char others[64], bans[16];
    int64_t bans_revision; /* -1: it has not heard of any */
    int bans_kept;         /* a result; 1: none yet */
    int bans_refused;      /* so often from now on */
};

static pthread_mutex_t site = PTHREAD_MUTEX_INITIALIZER;
static const struct node *who[PARTS]; /* serves it, of this process */

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* ---- what a keeper asks for */

static enum store_result open_part(void *ctx, const struct postgres_holder *silent,
                                   struct keeper_part *opened,
                                   char message[static STORE_MESSAGE_MAX])
{
    static const struct postgres_patience patience = {
        .connect_ms = 2000, .answer_ms = 5000, .settle_ms = 2000, .lock_ms = 1000};
    struct node *node = ctx;
    const struct postgres_options options = {.patience = &patience,
                                             .silent = silent,
                                             .part = opened->part,
                                             .parts = PARTS,
                                             .node = node->name,
                                             .relay = ""};
    pthread_mutex_lock(&node->mutex);
    const enum store_result fails = opened->part == 0 ? node->fails : STORE_OK;
    node->tries += opened->part == 0;
    ck_assert_int_ge(node->bans_revision, 0); /* nothing is opened before they are known */
    pthread_mutex_unlock(&node->mutex);
    if (fails != STORE_OK)
        return fails;
    FILE *out = fopen("/dev/null", "w");
    const struct store_sink sink = dump_sink(out);
    opened->store = postgres_store_create(fixture_url(), &options);
    ck_assert(out && opened->store);
    const enum store_result result = opened->store->engine->open(opened->store, &sink, message);
    fclose(out);
    if (result != STORE_OK)
        opened->store->engine->close(opened->store);
    else
        opened->term = (uint64_t)postgres_store_term(opened->store);
    pthread_mutex_lock(&node->mutex);
    node->opened += result == STORE_OK;
    pthread_mutex_unlock(&node->mutex);
    return result;
}

static void close_part(void *ctx, struct keeper_part *part)
{
    struct node *node = ctx;
    part->store->engine->close(part->store);
    pthread_mutex_lock(&node->mutex);
    node->closed++;
    pthread_mutex_unlock(&node->mutex);
}

static void set_who(unsigned part, const struct node *from, const struct node *to)
{
    pthread_mutex_lock(&site);
    ck_assert_ptr_eq(who[part], from);
    who[part] = to;
    pthread_mutex_unlock(&site);
}

static void give(void *ctx, const struct keeper_part *part)
{
    struct node *node = ctx;
    set_who(part->part, NULL, node);
    pthread_mutex_lock(&node->mutex);
    ck_assert(!node->serves[part->part]);
    node->parts[part->part] = *part;
    node->serves[part->part] = true;
    node->asked[part->part] = false;
    pthread_mutex_unlock(&node->mutex);
}

static void take_back(void *ctx, unsigned part)
{
    struct node *node = ctx;
    pthread_mutex_lock(&node->mutex);
    node->asked[part] = true;
    pthread_mutex_unlock(&node->mutex);
}

static void hear_of_nodes(void *ctx, const struct keeper_node nodes[], size_t count)
{
    struct node *node = ctx;
    size_t len = 0;
    pthread_mutex_lock(&node->mutex);
    node->others[0] = '\0';
    for (size_t at = 0; at < count; at++)
        len += (size_t)snprintf(node->others + len, sizeof node->others - len, "%s=%s ",
                                nodes[at].name, nodes[at].relay);
    pthread_mutex_unlock(&node->mutex);
}

static bool hear_of_bans(void *ctx, const char *text, size_t len, int64_t revision)
{
    struct node *node = ctx;
    pthread_mutex_lock(&node->mutex);
    ck_assert_uint_lt(len, sizeof node->bans);
    const bool takes = node->bans_refused == 0;
    if (takes) {
        memcpy(node->bans, text, len + 1);
        node->bans_revision = revision;
    } else {
        node->bans_refused--;
    }
    pthread_mutex_unlock(&node->mutex);
    return takes;
}

static void bans_kept(void *ctx, enum store_result result)
{
    struct node *node = ctx;
    pthread_mutex_lock(&node->mutex);
    node->bans_kept = result;
    pthread_mutex_unlock(&node->mutex);
}

static void is_replaced(void *ctx, const char *message)
{
    struct node *node = ctx;
    ck_assert_ptr_nonnull(strstr(message, "another process is the node"));
    pthread_mutex_lock(&node->mutex);
    node->replaced++;
    pthread_mutex_unlock(&node->mutex);
}

static char said[96]; /* of bans, last; and how often: */
static int times_heard;

static int count_said(void)
{
    pthread_mutex_lock(&site);
    const int count = times_heard;
    pthread_mutex_unlock(&site);
    return count;
}

/* Also for whoever looks why a test has failed. */
static void say(const char *event, const char *message, enum store_result result)
{
    if (strncmp(event, "bans_", 5) == 0) {
        pthread_mutex_lock(&site);
        snprintf(said, sizeof said, "%s: %s", event, message);
        times_heard++;
        pthread_mutex_unlock(&site);
    }
    if (result != STORE_OK)
        fprintf(stderr, "%s: %s\n", event, message);
}

/* ---- who serves */

static void is_committed(struct store_commit *commit)
{
    (void)commit;
}

static void end_part(struct node *node, unsigned part, enum store_result why)
{
    set_who(part, node, NULL);
    pthread_mutex_lock(&node->mutex);
    node->serves[part] = false;
    pthread_mutex_unlock(&node->mutex);
    keeper_ended(node->keeper, part, why);
}

static void serve_part(struct node *node, unsigned part, bool drains)
{
    static const struct store_batch nothing = {0};
    pthread_mutex_lock(&node->mutex);
    const bool serves = node->serves[part], asked = node->asked[part];
    struct store *store = node->parts[part].store;
    pthread_mutex_unlock(&node->mutex);
    if (!serves)
        return;
    struct store_commit commit = {.batch = &nothing, .done = is_committed};
    store->engine->commit(store, &commit);
    if (commit.result == STORE_FENCED || (commit.result == STORE_OK && (asked || drains)))
        end_part(node, part, commit.result);
}

static void *serve(void *ctx)
{
    struct node *node = ctx;
    bool stops = false;
    while (!stops) {
        pthread_mutex_lock(&node->mutex);
        stops = node->stops;
        pthread_mutex_unlock(&node->mutex);
        for (unsigned part = 0; part < PARTS; part++)
            serve_part(node, part, stops);
        pause_ms(20);
    }
    return NULL;
}

static void prepare(struct node *node, const char *name)
{
    const struct membership_self self = {name, name, "1.0"};
    const struct keeper_duties duties = {.ctx = node,
                                         .open = open_part,
                                         .close = close_part,
                                         .give = give,
                                         .take_back = take_back,
                                         .nodes = hear_of_nodes,
                                         .bans = hear_of_bans,
                                         .bans_kept = bans_kept,
                                         .replaced = is_replaced,
                                         .say = say};
    *node = (struct node){.name = name, .bans_revision = -1, .bans_kept = 1};
    pthread_mutex_init(&node->mutex, NULL);
    node->keeper = keeper_create(fixture_url(), PARTS, &self, &pace, &duties);
    ck_assert_ptr_nonnull(node->keeper);
}

static void start(struct node *node)
{
    char message[STORE_MESSAGE_MAX];
    ck_assert_msg(keeper_start(node->keeper, message) == STORE_OK, "%s", message);
    ck_assert_int_eq(pthread_create(&node->server, NULL, serve, node), 0);
}

/* As a program that is asked to end: everything is given back, then the keeper leaves. */
static void end(struct node *node)
{
    pthread_mutex_lock(&node->mutex);
    node->stops = true;
    pthread_mutex_unlock(&node->mutex);
    pthread_join(node->server, NULL);
    keeper_stop(node->keeper);
    for (unsigned part = 0; part < PARTS; part++) {
        if (node->serves[part])
            set_who(part, node, NULL);
    }
    keeper_leave(node->keeper);
    keeper_destroy(node->keeper);
    ck_assert_int_eq(node->opened, node->closed);
    pthread_mutex_destroy(&node->mutex);
}

static struct keeper_figures figures_of(struct node *node)
{
    struct keeper_figures figures;
    keeper_figures(node->keeper, &figures);
    return figures;
}

static void until_it_has(struct node *node, unsigned parts)
{
    for (int tries = 0; tries < 3000 && figures_of(node).had != parts; tries++)
        pause_ms(20);
    ck_assert_uint_eq(figures_of(node).had, parts);
}

/* ---- nodes of a site */

static void others_are(struct node *node, const char *others)
{
    pthread_mutex_lock(&node->mutex);
    ck_assert_str_eq(node->others, others);
    pthread_mutex_unlock(&node->mutex);
}

START_TEST(three_nodes_share_and_one_hands_over)
{
    struct node a, b, c;
    prepare(&a, "a");
    prepare(&b, "b");
    prepare(&c, "c");
    start(&a);
    until_it_has(&a, 6);
    start(&b);
    until_it_has(&b, 3);
    start(&c);
    until_it_has(&c, 2);
    until_it_has(&a, 2);
    until_it_has(&b, 2);
    ck_assert_uint_eq(figures_of(&a).given_up, 4);
    ck_assert_uint_eq(figures_of(&a).taken_over, 0);
    others_are(&c, "a=a b=b ");
    end(&a);
    until_it_has(&b, 3);
    until_it_has(&c, 3);
    ck_assert_uint_eq(figures_of(&b).taken_over + figures_of(&c).taken_over, 0);
    ck_assert_uint_eq(figures_of(&b).failed + figures_of(&c).failed, 0);
    others_are(&c, "b=b ");
    end(&b);
    until_it_has(&c, 6);
    ck_assert_uint_eq(figures_of(&c).lost, 0);
    end(&c);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.node"), 0);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.server WHERE node <> ''"), 0);
}
END_TEST

static int change_bans(struct node *node, const char *text, int64_t revision)
{
    pthread_mutex_lock(&node->mutex);
    node->bans_kept = 1;
    pthread_mutex_unlock(&node->mutex);
    ck_assert(keeper_change_bans(node->keeper, text, strlen(text), revision));
    for (;;) {
        pthread_mutex_lock(&node->mutex);
        const int kept = node->bans_kept;
        pthread_mutex_unlock(&node->mutex);
        if (kept != 1)
            return kept;
        pause_ms(10);
    }
}

static void until_bans_are(struct node *node, const char *text)
{
    bool same = false;
    for (; !same; pause_ms(10)) {
        pthread_mutex_lock(&node->mutex);
        same = strcmp(node->bans, text) == 0;
        pthread_mutex_unlock(&node->mutex);
    }
}

START_TEST(bans_are_those_of_all_nodes)
{
    struct node a, b;
    prepare(&a, "a");
    prepare(&b, "b");
    start(&a);
    start(&b);
    until_it_has(&a, 3);
    ck_assert_int_eq(change_bans(&a, "one", 0), STORE_OK);
    ck_assert_str_eq(a.bans, "one");
    ck_assert_int_eq(change_bans(&b, "two", 0), STORE_FENCED);
    until_bans_are(&b, "one");
    ck_assert_int_eq(change_bans(&b, "two", 1), STORE_OK);
    until_bans_are(&a, "two");
    end(&a);
    end(&b);
}
END_TEST

/* For want of memory: nothing is opened before the first ones are taken. */
START_TEST(bans_that_were_not_taken_are_told_again)
{
    struct node a;
    prepare(&a, "a");
    a.bans_refused = 3;
    start(&a);
    until_it_has(&a, PARTS);
    pthread_mutex_lock(&a.mutex);
    ck_assert_int_eq(a.bans_refused, 0);
    a.bans_refused = 2;
    pthread_mutex_unlock(&a.mutex);
    ck_assert_int_eq(change_bans(&a, "one", 0), STORE_FAILED);
    until_bans_are(&a, "one");
    ck_assert_int_eq(a.bans_revision, 1);
    end(&a);
}
END_TEST

START_TEST(bans_are_changed_by_one_at_a_time)
{
    struct node a;
    prepare(&a, "a"); /* it has no thread yet that would take the first one */
    ck_assert(keeper_change_bans(a.keeper, "one", 3, 0));
    ck_assert(!keeper_change_bans(a.keeper, "two", 3, 0));
    start(&a);
    until_bans_are(&a, "one");
    end(&a);
    ck_assert_int_eq(fixture_number("SELECT revision FROM taluva.bans"), 1);
}
END_TEST

/* All that it had was given back unasked: it takes nothing any more, and is not gone yet. */
START_TEST(a_node_that_leaves_hears_of_bans_and_changes_none)
{
    struct node a, b;
    prepare(&a, "a");
    prepare(&b, "b");
    start(&a);
    until_it_has(&a, PARTS);
    pthread_mutex_lock(&a.mutex);
    a.stops = true;
    pthread_mutex_unlock(&a.mutex);
    pthread_join(a.server, NULL);
    start(&b);
    until_it_has(&b, PARTS);
    ck_assert_int_eq(change_bans(&b, "one", 0), STORE_OK);
    until_bans_are(&a, "one");
    ck_assert_int_eq(change_bans(&a, "two", 1), STORE_FAILED);
    ck_assert_str_eq(said, "bans_not_changed: this node is leaving");
    keeper_stop(a.keeper);
    keeper_leave(a.keeper);
    keeper_destroy(a.keeper);
    end(&b);
}
END_TEST

START_TEST(bans_that_cannot_be_read_are_said_once)
{
    struct node a;
    fixture_sql("DELETE FROM taluva.bans");
    prepare(&a, "a");
    start(&a);
    for (int tries = 0; tries < 3000 && count_said() == 0; tries++)
        pause_ms(20);
    pause_ms(5 * pace.beat_ms);
    ck_assert_int_eq(count_said(), 1);
    ck_assert_uint_eq(figures_of(&a).had, 0);
    fixture_sql("INSERT INTO taluva.bans VALUES (true, 0, '')");
    until_it_has(&a, PARTS);
    end(&a);
}
END_TEST

/* A node in a process of its own; its exit status is how many parts it has lost. */
static pid_t fork_node(const char *name)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    struct node node;
    prepare(&node, name);
    start(&node);
    for (int tries = 0; tries < 3000 && figures_of(&node).lost < 3; tries++)
        pause_ms(20);
    _exit((int)figures_of(&node).lost);
}

/* The other one is first, and gives up what is too much. */
static void until_both_share(struct node *a)
{
    while (fixture_number("SELECT count(*) FROM taluva.server WHERE batch > 0") < PARTS)
        pause_ms(50);
    start(a);
    until_it_has(a, 3);
}

START_TEST(what_a_killed_node_had_is_taken)
{
    struct node a;
    int status;
    const pid_t b = fork_node("b");
    prepare(&a, "a");
    until_both_share(&a);
    kill(b, SIGKILL);
    until_it_has(&a, 6);
    ck_assert_uint_eq(figures_of(&a).taken_over, 3);
    waitpid(b, &status, 0);
    /* Its name is free again, as it has not come back. */
    while (fixture_number("SELECT count(*) FROM taluva.node") > 1)
        pause_ms(50);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.node WHERE name = 'a'"), 1);
    end(&a);
}
END_TEST

START_TEST(what_a_stopped_node_had_is_taken_and_it_finds_out)
{
    struct node a;
    int status;
    const pid_t b = fork_node("b");
    prepare(&a, "a");
    until_both_share(&a);
    kill(b, SIGSTOP);
    until_it_has(&a, 6);
    ck_assert_uint_eq(figures_of(&a).taken_over, 3);
    kill(b, SIGCONT);
    ck_assert_int_eq(waitpid(b, &status, 0), b);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 3, "%d", status);
    end(&a);
}
END_TEST

static int times_replaced(struct node *node)
{
    pthread_mutex_lock(&node->mutex);
    const int times = node->replaced;
    pthread_mutex_unlock(&node->mutex);
    return times;
}

START_TEST(a_name_is_had_once)
{
    char message[STORE_MESSAGE_MAX];
    struct node a, again;
    prepare(&a, "a");
    prepare(&again, "a");
    start(&a);
    ck_assert_int_eq(keeper_start(again.keeper, message), STORE_FENCED);
    ck_assert_str_eq(message, "another process is the node a of this site");
    keeper_destroy(again.keeper);
    until_it_has(&a, 6);
    fixture_sql("UPDATE taluva.node SET life = nextval('taluva.life')");
    for (int tries = 0; tries < 1000 && times_replaced(&a) == 0; tries++)
        pause_ms(20);
    ck_assert_int_eq(times_replaced(&a), 1);
    end(&a);
    ck_assert_int_eq(a.replaced, 1);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.node"), 1);
}
END_TEST

static const struct {
    enum store_result why;
    int least, most;
} failing[] = {{STORE_FAILED, 3, 12}, {STORE_CORRUPT, 1, 1}};

START_TEST(a_part_that_cannot_be_opened_is_tried_again)
{
    struct node a;
    prepare(&a, "a");
    a.fails = failing[_i].why;
    start(&a);
    until_it_has(&a, 5);
    pause_ms(1500);
    pthread_mutex_lock(&a.mutex);
    ck_assert_int_ge(a.tries, failing[_i].least);
    ck_assert_int_le(a.tries, failing[_i].most);
    a.fails = STORE_OK;
    pthread_mutex_unlock(&a.mutex);
    ck_assert_uint_eq(figures_of(&a).had, 5);
    ck_assert_uint_ge(figures_of(&a).failed, 1);
    if (failing[_i].why == STORE_FAILED)
        until_it_has(&a, 6);
    end(&a);
}
END_TEST

START_TEST(a_database_that_is_away_takes_nothing)
{
    struct node a;
    prepare(&a, "a");
    start(&a);
    until_it_has(&a, 6);
    for (int times = 0; times < 5; times++) {
        fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE application_name LIKE 'taluvad%'");
        pause_ms(200);
    }
    pause_ms(1000);
    ck_assert_uint_eq(figures_of(&a).had, 6);
    ck_assert_int_lt(figures_of(&a).since_beat_ms, 2000);
    pthread_mutex_lock(&a.mutex);
    ck_assert_int_eq(a.closed, 0);
    pthread_mutex_unlock(&a.mutex);
    end(&a);
}
END_TEST

static void begin(void)
{
    memset(who, 0, sizeof who);
    times_heard = 0;
    fixture_begin();
    fixture_divide(PARTS);
}

int main(void)
{
    Suite *suite = suite_create("keeper");
    TCase *decisions = tcase_create("decisions"), *nodes = tcase_create("nodes");
    add_holdings_tests(decisions);
    tcase_add_checked_fixture(nodes, begin, NULL);
    tcase_add_test(nodes, three_nodes_share_and_one_hands_over);
    tcase_add_test(nodes, bans_are_those_of_all_nodes);
    tcase_add_test(nodes, bans_that_were_not_taken_are_told_again);
    tcase_add_test(nodes, bans_are_changed_by_one_at_a_time);
    tcase_add_test(nodes, a_node_that_leaves_hears_of_bans_and_changes_none);
    tcase_add_test(nodes, bans_that_cannot_be_read_are_said_once);
    tcase_add_test(nodes, what_a_killed_node_had_is_taken);
    tcase_add_test(nodes, what_a_stopped_node_had_is_taken_and_it_finds_out);
    tcase_add_test(nodes, a_name_is_had_once);
    tcase_add_loop_test(nodes, a_part_that_cannot_be_opened_is_tried_again, 0,
                        sizeof failing / sizeof failing[0]);
    tcase_add_test(nodes, a_database_that_is_away_takes_nothing);
    suite_add_tcase(suite, decisions);
    suite_add_tcase(suite, nodes);
    return run_suites(srunner_create(suite));
}
