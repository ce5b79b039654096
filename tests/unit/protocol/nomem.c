/*
 * Memory runs out at the first, the second, the n-th allocation of decoding, writing, patching and
 * reading a record: each time it is reported, nothing leaks, and earlier data is unchanged.
 *
 * A program of its own, as failing_alloc.c takes malloc's place.
 */
#include "../../support/failing_alloc.h"
#include "../../support/run_suites.h"
#include <check.h>
#include <jansson.h>
#include <protocol/json_writer.h>
#include <protocol/merge_patch.h>
#include <protocol/record.h>
#include <protocol/request.h>
#include <protocol/signature.h>
#include <stdlib.h>
#include <string.h>

static long strangers; /* times that another allocator was set when jansson asked for memory */

/* What is set here is the whole program's, so nothing may change it while another thread reads. */
static void *jansson_malloc(size_t size)
{
    json_malloc_t taken;
    json_free_t given;
    json_get_alloc_funcs(&taken, &given);
    strangers += taken != jansson_malloc || given != free;
    return malloc(size);
}

/* Calls `attempt` with 0, 1, 2, ... allocations that work until none fails any more. */
static long until_it_works(bool (*attempt)(bool *failed))
{
    for (long n = 0; n < 10000; n++) {
        bool failed;
        failing_alloc_arm((uint64_t)n + 1, true);
        bool worked = attempt(&failed);
        ck_assert(worked != failed);
        if (worked)
            return n;
    }
    ck_abort_msg("it never works");
    return -1;
}

static const char CREATE[] =
    "{\"id\":7,\"op\":\"create\",\"options\":{\"players\":4,\"x\":[1,\"two\",{\"y\":null}]},"
    "\"clock\":{\"kind\":\"move\",\"move_s\":60},\"title\":\"Friday \\u00e9 night\"}";

static bool try_decode(bool *failed)
{
    struct request request;
    enum protocol_error error = request_decode(&request, CREATE, sizeof CREATE - 1);
    request_release(&request);
    failing_alloc_disarm(failed); /* check allocates too */
    ck_assert_msg(error == PROTOCOL_OK || error == PROTOCOL_INTERNAL, "%s",
                  protocol_error_code(error));
    return error == PROTOCOL_OK;
}

START_TEST(test_decode)
{
    ck_assert_int_gt(until_it_works(try_decode), 10);
    ck_assert_int_eq(strangers, 0);
}
END_TEST

/* For each length of a text, as buffers grow at some of them. */
START_TEST(test_decode_after_one_failure)
{
    static const char begin[] = "{\"id\":7,\"op\":\"create\",\"options\":{\"x\":\"";
    char message[200];
    size_t len = sizeof begin - 1;
    memcpy(message, begin, len);
    memset(&message[len], 'x', (size_t)_i);
    len += (size_t)_i;
    memcpy(&message[len], "\"}}", 4);
    for (long n = 0; n < 60; n++) {
        struct request request;
        bool failed;
        failing_alloc_arm((uint64_t)n + 1, false);
        enum protocol_error error = request_decode(&request, message, len + 3);
        failing_alloc_disarm(&failed);
        request_release(&request);
        ck_assert_int_eq(error, failed ? PROTOCOL_INTERNAL : PROTOCOL_OK);
    }
}
END_TEST

/* What is asked most often needs no memory. */
START_TEST(test_move_without_memory)
{
    static const char move[] = "{\"id\":1234567890123456,\"op\":\"move\",\"room\":\"k3m9x0aq\","
                               "\"move\":\"JC@2,-1:0\",\"confirm\":true}";
    struct request request;
    bool failed;
    failing_alloc_arm(1, true);
    enum protocol_error error = request_decode(&request, move, sizeof move - 1);
    request_release(&request);
    failing_alloc_disarm(&failed);
    ck_assert_int_eq(error, PROTOCOL_OK);
    ck_assert(!failed);
}
END_TEST

static bool try_write(bool *failed)
{
    struct buffer out;
    struct writer writer;
    size_t len = 0;
    buffer_init(&out, 16, 1 << 20);
    writer_init(&writer, &out);
    writer_array(&writer);
    for (int i = 0; i < 1000; i++)
        writer_string(&writer, "some text");
    writer_end(&writer);
    char *bytes = buffer_detach(&out, &len);
    failing_alloc_disarm(failed);
    ck_assert(writer_done(&writer));
    if (bytes)
        ck_assert_uint_eq(len, 12001);
    free(bytes);
    buffer_release(&out);
    return bytes != NULL;
}

START_TEST(test_write)
{
    ck_assert_int_gt(until_it_works(try_write), 3);
}
END_TEST

static json_t *patch;

static bool try_patch(bool *failed)
{
    json_t *target = NULL;
    bool worked = merge_patch(&target, patch);
    failing_alloc_disarm(failed);
    if (worked)
        ck_assert(json_equal(target, patch));
    json_decref(target);
    return worked;
}

START_TEST(test_patch)
{
    patch = json_loads("{\"a\":{\"b\":1,\"c\":{\"d\":\"e\"}},\"f\":[1,2],\"g\":{}}", 0, NULL);
    ck_assert_int_gt(until_it_works(try_patch), 3);
    json_decref(patch);
    patch = json_object(); /* nothing in it could fail later */
    ck_assert_int_ge(until_it_works(try_patch), 1);
    json_decref(patch);
}
END_TEST

static const char RECORD[] =
    "[Format \"taluva-record 1\"]\n[Server \"\"]\n[Room \"00000000\"]\n[Game \"g\"]\n"
    "[Clock \"none\"]\n[Commitment "
    "\"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd\"]\n\n1. 0 x\n";

static bool try_record(bool *failed)
{
    struct record record;
    struct record_problem problem;
    bool worked = record_parse(&record, RECORD, sizeof RECORD - 1, &problem);
    failing_alloc_disarm(failed);
    if (!worked)
        ck_assert_str_eq(problem.message, "out of memory");
    record_release(&record);
    return worked;
}

START_TEST(test_record)
{
    ck_assert_int_ge(until_it_works(try_record), 2);
}
END_TEST

static struct record_signer signer;

static bool try_sign(bool *failed)
{
    struct record record;
    struct record_problem problem;
    char value[RECORD_SIGNATURE_BYTES + 1];
    bool parsed = record_parse(&record, RECORD, sizeof RECORD - 1, &problem);
    bool worked = parsed && record_sign(&record, &signer, value);
    failing_alloc_disarm(failed);
    if (parsed)
        record_release(&record);
    return worked;
}

START_TEST(test_sign)
{
    ck_assert_int_ge(until_it_works(try_sign), 4);
}
END_TEST

static struct record signed_record;

/* Without memory a signature is not called false. */
static bool try_check(bool *failed)
{
    char id[KEY_ID_BYTES + 1];
    enum record_signature found = record_check_signature(&signed_record, &signer.keys, id);
    failing_alloc_disarm(failed);
    ck_assert(found == RECORD_SIGNED || found == RECORD_SIGNATURE_FAILED);
    return found == RECORD_SIGNED;
}

START_TEST(test_check)
{
    struct record_problem problem;
    char value[RECORD_SIGNATURE_BYTES + 1];
    const struct record_pair pair = {RECORD_SIGNATURE_NAME, value};
    ck_assert(record_parse(&signed_record, RECORD, sizeof RECORD - 1, &problem));
    signed_record.end_ms = 0;
    ck_assert(record_sign(&signed_record, &signer, value));
    signed_record.result = &pair;
    signed_record.result_count = 1;
    ck_assert_int_ge(until_it_works(try_check), 2);
    record_release(&signed_record);
}
END_TEST

int main(void)
{
    const uint8_t seed[SIGNING_SEED_BYTES] = {7};
    record_signer_init(&signer, seed, 1);
    json_set_alloc_funcs(jansson_malloc, free);
    failing_alloc_enter();
    Suite *suite = suite_create("nomem");
    TCase *tests = tcase_create("nomem");
    tcase_add_test(tests, test_decode);
    tcase_add_loop_test(tests, test_decode_after_one_failure, 1, 100);
    tcase_add_test(tests, test_move_without_memory);
    tcase_add_test(tests, test_write);
    tcase_add_test(tests, test_patch);
    tcase_add_test(tests, test_record);
    tcase_add_test(tests, test_sign);
    tcase_add_test(tests, test_check);
    suite_add_tcase(suite, tests);
    return run_suites(srunner_create(suite));
}
