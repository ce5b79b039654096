/* Frames, and what a node does with those that are wrong. */
#include "links/frame.h"
#include "site_private.h"
#include "suites.h"
#include <site/site.h>
#include <string.h>

START_TEST(test_there_and_back)
{
    unsigned char bytes[32];
    struct frame frame;
    uint64_t value;
    unsigned char *at = frame_put_head(bytes, FRAME_TELL, UINT64_C(0x0123456789abcdef));
    at = frame_put(at, 2, 4006);
    at = frame_put(at, 8, UINT64_MAX);
    ck_assert_int_eq(at - bytes, FRAME_HEAD_BYTES + 10);
    ck_assert(frame_read(&frame, bytes, (size_t)(at - bytes)));
    ck_assert_int_eq(frame.kind, FRAME_TELL);
    ck_assert(frame.number == UINT64_C(0x0123456789abcdef));
    ck_assert(frame_take(&frame, 2, &value) && value == 4006);
    ck_assert(frame_take(&frame, 8, &value) && value == UINT64_MAX);
    ck_assert_uint_eq(frame.left, 0);
    ck_assert(!frame_take(&frame, 1, &value));
}
END_TEST

static const struct hub_head heads[] = {
    {.kind = HUB_REPLY, .id = -1},
    {.kind = HUB_VIEW, .id = 7, .seq = PROTOCOL_INTEGER_MAX},
    {.kind = HUB_REFUSAL, .id = PROTOCOL_INTEGER_MAX},
    {.kind = HUB_VIEW, .id = 1, .follows = true, .seq = 3},
    {.kind = HUB_REFUSAL, .id = INT64_MAX - PROTOCOL_INTEGER_MAX, .follows = true},
    {.kind = HUB_EVENT, .seq = 1, .room = "k3m9x0aq"},
    {.kind = HUB_NOTICE, .notice = PROTOCOL_NOTICE_STORE_RECOVERED, .room = "k3m9x0aq"},
    {.kind = HUB_NOTICE, .notice = PROTOCOL_NOTICE_DRAINING},
    {.kind = HUB_PUSH},
};

START_TEST(test_heads_there_and_back)
{
    unsigned char bytes[FRAME_MESSAGE_HEAD_BYTES + 1];
    const unsigned char *end = frame_put_message_head(bytes, &heads[_i]);
    const size_t len = (size_t)(end - bytes);
    struct hub_head head;
    ck_assert_uint_le(len, FRAME_MESSAGE_HEAD_BYTES);
    for (size_t left = 0; left <= len; left++) {
        struct frame frame = {.at = bytes, .left = left};
        ck_assert_int_eq(frame_take_message_head(&frame, &head), left == len);
    }
    ck_assert_int_eq(head.kind, heads[_i].kind);
    ck_assert_int_eq(head.id, heads[_i].id);
    ck_assert_int_eq(head.follows, heads[_i].follows);
    ck_assert_int_eq(head.seq, heads[_i].seq);
    ck_assert_int_eq(head.notice, heads[_i].notice);
    ck_assert_str_eq(head.room, heads[_i].room);
}
END_TEST

/* The bad ones end the link, and nothing else. */
static const struct {
    const char *name;
    unsigned char kind;
    uint64_t number;
    size_t len;
    unsigned char bytes[16];
    bool bad;
} frames[] = {
    {"no kind", 0, 0, 0, {0}, true},
    {"an unknown kind", FRAME_KINDS, 0, 0, {0}, false},
    {"the last unknown kind", 255, UINT64_MAX, 16, {0}, false},
    {"a part that there is not", FRAME_SERVE, 4, 8, {0}, true},
    {"a part without a term", FRAME_SERVE, 1, 7, {0}, true},
    {"more channels than bytes", FRAME_TELL, 0, 12, {0, 0, 0, 2}, true},
    {"very many channels", FRAME_TELL, 0, 12, {255, 255, 255, 255}, true},
    {"a question without a session", FRAME_SEATS, 1, 7, {0}, true},
    {"news without a kind", FRAME_NOTE, 1, 0, {0}, true},
    {"news without a room", FRAME_NOTE, 1, 3, {0}, true},
    {"news of an unknown kind", FRAME_NOTE, 1, 2, {9}, false},
    {"to a channel that there is not", FRAME_SAY, 77, 4, {'{', '}'}, false},
    {"for a channel that there is not", FRAME_TELL, 0, 13, {[3] = 1, [12] = HUB_PUSH}, false},
    {"a message without a head", FRAME_TELL, 0, 12, {0, 0, 0, 1}, true},
    {"a message that is none", FRAME_TELL, 0, 16, {[3] = 1, [12] = HUB_NO_MESSAGE}, true},
    {"a message of what kind", FRAME_TELL, 0, 16, {[3] = 1, [12] = HUB_KINDS}, true},
    {"a reply without an id", FRAME_TELL, 0, 12, {[4] = HUB_REPLY}, true},
    {"a reply to what cannot be", FRAME_TELL, 0, 13, {[4] = HUB_REPLY, [5] = 0xff}, true},
    {"a view without a seq", FRAME_TELL, 0, 16, {[4] = HUB_VIEW}, true},
    {"an event of no room", FRAME_TELL, 0, 16, {[4] = HUB_EVENT}, true},
    {"a seq that cannot be", FRAME_TELL, 0, 13, {[4] = HUB_EVENT, [5] = 1}, true},
    {"an unknown notice", FRAME_TELL, 0, 16, {[4] = HUB_NOTICE, [5] = PROTOCOL_NOTICE_COUNT}, true},
    {"a notice of half a room", FRAME_TELL, 0, 13, {[4] = HUB_NOTICE, [5] = 5}, true},
    {"the end of none", FRAME_END, 77, 0, {0}, false},
    {"the closing of none", FRAME_CLOSE, 77, 2, {0}, false},
    {"works, and how much", FRAME_WORKS, UINT64_MAX, 0, {0}, false},
    {"nobody's hello elsewhere", FRAME_ELSEWHERE, 77, 1, {1}, false},
    {"a hello nowhere", FRAME_ELSEWHERE, 77, 0, {0}, true},
    {"nobody's challenge", FRAME_CHALLENGED, 77, 16, {0}, true},
    {"half a challenge", FRAME_CHALLENGE, 77, 16, {0}, true},
    {"whose program, at nobody's", FRAME_OWNED, 77, 8, {0}, false},
    {"half an owner", FRAME_OWNED, 77, 4, {0}, true},
    {"nobody's owner", FRAME_OWNER, 77, 8, {0}, false},
    {"half an owner there", FRAME_OWNER, 77, 4, {0}, true},
    {"nobody's quiet", FRAME_QUIET, 77, 1, {1}, false},
    {"quiet, and how much", FRAME_QUIET, 77, 1, {2}, true},
    {"quiet or not", FRAME_QUIET, 77, 0, {0}, true},
    {"about what a later version knows", FRAME_ABOUT, UINT64_MAX, 0, {0}, false},
    {"refused with what a later version knows", FRAME_REFUSED, 0, 6, "newer?", false},
    {"refused with nothing", FRAME_REFUSED, UINT64_MAX, 0, {0}, false},
    {"keeping none", FRAME_KEEP, 77, 1, {1}, false},
    {"an answer to no question", FRAME_SEATED, 77, 9, "k3m9x0aq", false},
    {"a part that was not served", FRAME_LEAVE, 2, 0, {0}, false},
    {"a part that there is not, left", FRAME_LEAVE, 99, 0, {0}, false},
    {"a channel to a part that is not here", FRAME_OPEN, 5, 1, {1}, false},
    {"a channel to nothing", FRAME_OPEN, 5, 0, {0}, false},
};

START_TEST(test_wrong)
{
    struct site_config config = site_usual;
    unsigned char bytes[FRAME_HEAD_BYTES + 16];
    size_t len;
    config.parts = 4;
    struct site *site = site_create(&config);
    struct site_link *link = site_link_open(site, 1);
    unsigned char *at = frame_put(frame_put(bytes, 1, frames[_i].kind), 8, frames[_i].number);
    memcpy(at, frames[_i].bytes, frames[_i].len);
    const bool unknown = strstr(frames[_i].name, "unknown kind");
    const bool taken = site_link_receive(link, bytes, FRAME_HEAD_BYTES + frames[_i].len, 2);
    ck_assert_msg(taken != frames[_i].bad, "%s", frames[_i].name);
    ck_assert_int_eq(site_link_broken(link), frames[_i].bad);
    ck_assert_uint_eq(site->counts.passed_over, unknown);
    while (site_link_output(link, &len))
        site_link_sent(link);
    site_link_close(link, 3);
    site_destroy(site);
}
END_TEST

START_TEST(test_short)
{
    const unsigned char bytes[FRAME_HEAD_BYTES] = {FRAME_END};
    struct frame frame;
    for (size_t len = 0; len < FRAME_HEAD_BYTES; len++)
        ck_assert(!frame_read(&frame, bytes, len));
    ck_assert(frame_read(&frame, bytes, FRAME_HEAD_BYTES));
}
END_TEST

Suite *frame_suite(void)
{
    Suite *suite = suite_create("frames");
    TCase *tcase = tcase_create("frames");
    tcase_add_test(tcase, test_there_and_back);
    tcase_add_loop_test(tcase, test_heads_there_and_back, 0, sizeof heads / sizeof heads[0]);
    tcase_add_test(tcase, test_short);
    tcase_add_loop_test(tcase, test_wrong, 0, sizeof frames / sizeof *frames);
    suite_add_tcase(suite, tcase);
    return suite;
}
