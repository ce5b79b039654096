#include "devices.h"

#include <check.h>
#include <hub/push.h>
#include <string.h>

struct world device_world;

static bool allowed(void *ctx, const char *endpoint)
{
    (void)ctx, (void)endpoint;
    return true;
}

static const struct hub_push push = {.key = "the server's key", .allowed = allowed};

void device_setup(void)
{
    world_init(&device_world);
    device_world.env.push = &push;
    world_start(&device_world);
}

void device_teardown(void)
{
    world_release(&device_world);
}

void device_make(int tab, const char *op, char pass[static PASS_SPACE])
{
    json_t *ok = world_ok(&device_world, tab, op, "");
    ck_assert_uint_eq(strlen(str(ok, "pass")), PASS_SPACE - 1);
    memcpy(pass, str(ok, "pass"), PASS_SPACE);
    json_decref(ok);
}

int device_enter(const char *pass, const char *client)
{
    int tab = world_connect(&device_world);
    json_t *ok = world_ok(&device_world, tab, "hello", "{s:s,s:s}", "pass", pass, "client", client);
    ck_assert_uint_eq(strlen(str(ok, "token")), TOKEN_SPACE - 1);
    memcpy(device_world.tabs[tab].token, str(ok, "token"), TOKEN_SPACE);
    (void)snprintf(device_world.tabs[tab].session, CODE_SPACE, "%s", str(ok, "session"));
    json_decref(ok);
    return tab;
}

int device_by_link(int tab, const char *client)
{
    char pass[PASS_SPACE];
    device_make(tab, "link", pass);
    return device_enter(pass, client);
}

void device_refused(const char *pass, const char *code)
{
    int tab = world_connect(&device_world);
    world_refused(&device_world, tab, code, "hello", "{s:s}", "pass", pass);
    world_cut(&device_world, tab);
}

struct tab device_tab(int tab)
{
    return device_world.tabs[tab];
}

void device_is_ended(const char *token)
{
    int tab = world_connect(&device_world);
    world_refused(&device_world, tab, "unknown_token", "hello", "{s:s}", "token", token);
    world_cut(&device_world, tab);
}

static void list(int tab, char names[static 200])
{
    json_t *ok = world_ok(&device_world, tab, "devices", "");
    size_t at;
    const json_t *device;
    names[0] = '\0';
    json_array_foreach(json_object_get(ok, "devices"), at, device)
    {
        strcat(names, "|");
        strcat(names, str(device, "name"));
        strcat(names, json_is_true(json_object_get(device, "this")) ? "*" : "");
    }
    json_decref(ok);
}

void device_expect_list(int tab, const char *expected)
{
    char names[200];
    list(tab, names);
    ck_assert_str_eq(names, expected);
}

void device_number(int tab, size_t at, char device[static DEVICE_SPACE])
{
    json_t *ok = world_ok(&device_world, tab, "devices", "");
    const json_t *one = json_array_get(json_object_get(ok, "devices"), at);
    ck_assert_uint_eq(strlen(str(one, "device")), DEVICE_SPACE - 1);
    memcpy(device, str(one, "device"), DEVICE_SPACE);
    json_decref(ok);
}

void device_forget(int tab, size_t at)
{
    char device[DEVICE_SPACE];
    device_number(tab, at, device);
    world_do(&device_world, tab, "forget", "{s:s}", "device", device);
}
