/* Lines that are typed, or come from a pipe or a file. */
#include "input.h"
#include "suites.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    char lines[8][40];
    unsigned count, ends;
    size_t longest;
} heard;

static struct input *held_input; /* each line is waited for; NULL: they come as they come */
static bool has_come;

static void on_line(void *user, const char *line)
{
    (void)user;
    if (held_input) {
        ck_assert(!has_come);
        has_come = true;
        input_hold(held_input, true);
    }
    const size_t len = strlen(line);
    heard.longest = len > heard.longest ? len : heard.longest;
    (void)snprintf(heard.lines[heard.count++ % 8], sizeof heard.lines[0], "%.39s", line);
    errno = EAGAIN; /* of something else; the end is the end all the same */
}

static void on_end(void *user)
{
    (void)user;
    heard.ends++;
}

/* The next line may come. */
static void on_turn(uv_prepare_t *turn)
{
    (void)turn;
    has_come = false;
    input_hold(held_input, false);
}

/* Reads all of the standard input, which is this file. `held`: a line in each turn of the loop. */
static void hear_held(int fd, bool held)
{
    uv_prepare_t turn;
    static const struct input_events events = {.line = on_line, .end = on_end};
    uv_loop_t loop;
    memset(&heard, 0, sizeof heard);
    int kept = dup(STDIN_FILENO);
    ck_assert_int_ge(dup2(fd, STDIN_FILENO), 0);
    ck_assert_int_eq(uv_loop_init(&loop), 0);
    struct input *input = input_create(&loop, &events, NULL);
    ck_assert_ptr_nonnull(input);
    held_input = held ? input : NULL;
    uv_prepare_init(&loop, &turn);
    uv_prepare_start(&turn, on_turn);
    if (!held)
        uv_prepare_stop(&turn);
    while (heard.ends == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    held_input = NULL;
    uv_close((uv_handle_t *)&turn, NULL);
    input_destroy(input);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
    ck_assert_int_ge(dup2(kept, STDIN_FILENO), 0);
    (void)close(kept);
}

static void hear(int fd)
{
    hear_held(fd, false);
}

static const char typed[] = "one\ntwo\r\n\n th\0ree \nlast";

static void expect_typed(void)
{
    static const char *const lines[] = {"one", "two", "", " three ", "last"};
    ck_assert_uint_eq(heard.count, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(heard.lines[i], lines[i]);
    ck_assert_uint_eq(heard.ends, 1);
}

/* Whoever asks for it gets one line after the other, all of them all the same. */
START_TEST(lines_wait)
{
    char bytes[INPUT_LINE_MAX + 3];
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], typed, sizeof typed - 1), sizeof typed - 1);
    (void)close(ends[1]);
    hear_held(ends[0], true);
    (void)close(ends[0]);
    expect_typed();
    memset(bytes, 'x', sizeof bytes);
    bytes[INPUT_LINE_MAX] = '\n'; /* which ends a line that is full already */
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], bytes, sizeof bytes), sizeof bytes);
    (void)close(ends[1]);
    hear_held(ends[0], true);
    (void)close(ends[0]);
    ck_assert_uint_eq(heard.count, 2);
    ck_assert_str_eq(heard.lines[1], "xx");
}
END_TEST

START_TEST(lines_come_from_a_pipe)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], typed, sizeof typed - 1), sizeof typed - 1);
    (void)close(ends[1]);
    hear(ends[0]);
    (void)close(ends[0]);
    expect_typed();
}
END_TEST

START_TEST(lines_come_from_a_file)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(typed, 1, sizeof typed - 1, file), sizeof typed - 1);
    rewind(file);
    hear(fileno(file));
    (void)fclose(file);
    expect_typed();
}
END_TEST

START_TEST(a_line_without_end_is_cut)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 2 * INPUT_LINE_MAX + 5; i++)
        (void)fputc('x', file);
    rewind(file);
    hear(fileno(file));
    (void)fclose(file);
    ck_assert_uint_eq(heard.count, 3);
    ck_assert_uint_eq(heard.longest, INPUT_LINE_MAX);
    ck_assert_str_eq(heard.lines[2], "xxxxx");
}
END_TEST

static struct input *ending;

/* The first line waits until it is asked for more; the second one is the end. */
static void on_ending_line(void *user, const char *line)
{
    (void)user;
    (void)line;
    if (heard.count++ == 0)
        input_hold(ending, true);
    else
        input_destroy(ending);
}

/* Hears the lines of this file as the standard input. */
static void hear_ending(int fd)
{
    static const struct input_events events = {.line = on_ending_line, .end = on_end};
    uv_loop_t loop;
    memset(&heard, 0, sizeof heard);
    int kept = dup(STDIN_FILENO);
    ck_assert_int_ge(dup2(fd, STDIN_FILENO), 0);
    ck_assert_int_eq(uv_loop_init(&loop), 0);
    ending = input_create(&loop, &events, NULL);
    ck_assert_ptr_nonnull(ending);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_uint_eq(heard.count, 1);
    input_hold(ending, false);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
    ck_assert_int_ge(dup2(kept, STDIN_FILENO), 0);
    (void)close(kept);
    ck_assert_uint_eq(heard.count, 2);
    ck_assert_uint_eq(heard.ends, 0);
}

static const char *const ENDINGS[] = {"one\nquit\nthree\n", "one\nquit\n", "one\nquit"};

/* A line that has waited ends the reading: nothing is told after it. */
START_TEST(a_line_ends_the_input)
{
    const size_t len = strlen(ENDINGS[_i]);
    FILE *file = tmpfile();
    int ends[2];
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(ENDINGS[_i], 1, len, file), len);
    rewind(file);
    hear_ending(fileno(file));
    (void)fclose(file);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], ENDINGS[_i], len), (ssize_t)len);
    (void)close(ends[1]);
    hear_ending(ends[0]);
    (void)close(ends[0]);
}
END_TEST

/* A folder can be opened but not read: that is the end, too. */
START_TEST(what_cannot_be_read_ends)
{
    int folder = open(".", O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(folder, 0);
    hear(folder);
    (void)close(folder);
    ck_assert_uint_eq(heard.count, 0);
    ck_assert_uint_eq(heard.ends, 1);
}
END_TEST

Suite *lines_suite(void)
{
    Suite *suite = suite_create("lines");
    TCase *tcase = tcase_create("lines");
    tcase_add_test(tcase, lines_come_from_a_pipe);
    tcase_add_test(tcase, lines_wait);
    tcase_add_test(tcase, lines_come_from_a_file);
    tcase_add_test(tcase, a_line_without_end_is_cut);
    tcase_add_test(tcase, what_cannot_be_read_ends);
    tcase_add_loop_test(tcase, a_line_ends_the_input, 0, sizeof ENDINGS / sizeof ENDINGS[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
