#include "stage.h"

#include <check.h>
#include <event/audit.h>
#include <hub/kernel.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

struct world world;
int ana, people[STAGE_PEOPLE];
char event_id[CODE_SPACE];

int stage_called(struct world *at, const char *name, const char *handle)
{
    at->host++; /* each from an address of their own */
    const int tab = world_guest(at, name);
    world_do(at, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

void stage_gather(struct world *at, unsigned count)
{
    char name[16];
    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "player-%u", i + 1);
        people[i] = stage_called(at, name, name);
    }
}

void stage_set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.features = registry;
    world.config.requests_burst = 10000;
    world.config.idle_timeout_ms = 86400000; /* nobody has to say anything in between */
    world_start(&world);
    ana = stage_called(&world, "Ana", "ana");
    stage_gather(&world, STAGE_PEOPLE);
}

void stage_tear_down(void)
{
    world_release(&world);
}

json_t *stage_rules(const struct world *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *rules = format[0] ? json_vpack_ex(NULL, 0, format, args) : json_object();
    va_end(args);
    ck_assert_ptr_nonnull(rules);
    json_object_set_new(rules, "start", json_integer(at->now_ms + STAGE_START_MS));
    if (!json_object_get(rules, "check_in_s"))
        json_object_set_new(rules, "check_in_s", json_integer(0));
    return rules;
}

void stage_make(struct world *at, int tab, json_t *rules)
{
    json_t *ok = world_ok(at, tab, "event_make", "{s:s,s:o}", "title", "Friday", "rules", rules);
    (void)snprintf(event_id, sizeof event_id, "%s", str(ok, "event"));
    json_decref(ok);
}

void stage_begin(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        world_do(&world, people[i], "event_enter", "{s:s}", "event", event_id);
    world_pass(&world, STAGE_START_MS);
    world_settle(&world);
}

json_t *stage_look(struct world *at, int tab)
{
    return world_ok(at, tab, "event", "{s:s}", "event", event_id);
}

const char *stage_phase(struct world *at)
{
    static char phase[16];
    json_t *ok = stage_look(at, ana);
    (void)snprintf(phase, sizeof phase, "%s", str(ok, "phase"));
    json_decref(ok);
    return phase;
}

/* ---- tables */

/* Its room, and the tabs of its entrants. */
static unsigned read_table(struct world *at, unsigned table, char room[static CODE_SPACE],
                           int tabs[static 5])
{
    json_t *ok = stage_look(at, ana);
    const json_t *found = json_array_get(json_object_get(ok, "tables"), table);
    const json_t *seats = json_object_get(found, "seats");
    const unsigned count = (unsigned)json_array_size(seats);
    ck_assert_str_ne(str(found, "room"), "");
    (void)snprintf(room, CODE_SPACE, "%s", str(found, "room"));
    for (unsigned i = 0; i < count; i++)
        tabs[i] = people[json_integer_value(json_array_get(seats, i)) - 1];
    json_decref(ok);
    return count;
}

void stage_come(struct world *at, unsigned table, unsigned missing)
{
    char room[CODE_SPACE];
    int tabs[5];
    const unsigned count = read_table(at, table, room, tabs);
    for (unsigned i = 0; i < count - missing; i++) {
        world_do(at, tabs[i], "join", "{s:s}", "room", room);
        world_do(at, tabs[i], "ready", "{s:s,s:b,s:s}", "room", room, "ready", 1, "nonce",
                 "abababababababababababababababab");
    }
    if (missing == 0)
        world_do(at, tabs[0], "start", "{s:s}", "room", room);
}

void stage_give_up(struct world *at, unsigned table)
{
    char room[CODE_SPACE];
    int tabs[5];
    const unsigned count = read_table(at, table, room, tabs);
    for (unsigned i = count; i-- > 1;)
        world_do(at, tabs[i], "resign", "{s:s}", "room", room);
    world_settle(at);
}

/* ---- its log */

char *stage_log(struct world *at, int tab)
{
    char *log = calloc(1, 1 << 16);
    size_t len = 0;
    int64_t have = 0;
    bool more = true;
    ck_assert_ptr_nonnull(log);
    while (more) {
        json_t *ok = world_ok(at, tab, "event_log", "{s:s,s:I}", "event", event_id, "have",
                              (json_int_t)have);
        const json_t *lines = json_object_get(ok, "lines");
        for (size_t i = 0; i < json_array_size(lines); i++, have++)
            len += (size_t)snprintf(log + len, (1 << 16) - len, "%s\n",
                                    json_string_value(json_array_get(lines, i)));
        more = json_is_true(json_object_get(ok, "more"));
        json_decref(ok);
    }
    return log;
}

void stage_proves(struct world *at, int tab)
{
    static struct event_audit audit;
    char *log = stage_log(at, tab);
    event_audit(&audit, log, strlen(log));
    ck_assert_msg(audit.fault == EVENT_FINE, "line %d: %s\n%s", (int)audit.line,
                  event_fault_text(audit.fault), log);
    ck_assert(audit.is_ended);
    event_release(&audit.event);
    free(log);
}

void stage_restart(void)
{
    world_restart(&world);
    ana = world_back(&world, ana);
    for (unsigned i = 0; i < STAGE_PEOPLE; i++)
        people[i] = world_back(&world, people[i]);
}
