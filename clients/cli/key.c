#include "key.h"

#include <string.h>

enum {
    ESC = 0x1b,
    CONTROL_D = 0x04,
    CONTROL_L = 0x0c,
    OLD_MOUSE_BYTES = 6, /* ESC [ M and three bytes, of a terminal that knows no SGR reports */
    MOUSE_MOST = 9999,   /* columns and rows */
};

/* ---- how long it is */

static size_t character_length(unsigned char first)
{
    return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

static size_t sequence_length(const unsigned char *bytes, size_t count)
{
    size_t fixed = bytes[1] == 'O' ? 3 : 0;
    if (count > 2 && bytes[1] == '[')
        fixed = bytes[2] == 'M' ? OLD_MOUSE_BYTES : bytes[2] == '[' ? 4 : 0; /* Linux: ESC [ [ A */
    if (fixed > 0)
        return count >= fixed ? fixed : 0;
    for (size_t i = 2; i < count; i++) {
        if (bytes[i] >= 0x40 && bytes[i] <= 0x7e)
            return i + 1;
    }
    return count >= KEY_BYTES ? count : 0;
}

/* 0 if it is not complete yet. */
static size_t key_length(const unsigned char *bytes, size_t count)
{
    if (count == 0)
        return 0;
    if (bytes[0] != ESC) {
        const size_t length = character_length(bytes[0]);
        return count >= length ? length : 0;
    }
    if (count < 2)
        return 0;
    return bytes[1] == '[' || bytes[1] == 'O' ? sequence_length(bytes, count) : 2;
}

/* ---- the mouse */

/* A number and the sign behind it. */
static const unsigned char *read_number(const unsigned char *at, int *number, const char *ends)
{
    *number = 0;
    if (*at < '0' || *at > '9')
        return NULL;
    for (; *at >= '0' && *at <= '9'; at++) {
        *number = 10 * *number + (*at - '0');
        if (*number > MOUSE_MOST)
            return NULL;
    }
    return *at && strchr(ends, *at) ? at : NULL;
}

static enum mouse_kind mouse_kind(int button, bool pressed)
{
    const int modifiers = 4 | 8 | 16; /* Shift, Alt, Control */
    if (!pressed)
        return MOUSE_OTHER;
    switch (button & ~modifiers) {
    case 0:
        return MOUSE_LEFT;
    case 2:
        return MOUSE_RIGHT;
    case 64:
        return MOUSE_WHEEL_UP;
    case 65:
        return MOUSE_WHEEL_DOWN;
    default:
        return MOUSE_OTHER;
    }
}

/* ESC [ < button ; column ; row M, or m where the button was let go; the first column is 1. */
static bool read_mouse(struct mouse *mouse, const unsigned char *bytes, size_t length)
{
    int button, x, y;
    if (length < 4 || memcmp(bytes, "\033[<", 3) != 0)
        return false;
    const unsigned char *at = read_number(bytes + 3, &button, ";");
    at = at ? read_number(at + 1, &x, ";") : NULL;
    at = at ? read_number(at + 1, &y, "Mm") : NULL;
    if (!at || x < 1 || y < 1)
        return false;
    *mouse = (struct mouse){mouse_kind(button, *at == 'M'), x - 1, y - 1};
    return true;
}

/* ---- what it is */

static const struct {
    const char *bytes;
    enum key_kind kind;
} rows[] = {
    {"\r", KEY_ENTER},
    {"\n", KEY_ENTER},
    {"\t", KEY_TAB},
    {"\033[Z", KEY_BACK_TAB},
    {"\033[A", KEY_UP},
    {"\033[B", KEY_DOWN},
    {"\033[C", KEY_RIGHT},
    {"\033[D", KEY_LEFT},
    {"\033OA", KEY_UP},
    {"\033OB", KEY_DOWN},
    {"\033OC", KEY_RIGHT},
    {"\033OD", KEY_LEFT},
    {"\033[5~", KEY_PAGE_UP},
    {"\033[6~", KEY_PAGE_DOWN},
    {"\033[200~", KEY_PASTE_BEGIN},
    {"\033[201~", KEY_PASTE_END},
};

/* An arrow with Shift, Alt or Control: ESC [ 1 ; modifier A */
static bool is_pan(const unsigned char *bytes, size_t length, enum key_kind *kind)
{
    static const char ends[] = "ABDC";
    static const enum key_kind kinds[] = {KEY_PAN_UP, KEY_PAN_DOWN, KEY_PAN_LEFT, KEY_PAN_RIGHT};
    if (length != 6 || memcmp(bytes, "\033[1;", 4) != 0 || !bytes[5])
        return false;
    const char *end = strchr(ends, bytes[5]);
    if (!end)
        return false;
    *kind = kinds[end - ends];
    return true;
}

/* A sequence that edits the line: Home, End, Delete. Of others the editor would take half as text.
 */
static bool is_edit(const unsigned char *bytes, size_t length)
{
    static const char *const edits[] = {"[H", "[F", "OH", "OF", "[1~", "[3~", "[4~", "[7~", "[8~"};
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        if (strlen(edits[i]) == length - 1 && memcmp(edits[i], bytes + 1, length - 1) == 0)
            return true;
    }
    return false;
}

static bool is_sequence(const unsigned char *bytes, size_t length)
{
    return length > 2 && bytes[0] == ESC && (bytes[1] == '[' || bytes[1] == 'O');
}

static void name_key(struct key *key, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strlen(rows[i].bytes) == length && memcmp(rows[i].bytes, bytes, length) == 0) {
            key->kind = rows[i].kind;
            return;
        }
    }
    if (read_mouse(&key->mouse, bytes, length))
        key->kind = KEY_MOUSE;
    else if (is_pan(bytes, length, &key->kind))
        return;
    else if (is_sequence(bytes, length) && !is_edit(bytes, length))
        key->kind = KEY_UNKNOWN;
    else if (length == 1 && bytes[0] == CONTROL_D)
        key->kind = KEY_END;
    else if (length == 1 && bytes[0] == CONTROL_L)
        key->kind = KEY_REDRAW;
    else if (length == 1 && bytes[0] >= ' ' && bytes[0] < 0x7f)
        key->letter = (char)bytes[0];
}

size_t key_read(struct key *key, const unsigned char *bytes, size_t count)
{
    const size_t length = key_length(bytes, count);
    *key = (struct key){.kind = KEY_TEXT};
    if (length > 0)
        name_key(key, bytes, length);
    return length;
}
