/*
 * Whole matches of the load tester against a hub in the same process: that it plays them to the
 * end, what it counts, that it comes back after cuts, and that it sees what is wrong.
 */
#include "../../support/run_suites.h"
#include "match_stage.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

Suite *match_wrong_suite(void);  /* test_match_wrong.c */
Suite *match_sample_suite(void); /* test_sample.c */

/* ---- counting */

/* What was sent, counted without the load tester. */
static struct {
    uint64_t moves, pushes, bytes, messages;
    uint64_t checks; /* states that one view must compare as a whole */
    int64_t every;
    bool playing;
    uint64_t sent_bytes, requests[3]; /* ready, move, leave */
} sent;

static char *count_message(unsigned connection, const char *text)
{
    json_t *message = json_loads(text, 0, NULL);
    const bool is_move = match_stage_is(message, "move");
    sent.bytes += strlen(text);
    sent.messages++;
    sent.pushes += json_object_get(message, "event") != NULL;
    if (connection == 0) {
        const json_int_t seq = json_integer_value(json_object_get(message, "seq"));
        const json_t *patch = json_object_get(message, "patch");
        sent.moves += is_move;
        sent.playing = sent.playing || match_stage_is(message, "started");
        sent.checks += (is_move || match_stage_is(message, "started")) &&
                       (json_object_get(patch, "result") || seq % sent.every == 0);
    }
    json_decref(message);
    return NULL;
}

static bool count_request(unsigned connection, const char *text)
{
    static const char *const ops[] = {"\"op\":\"ready\"", "\"op\":\"move\"", "\"op\":\"leave\""};
    (void)connection;
    sent.sent_bytes += strlen(text);
    for (size_t i = 0; i < 3; i++)
        sent.requests[i] += strstr(text, ops[i]) != NULL;
    return true;
}

static const struct {
    const char *words;
    unsigned seats, watchers, views, games;
} matches[] = {
    {"--games=1 --check-every=1", 2, 0, 1, 1},
    {"--games=1 --players=5 --boats --two-hex --watchers=2 --check-every=7", 5, 2, 1, 1},
    {"--games=3 --players=3 --ranking --watchers=1 --check-every=3", 3, 1, 1, 3},
    {"--games=1 --game=totem --players=3 --rounds=3 --watchers=2 --check-every=5", 3, 2, 4, 1},
    {"--games=2 --game=totem --rounds=2 --check-every=1", 2, 0, 3, 2},
};

START_TEST(a_whole_match_is_counted)
{
    const unsigned clients = matches[_i].seats + matches[_i].watchers;
    const unsigned views = matches[_i].views - (matches[_i].watchers == 0 && matches[_i].views > 1);
    const struct stats *stats = &stage.stats;
    memset(&sent, 0, sizeof sent);
    hub_wire.to_client = count_message;
    hub_wire.to_server = count_request;
    match_stage_begin(matches[_i].words);
    sent.every = stage.plan.check_every;
    match_stage_play();
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_eq(stage.playing, matches[_i].games);
    ck_assert_uint_eq(stage.match.games_played, matches[_i].games);
    ck_assert_uint_eq(hub_wire.opened, clients);
    ck_assert_uint_eq(stats->connects, clients);
    ck_assert_uint_eq(stats->games_started, matches[_i].games);
    ck_assert_uint_eq(stats->games_over, matches[_i].games);
    ck_assert_uint_gt(sent.moves, 5);
    ck_assert_uint_eq(stats->moves, sent.moves);
    ck_assert_uint_eq(stats->moves_sent, sent.moves);
    ck_assert_uint_eq(stats->acknowledged.count, sent.moves);
    ck_assert_uint_eq(stats->delivered.count, sent.moves * (clients - 1));
    ck_assert_uint_eq(stats->push_size.count, sent.moves * clients);
    ck_assert_uint_eq(stats->states_checked, sent.checks * views);
    ck_assert_uint_eq(stats->pushes, sent.pushes);
    ck_assert_uint_eq(stats->messages, sent.messages);
    ck_assert_uint_eq(stats->bytes, sent.bytes);
    ck_assert_uint_eq(stats->sent_bytes, sent.sent_bytes);
    ck_assert_uint_eq(stats->resumes, 0);
    ck_assert_uint_eq(sent.requests[0], matches[_i].games * matches[_i].seats);
    ck_assert_uint_eq(sent.requests[1], sent.moves);
    ck_assert_uint_eq(sent.requests[2], (matches[_i].games - 1) * clients);
}
END_TEST

/* The whole state is not compared but at the end. */
START_TEST(states_are_compared_at_the_end_alone)
{
    match_stage_begin("--games=1 --check-every=0");
    match_stage_play();
    ck_assert_uint_eq(stage.stats.states_checked, 1);
}
END_TEST

static char third_move[400];

static bool keep_third_move(unsigned connection, const char *text)
{
    (void)connection;
    if (strstr(text, "\"op\":\"move\"") && ++sent.moves == 3)
        (void)snprintf(third_move, sizeof third_move, "%s", text);
    return true;
}

/* Another seed or another number makes other choices; the same ones the same. */
START_TEST(the_seed_and_the_number_make_the_choices)
{
    static char seen[4][sizeof third_move];
    static const struct {
        unsigned number;
        uint64_t seed;
    } made_of[] = {{7, 1}, {7, 1}, {7, 2}, {8, 1}};
    for (size_t i = 0; i < 4; i++) {
        memset(&sent, 0, sizeof sent);
        hub_wire.to_server = keep_third_move;
        match_stage_begin_as("--games=1", made_of[i].number, made_of[i].seed);
        match_stage_play();
        memcpy(seen[i], third_move, sizeof third_move);
        if (i == 3)
            break;
        match_stage_teardown();
        match_stage_setup();
    }
    ck_assert_str_ne(seen[0], "");
    ck_assert_str_eq(seen[0], seen[1]);
    ck_assert_str_ne(seen[0], seen[2]);
    ck_assert_str_ne(seen[0], seen[3]);
}
END_TEST

/* ---- time */

START_TEST(a_move_waits_until_it_is_due)
{
    match_stage_begin("--games=1 --rate=1 --watchers=1");
    match_stage_wait_for_playing();
    ck_assert_uint_eq(stage.stats.moves_sent, 0);
    stage.now_us = 5000;
    load_match_due(&stage.match, 2000); /* late already */
    ck_assert_uint_eq(stage.stats.moves_sent, 1);
    load_match_due(&stage.match, 4000);
    stage.now_us = 6000;
    hub_wire_run();
    ck_assert_uint_eq(stage.stats.moves, 2);
    ck_assert_uint_eq(stage.stats.moves_sent, 2);
    /* From when it was due to the answer, and to the push at the other two. */
    ck_assert_uint_eq(stage.stats.acknowledged.sum_us, 4000 + 2000);
    ck_assert_uint_eq(stage.stats.delivered.count, 4);
    ck_assert_uint_eq(stage.stats.delivered.sum_us, 2 * 4000 + 2 * 2000);
    ck_assert_uint_eq(stage.match.due_count, 0);
}
END_TEST

/* What acknowledges a move has both its id and its number. */
START_TEST(another_answer_acknowledges_nothing)
{
    char other_id[80], other_seq[80];
    match_stage_begin("--games=1 --rate=1");
    match_stage_wait_for_playing();
    load_match_due(&stage.match, 0);
    hub_wire_run();
    ck_assert_uint_eq(stage.stats.moves, 1);
    const int64_t seq = stage.match.seq;
    const struct match_note *note = &stage.match.notes[seq % MATCH_NOTES];
    ck_assert_int_eq(note->seq, seq);
    (void)snprintf(other_id, sizeof other_id, "{\"id\":%lld,\"ok\":{\"seq\":%lld}}",
                   (long long)note->id + 1, (long long)seq);
    (void)snprintf(other_seq, sizeof other_seq, "{\"id\":%lld,\"ok\":{\"seq\":%lld}}",
                   (long long)note->id, (long long)seq + MATCH_NOTES);
    hub_wire_add(note->mover, other_id);
    hub_wire_add(note->mover, other_seq);
    hub_wire_run();
    ck_assert_uint_eq(stage.stats.moves, 1);
    ck_assert_uint_eq(stage.stats.acknowledged.count, 1);
    ck_assert_str_eq(stage.what, "an answer to what was not asked");
    ck_assert_uint_eq(stage.stats.failures[FAILURE_DIFFERS], 2);
}
END_TEST

static int64_t last_id[4];

/* Each request has the id after the one before, and who is ready says a number of its own. */
static bool follow_ids(unsigned connection, const char *text)
{
    json_t *request = json_loads(text, 0, NULL);
    const int64_t id = json_integer_value(json_object_get(request, "id"));
    const char *op = json_string_value(json_object_get(request, "op"));
    ck_assert_uint_lt(connection, 4);
    ck_assert_int_gt(id, 0);
    if (last_id[connection] != 0)
        ck_assert_int_eq(id, last_id[connection] + 1);
    last_id[connection] = id;
    if (op && strcmp(op, "ready") == 0)
        ck_assert_uint_eq(json_string_length(json_object_get(request, "nonce")), 32);
    json_decref(request);
    return true;
}

START_TEST(requests_are_numbered)
{
    memset(last_id, 0, sizeof last_id);
    hub_wire.to_server = follow_ids;
    match_stage_begin("--games=2 --watchers=1 --players=3");
    match_stage_play();
    for (size_t i = 1; i < 4; i++)
        ck_assert_int_ne(last_id[0], last_id[i]);
}
END_TEST

/* Many turns of the ring, so that each due time is used once and in order. */
START_TEST(due_times_are_kept_in_order)
{
    match_stage_begin("--rate=1");
    match_stage_wait_for_playing();
    for (unsigned i = 0; i < 3 * MATCH_DUE_MAX && stage.match.playing; i += 3) {
        const uint64_t sum = stage.stats.acknowledged.sum_us;
        for (unsigned j = 0; j < 3; j++)
            load_match_due(&stage.match, stage.now_us + j);
        stage.now_us += 10;
        hub_wire_run();
        if (stage.stats.games_over == 0)
            ck_assert_uint_eq(stage.stats.acknowledged.sum_us - sum, 10 + 9 + 8);
    }
    ck_assert_uint_eq(stage.reports, 0);
}
END_TEST

START_TEST(too_many_moves_due_are_an_error)
{
    match_stage_begin("--rate=1");
    match_stage_wait_for_playing();
    for (unsigned i = 0; i < MATCH_DUE_MAX + 1; i++) /* the first is sent at once */
        load_match_due(&stage.match, i);
    ck_assert_uint_eq(stage.reports, 0);
    load_match_due(&stage.match, 99);
    ck_assert_int_eq(stage.failure, FAILURE_OVERRUN);
    ck_assert_str_eq(stage.what, "more moves due than can be remembered");
    ck_assert_uint_eq(stage.stats.failures[FAILURE_OVERRUN], 1);
    ck_assert_uint_eq(stage.match.due_count, MATCH_DUE_MAX);
}
END_TEST

/* In a closed loop a move is due when it is sent. */
static char *a_second_passes(unsigned connection, const char *text)
{
    (void)text;
    stage.now_us += connection == 0 ? 1000000 : 0;
    return NULL;
}

START_TEST(in_a_closed_loop_a_move_is_due_when_it_is_sent)
{
    match_stage_begin("--games=1");
    match_stage_wait_for_playing();
    match_stage_teardown();
    match_stage_setup();
    hub_wire.to_client = a_second_passes;
    match_stage_begin("--games=1");
    match_stage_play();
    /* An answer and a push, one step after the other; never the time since the match began. */
    ck_assert_uint_gt(stage.stats.acknowledged.sum_us, 0);
    ck_assert_uint_le(stage.stats.acknowledged.max_us, 4000000);
    ck_assert_uint_le(stage.stats.delivered.max_us, 4000000);
}
END_TEST

/* ---- cuts */

static const char *const cut_matches[] = {
    "--games=1 --watchers=2 --players=3 --check-every=1",
    "--games=1 --watchers=1 --players=3 --game=totem --rounds=2 --check-every=1",
};

/* One client after the other, every few steps: all of it is caught up with. */
START_TEST(who_is_cut_comes_back)
{
    unsigned cuts = 0;
    match_stage_begin(cut_matches[_i]);
    for (unsigned step = 0; hub_wire_step(); step++) {
        const unsigned client = step / 7 % stage.match.n_clients;
        if (step % 7 == 0 && stage.match.playing &&
            stage.match.clients[client].stage == PLAYER_IN) {
            load_match_cut(&stage.match, client, 0);
            ck_assert_int_eq(stage.match.clients[client].stage, PLAYER_AWAY);
            cuts++;
        }
    }
    ck_assert_msg(stage.reports == 0, "%s", stage.what);
    ck_assert_uint_gt(cuts, 10);
    ck_assert_uint_eq(stage.stats.games_over, 1);
    ck_assert_uint_eq(stage.over, 1);
    /* The last ones may come back to a game that is over. */
    ck_assert_uint_le(cuts - stage.stats.resumes, stage.match.n_clients);
    ck_assert_uint_eq(hub_wire.opened, stage.match.n_clients + cuts);
    ck_assert_uint_le(stage.stats.resumes - stage.stats.resume_size.count, stage.match.n_clients);
}
END_TEST

/* Who is not in the room cannot be cut out of it. */
START_TEST(only_who_is_in_is_cut)
{
    match_stage_begin("--games=1");
    load_match_cut(&stage.match, 0, 0);
    match_stage_play();
    ck_assert_uint_eq(hub_wire.opened, 2);
}
END_TEST

static unsigned losing;

/* The move is lost with its connection, or the server has it and its answer is lost. */
static bool cut_at_move(unsigned connection, const char *text)
{
    (void)connection;
    if (!strstr(text, "\"op\":\"move\"") || ++sent.moves % 5 != 0)
        return true;
    for (unsigned i = 0; i < stage.match.seats; i++) {
        if (stage.match.moving && stage.match.clients[i].seq == stage.match.seq)
            load_match_cut(&stage.match, i, 0);
    }
    return losing == 1;
}

START_TEST(a_move_that_was_cut_is_sent_again)
{
    losing = (unsigned)_i;
    memset(&sent, 0, sizeof sent);
    hub_wire.to_server = cut_at_move;
    match_stage_begin("--games=1 --check-every=1");
    match_stage_play();
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_gt(stage.stats.resumes, 3);
    if (losing == 0)
        ck_assert_uint_gt(sent.moves, stage.stats.moves_sent); /* sent, and sent again */
}
END_TEST

static const struct {
    const char *words;
    unsigned resume_pushes, away;
    bool whole; /* what was missed comes as a whole state */
} absences[] = {
    {"--games=1 --watchers=2 --check-every=1", 0, 5, false},
    {"--games=1 --watchers=2 --check-every=1", 2, 5, true},
    {"--games=1 --watchers=1 --game=totem --rounds=2 --check-every=1", 0, 4, false},
    {"--games=1 --watchers=1 --game=totem --rounds=2 --check-every=1", 2, 4, true},
    {"--games=1 --watchers=1 --game=totem --rounds=2 --check-every=1", 2, 1000, true},
};

/* A watcher stays away for so many events, or to the end. */
START_TEST(a_watcher_stays_away)
{
    const unsigned away = absences[_i].away;
    hub_wire.resume_pushes = absences[_i].resume_pushes;
    match_stage_begin(absences[_i].words);
    while (stage.playing == 0 || stage.match.seq < 12)
        ck_assert(hub_wire_step());
    const unsigned watcher = stage.match.seats;
    struct player *player = &stage.match.clients[watcher];
    const int64_t left = stage.match.seq, had = player->seq;
    uint64_t missed = 0;
    load_match_cut(&stage.match, watcher, away);
    while (!line_is_there(&player->line) || stage.match.seq == left) {
        if (stage.match.seq < left + away && stage.match.playing && stage.match.seq > left + 1)
            ck_assert_msg(!line_is_there(&player->line), "came back after %lld events",
                          (long long)(stage.match.seq - left));
        if (!hub_wire_step())
            break;
    }
    if (stage.match.playing && away < 1000) {
        ck_assert_int_ge(stage.match.seq, left + away);
        ck_assert_int_le(stage.match.seq, left + away + 1);
        ck_assert_int_eq(player->seq, had);
    }
    while (hub_wire_step()) {
        if (missed == 0 && player->resume_until != 0)
            missed = player->resume_until - (uint64_t)had;
    }
    match_stage_play();
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_eq(stage.stats.resumes, 1);
    ck_assert_uint_eq(stage.stats.resume_size.count, 1);
    if (!absences[_i].whole) { /* of what was missed only the last is a delivery */
        ck_assert_uint_gt(missed, 1);
        ck_assert_uint_eq(stage.stats.delivered.count,
                          stage.stats.moves * (stage.match.n_clients - 1) - (missed - 1));
    }
    ck_assert_uint_eq(player->resume_until, 0);
    if (!absences[_i].whole)
        ck_assert_uint_ge(stage.stats.resume_size.max_us, 4 * 100);
}
END_TEST

/* Slow watchers are waited for by nobody; one that the server gives up comes back. */
static unsigned watcher_at(unsigned events)
{
    match_stage_begin("--games=1 --watchers=1");
    while (stage.playing == 0 || stage.match.seq < events)
        ck_assert(hub_wire_step());
    return stage.match.seats;
}

START_TEST(a_watcher_stays_away_for_one_event)
{
    const unsigned watcher = watcher_at(12);
    const int64_t left = stage.match.seq;
    const unsigned opened = hub_wire.opened;
    load_match_cut(&stage.match, watcher, 1);
    while (stage.match.seq == left) {
        ck_assert_uint_eq(hub_wire.opened, opened);
        ck_assert(hub_wire_step());
    }
    match_stage_play();
    ck_assert_uint_eq(hub_wire.opened, opened + 1);
    ck_assert_uint_eq(stage.stats.resumes, 1);
}
END_TEST

/* Who came back and is lost then was not cut by us: that is a failure, and nobody fetches it. */
START_TEST(who_is_lost_after_an_absence_stays_away)
{
    const unsigned watcher = watcher_at(12);
    load_match_cut(&stage.match, watcher, 2);
    while (stage.stats.resumes == 0)
        ck_assert(hub_wire_step());
    const unsigned opened = hub_wire.opened;
    hub_wire_end(opened - 1, 1012);
    hub_wire_run();
    ck_assert_uint_eq(stage.reports, 1);
    ck_assert_int_eq(stage.failure, FAILURE_CUT);
    ck_assert_uint_eq(hub_wire.opened, opened);
}
END_TEST

START_TEST(slow_watchers_stop_reading)
{
    match_stage_begin("--games=1 --watchers=2 --slow-watchers");
    while (stage.playing == 0)
        ck_assert(hub_wire_step());
    ck_assert(hub_wire_reads(0) && hub_wire_reads(1));
    ck_assert(!hub_wire_reads(2) && !hub_wire_reads(3));
    hub_wire_end(2, 4002);
    match_stage_play();
    ck_assert_uint_eq(hub_wire.opened, 5);
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_eq(stage.stats.games_over, 1);
}
END_TEST

/* Only a watcher has to expect it. */
START_TEST(a_player_beside_slow_watchers_is_lost)
{
    match_stage_begin("--games=1 --watchers=1 --slow-watchers");
    while (stage.playing == 0)
        ck_assert(hub_wire_step());
    hub_wire_end(1, 4002);
    hub_wire_run();
    ck_assert_int_eq(stage.failure, FAILURE_CUT);
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_eq(hub_wire.opened, 3);
}
END_TEST

START_TEST(others_read_on)
{
    match_stage_begin("--games=1 --watchers=1");
    while (stage.playing == 0)
        ck_assert(hub_wire_step());
    ck_assert(hub_wire_reads(2));
}
END_TEST

START_TEST(a_match_that_is_stopped_is_gone)
{
    match_stage_begin("--rate=1 --watchers=1");
    match_stage_wait_for_playing();
    load_match_stop(&stage.match);
    match_stage_play();
    ck_assert_uint_eq(hub_wire_open(), 0);
    ck_assert_uint_eq(hub_wire.opened, 3);
}
END_TEST

/* ---- connections that are lost */

static const struct {
    const char *words;
    unsigned over;
} losses[] = {{"--games=2", 1}, {"", 0}};

START_TEST(a_lost_client_ends_a_match_of_so_many_games)
{
    match_stage_begin(losses[_i].words);
    while (stage.playing == 0)
        ck_assert(hub_wire_step());
    hub_wire_end(1, 1012);
    hub_wire_end(0, 1012);
    hub_wire_run();
    ck_assert_str_eq(stage.what, "connection lost, close code 1012 the end");
    ck_assert_int_eq(stage.failure, FAILURE_CUT);
    ck_assert_uint_eq(stage.stats.failures[FAILURE_CUT], 2);
    ck_assert_uint_eq(stage.over, losses[_i].over);
    ck_assert_uint_eq(hub_wire.opened, 2); /* nobody comes back */
}
END_TEST

START_TEST(a_client_that_is_not_let_in_ends_it_too)
{
    hub_wire.connections_max = 1;
    match_stage_begin("--games=1");
    hub_wire_run();
    ck_assert_str_eq(stage.what, "connection lost, close code -1 refused");
    ck_assert_int_eq(stage.failure, FAILURE_CONNECT);
    ck_assert_uint_eq(stage.over, 1);
}
END_TEST

/* What is wrong with a message does not end a match. */
START_TEST(other_failures_do_not_end_it)
{
    match_stage_begin("--games=1 --rate=1");
    match_stage_wait_for_playing();
    hub_wire_add(1, "nonsense");
    hub_wire_run();
    ck_assert_uint_eq(stage.reports, 1);
    ck_assert_uint_eq(stage.over, 0);
}
END_TEST

static Suite *match_suite(void)
{
    Suite *suite = suite_create("match");
    TCase *tests = tcase_create("match");
    tcase_add_checked_fixture(tests, match_stage_setup, match_stage_teardown);
    tcase_add_loop_test(tests, a_whole_match_is_counted, 0, sizeof matches / sizeof matches[0]);
    tcase_add_test(tests, states_are_compared_at_the_end_alone);
    tcase_add_test(tests, the_seed_and_the_number_make_the_choices);
    tcase_add_test(tests, a_move_waits_until_it_is_due);
    tcase_add_test(tests, another_answer_acknowledges_nothing);
    tcase_add_test(tests, requests_are_numbered);
    tcase_add_test(tests, due_times_are_kept_in_order);
    tcase_add_test(tests, too_many_moves_due_are_an_error);
    tcase_add_test(tests, in_a_closed_loop_a_move_is_due_when_it_is_sent);
    tcase_add_loop_test(tests, who_is_cut_comes_back, 0,
                        sizeof cut_matches / sizeof cut_matches[0]);
    tcase_add_test(tests, only_who_is_in_is_cut);
    tcase_add_loop_test(tests, a_move_that_was_cut_is_sent_again, 0, 2);
    tcase_add_loop_test(tests, a_watcher_stays_away, 0, sizeof absences / sizeof absences[0]);
    tcase_add_test(tests, a_watcher_stays_away_for_one_event);
    tcase_add_test(tests, who_is_lost_after_an_absence_stays_away);
    tcase_add_test(tests, slow_watchers_stop_reading);
    tcase_add_test(tests, a_player_beside_slow_watchers_is_lost);
    tcase_add_test(tests, others_read_on);
    tcase_add_test(tests, a_match_that_is_stopped_is_gone);
    tcase_add_loop_test(tests, a_lost_client_ends_a_match_of_so_many_games, 0,
                        sizeof losses / sizeof losses[0]);
    tcase_add_test(tests, a_client_that_is_not_let_in_ends_it_too);
    tcase_add_test(tests, other_failures_do_not_end_it);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(match_suite());
    srunner_add_suite(runner, match_wrong_suite());
    srunner_add_suite(runner, match_sample_suite());
    return run_suites(runner);
}
