#include "replay_show.h"

#include "replay_viewer.h"
#include "screen.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

/* ---- signals: they only leave a mark, which is obeyed between two keys */

static volatile sig_atomic_t ended, resized, suspended;

static void on_signal(int number)
{
    if (number == SIGWINCH)
        resized = 1;
    else if (number == SIGTSTP)
        suspended = 1;
    else
        ended = 1;
}

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP};
enum { SIGNALS = sizeof numbers / sizeof numbers[0] };

struct signals {
    struct sigaction actions[SIGNALS];
    sigset_t mask;
};

/* They come only while a key is waited for, see pselect. */
static void take_signals(struct signals *before)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t held;
    (void)sigemptyset(&action.sa_mask);
    (void)sigemptyset(&held);
    ended = resized = suspended = 0;
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaddset(&held, numbers[i]);
    (void)sigprocmask(SIG_BLOCK, &held, &before->mask);
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaction(numbers[i], &action, &before->actions[i]);
}

static void give_signals_back(const struct signals *before)
{
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaction(numbers[i], &before->actions[i], NULL);
    (void)sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* ---- the terminal */

struct show {
    struct screen screen;
    struct replay_viewer viewer;
    struct termios modes; /* as they were */
    bool has_modes;
    struct signals signals;
};

/* Keys one by one and unseen; Control-C and Control-Z stay signals. */
static void set_modes(struct show *show)
{
    show->has_modes = tcgetattr(STDIN_FILENO, &show->modes) == 0;
    struct termios modes = show->modes;
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    if (show->has_modes)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

static void reset_modes(const struct show *show)
{
    if (show->has_modes)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &show->modes);
}

static void paint_screen(struct show *show)
{
    const struct terminal *terminal = &show->screen.terminal;
    struct canvas canvas;
    if (!canvas_init(&canvas, terminal->columns, terminal->rows, terminal->ascii))
        return;
    replay_viewer_draw(&show->viewer, &canvas);
    screen_fill(&show->screen, &canvas);
    canvas_release(&canvas);
}

static void stop_for_a_while(struct show *show)
{
    suspended = 0;
    reset_modes(show);
    screen_suspend(&show->screen);
    (void)raise(SIGSTOP); /* goes on here when it is continued */
    set_modes(show);
    screen_resume(&show->screen);
}

/* Waits for a key or a signal. False at the end of the input. */
static bool listen_once(struct show *show)
{
    fd_set input;
    char bytes[256];
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    if (pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &show->signals.mask) <= 0)
        return errno == EINTR;
    const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count > 0)
        replay_viewer_type(&show->viewer, bytes, (size_t)count);
    return count > 0 || (count < 0 && errno == EINTR);
}

static void run_show(struct show *show)
{
    bool listening = true;
    while (listening && !ended && !show->viewer.over) {
        if (suspended)
            stop_for_a_while(show);
        if (resized)
            screen_redraw(&show->screen);
        resized = 0;
        paint_screen(show);
        listening = listen_once(show);
    }
}

enum replay_shown replay_show(const char *name, const struct record *record,
                              const struct replay_pictures *pictures)
{
    struct show *show = calloc(1, sizeof *show);
    if (!show)
        return REPLAY_NOT_SHOWN;
    const bool visible = replay_viewer_init(&show->viewer, name, record, pictures);
    if (visible) {
        if (pictures->turn > 0)
            replay_viewer_go_to(&show->viewer, (unsigned)pictures->turn);
        take_signals(&show->signals);
        screen_open(&show->screen, pictures->ascii, pictures->colours == CANVAS_MONO);
        set_modes(show);
        run_show(show);
        reset_modes(show);
        screen_close(&show->screen);
        give_signals_back(&show->signals);
    }
    replay_viewer_release(&show->viewer);
    free(show);
    return !visible ? REPLAY_NOT_SHOWN : ended ? REPLAY_INTERRUPTED : REPLAY_SHOWN;
}
