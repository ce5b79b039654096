/* What is kept between runs: sessions, those that a server did not know, and the device. */
#include "../../support/scratch_path.h"
#include "profile.h"
#include "suites.h"
#include <cli/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char TOKEN[] = "__r18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ";

static void in_temporary_state(char folder[static SCRATCH_BYTES])
{
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-test", false)));
    ck_assert_int_eq(setenv("XDG_STATE_HOME", folder, 1), 0);
}

START_TEST(session_is_kept)
{
    char folder[SCRATCH_BYTES];
    struct wire_url url;
    struct profile profile;
    struct stat stat_buffer;
    in_temporary_state(folder);
    ck_assert(wire_url_parse(&url, "ws://example.org:7400/ws"));
    ck_assert(profile_open(&profile, &url, "ana"));
    ck_assert_str_eq(profile.token, "");
    ck_assert(profile_keep(&profile, TOKEN));
    ck_assert_int_eq(stat(profile.path, &stat_buffer), 0);
    ck_assert_uint_eq(stat_buffer.st_mode & 0777, 0600);
    struct profile again;
    ck_assert(profile_open(&again, &url, "ana"));
    ck_assert_str_eq(again.token, TOKEN);
    ck_assert(profile_open(&again, &url, NULL)); /* another profile, another session */
    ck_assert_str_eq(again.token, "");
    ck_assert(wire_url_parse(&url, "ws://example.org:7401/ws")); /* another server too */
    ck_assert(profile_open(&again, &url, "ana"));
    ck_assert_str_eq(again.token, "");
    ck_assert(profile_keep(&profile, ""));
    ck_assert_int_ne(stat(profile.path, &stat_buffer), 0);
    char inner[sizeof folder + 8];
    snprintf(inner, sizeof inner, "%s/taluva", folder);
    ck_assert_int_eq(stat(inner, &stat_buffer), 0);
    ck_assert_uint_eq(stat_buffer.st_mode & 0777, 0700);
    ck_assert_int_eq(rmdir(inner), 0); /* and no temporary file was left */
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* Of two programs that begin at once the first one's session is both's, but for one that enters. */
START_TEST(of_two_who_begin_at_once_one_is_kept)
{
    static const char second[] = "AAr18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ";
    char folder[SCRATCH_BYTES], inner[SCRATCH_BYTES + 8];
    const char *other;
    struct wire_url url;
    struct profile profiles[2];
    in_temporary_state(folder);
    ck_assert(wire_url_parse(&url, "ws://example.org:7400/ws"));
    for (int i = 0; i < 2; i++)
        ck_assert(profile_open(&profiles[i], &url, NULL));
    ck_assert(profile_keep_first(&profiles[0], TOKEN, &other));
    ck_assert_ptr_null(other);
    ck_assert(profile_keep_first(&profiles[1], second, &other));
    ck_assert_str_eq(other, TOKEN);
    ck_assert_str_eq(profiles[1].token, TOKEN);
    ck_assert(profile_keep_first(&profiles[0], second, &other)); /* in place of its own */
    ck_assert_ptr_null(other);
    ck_assert(profile_open(&profiles[1], &url, NULL));
    ck_assert_str_eq(profiles[1].token, second);
    /* What is no token is no session. */
    ck_assert(file_replace(profiles[1].path, "damaged", 7, true));
    ck_assert(profile_open(&profiles[1], &url, NULL));
    ck_assert(profile_keep_first(&profiles[1], second, &other));
    ck_assert_ptr_null(other);
    ck_assert(profile_open(&profiles[0], &url, NULL));
    ck_assert_str_eq(profiles[0].token, second);
    ck_assert(profile_keep(&profiles[0], ""));
    snprintf(inner, sizeof inner, "%s/taluva", folder);
    ck_assert_int_eq(rmdir(inner), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* The same for all profiles at a server, and another at another one. */
START_TEST(a_device_is_known_again)
{
    char folder[SCRATCH_BYTES], device[9], same[9], other[9], path[4200];
    struct wire_url url;
    struct profile profile;
    in_temporary_state(folder);
    ck_assert(wire_url_parse(&url, "ws://example.org:7400/ws"));
    ck_assert(profile_open(&profile, &url, "ana"));
    ck_assert(profile_device(&profile, device));
    ck_assert_uint_eq(strspn(device, "0123456789abcdef"), 8);
    ck_assert(profile_open(&profile, &url, "bo"));
    ck_assert(profile_device(&profile, same));
    ck_assert_str_eq(device, same);
    ck_assert(wire_url_parse(&url, "ws://example.org:7401/ws"));
    ck_assert(profile_open(&profile, &url, "bo"));
    ck_assert(profile_device(&profile, other));
    ck_assert_str_ne(device, other);
    for (const char *port = "01"; *port; port++) {
        snprintf(path, sizeof path, "%s/taluva/ws___example.org_740%c_ws.device", folder, *port);
        ck_assert_int_eq(unlink(path), 0);
    }
    snprintf(path, sizeof path, "%s/taluva", folder);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* The server has lost its store, and gets it back: whoever played before plays on. */
START_TEST(refused_sessions_are_kept_aside)
{
    static const char *const tokens[] = {"__r18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ",
                                         "AAr18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ",
                                         "BBr18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ",
                                         "CCr18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ"};
    const int64_t now_s = (int64_t)time(NULL);
    char folder[SCRATCH_BYTES], aside[4200];
    struct stat stat_buffer;
    struct wire_url url;
    struct profile profile;
    in_temporary_state(folder);
    ck_assert(wire_url_parse(&url, "ws://example.org:7400/ws"));
    for (int i = 0; i < 4; i++) { /* each is forgotten, and the oldest of four is given up */
        ck_assert(profile_open(&profile, &url, NULL));
        ck_assert(profile_keep(&profile, tokens[i]));
        ck_assert(profile_open(&profile, &url, NULL));
        ck_assert_str_eq(profile.token, tokens[i]);
        for (int older = i - 1; older >= 0 && older > i - PROFILE_ASIDE_MAX; older--)
            ck_assert_str_eq(profile_refused(&profile, now_s), tokens[older]);
        ck_assert_ptr_null(profile_refused(&profile, now_s));
        ck_assert_ptr_null(profile_refused(&profile, now_s));
    }
    snprintf(aside, sizeof aside, "%s.aside", profile.path);
    ck_assert_int_eq(stat(aside, &stat_buffer), 0);
    ck_assert_uint_eq(stat_buffer.st_mode & 0777, 0600);
    /* One is known again: it is the session, and not kept aside any more. */
    ck_assert_str_eq((profile.aside_tried = 0, profile_refused(&profile, now_s)), tokens[3]);
    ck_assert_str_eq(profile_refused(&profile, now_s), tokens[2]);
    ck_assert(profile_keep(&profile, tokens[2]));
    ck_assert(profile_open(&profile, &url, NULL));
    ck_assert_str_eq(profile.token, tokens[2]);
    ck_assert_uint_eq(profile.aside_count, 2);
    ck_assert(!profile.is_aside);
    /* Without a session the latest of them is tried before a new one begins. */
    ck_assert_int_eq(unlink(profile.path), 0);
    ck_assert(profile_open(&profile, &url, NULL));
    ck_assert(profile.is_aside);
    ck_assert_str_eq(profile.token, tokens[3]);
    ck_assert_str_eq(profile_refused(&profile, now_s), tokens[1]);
    ck_assert_ptr_null(profile_refused(&profile, now_s));
    /* Not for ever: what is too old is not read. */
    FILE *file = fopen(aside, "we");
    ck_assert(fprintf(file, "%s %lld\nshort 99999999999\n%s %lld\n", tokens[0], (long long)now_s,
                      tokens[1], (long long)now_s + 1000) > 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(profile_open(&profile, &url, NULL));
    ck_assert_str_eq(profile.token, tokens[1]);
    ck_assert_uint_eq(profile.aside_count, 1);
    /* Who ends this device leaves nothing behind. */
    profile_forget(&profile);
    ck_assert_int_ne(stat(aside, &stat_buffer), 0);
    ck_assert(profile_open(&profile, &url, NULL));
    ck_assert_str_eq(profile.token, "");
    snprintf(aside, sizeof aside, "%s/taluva", folder);
    ck_assert_int_eq(rmdir(aside), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(bad_profiles)
{
    struct wire_url url;
    struct profile profile;
    char folder[SCRATCH_BYTES], inner[SCRATCH_BYTES + 8];
    in_temporary_state(folder);
    (void)snprintf(inner, sizeof inner, "%s/taluva", folder);
    ck_assert(wire_url_parse(&url, "ws://example.org"));
    ck_assert(!profile_open(&profile, &url, ""));
    ck_assert(!profile_open(&profile, &url, "../../etc/passwd"));
    ck_assert(!profile_open(&profile, &url, "a b"));
    ck_assert(profile_open(&profile, &url, "a-b_9"));
    ck_assert(!profile_keep(&profile, "a token that is longer than any token can ever be, by far"));
    ck_assert_int_eq(rmdir(folder), 0);
    /* what is no token is not sent to a server */
    ck_assert(profile_keep(&profile, "short"));
    ck_assert(profile_open(&profile, &url, "a-b_9"));
    ck_assert_str_eq(profile.token, "");
    ck_assert(profile_keep(&profile, ""));
    ck_assert_int_eq(rmdir(inner), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "", 1);
    ck_assert(profile_open(&profile, &url, NULL)); /* nowhere to keep it */
    ck_assert_str_eq(profile.path, "");
    ck_assert(profile_keep(&profile, TOKEN));
}
END_TEST

Suite *profile_suite(void)
{
    Suite *suite = suite_create("profile");
    TCase *tcase = tcase_create("profile");
    tcase_add_test(tcase, session_is_kept);
    tcase_add_test(tcase, of_two_who_begin_at_once_one_is_kept);
    tcase_add_test(tcase, a_device_is_known_again);
    tcase_add_test(tcase, refused_sessions_are_kept_aside);
    tcase_add_test(tcase, bad_profiles);
    suite_add_tcase(suite, tcase);
    return suite;
}
