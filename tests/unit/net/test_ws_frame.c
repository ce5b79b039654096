/* Frames of WebSockets: what is read of them however the bytes come, and what is refused. */
#include "suites.h"
#include "ws/ws_frame.h"
#include <stdio.h>
#include <string.h>

/* The key of all masked frames here is 1 2 3 4. */
#define KEY "\x01\x02\x03\x04"

static const struct {
    const char *bytes;
    size_t len;
    const char *events; /* P(piece), "." behind the last; Copcode(payload); !code: wrong */
} streams[] = {
#define STREAM(bytes) bytes, sizeof bytes - 1
    {STREAM(""), ""},
    {STREAM("\x81\x80" KEY), "P()."},
    {STREAM("\x81\x85" KEY "\x69\x67\x6f\x68\x6e"), "P(hello)."},
    {STREAM("\x01\x82" KEY "\x69\x67\x80\x83" KEY "\x6d\x6e\x6c"), "P(he)P(llo)."},
    {STREAM("\x01\x80" KEY "\x00\x80" KEY "\x80\x81" KEY "\x60"), "P(a)."},
    {STREAM("\x01\x81" KEY "\x60\x80\x80" KEY), "P(a)P()."},
    /* Control frames come between those of a message. */
    {STREAM("\x01\x81" KEY "\x60\x89\x82" KEY "\x60\x60\x80\x81" KEY "\x60"), "P(a)C9(ab)P(a)."},
    {STREAM("\x8a\x80" KEY "\x89\x80" KEY), "C10()C9()"},
    {STREAM("\x88\x82" KEY "\x02\xea"), "C8(\x03\xe8)"},
    {STREAM("\x81\xfe\x00\x7e" KEY), ""},
    /* Two messages, one behind the other. */
    {STREAM("\x81\x81" KEY "\x60\x81\x81" KEY "\x60"), "P(a).P(a)."},
    /* Not masked. */
    {STREAM("\x81\x01"), "!1002"},
    {STREAM("\x89\x00"), "!1002"},
    {STREAM("\x81\x7e"), "!1002"},
    /* Reserved bits and opcodes. */
    {STREAM("\xc1\x80"), "!1002"},
    {STREAM("\xa1\x80"), "!1002"},
    {STREAM("\x91\x80"), "!1002"},
    {STREAM("\x83\x80"), "!1002"},
    {STREAM("\x87\x80"), "!1002"},
    {STREAM("\x8b\x80"), "!1002"},
    {STREAM("\x8f\x80"), "!1002"},
    /* Binary. */
    {STREAM("\x82\x80"), "!1003"},
    {STREAM("\x02\x80"), "!1003"},
    {STREAM("\x01\x80" KEY "\x82\x80"), "!1002"},
    /* Out of order. */
    {STREAM("\x80\x80"), "!1002"},
    {STREAM("\x01\x80" KEY "\x81\x80"), "!1002"},
    {STREAM("\x81\x81" KEY "\x60\x80\x80"), "P(a).!1002"},
    /* Control frames are whole and short. */
    {STREAM("\x09\x80"), "!1002"},
    {STREAM("\x08\x80"), "!1002"},
    {STREAM("\x89\xfe"), "!1002"},
    {STREAM("\x8a\xff"), "!1002"},
    /* The length in its shortest form, below 2^63, and of the whole message. */
    {STREAM("\x81\xfe\x00\x7d" KEY), "!1002"},
    {STREAM("\x81\xff\x00\x00\x00\x00\x00\x00\xff\xff" KEY), "!1002"},
    {STREAM("\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00" KEY), "!1002"},
    {STREAM("\x81\xff\x00\x00\x00\x00\x00\x01\x00\x00" KEY), "!1009"},
    {STREAM("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff" KEY), "!1009"},
    {STREAM("\x81\xfe\x10\x00" KEY), ""},
    /* The first two bytes are enough to see that there is no mask. */
    {STREAM("\x81\x00"), "!1002"},
    {STREAM("\x89\x00"), "!1002"},
    {STREAM("\x81\xfe\x10\x01" KEY), "!1009"},
    {STREAM("\x01\x81" KEY "\x60\x80\xfe\x10\x00" KEY), "P(a)!1009"},
};

/* Reads in bites of `bite` bytes. */
static void read_all(struct ws_reader *reader, const char *bytes, size_t len, size_t bite,
                     char *told)
{
    unsigned char copy[64];
    char *end = told;
    *told = 0;
    for (size_t from = 0; from < len; from += bite) {
        size_t some = len - from < bite ? len - from : bite;
        memcpy(copy, bytes + from, some);
        unsigned char *at = copy;
        for (;;) {
            struct ws_part part;
            enum ws_event event = ws_reader_next(reader, &at, copy + some, &part);
            if (event == WS_EVENT_NONE)
                break;
            if (event == WS_EVENT_WRONG) {
                sprintf(end, "!%d", part.code);
                return;
            }
            if (event == WS_EVENT_CONTROL)
                end += sprintf(end, "C%d(%.*s)", part.opcode, (int)part.len, part.bytes);
            else
                end += sprintf(end, "P(%.*s)%s", (int)part.len, part.bytes, part.last ? "." : "");
        }
        ck_assert_ptr_eq(at, copy + some);
    }
}

START_TEST(test_whole)
{
    char told[256];
    struct ws_reader reader = {0};
    read_all(&reader, streams[_i].bytes, streams[_i].len, 64, told);
    ck_assert_str_eq(told, streams[_i].events);
}
END_TEST

/* Byte by byte a piece is a byte, but all together they are the same. */
static void join_pieces(char *to, const char *events)
{
    for (const char *at = events; *at; at++) {
        if (strncmp(at, ")P(", 3) == 0)
            at += 2;
        else
            *to++ = *at;
    }
    *to = 0;
}

START_TEST(test_byte_by_byte)
{
    char told[512], joined[512], want[512];
    struct ws_reader reader = {0};
    read_all(&reader, streams[_i].bytes, streams[_i].len, 1, told);
    join_pieces(joined, told);
    join_pieces(want, streams[_i].events);
    ck_assert_str_eq(joined, want);
}
END_TEST

/* Cut in two at every place, and read from every address, it is unmasked all the same. */
START_TEST(test_unmasked_wherever_it_is_cut)
{
    enum { LEN = 61, HEADER = 6, BYTES = HEADER + LEN };
    static const unsigned char mask[] = {0xa1, 0x52, 0x0c, 0xff};
    for (size_t cut = HEADER; cut < BYTES; cut++) {
        unsigned char space[BYTES + 8], *frame = space + cut % 8, *at = frame;
        struct ws_reader reader = {0};
        struct ws_part part;
        frame[0] = 0x81;
        frame[1] = 0x80 | LEN;
        memcpy(frame + 2, mask, sizeof mask);
        for (size_t i = 0; i < LEN; i++)
            frame[HEADER + i] = (unsigned char)(i * 7) ^ mask[i % 4];
        bool any = ws_reader_next(&reader, &at, frame + cut, &part) == WS_EVENT_PIECE;
        ck_assert(any == (cut > HEADER) && at == frame + cut);
        ck_assert_int_eq(ws_reader_next(&reader, &at, frame + BYTES, &part), WS_EVENT_PIECE);
        ck_assert(part.last && at == frame + BYTES);
        for (size_t i = 0; i < LEN; i++)
            ck_assert_uint_eq(frame[HEADER + i], (unsigned char)(i * 7));
    }
}
END_TEST

START_TEST(test_frames_without_end)
{
    unsigned char empty[] = "\x01\x80" KEY;
    struct ws_reader reader = {0};
    struct ws_part part;
    for (int frame = 0; frame < WS_FRAMES_MAX; frame++) {
        unsigned char *at = empty;
        ck_assert_int_eq(ws_reader_next(&reader, &at, empty + 6, &part), WS_EVENT_NONE);
        empty[0] = 0;
    }
    unsigned char *at = empty;
    ck_assert_int_eq(ws_reader_next(&reader, &at, empty + 6, &part), WS_EVENT_WRONG);
    ck_assert_int_eq(part.code, WS_TOO_LONG);
}
END_TEST

static const struct {
    const char *payload;
    size_t len;
    int code;
} closes[] = {
    {"", 0, 1000},
    {"\x03", 1, 1002},
    {"\x03\xe8", 2, 1000},
    {"\x03\xe8gone", 6, 1000},
    {"\x03\xe9", 2, 1001},
    {"\x03\xeb", 2, 1003},
    {"\x03\xec", 2, 1002},
    {"\x03\xed", 2, 1002},
    {"\x03\xee", 2, 1002},
    {"\x03\xef", 2, 1007},
    {"\x03\xf6", 2, 1014},
    {"\x03\xf7", 2, 1002},
    {"\x03\xe7", 2, 1002},
    {"\x00\x00", 2, 1002},
    {"\x0b\xb7", 2, 1002},
    {"\x0b\xb8", 2, 3000},
    {"\x13\x87", 2, 4999},
    {"\x13\x88", 2, 1002},
    {"\xff\xff", 2, 1002},
    {"\x03\xe8\xff", 3, 1007},
    {"\x03\xec\xff", 3, 1002},
    {"\x03\xe8gr\xc3\xbc", 6, 1000},
};

START_TEST(test_close)
{
    const unsigned char *payload = (const unsigned char *)closes[_i].payload;
    ck_assert_int_eq(ws_close_answer(payload, closes[_i].len), closes[_i].code);
}
END_TEST

static const struct {
    size_t len, header_len;
    const char *header;
} written[] = {
    {0, 2, "\x81\x00"},
    {125, 2, "\x81\x7d"},
    {126, 4, "\x81\x7e\x00\x7e"},
    {65535, 4, "\x81\x7e\xff\xff"},
    {65536, 10, "\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"},
};

START_TEST(test_header)
{
    unsigned char header[WS_WRITE_HEADER_MAX];
    ck_assert_uint_eq(ws_put_header(header, WS_TEXT, written[_i].len), written[_i].header_len);
    ck_assert_mem_eq(header, written[_i].header, written[_i].header_len);
}
END_TEST

#define ADD_EACH(tests, test, table)                                                               \
    tcase_add_loop_test(tests, test, 0, sizeof table / sizeof table[0])

Suite *ws_frame_suite(void)
{
    Suite *suite = suite_create("frames");
    TCase *tests = tcase_create("frames");
    ADD_EACH(tests, test_whole, streams);
    ADD_EACH(tests, test_byte_by_byte, streams);
    tcase_add_test(tests, test_unmasked_wherever_it_is_cut);
    tcase_add_test(tests, test_frames_without_end);
    ADD_EACH(tests, test_close, closes);
    ADD_EACH(tests, test_header, written);
    suite_add_tcase(suite, tests);
    return suite;
}
