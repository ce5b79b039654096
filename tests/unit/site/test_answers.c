/* Long answers to another node. */
#include "links/frame.h"
#include "links/link_out.h"
#include "suites.h"
#include <hub/hub.h>
#include <site/site.h>
#include <string.h>

enum { ANSWER_BYTES = 700000 };

static const uint8_t asker[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 9};
static struct hub_http_answer answer;

static struct site_link *lone_link(struct site **site)
{
    struct site_config config = site_usual;
    config.parts = 2;
    *site = site_create(&config);
    struct site_link *link = site_link_open(*site, 1);
    site_link_sent(link); /* that it says facts */
    return link;
}

static char byte_at(size_t at)
{
    return (char)(at * 7 + at / 251);
}

static void fill_answer(struct hub_http_answer *made, size_t len)
{
    static char bytes[ANSWER_BYTES];
    for (size_t at = 0; at < len; at++)
        bytes[at] = byte_at(at);
    hub_http_make(made, 200, "text/plain", bytes, len);
}

/* What else is sent meanwhile does not wait for more than a little of it. */
START_TEST(test_long_answer)
{
    enum { LONG = 700000 };
    struct site *from, *to;
    struct site_link *out = lone_link(&from), *in = lone_link(&to);
    unsigned char frame[FRAME_HEAD_BYTES + 8];
    uint64_t ticket;
    size_t len, sent = 0, most = 0;
    const unsigned char *bytes;
    frame_put(frame_put_head(frame, FRAME_SERVE, 1), 8, 5);
    ck_assert(site_link_receive(in, frame, sizeof frame, 1));
    ck_assert(!site_http_get(to, "/api/records/01000000", asker, 1, &answer, &ticket));
    bytes = site_link_output(in, &len);
    ck_assert_int_eq(bytes[0], FRAME_ASK);
    ck_assert_int_eq(bytes[FRAME_HEAD_BYTES], 1);
    ck_assert_int_eq(memcmp(bytes + FRAME_HEAD_BYTES + 1, asker, 16), 0);
    ck_assert_uint_eq(len, FRAME_HEAD_BYTES + 17 + 21);
    struct frame read;
    ck_assert(frame_read(&read, bytes, len));
    fill_answer(&answer, LONG);
    link_answer(out, read.number, &answer);
    while ((bytes = site_link_output(out, &len)) != NULL) {
        ck_assert(!site_http_next(to, &ticket, &answer));
        ck_assert(site_link_receive(in, bytes, len, 1));
        site_link_sent(out);
        sent += len;
        most = len > most ? len : most;
    }
    ck_assert_uint_le(most, 16384 + FRAME_HEAD_BYTES);
    ck_assert(sent > LONG && sent < LONG + 1000);
    ck_assert(site_http_next(to, &ticket, &answer));
    ck_assert_int_eq(answer.status, 200);
    ck_assert_uint_eq(answer.len, LONG);
    for (size_t at = 0; at < LONG; at++)
        ck_assert_int_eq((char)answer.body[at], byte_at(at));
    hub_http_release(&answer);
    site_link_close(out, 1);
    site_link_close(in, 1);
    site_destroy(from);
    site_destroy(to);
}
END_TEST

/* The link holds a few pieces at a time, and answers up to its bound. */
START_TEST(test_many_answers)
{
    struct site *site;
    struct site_link *link = lone_link(&site);
    size_t len, waiting = 0, whole = 0, answers = 0;
    const unsigned char *bytes;
    for (uint64_t question = 1; question <= 30; question++) {
        fill_answer(&answer, 500000);
        link_answer(link, question, &answer);
    }
    while ((bytes = site_link_output(link, &len)) != NULL) {
        struct frame frame;
        uint64_t status;
        ck_assert(frame_read(&frame, bytes, len));
        if (frame.kind == FRAME_ANSWER) {
            answers++;
            ck_assert_uint_eq(frame.number, answers);
            ck_assert(frame_take(&frame, 2, &status));
            whole += status == 200;
        }
        waiting += len;
        site_link_sent(link);
    }
    ck_assert_uint_eq(answers, 30);
    ck_assert_uint_eq(whole, 16); /* of 8 MiB */
    ck_assert(waiting > 16 * 500000 && waiting < 16 * 500000 + 20000);
    fill_answer(&answer, 500000);
    link_answer(link, 31, &answer); /* is under way when the link is lost */
    site_link_close(link, 1);
    site_destroy(site);
}
END_TEST

Suite *answers_suite(void)
{
    Suite *suite = suite_create("answers");
    TCase *answers = tcase_create("answers");
    tcase_add_test(answers, test_long_answer);
    tcase_add_test(answers, test_many_answers);
    suite_add_tcase(suite, answers);
    return suite;
}
