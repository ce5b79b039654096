#include <room/erased.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the log */

/* The text of a ROOM_SAT event: who, instead of "human", "human:HANDLE" or "agent:HANDLE". */
struct sitter {
    size_t colour_len;
    const char *erased;
};

/* False: no session sits down with it, but a computer. */
static bool read_sitter(const struct room_event *event, struct sitter *sitter)
{
    static const char human[] = "human", agent[] = "agent:";
    const char *const end = event->text + event->text_len;
    const char *space = memchr(event->text, ' ', event->text_len);
    const char *word = space ? space + 1 : end;
    const char *after = memchr(word, ' ', (size_t)(end - word));
    const size_t len = after ? (size_t)(after - word) : 0;
    const bool is_agent = len >= strlen(agent) && memcmp(word, agent, strlen(agent)) == 0;
    const bool is_human = len >= strlen(human) && memcmp(word, human, strlen(human)) == 0 &&
                          (len == strlen(human) || word[strlen(human)] == ':');
    if (event->kind != ROOM_SAT || !(is_agent || is_human))
        return false;
    *sitter = (struct sitter){(size_t)(space - event->text),
                              is_agent ? "agent:" ROOM_ERASED_AGENT : human};
    return true;
}

size_t room_erase_event(const struct room_event *event, uint64_t session,
                        char text[ROOM_EVENT_TEXT_MAX])
{
    struct sitter sitter;
    if (event->origin.session != session || !read_sitter(event, &sitter))
        return 0;
    const int len = snprintf(text, ROOM_EVENT_TEXT_MAX, "%.*s %s " ROOM_ERASED_NAME,
                             (int)sitter.colour_len, event->text, sitter.erased);
    assert(len > 0 && len < ROOM_EVENT_TEXT_MAX);
    const bool same = (size_t)len == event->text_len && memcmp(text, event->text, (size_t)len) == 0;
    return same ? 0 : (size_t)len;
}

/* Whoever sits down elsewhere at the table has left the seat of before. */
uint8_t room_erased_seat(const struct room_event *events, size_t count, uint64_t session)
{
    uint8_t seat = ROOM_NO_SEAT;
    for (size_t at = 0; at < count; at++) {
        const struct room_event *event = &events[at];
        struct sitter sitter;
        if (event->origin.session == session && read_sitter(event, &sitter))
            seat = event->seat;
        else if (seat == event->seat && (event->kind == ROOM_SAT || event->kind == ROOM_STOOD))
            seat = ROOM_NO_SEAT;
    }
    return seat;
}

/* ---- the line in lists */

/* What is behind `piece`; NULL: it is not there. */
static const char *find_behind(const char *at, const char *end, const char *piece)
{
    const size_t len = strlen(piece);
    for (; (size_t)(end - at) >= len; at++) {
        if (memcmp(at, piece, len) == 0)
            return at + len;
    }
    return NULL;
}

/* The end of a string of JSON whose quote is before `at`; NULL: it has none. */
static const char *end_of_string(const char *at, const char *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' ? 2 : 1;
    return at < end ? at : NULL;
}

struct piece {
    const char *at, *end;
};

static size_t length_of(const struct piece *piece)
{
    return (size_t)(piece->end - piece->at);
}

/* From within its quote to the one that ends it, or that ends the handle. */
static bool find_name(const char *seats, const char *end, uint8_t seat, struct piece *name)
{
    static const char handle[] = "\",\"handle\":\"";
    char piece[24];
    (void)snprintf(piece, sizeof piece, "\"%u\":{\"name\":\"", seat);
    name->at = find_behind(seats, end, piece);
    name->end = name->at ? end_of_string(name->at, end) : NULL;
    if (name->end && (size_t)(end - name->end) > strlen(handle) &&
        memcmp(name->end, handle, strlen(handle)) == 0)
        name->end = end_of_string(name->end + strlen(handle), end);
    return name->end;
}

/* The member and its comma; empty: there is none. */
static void find_title(const char *line, const char *seats, struct piece *title)
{
    static const char member[] = "\"title\":\"";
    const char *at = find_behind(line, seats, member);
    const char *end = at ? end_of_string(at, seats) : NULL;
    *title =
        end ? (struct piece){at - strlen(member), end + strlen("\",")} : (struct piece){line, line};
}

static size_t join(const struct piece pieces[4], char *text)
{
    size_t len = 0;
    for (size_t at = 0; at < 4; at++) {
        memcpy(text + len, pieces[at].at, length_of(&pieces[at]));
        len += length_of(&pieces[at]);
    }
    return len;
}

/*
 * In a string each quote has a backslash before it, so the pieces that are looked for are never in
 * one: not in a title either, which comes before.
 */
size_t room_erase_ended(const char *line, size_t len, uint8_t seat, char *text, size_t size)
{
    static const char erased[] = ROOM_ERASED_NAME;
    const char *const end = line + len;
    struct piece name, title = {line, line};
    const char *seats = find_behind(line, end, "\"seats\":{");
    if (!seats || !find_name(seats, end, seat, &name))
        return 0;
    const size_t whole = len - length_of(&name) + strlen(erased);
    if (whole > size)
        find_title(line, seats, &title);
    if (whole - length_of(&title) > size)
        return 0;
    const size_t written = join((struct piece[4]){{line, title.at},
                                                  {title.end, name.at},
                                                  {erased, erased + strlen(erased)},
                                                  {name.end, end}},
                                text);
    return written == len && memcmp(text, line, len) == 0 ? 0 : written;
}
