#include "accepted.h"
#include "suites.h"
#include <protocol/json_writer.h>
#include <protocol/request.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct request request;

static void setup(void)
{
    memset(&request, 0xa5, sizeof request); /* decode may rely on nothing */
}

static enum protocol_error decode(const char *text)
{
    return request_decode(&request, text, strlen(text));
}

/* What is refused: with which error, which id and which field. */
static const struct {
    const char *text;
    enum protocol_error error;
    int64_t id;
    const char *field;
} REFUSED[] = {
    {"", PROTOCOL_BAD_JSON, -1, ""},
    {"hello", PROTOCOL_BAD_JSON, -1, ""},
    {"[]", PROTOCOL_BAD_JSON, -1, ""},
    {"null", PROTOCOL_BAD_JSON, -1, ""},
    {"3", PROTOCOL_BAD_JSON, -1, ""},
    {"{", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\"}x", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\"} {}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",}", PROTOCOL_BAD_JSON, -1, ""},
    {"{'id':1}", PROTOCOL_BAD_JSON, -1, ""},
    {"\xef\xbb\xbf{\"id\":1,\"op\":\"ping\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"p\\u0000ing\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"p\nng\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"\xff\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"\xed\xa0\x80\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"\\ud800\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":-}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":1.}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":.5}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":1e}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":+1}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":0x1}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":NaN}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":True}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":truex}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":[1,]}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":[1 2]}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":[1}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\" \"x\":1}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\" 1}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",x:1}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\x\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\u12g4\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\udc00\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\ud800\\u0041\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\ud800\\udbff\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\ud800\\ue000\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"x\":\"\\ud83c\\udf0b\"}", PROTOCOL_UNKNOWN_FIELD, 1, "x"},
    {"{\"id\":1,\"op\":\"ping\",\"x\":-0.5e+10}", PROTOCOL_UNKNOWN_FIELD, 1, "x"},
    {" {\t\"id\"\n:\r1 , \"op\" : \"ping\",\"x\":[ ] } ", PROTOCOL_UNKNOWN_FIELD, 1, "x"},
    {"// c\n{\"id\":1,\"op\":\"ping\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":01,\"op\":\"ping\"}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1e999,\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, ""},
    {"{\"id\":99999999999999999999,\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, ""},
    {"{\"id\":1,\"id\":1,\"op\":\"ping\"}", PROTOCOL_DUPLICATE_KEY, -1, ""},
    {"{\"id\":1,\"op\":\"ping\",\"i\\u0064\":1}", PROTOCOL_DUPLICATE_KEY, -1, ""},
    {"{\"id\":1,\"op\":\"create\",\"options\":{\"a\":1,\"a\":1}}", PROTOCOL_DUPLICATE_KEY, -1, ""},
    /* Bad text comes before what its values are, those in the order of the text. */
    {"{\"id\":1,\"id\":1,\"op\":", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"id\":1,\"x\":[[[[[[[[[[[[[[[[0", PROTOCOL_TOO_DEEP, -1, ""},
    {"{\"id\":1e999,\"op\":}", PROTOCOL_BAD_JSON, -1, ""},
    {"{\"id\":1,\"id\":1e999,\"op\":\"ping\"}", PROTOCOL_DUPLICATE_KEY, -1, ""},
    {"{\"id\":-1e999,\"op\":\"ping\",\"op\":1}", PROTOCOL_BAD_FIELD, -1, ""},
    {"{\"id\":1,\"op\":\"create\",\"options\":{\"a\":{},\"a\":{}}}", PROTOCOL_DUPLICATE_KEY, -1,
     ""},
    {"[1e999]", PROTOCOL_BAD_FIELD, -1, ""},

    {"{}", PROTOCOL_MISSING_FIELD, -1, "id"},
    {"{\"op\":\"ping\"}", PROTOCOL_MISSING_FIELD, -1, "id"},
    {"{\"id\":-1,\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, "id"},
    {"{\"id\":1.0,\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, "id"},
    {"{\"id\":\"1\",\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, "id"},
    {"{\"id\":null,\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, "id"},
    {"{\"id\":[1],\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, "id"},
    {"{\"id\":true,\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, "id"},
    {"{\"id\":9007199254740992,\"op\":\"ping\"}", PROTOCOL_BAD_FIELD, -1, "id"},
    {"{\"id\":9007199254740991}", PROTOCOL_MISSING_FIELD, 9007199254740991, "op"},
    {"{\"id\":1}", PROTOCOL_MISSING_FIELD, 1, "op"},
    {"{\"id\":1,\"op\":7}", PROTOCOL_BAD_FIELD, 1, "op"},
    {"{\"id\":1,\"op\":null}", PROTOCOL_BAD_FIELD, 1, "op"},
    {"{\"id\":1,\"op\":\"\"}", PROTOCOL_UNKNOWN_OP, 1, "op"},
    {"{\"id\":1,\"op\":\"pin\"}", PROTOCOL_UNKNOWN_OP, 1, "op"},
    {"{\"id\":1,\"op\":\"pings\"}", PROTOCOL_UNKNOWN_OP, 1, "op"},
    {"{\"id\":1,\"op\":\"PING\"}", PROTOCOL_UNKNOWN_OP, 1, "op"},

    {"{\"id\":1,\"op\":\"ping\",\"x\":1}", PROTOCOL_UNKNOWN_FIELD, 1, "x"},
    {"{\"id\":1,\"op\":\"ping\",\"\":1}", PROTOCOL_UNKNOWN_FIELD, 1, ""},
    {"{\"id\":1,\"op\":\"ping\"," ROOM "}", PROTOCOL_UNKNOWN_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"undo\"," ROOM ",\"seat\":1}", PROTOCOL_UNKNOWN_FIELD, 1, "seat"},
    {"{\"id\":1,\"op\":\"ping\",\"a234567890123456789012345678901234567890xyz\":1}",
     PROTOCOL_UNKNOWN_FIELD, 1, "a234567890123456789012345678901234567890"},
    {"{\"id\":1,\"op\":\"ping\",\"a23456789012345678901234567890123456789\xc3\xa9\":1}",
     PROTOCOL_UNKNOWN_FIELD, 1, "a23456789012345678901234567890123456789"},

    {"{\"id\":1,\"op\":\"undo\"}", PROTOCOL_MISSING_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"move\"," ROOM "}", PROTOCOL_MISSING_FIELD, 1, "move"},
    {"{\"id\":1,\"op\":\"unseat\"," ROOM "}", PROTOCOL_MISSING_FIELD, 1, "seat"},
    {"{\"id\":1,\"op\":\"rename\"}", PROTOCOL_MISSING_FIELD, 1, "name"},

    {"{\"id\":1,\"op\":\"passkey\",\"for\":\"leave\"}", PROTOCOL_BAD_FIELD, 1, "for"},
    {"{\"id\":1,\"op\":\"passkey\"}", PROTOCOL_MISSING_FIELD, 1, "for"},
    {"{\"id\":1,\"op\":\"report\",\"room\":\"k3m9x0aq\",\"seat\":1,\"why\":\"talks\"}",
     PROTOCOL_BAD_FIELD, 1, "why"},
    {"{\"id\":1,\"op\":\"report\",\"room\":\"k3m9x0aq\",\"seat\":1}", PROTOCOL_MISSING_FIELD, 1,
     "why"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":7}", PROTOCOL_BAD_FIELD, 1, "passkey"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{}}", PROTOCOL_MISSING_FIELD, 1, "passkey.auth_data"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"attestation\":\"AAAA\"}}", PROTOCOL_UNKNOWN_FIELD,
     1, "passkey.attestation"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"x\":1}}", PROTOCOL_UNKNOWN_FIELD, 1, "passkey.x"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":\"\"}}", PROTOCOL_BAD_FIELD, 1, "passkey.id"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":7}}", PROTOCOL_BAD_FIELD, 1, "passkey.id"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":\"AA==\"}}", PROTOCOL_BAD_FIELD, 1,
     "passkey.id"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":\"A\"}}", PROTOCOL_BAD_FIELD, 1, "passkey.id"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":\"AB\"}}", PROTOCOL_BAD_FIELD, 1,
     "passkey.id"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":\"AAB\"}}", PROTOCOL_BAD_FIELD, 1,
     "passkey.id"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":\"A+/A\"}}", PROTOCOL_BAD_FIELD, 1,
     "passkey.id"},
    {"{\"id\":1,\"op\":\"prove\",\"passkey\":{\"user\":\"AAAAAAAAAAAAAAAAAAAAAAAA\"}}",
     PROTOCOL_BAD_FIELD, 1, "passkey.user"},
    {"{\"id\":1,\"op\":\"passkey_add\",\"passkey\":{\"client_data\":\"AAAA\"}}",
     PROTOCOL_MISSING_FIELD, 1, "passkey.attestation"},
    {"{\"id\":1,\"op\":\"passkey_add\",\"passkey\":{\"id\":\"AAAA\"}}", PROTOCOL_UNKNOWN_FIELD, 1,
     "passkey.id"},
    {"{\"id\":1,\"op\":\"passkey_drop\",\"key\":\"0f3a9c2\"}", PROTOCOL_BAD_FIELD, 1, "key"},

    {"{\"id\":1,\"op\":\"undo\",\"room\":7}", PROTOCOL_BAD_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"undo\",\"room\":\"\"}", PROTOCOL_BAD_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"undo\",\"room\":\"k3m9x0a\"}", PROTOCOL_BAD_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"undo\",\"room\":\"k3m9x0aqq\"}", PROTOCOL_BAD_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"undo\",\"room\":\"k3m9x0ai\"}", PROTOCOL_BAD_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"undo\",\"room\":\"../../et\"}", PROTOCOL_BAD_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"rooms\",\"after\":\"zz\"}", PROTOCOL_BAD_FIELD, 1, "after"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"code\":\"abc\"}", PROTOCOL_BAD_FIELD, 1, "code"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"seat\":16}", PROTOCOL_BAD_FIELD, 1, "seat"},
    {"{\"id\":1,\"op\":\"bot\"," ROOM ",\"level\":0}", PROTOCOL_BAD_FIELD, 1, "level"},
    {"{\"id\":1,\"op\":\"bot\"," ROOM ",\"level\":17}", PROTOCOL_BAD_FIELD, 1, "level"},
    {"{\"id\":1,\"op\":\"bot\"," ROOM ",\"level\":\"1\"}", PROTOCOL_BAD_FIELD, 1, "level"},
    {"{\"id\":1,\"op\":\"sit\"," ROOM ",\"level\":1}", PROTOCOL_UNKNOWN_FIELD, 1, "level"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"seat\":-1}", PROTOCOL_BAD_FIELD, 1, "seat"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"seat\":0.0}", PROTOCOL_BAD_FIELD, 1, "seat"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"seat\":\"0\"}", PROTOCOL_BAD_FIELD, 1, "seat"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"colour\":\"Pink\"}", PROTOCOL_BAD_FIELD, 1, "colour"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"colour\":\"\"}", PROTOCOL_BAD_FIELD, 1, "colour"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"colour\":\"abcdefghijklmnopq\"}", PROTOCOL_BAD_FIELD, 1,
     "colour"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"colour\":1}", PROTOCOL_BAD_FIELD, 1, "colour"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"have\":-1}", PROTOCOL_BAD_FIELD, 1, "have"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"have\":9007199254740992}", PROTOCOL_BAD_FIELD, 1,
     "have"},
    {"{\"id\":1,\"op\":\"past\"," ROOM ",\"have\":0,\"as\":16}", PROTOCOL_BAD_FIELD, 1, "as"},
    {"{\"id\":1,\"op\":\"past\"," ROOM ",\"have\":0,\"as\":255}", PROTOCOL_BAD_FIELD, 1, "as"},
    {"{\"id\":1,\"op\":\"past\"," ROOM ",\"have\":0,\"as\":-1}", PROTOCOL_BAD_FIELD, 1, "as"},
    {"{\"id\":1,\"op\":\"past\"," ROOM ",\"have\":0,\"as\":\"\"}", PROTOCOL_BAD_FIELD, 1, "as"},
    {"{\"id\":1,\"op\":\"past\"," ROOM ",\"have\":0,\"as\":\"Server\"}", PROTOCOL_BAD_FIELD, 1,
     "as"},
    {"{\"id\":1,\"op\":\"past\"," ROOM ",\"have\":0,\"as\":\"watchers\"}", PROTOCOL_BAD_FIELD, 1,
     "as"},
    {"{\"id\":1,\"op\":\"past\"," ROOM ",\"have\":0,\"as\":null}", PROTOCOL_BAD_FIELD, 1, "as"},
    {"{\"id\":1,\"op\":\"watch\"," ROOM ",\"as\":\"server\"}", PROTOCOL_UNKNOWN_FIELD, 1, "as"},
    {"{\"id\":1,\"op\":\"create\",\"hints\":1}", PROTOCOL_BAD_FIELD, 1, "hints"},
    {"{\"id\":1,\"op\":\"create\",\"hints\":\"yes\"}", PROTOCOL_BAD_FIELD, 1, "hints"},
    {"{\"id\":1,\"op\":\"join\"," ROOM ",\"hints\":true}", PROTOCOL_UNKNOWN_FIELD, 1, "hints"},
    {"{\"id\":1,\"op\":\"hint\"}", PROTOCOL_MISSING_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"analysis\"}", PROTOCOL_MISSING_FIELD, 1, "room"},
    {"{\"id\":1,\"op\":\"hint\"," ROOM ",\"seat\":1}", PROTOCOL_UNKNOWN_FIELD, 1, "seat"},
    {"{\"id\":1,\"op\":\"hello\",\"token\":\"abc\"}", PROTOCOL_BAD_FIELD, 1, "token"},
    {"{\"id\":1,\"op\":\"hello\",\"token\":\"" TOKEN "A\"}", PROTOCOL_BAD_FIELD, 1, "token"},
    {"{\"id\":1,\"op\":\"hello\",\"name\":\"\"}", PROTOCOL_BAD_FIELD, 1, "name"},
    {"{\"id\":1,\"op\":\"hello\",\"name\":\"  \"}", PROTOCOL_BAD_FIELD, 1, "name"},
    {"{\"id\":1,\"op\":\"hello\",\"name\":\"a\\u202eb\"}", PROTOCOL_BAD_FIELD, 1, "name"},
    {"{\"id\":1,\"op\":\"hello\",\"name\":\"a\\u0007b\"}", PROTOCOL_BAD_FIELD, 1, "name"},
    {"{\"id\":1,\"op\":\"hello\",\"name\":\"1234567890123456789012345\"}", PROTOCOL_BAD_FIELD, 1,
     "name"},
    {"{\"id\":1,\"op\":\"hello\",\"name\":null}", PROTOCOL_BAD_FIELD, 1, "name"},
    {"{\"id\":1,\"op\":\"ready\"," ROOM ",\"ready\":1}", PROTOCOL_BAD_FIELD, 1, "ready"},
    {"{\"id\":1,\"op\":\"ready\"," ROOM ",\"ready\":\"true\"}", PROTOCOL_BAD_FIELD, 1, "ready"},
    {"{\"id\":1,\"op\":\"ready\"," ROOM ",\"ready\":true,\"nonce\":\"abc\"}", PROTOCOL_BAD_FIELD, 1,
     "nonce"},
    {"{\"id\":1,\"op\":\"ready\"," ROOM ",\"ready\":true,\"nonce\":\"" NONCE NONCE "0\"}",
     PROTOCOL_BAD_FIELD, 1, "nonce"},
    {"{\"id\":1,\"op\":\"ready\"," ROOM ",\"ready\":true,\"nonce\":\"" NONCE "g\"}",
     PROTOCOL_BAD_FIELD, 1, "nonce"},
    {"{\"id\":1,\"op\":\"ready\"," ROOM ",\"ready\":false,\"nonce\":\"" NONCE "\"}",
     PROTOCOL_BAD_FIELD, 1, "nonce"},
    {"{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":\"\"}", PROTOCOL_BAD_FIELD, 1, "move"},
    {"{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":\"h\xc3\xbct\"}", PROTOCOL_BAD_FIELD, 1, "move"},
    {"{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":\"a\\tb\"}", PROTOCOL_BAD_FIELD, 1, "move"},
    {"{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":\"" CHARS_1024 "5\"}", PROTOCOL_BAD_FIELD, 1,
     "move"},
    {"{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":{\"a\":1}}", PROTOCOL_BAD_FIELD, 1, "move"},
    {"{\"id\":1,\"op\":\"move\"," ROOM ",\"move\":\"draw\",\"confirm\":0}", PROTOCOL_BAD_FIELD, 1,
     "confirm"},
    {"{\"id\":1,\"op\":\"offer\"," ROOM ",\"what\":\"draw\"}", PROTOCOL_BAD_FIELD, 1, "what"},
    {"{\"id\":1,\"op\":\"say\"," ROOM ",\"text\":\"\"}", PROTOCOL_BAD_FIELD, 1, "text"},
    {"{\"id\":1,\"op\":\"say\"," ROOM ",\"text\":\"a\\nb\"}", PROTOCOL_BAD_FIELD, 1, "text"},

    {"{\"id\":1,\"op\":\"create\",\"options\":[]}", PROTOCOL_BAD_FIELD, 1, "options"},
    {"{\"id\":1,\"op\":\"create\",\"options\":null}", PROTOCOL_BAD_FIELD, 1, "options"},
    {"{\"id\":1,\"op\":\"create\",\"access\":\"public\"}", PROTOCOL_BAD_FIELD, 1, "access"},
    {"{\"id\":1,\"op\":\"create\",\"game\":\"\"}", PROTOCOL_BAD_FIELD, 1, "game"},
    {"{\"id\":1,\"op\":\"create\",\"game\":\"Taluva\"}", PROTOCOL_BAD_FIELD, 1, "game"},
    {"{\"id\":1,\"op\":\"create\",\"game\":\"12345678901234567\"}", PROTOCOL_BAD_FIELD, 1, "game"},
    {CREATE "3}", PROTOCOL_BAD_FIELD, 1, "clock"},
    {CREATE "{}}", PROTOCOL_MISSING_FIELD, 1, "clock.kind"},
    {CREATE "{\"kind\":\"blitz\"}}", PROTOCOL_BAD_FIELD, 1, "clock.kind"},
    {CREATE "{\"kind\":3}}", PROTOCOL_BAD_FIELD, 1, "clock.kind"},
    {CREATE "{\"kind\":\"none\",\"move_s\":3}}", PROTOCOL_UNKNOWN_FIELD, 1, "clock.move_s"},
    {CREATE "{\"kind\":\"none\",\"x\":3}}", PROTOCOL_UNKNOWN_FIELD, 1, "clock.x"},
    {CREATE "{\"kind\":\"move\"}}", PROTOCOL_MISSING_FIELD, 1, "clock.move_s"},
    {CREATE "{\"kind\":\"move\",\"move_s\":0}}", PROTOCOL_BAD_FIELD, 1, "clock.move_s"},
    {CREATE "{\"kind\":\"move\",\"move_s\":604801}}", PROTOCOL_BAD_FIELD, 1, "clock.move_s"},
    {CREATE "{\"kind\":\"move\",\"move_s\":1.5}}", PROTOCOL_BAD_FIELD, 1, "clock.move_s"},
    {CREATE "{\"kind\":\"fischer\",\"bank_s\":60}}", PROTOCOL_MISSING_FIELD, 1,
     "clock.increment_s"},
    {CREATE "{\"kind\":\"fischer\",\"bank_s\":0,\"increment_s\":0}}", PROTOCOL_BAD_FIELD, 1,
     "clock.bank_s"},
    {CREATE "{\"kind\":\"byoyomi\",\"bank_s\":0,\"periods\":0,\"period_s\":3}}", PROTOCOL_BAD_FIELD,
     1, "clock.periods"},
    {CREATE "{\"kind\":\"days\",\"days\":31}}", PROTOCOL_BAD_FIELD, 1, "clock.days"},
    {CREATE "{\"kind\":\"days\",\"days\":3,\"on_timeout\":\"lose\"}}", PROTOCOL_BAD_FIELD, 1,
     "clock.on_timeout"},
    {"{\"id\":1,\"op\":\"cases\",\"case\":0}", PROTOCOL_BAD_FIELD, 1, "case"},
    {"{\"id\":1,\"op\":\"cases\",\"case\":\"1\"}", PROTOCOL_BAD_FIELD, 1, "case"},
    {"{\"id\":1,\"op\":\"judge\",\"case\":1,\"verdict\":\"hang\",\"why\":\"talk\"}",
     PROTOCOL_BAD_FIELD, 1, "verdict"},
    {"{\"id\":1,\"op\":\"judge\",\"case\":1,\"verdict\":\"ban\",\"why\":\"talk\",\"for_s\":0}",
     PROTOCOL_BAD_FIELD, 1, "for_s"},
    {"{\"id\":1,\"op\":\"judge\",\"case\":1,\"verdict\":\"ban\",\"why\":\"talk\",\"for_s\":"
     "315360001}",
     PROTOCOL_BAD_FIELD, 1, "for_s"},
    {"{\"id\":1,\"op\":\"appeal\",\"judgement\":1}", PROTOCOL_MISSING_FIELD, 1, "text"},
    {CREATE "{\"kind\":\"days\",\"days\":3,\"on_timeout\":0}}", PROTOCOL_BAD_FIELD, 1,
     "clock.on_timeout"},
};

START_TEST(test_refused)
{
    ck_assert_str_eq(protocol_error_code(decode(REFUSED[_i].text)),
                     protocol_error_code(REFUSED[_i].error));
    ck_assert_int_eq(request.id, REFUSED[_i].id);
    ck_assert_str_eq(request.bad_field, REFUSED[_i].field);
    request_release(&request);
}
END_TEST

static void encode(struct buffer *out)
{
    struct writer writer;
    buffer_clear(out);
    writer_init(&writer, out);
    request_encode(&writer, &request);
    ck_assert(writer_done(&writer) && !out->failed);
}

START_TEST(test_accepted)
{
    struct buffer out;
    buffer_init(&out, 0, PROTOCOL_MESSAGE_BYTES);
    enum protocol_error error = decode(ACCEPTED[_i]);
    ck_assert_msg(error == PROTOCOL_OK, "%d %s", error, request.bad_field);
    ck_assert_str_eq(request.bad_field, "");
    encode(&out);

    /* `confirm`, `ready` and the like stand in the order of the enum, not of the case's text */
    json_t *want = json_loads(ACCEPTED[_i], 0, NULL);
    json_t *got = json_loadb(buffer_payload(&out), out.len, 0, NULL);
    ck_assert_msg(json_equal(want, got), "%.*s", (int)out.len, buffer_payload(&out));
    json_decref(want);
    json_decref(got);
    request_release(&request);
    buffer_release(&out);
}
END_TEST

START_TEST(test_every_op_is_accepted_somewhere)
{
    bool seen[REQUEST_OPS] = {0};
    for (size_t i = 0; i < sizeof ACCEPTED / sizeof ACCEPTED[0]; i++) {
        ck_assert_int_eq(decode(ACCEPTED[i]), PROTOCOL_OK);
        seen[request.op] = true;
        ck_assert_ptr_nonnull(strstr(ACCEPTED[i], request_op_name(request.op)));
        request_release(&request);
    }
    for (int op = 0; op < REQUEST_OPS; op++)
        ck_assert_msg(seen[op], "%s", request_op_name((enum request_op)op));
}
END_TEST

START_TEST(test_values)
{
    ck_assert_int_eq(
        decode("{\"op\":\"join\",\"seat\":2,\"colour\":\"white\",\"have\":77," ROOM ",\"id\":5}"),
        PROTOCOL_OK);
    ck_assert_int_eq(request.id, 5);
    ck_assert_int_eq(request.op, REQUEST_JOIN);
    ck_assert_uint_eq(request.fields, REQUEST_SEAT | REQUEST_COLOUR | REQUEST_HAVE | REQUEST_ROOM);
    ck_assert_uint_eq(request.seat, 2);
    ck_assert_str_eq(request.colour, "white");
    ck_assert_int_eq(request.have, 77);
    ck_assert_str_eq(request.room, "k3m9x0aq");
    ck_assert(request_has(&request, REQUEST_SEAT));
    ck_assert(!request_has(&request, REQUEST_CODE));

    ck_assert_int_eq(
        decode("{\"id\":1,\"op\":\"ready\",\"ready\":true," ROOM ",\"nonce\":\"" NONCE "\"}"),
        PROTOCOL_OK);
    ck_assert(request.ready);
    ck_assert_str_eq(request.nonce, "0123456789abcdef0123456789abcdef"); /* lower case now */

    ck_assert_int_eq(decode("{\"id\":1,\"op\":\"rename\",\"name\":\" \\u0041na \"}"), PROTOCOL_OK);
    ck_assert_str_eq(request.name, "Ana"); /* trimmed */

    ck_assert_int_eq(decode("{\"id\":1,\"op\":\"rename\",\"name\":"
                            "\"\\u00e9\\u07ff\\u0800\\uFFFC\\ud83d\\uDE00\\\"\\\\\\/z\"}"),
                     PROTOCOL_OK);
    ck_assert_str_eq(request.name,
                     "\xc3\xa9\xdf\xbf\xe0\xa0\x80\xef\xbf\xbc\xf0\x9f\x98\x80\"\\/z");

    ck_assert_int_eq(decode(CREATE "{\"kind\":\"byoyomi\",\"period_s\":30,\"periods\":3,\"bank_s\":"
                                   "60}}"),
                     PROTOCOL_OK);
    ck_assert_int_eq(request.clock.kind, PROTOCOL_CLOCK_BYOYOMI);
    ck_assert_int_eq(request.clock.on_timeout, PROTOCOL_TIMEOUT_ELIMINATE);
    ck_assert_uint_eq(request.clock.bank_s, 60);
    ck_assert_uint_eq(request.clock.periods, 3);
    ck_assert_uint_eq(request.clock.period_s, 30);
    ck_assert_uint_eq(request.clock.move_s, 0);
    ck_assert_ptr_null(request.options);
}
END_TEST

/* Only the bytes up to the length count, whatever lies behind them. */
START_TEST(test_every_prefix)
{
    const char *text = ACCEPTED[_i];
    char longer[PROTOCOL_MESSAGE_BYTES];
    for (size_t len = 0; len < strlen(text); len++) {
        ck_assert_msg(request_decode(&request, text, len) == PROTOCOL_BAD_JSON, "%.*s", (int)len,
                      text);
        ck_assert_int_eq(request.id, REQUEST_NO_ID);
    }
    int len = snprintf(longer, sizeof longer, "%s,}]\"", text);
    ck_assert_int_eq(request_decode(&request, longer, (size_t)len - 4), PROTOCOL_OK);
    request_release(&request);
}
END_TEST

/* What the game gets to see of its options: every kind of value. */
START_TEST(test_options)
{
    static const char text[] =
        "{\"n\":null,\"t\":true,\"f\":false,\"i\":-9223372036854775808,\"r\":"
        "[0.5,-1e-2,0,[],{}],\"s\":\"\\b\\f\\n\\r\\t\",\"\":{\"\\u00e9\":\"\"}}";
    char message[sizeof text + 64];
    int len = sprintf(message, "{\"id\":1,\"op\":\"create\",\"options\":%s}", text);
    ck_assert_int_eq(request_decode(&request, message, (size_t)len), PROTOCOL_OK);
    json_t *want = json_loads(text, 0, NULL);
    ck_assert(want && json_equal(request.options, want));
    json_decref(want);
    request_release(&request);
}
END_TEST

START_TEST(test_longest_message)
{
    static char text[PROTOCOL_MESSAGE_BYTES + 2];
    memset(text, ' ', sizeof text);
    memcpy(text, "{\"id\":1,\"op\":\"ping\"}", 20);
    ck_assert_int_eq(request_decode(&request, text, PROTOCOL_MESSAGE_BYTES), PROTOCOL_OK);
    ck_assert_int_eq(request_decode(&request, text, PROTOCOL_MESSAGE_BYTES + 1), PROTOCOL_TOO_LONG);
    ck_assert_int_eq(request.id, REQUEST_NO_ID);
}
END_TEST

START_TEST(test_nul_bytes)
{
    ck_assert_int_eq(request_decode(&request, "{\"id\":1,\"op\":\"ping\"}\0", 21),
                     PROTOCOL_BAD_JSON);
    ck_assert_int_eq(request_decode(&request, "\0{\"id\":1,\"op\":\"ping\"}", 21),
                     PROTOCOL_BAD_JSON);
    ck_assert_int_eq(request_decode(&request, "{\"id\":1,\"op\":\"pi\0ng\"}", 21),
                     PROTOCOL_BAD_JSON);
}
END_TEST

/* `levels` containers within options: the message itself and options are two more. */
static uint64_t digest_of(const char *text)
{
    ck_assert_int_eq(decode(text), PROTOCOL_OK);
    uint64_t digest = request_digest(&request);
    request_release(&request);
    return digest;
}

START_TEST(test_digest_differs)
{
    static const char *const OTHERS[] = {
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":{\"b\":1}}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":{},\"b\":1}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":{\"b\":true}}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":{\"b\":\"1\"}}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":{\"b\":1.0}}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":[[],[1]]}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":[[1],[]]}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{\"a\":[1,[]]}}",
        "{\"id\":1,\"op\":\"create\",\"options\":{}}",
    };
    enum { ACCEPTEDS = sizeof ACCEPTED / sizeof ACCEPTED[0] };
    enum { ALL = ACCEPTEDS + sizeof OTHERS / sizeof OTHERS[0] };
    uint64_t digests[ALL];
    for (size_t i = 0; i < ALL; i++)
        digests[i] = digest_of(i < ACCEPTEDS ? ACCEPTED[i] : OTHERS[i - ACCEPTEDS]);
    for (size_t i = 2; i < ALL; i++) { /* the first two differ in their id only */
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(digests[i] != digests[j], "%zu %zu", i, j);
    }
    ck_assert_uint_eq(digests[0], digests[1]);
}
END_TEST

Suite *request_suite(void)
{
    Suite *suite = suite_create("request");
    TCase *tests = tcase_create("request");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_loop_test(tests, test_refused, 0, sizeof REFUSED / sizeof REFUSED[0]);
    tcase_add_loop_test(tests, test_accepted, 0, sizeof ACCEPTED / sizeof ACCEPTED[0]);
    tcase_add_loop_test(tests, test_every_prefix, 0, sizeof ACCEPTED / sizeof ACCEPTED[0]);
    tcase_add_test(tests, test_every_op_is_accepted_somewhere);
    tcase_add_test(tests, test_values);
    tcase_add_test(tests, test_options);
    tcase_add_test(tests, test_longest_message);
    tcase_add_test(tests, test_nul_bytes);
    tcase_add_test(tests, test_digest_differs);
    suite_add_tcase(suite, tests);
    return suite;
}
