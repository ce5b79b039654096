#include "site.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct world home, away;

static bool allowed(void *ctx, const char *endpoint)
{
    (void)ctx, (void)endpoint;
    return true;
}

static const struct hub_push push = {.key = "the server's key", .allowed = allowed};

static void begin(struct world *world, unsigned part)
{
    world_init(world);
    world->env.push = &push;
    world->env.part = part;
    world->env.parts = 2;
    world->random += part;
    world_start(world);
}

void site_setup(void)
{
    begin(&home, 0);
    begin(&away, 1);
    home.store.next = &away.store;
    away.store.next = &home.store;
}

void site_teardown(void)
{
    world_release(&home);
    world_release(&away);
}

void site_start(void)
{
    world_start(&home);
    world_start(&away);
}

uint64_t site_session(const struct world *world, int tab)
{
    return strtoull(world->tabs[tab].session, NULL, 16);
}

int site_go(uint64_t session, const char *name)
{
    int refused;
    const int tab = world_connect_as(&away, session, name, &refused);
    ck_assert_int_eq(refused, 0);
    return tab;
}

void site_meet(struct site *site)
{
    *site = (struct site){.table.players = 2};
    site->ana_home = world_guest(&home, "Ana");
    site->ana = site_session(&home, site->ana_home);
    site->table.tabs[0] = world_guest(&away, "Zoe");
    site->table.tabs[1] = site_go(site->ana, "Ana");
}

void site_table(struct site *site, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *members = format[0] ? json_vpack_ex(NULL, 0, format, args) : json_object();
    va_end(args);
    site_meet(site);
    if (!json_object_get(members, "options"))
        json_object_set_new(members, "options", json_pack("{s:i}", "players", 2));
    json_t *ok = world_ok(&away, site->table.tabs[0], "create", "O", members);
    (void)snprintf(site->table.room, CODE_SPACE, "%s", str(ok, "room"));
    (void)snprintf(site->table.code, CODE_SPACE, "%s", str(ok, "code"));
    json_decref(ok);
    json_decref(members);
    const char *code = site->table.code[0] ? site->table.code : "0000000000000000";
    for (int i = 0; i < 2; i++)
        world_do(&away, site->table.tabs[i], "join", "{s:s,s:i,s:s}", "room", site->table.room,
                 "seat", i, "code", code);
}

static void carry(struct world *from, struct world *to)
{
    for (size_t i = 0; i < from->note_count; i++)
        hub_note(to->hub, &from->notes[i], to->now_ms);
    from->note_count = 0;
    world_settle(to);
}

void site_carry(void)
{
    carry(&away, &home);
    carry(&home, &away);
}

void site_pass(int64_t ms)
{
    world_pass(&home, ms);
    world_pass(&away, ms);
    site_carry();
}

size_t site_foreign(const struct world *world)
{
    struct hub_metrics figures;
    hub_metrics(world->hub, &figures);
    return figures.foreign_sessions;
}
