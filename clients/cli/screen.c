#include "screen.h"

#include "wrap.h"
#include <cli/glyph.h>
#include <stdlib.h>
#include <string.h>

/* ---- layout */

static void lay_out(struct screen *screen)
{
    const struct terminal *terminal = &screen->terminal;
    screen->has_picture = terminal->is_terminal && terminal->columns >= SCREEN_COLUMNS_LEAST &&
                          terminal->rows >= SCREEN_ROWS_LEAST;
    screen->top_rows = terminal->rows - (terminal->rows / 5 + 2);
}

/* Everything below the picture scrolls; the cursor goes to the last row. */
static void set_region(const struct screen *screen)
{
    if (screen->has_picture)
        printf("\033[%d;%dr\033[%d;1H", screen->top_rows + 1, screen->terminal.rows,
               screen->terminal.rows);
    else
        fputs("\033[r", stdout);
}

/* ---- taking the terminal and giving it back */

/* The other screen; pasted text is marked as such. */
static const char taken[] = "\033[?1049h\033[2J\033[?2004h";
/* The mouse too, whether it is on or not. */
static const char given_back[] = "\033[?1006l\033[?1000l\033[?2004l\033[r\033[?1049l";

void screen_open(struct screen *screen, bool ascii, bool no_color)
{
    *screen = (struct screen){.terminal = terminal_look(ascii, no_color)};
    lay_out(screen);
    if (!screen->terminal.is_terminal)
        return;
    terminal_guard(given_back);
    fputs(taken, stdout);
    set_region(screen);
    fflush(stdout);
}

void screen_close(struct screen *screen)
{
    if (!screen->terminal.is_terminal)
        return;
    fputs(given_back, stdout);
    fflush(stdout);
    screen->has_mouse = false;
    terminal_guard(NULL);
}

void screen_suspend(struct screen *screen)
{
    if (!screen->terminal.is_terminal)
        return;
    if (screen->prompt) {
        prompt_hide(screen->prompt);
        prompt_suspend(screen->prompt);
    }
    fputs(given_back, stdout);
    fflush(stdout);
    screen->has_mouse = false;
}

void screen_resume(struct screen *screen)
{
    if (!screen->terminal.is_terminal)
        return;
    if (screen->prompt)
        prompt_resume(screen->prompt);
    fputs(taken, stdout);
    screen_redraw(screen);
}

void screen_mouse(struct screen *screen, bool on)
{
    on = on && screen->has_picture;
    if (on == screen->has_mouse)
        return;
    screen->has_mouse = on;
    fputs(on ? "\033[?1000h\033[?1006h" : "\033[?1006l\033[?1000l", stdout);
    fflush(stdout);
}

/* ---- lines */

static void keep(struct screen *screen, const char *line)
{
    char *slot = screen->kept[screen->kept_count++ % SCREEN_LINES_KEPT];
    size_t len = strlen(line);
    len = len < SCREEN_LINE_MAX ? len : SCREEN_LINE_MAX - 1;
    memcpy(slot, line, len);
    slot[len] = '\0';
}

void screen_note(struct screen *screen, const char *line)
{
    if (!screen->terminal.is_terminal) {
        glyph_print_text(line, stdout);
        fputc('\n', stdout);
        fflush(stdout);
        return;
    }
    if (screen->prompt)
        prompt_hide(screen->prompt);
    wrap_line(line, screen->terminal.columns, "\r\n", stdout);
    if (screen->prompt)
        prompt_show(screen->prompt);
    fflush(stdout);
}

void screen_say(struct screen *screen, const char *line)
{
    if (!screen->terminal.is_terminal) {
        screen_note(screen, line);
        return;
    }
    keep(screen, line);
    screen_note(screen, screen->kept[(screen->kept_count - 1) % SCREEN_LINES_KEPT]);
}

/* ---- the picture */

static void paint_rows(const struct screen *screen, const struct canvas *canvas, int rows)
{
    char *bytes;
    size_t len;
    FILE *out = open_memstream(&bytes, &len);
    if (!out)
        return;
    fputs("\0337\033[?25l", out); /* remembers the cursor of the line being typed */
    for (int y = 0; y < canvas->rows && y < rows; y++) {
        fprintf(out, "\033[%d;1H\033[0m", y + 1);
        canvas_print_row(canvas, y, screen->terminal.colours, out);
        fputs("\033[K", out);
    }
    fputs("\033[?25h\0338", out);
    if (fclose(out) == 0) {
        fwrite(bytes, 1, len, stdout);
        fflush(stdout);
    }
    free(bytes);
}

void screen_paint(struct screen *screen, const struct canvas *canvas)
{
    if (screen->has_picture)
        paint_rows(screen, canvas, screen->top_rows);
}

void screen_fill(struct screen *screen, const struct canvas *canvas)
{
    if (screen->terminal.is_terminal)
        paint_rows(screen, canvas, screen->terminal.rows);
}

void screen_redraw(struct screen *screen)
{
    if (!screen->terminal.is_terminal)
        return;
    if (screen->prompt)
        prompt_hide(screen->prompt);
    terminal_measure(&screen->terminal);
    lay_out(screen);
    fputs("\033[r\033[2J", stdout);
    set_region(screen);
    unsigned rows = (unsigned)(screen->terminal.rows - screen->top_rows);
    unsigned count = screen->kept_count < rows ? screen->kept_count : rows;
    for (unsigned i = screen->kept_count - count; i < screen->kept_count; i++)
        wrap_line(screen->kept[i % SCREEN_LINES_KEPT], screen->terminal.columns, "\r\n", stdout);
    if (screen->prompt) {
        prompt_resize(screen->prompt);
        prompt_show(screen->prompt);
    }
    fflush(stdout);
}

void screen_forget(struct screen *screen)
{
    screen->kept_count = 0;
    if (screen->prompt)
        prompt_forget(screen->prompt);
    screen_redraw(screen);
}
