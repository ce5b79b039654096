#include "show.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

enum { TEXT_BYTES = 1024 };

/* ---- cells */

static void put_text(struct table *table, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    table_cell(table, text && *text ? text : "-");
}

static void put_number(struct table *table, const json_t *object, const char *key)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT,
                   json_integer_value(json_object_get(object, key)));
    table_cell(table, text);
}

static void write_bytes(char *text, size_t size, json_int_t bytes)
{
    static const char units[] = {'k', 'M', 'G', 'T'};
    double value = (double)bytes;
    size_t unit = 0;
    if (bytes < 1000) {
        (void)snprintf(text, size, "%" JSON_INTEGER_FORMAT, bytes);
        return;
    }
    for (value /= 1000; value >= 1000 && unit + 1 < sizeof units; unit++)
        value /= 1000;
    (void)snprintf(text, size, value < 10 ? "%.1f%c" : "%.0f%c", value, units[unit]);
}

static void put_bytes(struct table *table, const json_t *object, const char *key)
{
    char text[32];
    write_bytes(text, sizeof text, json_integer_value(json_object_get(object, key)));
    table_cell(table, text);
}

static void write_time(char *text, size_t size, const json_t *value)
{
    const time_t seconds = (time_t)(json_integer_value(value) / 1000);
    struct tm local;
    (void)snprintf(text, size, "-");
    if (json_is_integer(value) && localtime_r(&seconds, &local))
        (void)strftime(text, size, "%Y-%m-%d %H:%M", &local);
}

static void put_time(struct table *table, const json_t *object, const char *key)
{
    char text[32];
    write_time(text, sizeof text, json_object_get(object, key));
    table_cell(table, text);
}

static void append(char text[static TEXT_BYTES], const char *word, const char *between)
{
    const size_t len = strlen(text);
    (void)snprintf(text + len, TEXT_BYTES - len, "%s%s", len ? between : "", word);
}

static void put_texts(struct table *table, const json_t *array)
{
    char text[TEXT_BYTES] = "";
    size_t i;
    const json_t *value;
    json_array_foreach(array, i, value)
        append(text, json_is_string(value) ? json_string_value(value) : "?", " ");
    table_cell(table, *text ? text : "-");
}

/* ---- lists */

static const char *const room_heads[] = {"ROOM",  "GAME",   "PHASE", "STATE", "SINCE",
                                         "CONNS", "MEMORY", "HOST",  "NAMES", NULL};
static const char *const session_heads[] = {"SESSION", "NAME",      "CONNS", "SINCE",
                                            "SEATS",   "ROOMS",     "IN",    "OUT",
                                            "UNSENT",  "ADDRESSES", NULL};
static const char *const address_heads[] = {"ADDRESS", "CONNS", "SESSIONS", "SINCE",
                                            "IN",      "OUT",   "UNSENT",   NULL};
static const char *const person_heads[] = {"SESSION", "NAME",   "SEAT",    "SINCE", "IN",
                                           "OUT",     "UNSENT", "ADDRESS", NULL};

const char *show_list_name(enum command_shape shape)
{
    switch (shape) {
    case SHAPE_ROOMS:
        return "rooms";
    case SHAPE_SESSIONS:
        return "sessions";
    case SHAPE_ADDRESSES:
        return "addresses";
    case SHAPE_BANS:
        return "bans";
    case SHAPE_LETTERS:
        return "letters";
    case SHAPE_REPORTS:
        return "reports";
    case SHAPE_MODERATORS:
        return "moderators";
    case SHAPE_LOBBY:
        return "lines";
    case SHAPE_VALUES:
    case SHAPE_STATUS:
    case SHAPE_ROOM:
    case SHAPE_REPORT:
        break;
    }
    return NULL;
}

static void add_room(struct table *table, const json_t *room)
{
    char names[TEXT_BYTES] = "";
    const char *seat;
    const json_t *summary = json_object_get(room, "summary"), *value;
    const char *title = json_string_value(json_object_get(summary, "title"));
    if (title)
        append(names, title, "");
    void *iterator = json_object_iter(json_object_get(summary, "seats"));
    for (; iterator;
         iterator = json_object_iter_next(json_object_get(summary, "seats"), iterator)) {
        value = json_object_get(json_object_iter_value(iterator), "name");
        seat = json_string_value(value);
        append(names, seat ? seat : "?", ", ");
    }
    put_text(table, room, "room");
    put_text(table, summary, "game");
    put_text(table, summary, "phase");
    put_text(table, room, "state");
    put_time(table, room, "created");
    put_number(table, room, "connections");
    put_bytes(table, room, "memory");
    put_text(table, room, "host");
    table_cell(table, *names ? names : "-");
}

static void put_traffic(struct table *table, const json_t *object)
{
    put_bytes(table, object, "received");
    put_bytes(table, object, "sent");
    put_bytes(table, object, "unsent");
}

static void add_session(struct table *table, const json_t *session)
{
    put_text(table, session, "session");
    put_text(table, session, "name");
    put_number(table, session, "connections");
    put_time(table, session, json_object_get(session, "since") ? "since" : "seen");
    put_number(table, session, "seats");
    put_number(table, session, "rooms");
    put_traffic(table, session);
    put_texts(table, json_object_get(session, "addresses"));
}

static void add_address(struct table *table, const json_t *address)
{
    put_text(table, address, "address");
    put_number(table, address, "connections");
    put_number(table, address, "sessions");
    put_time(table, address, "since");
    put_traffic(table, address);
}

static void add_person(struct table *table, const json_t *person)
{
    put_text(table, person, "session");
    put_text(table, person, "name");
    if (json_object_get(person, "seat"))
        put_number(table, person, "seat");
    else
        table_cell(table, "-");
    put_time(table, person, "since");
    put_traffic(table, person);
    put_text(table, person, "address");
}

static const char *const ban_heads[] = {"WHOM", "WHAT", "SINCE", "UNTIL", "REASON", NULL};

static void add_ban(struct table *table, const json_t *ban)
{
    put_text(table, ban, "target");
    table_cell(table, json_is_true(json_object_get(ban, "silence")) ? "silenced" : "banned");
    put_time(table, ban, "since");
    put_time(table, ban, "until");
    put_text(table, ban, "reason");
}

static const char *const letter_heads[] = {"LETTER", "TO", "KIND", "STATE", "SENT", "BYTES", NULL};

static void add_letter(struct table *table, const json_t *letter)
{
    put_text(table, letter, "letter");
    put_text(table, letter, "to");
    put_text(table, letter, "kind");
    put_text(table, letter, "state");
    put_time(table, letter, "sent");
    put_number(table, letter, "bytes");
}

static const char *const report_heads[] = {"REPORT", "HANDLE",  "NAME",    "WHY",
                                           "APPEAL", "REPORTS", "SOURCES", "SINCE",
                                           "LAST",   "SESSION", NULL};

static void put_appeal(struct table *table, const json_t *report)
{
    if (json_object_get(report, "appeal"))
        put_number(table, report, "appeal");
    else
        table_cell(table, "-");
}

static void add_report(struct table *table, const json_t *report)
{
    put_number(table, report, "report");
    put_text(table, report, "handle");
    put_text(table, report, "name");
    put_text(table, report, "why");
    put_appeal(table, report);
    put_number(table, report, "reports");
    put_number(table, report, "sources");
    put_time(table, report, "since");
    put_time(table, report, "last");
    put_text(table, report, "session");
}

static const char *const moderator_heads[] = {"HANDLE", "SINCE", "SESSION", NULL};

static void add_moderator(struct table *table, const json_t *moderator)
{
    put_text(table, moderator, "handle");
    put_time(table, moderator, "since");
    put_text(table, moderator, "session");
}

static const char *const line_heads[] = {"AT", "SEAT", "NAME", "TEXT", NULL};

static void add_line(struct table *table, const json_t *line)
{
    put_time(table, line, "at");
    if (json_object_get(line, "seat"))
        put_number(table, line, "seat");
    else
        table_cell(table, "-");
    put_text(table, line, "name");
    put_text(table, line, "text");
}

static const char *const lobby_heads[] = {"LINE", "AT", "HANDLE", "NAME", "TEXT", NULL};
static const char *const room_line_heads[] = {"LINE", "AT", "LANG", "HANDLE", "NAME", "TEXT", NULL};

/* Who has said it: a name can be like somebody else's, a handle cannot. The operator has none. */
static void put_who(struct table *table, const json_t *line)
{
    put_text(table, line, "handle");
    put_text(table, line, "name");
}

static void add_lobby_line(struct table *table, const json_t *line)
{
    put_number(table, line, "line");
    put_time(table, line, "at");
    put_who(table, line);
    put_text(table, line, "text");
}

static void add_room_line(struct table *table, const json_t *line)
{
    put_number(table, line, "line");
    put_time(table, line, "at");
    put_text(table, line, "lang");
    put_who(table, line);
    put_text(table, line, "text");
}

static const char *const seat_heads[] = {"SEAT", "NAME", "HANDLE", "SESSION", NULL};

static void add_seat(struct table *table, const json_t *seat)
{
    put_number(table, seat, "seat");
    put_text(table, seat, "name");
    put_text(table, seat, "handle");
    put_text(table, seat, "session");
}

static const struct {
    const char *const *heads;
    uint32_t numbers;
    void (*add)(struct table *table, const json_t *entry);
} lists[] = {
    [SHAPE_ROOMS] = {room_heads, 0x60, add_room},
    [SHAPE_ROOM] = {person_heads, 0x74, add_person},
    [SHAPE_SESSIONS] = {session_heads, 0x1f4, add_session},
    [SHAPE_ADDRESSES] = {address_heads, 0x76, add_address},
    [SHAPE_BANS] = {ban_heads, 0, add_ban},
    [SHAPE_LETTERS] = {letter_heads, 0x20, add_letter},
    [SHAPE_REPORTS] = {report_heads, 0x71, add_report},
    [SHAPE_MODERATORS] = {moderator_heads, 0, add_moderator},
    [SHAPE_LOBBY] = {room_line_heads, 0x1, add_room_line},
};

void show_begin(struct table *table, enum command_shape shape)
{
    assert(lists[shape].add);
    table_init(table, lists[shape].heads, lists[shape].numbers);
}

void show_add(struct table *table, enum command_shape shape, const json_t *page, const char *filter)
{
    size_t i;
    const json_t *entry;
    json_array_foreach(page, i, entry)
    {
        lists[shape].add(table, entry);
        if (filter)
            table_filter(table, filter);
    }
}

/* ---- one thing */

static void write_value(char *text, size_t size, const char *key, const json_t *value)
{
    static const char *const times[] = {"time", "at", "created", "since", "until", "called"};
    (void)snprintf(text, size, "-");
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (strcmp(key, times[i]) == 0) {
            write_time(text, size, value);
            return;
        }
    }
    if (json_is_integer(value))
        (void)snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_boolean(value))
        (void)snprintf(text, size, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_string(value))
        (void)snprintf(text, size, "%s", json_string_value(value));
}

/* Members that are no containers, a line each; but for the one called `without`, if any. */
static void show_values(const json_t *object, const char *without, FILE *out)
{
    void *iterator = json_object_iter((json_t *)(uintptr_t)object);
    for (; iterator; iterator = json_object_iter_next((json_t *)(uintptr_t)object, iterator)) {
        char text[TEXT_BYTES], shown[TABLE_CELL_BYTES], name[TABLE_CELL_BYTES];
        const char *key = json_object_iter_key(iterator);
        const json_t *value = json_object_iter_value(iterator);
        const bool skipped = without && strcmp(key, without) == 0;
        if (skipped || json_is_object(value) || json_is_array(value))
            continue;
        write_value(text, sizeof text, key, value);
        (void)table_escape(shown, text);
        (void)table_escape(name, key);
        for (char *at = name; *at; at++)
            *at = (char)(*at == '_' ? ' ' : *at);
        (void)fprintf(out, "%-14s %s\n", name, shown);
    }
}

/* ---- the parts and the links of a node */

static const char *const part_heads[] = {"PART",  "AT",    "TERM",   "STATE", "ROOMS", "SESSIONS",
                                         "CONNS", "BATCH", "COMMIT", "P99",   NULL};
static const char *const link_heads[] = {"NODE",   "UP",      "LOST",        "IN",         "OUT",
                                         "FRAMES", "WAITING", "RELAYED OUT", "RELAYED IN", NULL};

static double number_of(const json_t *object, const char *key)
{
    return (double)json_integer_value(json_object_get(object, key));
}

static void put_ms(struct table *table, double us)
{
    char text[48];
    (void)snprintf(text, sizeof text, us < 10000 ? "%.1fms" : "%.0fms", us / 1000);
    table_cell(table, text);
}

/* What another node has is not known of it here. */
static void put_part(struct table *table, const json_t *part)
{
    const double commits = number_of(part, "commits");
    char batch[48];
    (void)snprintf(batch, sizeof batch, "%.1f",
                   commits > 0 ? number_of(part, "batch_ops") / commits : 0);
    put_number(table, part, "part");
    put_text(table, part, "at");
    put_number(table, part, "term");
    table_cell(table, json_object_get(part, "lease_lost")
                          ? "lease lost"
                          : json_string_value(json_object_get(part, "state")));
    if (!json_object_get(part, "commits")) {
        for (int cell = 0; cell < 6; cell++)
            table_cell(table, "-");
        return;
    }
    put_number(table, part, "rooms");
    put_number(table, part, "sessions");
    put_number(table, part, "connections");
    table_cell(table, batch);
    put_ms(table, number_of(part, "commit_us"));
    put_ms(table, number_of(part, "commit_us_p99"));
}

static void put_link(struct table *table, const json_t *link)
{
    char text[48];
    (void)snprintf(text, sizeof text, "%.0fs", number_of(link, "up_ms") / 1000);
    put_text(table, link, "node");
    table_cell(table, json_is_true(json_object_get(link, "up")) ? text : "down");
    put_number(table, link, "lost");
    put_bytes(table, link, "bytes_in");
    put_bytes(table, link, "bytes_out");
    (void)snprintf(text, sizeof text, "%.0f",
                   number_of(link, "frames_in") + number_of(link, "frames_out"));
    table_cell(table, text);
    put_bytes(table, link, "waiting");
    put_number(table, link, "relayed_out");
    put_number(table, link, "relayed_in");
}

/* False: out of memory. */
static bool show_table(const json_t *rows, const char *const *heads, uint32_t numbers,
                       void (*put)(struct table *table, const json_t *row), FILE *out)
{
    struct table table;
    size_t at;
    const json_t *row;
    if (json_array_size(rows) == 0)
        return true;
    table_init(&table, heads, numbers);
    json_array_foreach(rows, at, row) put(&table, row);
    const bool done = !table.failed;
    (void)fputc('\n', out);
    if (done)
        table_print(&table, out);
    table_release(&table);
    return done;
}

static void say_lost_leases(const json_t *parts, FILE *out)
{
    size_t at;
    const json_t *part;
    json_array_foreach(parts, at, part)
    {
        char shown[TABLE_CELL_BYTES];
        const char *why = json_string_value(json_object_get(part, "lease_lost"));
        if (!why)
            continue;
        (void)table_escape(shown, why);
        (void)fprintf(out, "part %.0f has lost its lease: %s\n", number_of(part, "part"), shown);
    }
}

/* Less is how clocks are; more was said in the log when the server started. */
static void say_clock(const json_t *answer, FILE *out)
{
    enum { CLOCK_TROUBLE_MS = 1000 };
    const double ahead_ms = number_of(answer, "clock_ahead_ms");
    if (ahead_ms > -CLOCK_TROUBLE_MS && ahead_ms < CLOCK_TROUBLE_MS)
        return;
    (void)fprintf(out, "the server's time is %.1f s %s the clock of its machine\n",
                  (ahead_ms < 0 ? -ahead_ms : ahead_ms) / 1000,
                  ahead_ms < 0 ? "behind" : "ahead of");
}

static bool show_site(const json_t *answer, FILE *out)
{
    const json_t *parts = json_object_get(answer, "parts");
    const bool done = show_table(parts, part_heads, 0x3f5, put_part, out);
    say_lost_leases(parts, out);
    return show_table(json_object_get(answer, "links"), link_heads, 0x1fe, put_link, out) && done;
}

/* At a table, or in the lobby. */
static bool show_talk(const json_t *report, FILE *out)
{
    const json_t *talk = json_object_get(report, "talk");
    return json_is_true(json_object_get(report, "lobby"))
               ? show_table(talk, lobby_heads, 0x1, add_lobby_line, out)
               : show_table(talk, line_heads, 0x2, add_line, out);
}

/* One behind the other, with those who sat there and what they said. */
static bool show_each_report(const json_t *of, FILE *out)
{
    size_t at;
    const json_t *report;
    bool done = true;
    json_array_foreach(json_object_get(of, "reports"), at, report)
    {
        (void)fputc('\n', out);
        show_values(report, NULL, out);
        done = show_table(json_object_get(report, "seats"), seat_heads, 0x1, add_seat, out) && done;
        done = show_talk(report, out) && done;
    }
    return done;
}

static void show_judgement(const json_t *judgement, const char *head, FILE *out)
{
    if (!judgement)
        return;
    (void)fprintf(out, "\n%s\n", head);
    show_values(judgement, NULL, out);
}

/* Of an appeal also what it is against, and what had led to that. */
static bool show_report(const json_t *answer, FILE *out)
{
    const json_t *against = json_object_get(answer, "against");
    bool done = show_each_report(answer, out);
    show_judgement(against, "the appeal is against:", out);
    done = show_each_report(against, out) && done;
    show_judgement(json_object_get(answer, "judgement"), "decided:", out);
    return done;
}

bool show_answer(enum command_shape shape, const json_t *answer, FILE *out)
{
    struct table table;
    show_values(answer, NULL, out);
    if (shape == SHAPE_STATUS)
        say_clock(answer, out);
    if (shape == SHAPE_STATUS)
        return show_site(answer, out);
    if (shape == SHAPE_REPORT)
        return show_report(answer, out);
    if (shape != SHAPE_ROOM)
        return true;
    show_values(json_object_get(answer, "summary"), "room", out);
    (void)fputc('\n', out);
    show_begin(&table, shape);
    show_add(&table, shape, json_object_get(answer, "people"), NULL);
    if (!table.failed)
        table_print(&table, out);
    const bool done = !table.failed;
    table_release(&table);
    return done;
}
