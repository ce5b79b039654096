/* What a bot with a level thinks: which events it hears, when its plan holds, and when it does not.
 */
#include "bot_mind.h"
#include "suites.h"
#include <string.h>

/* A thinker that counts what it hears, and plans as many moves as the level says. */
struct counted {
    int64_t sum;
    unsigned count;
};

struct asked {
    struct counted known;
    int seat;
};

static struct asked thought_of;
static unsigned thoughts, done_calls;
static size_t memory_wanted, memory_given;
static struct bot_mind mind;
static uv_loop_t loop;

static void hear(void *known, const json_t *push)
{
    struct counted *counted = known;
    counted->count++;
    counted->sum = counted->sum * 10 + json_integer_value(json_object_get(push, "seq"));
}

static bool ask(void *question, const void *known, const json_t *state, int seat)
{
    struct asked *asked = question;
    memcpy(&asked->known, known, sizeof asked->known);
    asked->seat = seat;
    return json_is_true(state);
}

static size_t memory_bytes(unsigned level)
{
    (void)level;
    return memory_wanted;
}

static void think(const void *question, unsigned level, uint64_t seed, const atomic_bool *cancel,
                  void *memory, size_t bytes, struct game_plan *plan)
{
    (void)cancel;
    memcpy(&thought_of, question, sizeof thought_of);
    thoughts++;
    memory_given = memory ? bytes : 0;
    plan->count = level;
    for (unsigned i = 0; i < level; i++)
        (void)snprintf(plan->moves[i].text, sizeof plan->moves[i].text, "%u of %llu", i,
                       (unsigned long long)seed);
}

static const struct game_thinker thinker = {
    .known_size = sizeof(struct counted),
    .hear = hear,
    .question_size = sizeof(struct asked),
    .ask = ask,
    .memory_bytes = memory_bytes,
    .think = think,
};

static void on_done(void *user)
{
    ck_assert_ptr_eq(user, &loop);
    ck_assert(!mind.thinking);
    done_calls++;
}

static void setup(void)
{
    thoughts = done_calls = 0;
    memory_wanted = memory_given = 0;
    ck_assert_int_eq(uv_loop_init(&loop), 0);
}

static void teardown(void)
{
    bot_mind_close(&mind);
    ck_assert_ptr_null(mind.thinker);
    bot_mind_close(&mind); /* a mind of zeros is allowed */
    ck_assert_int_eq(uv_loop_close(&loop), 0);
}

static void say(int64_t seq)
{
    json_t *push = json_pack("{s:I}", "seq", (json_int_t)seq);
    bot_mind_hear(&mind, push);
    json_decref(push);
}

static const char *move_at(int64_t seq)
{
    const struct game_move *move = bot_mind_move(&mind, seq);
    return move ? move->text : "";
}

START_TEST(it_hears_each_event_once)
{
    static const int64_t said[] = {2, 1, 1, 2, 4, 3, 0, 4};
    ck_assert(bot_mind_open(&mind, &thinker, 1, on_done, &loop));
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
        say(said[i]);
    ck_assert_int_eq(mind.heard, 4);
    ck_assert(bot_mind_think(&mind, &loop, json_true(), 4, 3, 7));
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(thought_of.known.sum, 1234);
    ck_assert_uint_eq(thought_of.known.count, 4);
    ck_assert_int_eq(thought_of.seat, 3);
    bot_mind_forget(&mind); /* another match */
    ck_assert_str_eq(move_at(4), "");
    say(1);
    ck_assert_int_eq(mind.heard, 1);
    ck_assert(bot_mind_think(&mind, &loop, json_true(), 1, 0, 7));
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(thought_of.known.sum, 1);
}
END_TEST

START_TEST(a_plan_is_played_move_by_move)
{
    ck_assert(bot_mind_open(&mind, &thinker, 2, on_done, &loop));
    say(1);
    ck_assert(bot_mind_think(&mind, &loop, json_true(), 1, 0, 7));
    ck_assert_str_eq(move_at(1), ""); /* it thinks */
    ck_assert_uint_eq(done_calls, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_uint_eq(done_calls, 1);
    ck_assert_str_eq(move_at(1), "0 of 7");
    ck_assert_str_eq(move_at(2), ""); /* something else has happened */
    ck_assert_str_eq(move_at(0), "");
    bot_mind_played(&mind, 2);
    ck_assert_str_eq(move_at(1), "");
    ck_assert_str_eq(move_at(2), "1 of 7");
    bot_mind_played(&mind, 3);
    ck_assert_str_eq(move_at(3), "");
    say(2);
    say(3);
    ck_assert(bot_mind_think(&mind, &loop, json_true(), 3, 0, 8)); /* a new plan, from its start */
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_str_eq(move_at(3), "0 of 8");
    ck_assert_uint_eq(thoughts, 2);
}
END_TEST

START_TEST(a_cancelled_thought_is_no_plan)
{
    ck_assert(bot_mind_open(&mind, &thinker, 2, on_done, &loop));
    ck_assert(bot_mind_think(&mind, &loop, json_true(), 0, 0, 7));
    bot_mind_cancel(&mind);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_uint_eq(done_calls, 1);
    ck_assert_str_eq(move_at(0), "");
    ck_assert(bot_mind_think(&mind, &loop, json_true(), 0, 0, 7)); /* the next one is */
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_str_eq(move_at(0), "0 of 7");
}
END_TEST

START_TEST(there_may_be_nothing_to_think_of)
{
    ck_assert(bot_mind_open(&mind, &thinker, 2, on_done, &loop));
    ck_assert(!bot_mind_think(&mind, &loop, json_false(), 0, 0, 7));
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_uint_eq(thoughts, 0);
    ck_assert_uint_eq(done_calls, 0);
    ck_assert_str_eq(move_at(0), "");
}
END_TEST

static const size_t memories[] = {0, 1, 4096};

START_TEST(it_has_the_memory_that_its_level_wants)
{
    memory_wanted = memories[_i];
    ck_assert(bot_mind_open(&mind, &thinker, 1, on_done, &loop));
    ck_assert_int_eq(mind.memory != NULL, memory_wanted > 0);
    ck_assert(bot_mind_think(&mind, &loop, json_true(), 0, 0, 7));
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_uint_eq(memory_given, memory_wanted);
}
END_TEST

START_TEST(a_closed_mind_hears_nothing)
{
    say(1);
    bot_mind_forget(&mind);
    ck_assert_int_eq(mind.heard, 0);
}
END_TEST

Suite *mind_suite(void)
{
    Suite *suite = suite_create("mind");
    TCase *tcase = tcase_create("mind");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, it_hears_each_event_once);
    tcase_add_test(tcase, a_plan_is_played_move_by_move);
    tcase_add_test(tcase, a_cancelled_thought_is_no_plan);
    tcase_add_test(tcase, there_may_be_nothing_to_think_of);
    tcase_add_loop_test(tcase, it_has_the_memory_that_its_level_wants, 0,
                        sizeof memories / sizeof memories[0]);
    tcase_add_test(tcase, a_closed_mind_hears_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
