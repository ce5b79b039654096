/* The terminal and what is written to it; files that are replaced. */
#include "../../support/scratch_path.h"
#include "games/totem/people.h"
#include "screen.h"
#include "suites.h"
#include <cli/file.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* ---- a terminal of the test's own in the place of the standard input and output */

static struct {
    int master, kept_in, kept_out;
} own;

static void resize(int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    ck_assert_int_eq(ioctl(own.master, TIOCSWINSZ, &size), 0);
}

static void own_terminal(int columns, int rows)
{
    struct termios modes;
    own.master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(own.master, 0);
    ck_assert(grantpt(own.master) == 0 && unlockpt(own.master) == 0);
    int slave = open(ptsname(own.master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(slave, 0);
    ck_assert_int_eq(tcgetattr(slave, &modes), 0);
    cfmakeraw(&modes);
    ck_assert_int_eq(tcsetattr(slave, TCSANOW, &modes), 0);
    resize(columns, rows);
    (void)fflush(stdout);
    own.kept_in = dup(STDIN_FILENO);
    own.kept_out = dup(STDOUT_FILENO);
    ck_assert(dup2(slave, STDIN_FILENO) >= 0 && dup2(slave, STDOUT_FILENO) >= 0);
    (void)close(slave);
}

/* What was written since the last call. */
static const char *written(void)
{
    static char text[8192];
    (void)fflush(stdout);
    int flags = fcntl(own.master, F_GETFL);
    ck_assert_int_eq(fcntl(own.master, F_SETFL, flags | O_NONBLOCK), 0);
    size_t len = 0;
    for (ssize_t got; (got = read(own.master, text + len, sizeof text - 1 - len)) > 0;)
        len += (size_t)got;
    text[len] = '\0';
    return text;
}

static void give_terminal_back(void)
{
    (void)fflush(stdout);
    ck_assert(dup2(own.kept_in, STDIN_FILENO) >= 0 && dup2(own.kept_out, STDOUT_FILENO) >= 0);
    (void)close(own.kept_in);
    (void)close(own.kept_out);
    (void)close(own.master);
}

static void set_variable(const char *name, const char *value)
{
    if (value)
        ck_assert_int_eq(setenv(name, value, 1), 0);
    else
        ck_assert_int_eq(unsetenv(name), 0);
}

static const struct {
    const char *term, *colorterm, *no_color_variable;
    bool no_color;
    enum canvas_colours colours;
} LOOKS[] = {
    {"xterm", NULL, NULL, false, CANVAS_16},
    {"xterm-256color", NULL, NULL, false, CANVAS_256},
    {"xterm-direct", NULL, NULL, false, CANVAS_256},
    {"xterm-256color", "truecolor", NULL, false, CANVAS_TRUE},
    {"xterm", "24bit", NULL, false, CANVAS_TRUE},
    {"xterm", "yes", NULL, false, CANVAS_16},
    {"xterm", "truecolor", "1", false, CANVAS_MONO},
    {"xterm", "truecolor", "", false, CANVAS_TRUE},
    {"xterm", "truecolor", NULL, true, CANVAS_MONO},
    {"dumb", "truecolor", NULL, false, CANVAS_MONO},
    {"", "truecolor", NULL, false, CANVAS_MONO},
    {NULL, "truecolor", NULL, false, CANVAS_MONO},
};

START_TEST(what_the_terminal_can_do)
{
    set_variable("TERM", LOOKS[_i].term);
    set_variable("COLORTERM", LOOKS[_i].colorterm);
    set_variable("NO_COLOR", LOOKS[_i].no_color_variable);
    own_terminal(100, 30);
    struct terminal terminal = terminal_look(false, LOOKS[_i].no_color);
    struct terminal ascii = terminal_look(true, true);
    resize(0, 30);
    terminal_measure(&ascii);
    give_terminal_back();
    ck_assert_int_eq(terminal.colours, LOOKS[_i].colours);
    ck_assert(terminal.is_terminal == !(LOOKS[_i].term && strcmp(LOOKS[_i].term, "dumb") == 0));
    ck_assert(!terminal.ascii && ascii.ascii);
    ck_assert(terminal.columns == 100 && terminal.rows == 30);
    ck_assert(ascii.columns == 80 && ascii.rows == 24);
}
END_TEST

START_TEST(a_file_is_no_terminal)
{
    set_variable("TERM", "xterm");
    own_terminal(100, 30);
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
    struct terminal terminal = terminal_look(false, false);
    give_terminal_back();
    (void)fclose(file);
    ck_assert(!terminal.is_terminal);
    ck_assert_int_eq(terminal.colours, CANVAS_MONO);
    ck_assert(terminal.columns == 80 && terminal.rows == 24);
}
END_TEST

/* ---- the screen */

#define TAKEN      "\033[?1049h\033[2J\033[?2004h"
#define GIVEN_BACK "\033[?1006l\033[?1000l\033[?2004l\033[r\033[?1049l"

static const struct {
    int columns, rows;
    const char *opened, *redrawn; /* NULL: no picture */
} SIZES[] = {
    {80, 24, TAKEN "\033[19;24r\033[24;1H", "\033[r\033[2J\033[19;24r\033[24;1H"},
    {50, 16, TAKEN "\033[12;16r\033[16;1H", "\033[r\033[2J\033[12;16r\033[16;1H"},
    {49, 16, TAKEN "\033[r", "\033[r\033[2J\033[r"},
    {50, 15, TAKEN "\033[r", "\033[r\033[2J\033[r"},
};

START_TEST(the_screen_is_taken_and_given_back)
{
    static struct screen screen;
    static char text[4][8192];
    own_terminal(SIZES[_i].columns, SIZES[_i].rows);
    screen_open(&screen, false, true);
    strcpy(text[0], written());
    screen_redraw(&screen);
    strcpy(text[1], written());
    screen_close(&screen);
    strcpy(text[2], written());
    give_terminal_back();
    ck_assert_str_eq(text[0], SIZES[_i].opened);
    ck_assert_str_eq(text[1], SIZES[_i].redrawn);
    ck_assert_str_eq(text[2], GIVEN_BACK);
}
END_TEST

/* Clicks are asked for and no longer; whoever gives the terminal back gives that back, too. */
START_TEST(the_mouse_is_taken_and_given_back)
{
    static struct screen screen;
    static char text[5][8192];
    own_terminal(80, 24);
    screen_open(&screen, false, true);
    (void)written();
    screen_mouse(&screen, true);
    screen_mouse(&screen, true);
    strcpy(text[0], written());
    screen_mouse(&screen, false);
    strcpy(text[1], written());
    screen_mouse(&screen, true);
    (void)written();
    screen_suspend(&screen);
    strcpy(text[2], written());
    screen_resume(&screen);
    screen_mouse(&screen, true);
    strcpy(text[3], written());
    screen.has_picture = false;
    screen_mouse(&screen, true);
    strcpy(text[4], written());
    screen_close(&screen);
    give_terminal_back();
    ck_assert_str_eq(text[0], "\033[?1000h\033[?1006h");
    ck_assert_str_eq(text[1], "\033[?1006l\033[?1000l");
    ck_assert_str_eq(text[2], GIVEN_BACK);
    ck_assert_str_eq(text[3], TAKEN "\033[r\033[2J\033[19;24r\033[24;1H\033[?1000h\033[?1006h");
    ck_assert_str_eq(text[4], "\033[?1006l\033[?1000l"); /* nothing is there to be clicked */
}
END_TEST

/* Dies with the terminal taken, in a way that nobody can handle; what is left of the terminal? */
static void crash(int number)
{
    static struct screen screen;
    struct termios modes;
    screen_open(&screen, false, true);
    screen_mouse(&screen, true);
    ck_assert_int_eq(tcgetattr(STDIN_FILENO, &modes), 0);
    modes.c_oflag &= ~(tcflag_t)OPOST;
    ck_assert_int_eq(tcsetattr(STDIN_FILENO, TCSANOW, &modes), 0);
    (void)raise(number);
    _exit(0);
}

static const int CRASHES[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

START_TEST(a_crash_gives_the_terminal_back)
{
    struct termios before, after;
    const size_t len = strlen(GIVEN_BACK);
    int status = 0;
    for (size_t i = 0; i < sizeof CRASHES / sizeof CRASHES[0]; i++)
        (void)signal(CRASHES[i], SIG_DFL); /* no sanitizer's */
    own_terminal(80, 24);
    ck_assert_int_eq(tcgetattr(STDIN_FILENO, &before), 0);
    before.c_oflag |= (tcflag_t)OPOST;
    ck_assert_int_eq(tcsetattr(STDIN_FILENO, TCSANOW, &before), 0);
    const pid_t child = fork();
    if (child == 0)
        crash(CRASHES[_i]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    const char *text = written();
    ck_assert_int_eq(tcgetattr(STDIN_FILENO, &after), 0);
    give_terminal_back();
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == CRASHES[_i]);
    ck_assert_uint_gt(strlen(text), len);
    ck_assert_str_eq(text + strlen(text) - len, GIVEN_BACK);
    ck_assert(after.c_oflag == before.c_oflag);
}
END_TEST

#define FIFTY "12345 12345 12345 12345 12345 12345 12345 12345 12"

static const struct {
    const char *line, *printed;
} LINES[] = {
    {"", "\r\n"},
    {"one  two", "one  two\r\n"},
    {FIFTY, FIFTY "\r\n"},
    {FIFTY "3", "12345 12345 12345 12345 12345 12345 12345 12345\r\n  123\r\n"},
    {FIFTY " 4", FIFTY "\r\n  4\r\n"},
    {FIFTY "   45 " FIFTY,
     FIFTY "\r\n  45 12345 12345 12345 12345 12345 12345 12345\r\n  12345 12\r\n"},
    {"123456789-123456789-123456789-123456789-123456789-123456 8",
     "123456789-123456789-123456789-123456789-123456789-123456\r\n  8\r\n"},
};

START_TEST(lines_are_broken_at_blanks)
{
    static struct screen screen;
    static char text[8192];
    own_terminal(50, 16);
    screen_open(&screen, false, true);
    (void)written();
    screen_say(&screen, LINES[_i].line);
    strcpy(text, written());
    give_terminal_back();
    ck_assert_str_eq(text, LINES[_i].printed);
}
END_TEST

/* The last lines that have room, of those that are kept. */
START_TEST(lines_are_drawn_anew)
{
    static struct screen screen;
    static char text[2][8192];
    char line[600];
    own_terminal(80, 24);
    screen_open(&screen, false, true);
    screen_say(&screen, "first");
    (void)written();
    screen_redraw(&screen);
    strcpy(text[0], written());
    for (int i = 1; i <= 3 * SCREEN_LINES_KEPT; i++) {
        (void)snprintf(line, sizeof line, "line %d", i);
        screen_say(&screen, line);
        (void)written();
    }
    resize(80, 30);
    screen_redraw(&screen);
    strcpy(text[1], written());
    give_terminal_back();
    ck_assert_str_eq(text[0], "\033[r\033[2J\033[19;24r\033[24;1Hfirst\r\n");
    ck_assert_str_eq(text[1],
                     "\033[r\033[2J\033[23;30r\033[30;1Hline 761\r\nline 762\r\nline 763\r\n"
                     "line 764\r\nline 765\r\nline 766\r\nline 767\r\nline 768\r\n");
}
END_TEST

START_TEST(a_line_that_is_too_long_is_cut)
{
    static struct screen screen;
    static char text[8192], line[SCREEN_LINE_MAX + 10];
    memset(line, 'x', sizeof line - 1);
    own_terminal(80, 24);
    screen_open(&screen, false, true);
    (void)written();
    screen_say(&screen, line);
    strcpy(text, written());
    give_terminal_back();
    ck_assert_uint_eq(strlen(text), SCREEN_LINE_MAX - 1 + 2);
}
END_TEST

START_TEST(the_picture_is_painted_in_its_place)
{
    static struct screen screen;
    static char text[2][8192];
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, 3, 14, true));
    own_terminal(60, 16);
    screen_open(&screen, true, true);
    (void)written();
    screen_paint(&screen, &canvas);
    strcpy(text[0], written());
    screen.has_picture = false;
    screen_paint(&screen, &canvas);
    strcpy(text[1], written());
    give_terminal_back();
    canvas_release(&canvas);
    ck_assert_int_eq(strncmp(text[0], "\0337\033[?25l\033[1;1H\033[0m", 18), 0);
    ck_assert_ptr_nonnull(strstr(text[0], "\033[11;1H"));
    ck_assert_ptr_null(strstr(text[0], "\033[12;1H")); /* there the lines begin */
    ck_assert_str_eq(text[0] + strlen(text[0]) - 11, "\033[K\033[?25h\0338");
    ck_assert_str_eq(text[1], "");
}
END_TEST

/* ---- files */

static char folder[SCRATCH_BYTES];

static mode_t mode_of(const char *path)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mode & 0777;
}

START_TEST(a_file_is_replaced_whole)
{
    char path[200], old[220], text[8] = "";
    mode_t mask = umask(022);
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-test", false)));
    (void)snprintf(path, sizeof path, "%s/one", folder);
    (void)snprintf(old, sizeof old, "%s.part-%ld", path, (long)getpid());
    ck_assert(file_replace(path, "long text", 9, false));
    ck_assert_int_eq(mode_of(path), 0644);
    int left = open(old, O_WRONLY | O_CREAT | O_CLOEXEC, 0600); /* of one that died */
    (void)close(left);
    ck_assert(file_replace(path, "new", 3, true));
    ck_assert_int_eq(mode_of(path), 0600);
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(text, 1, sizeof text, file), 3);
    (void)fclose(file);
    ck_assert_str_eq(text, "new");
    ck_assert_int_eq(access(old, F_OK), -1);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0); /* what is there now cannot be replaced */
    ck_assert(!file_replace(path, "x", 1, false));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* nothing else was left */
    (void)umask(mask);
}
END_TEST

START_TEST(a_path_may_be_too_long)
{
    static char path[5000];
    memset(path, 'x', sizeof path - 1);
    errno = 0;
    ck_assert(!file_replace(path, "x", 1, false));
    ck_assert_int_eq(errno, ENAMETOOLONG);
    ck_assert(!file_replace("/dev/null/file", "x", 1, false)); /* no folder */
    ck_assert_int_eq(errno, ENOTDIR);
}
END_TEST

/* ---- people of a hut */

START_TEST(people_of_each_kind_are_written)
{
    for (int kind = 0; kind < VILLAGE_KINDS; kind++) {
        struct people huts[VILLAGE_HUTS] = {{{0}}};
        char text[PEOPLE_TEXT], wanted[PEOPLE_TEXT];
        const char letters[] = {village_kinds[kind], village_kinds[kind], '-', '\0'};
        ck_assert_uint_eq(people_add(&huts[1], letters), 2);
        ck_assert_int_eq(people_count(&huts[1]), 2);
        people_write(text, huts);
        (void)snprintf(wanted, sizeof wanted, "-/%.2s/-", letters);
        ck_assert_str_eq(text, wanted);
    }
}
END_TEST

Suite *terminal_suite(void)
{
    Suite *suite = suite_create("terminal");
    TCase *tcase = tcase_create("terminal");
    tcase_add_loop_test(tcase, what_the_terminal_can_do, 0, sizeof LOOKS / sizeof LOOKS[0]);
    tcase_add_test(tcase, a_file_is_no_terminal);
    tcase_add_loop_test(tcase, the_screen_is_taken_and_given_back, 0,
                        sizeof SIZES / sizeof SIZES[0]);
    tcase_add_test(tcase, the_mouse_is_taken_and_given_back);
    tcase_add_loop_test(tcase, a_crash_gives_the_terminal_back, 0,
                        sizeof CRASHES / sizeof CRASHES[0]);
    tcase_add_loop_test(tcase, lines_are_broken_at_blanks, 0, sizeof LINES / sizeof LINES[0]);
    tcase_add_test(tcase, lines_are_drawn_anew);
    tcase_add_test(tcase, a_line_that_is_too_long_is_cut);
    tcase_add_test(tcase, the_picture_is_painted_in_its_place);
    tcase_add_test(tcase, a_file_is_replaced_whole);
    tcase_add_test(tcase, a_path_may_be_too_long);
    tcase_add_test(tcase, people_of_each_kind_are_written);
    suite_add_tcase(suite, tcase);
    return suite;
}
