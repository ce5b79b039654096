#include "seek_stage.h"

#include "book/desk.h"
#include "pairing/offer.h"
#include "site.h"
#include <check.h>
#include <hub/kernel.h>
#include <hub/kernel_account.h>
#include <identity/identity.h>
#include <privacy/privacy.h>
#include <ratings/ratings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct feature *const features[] = {&feature_identity, &feature_privacy,
                                                 &feature_ratings, NULL};

void stage_seek(void)
{
    world_init(&home);
    home.env.features = features;
    world_start(&home);
}

void stage_seek_ended(void)
{
    world_release(&home);
}

void stage_account(int tab, const char *handle)
{
    struct kernel_account *account = calloc(1, sizeof *account);
    account->shown.kind = ACCOUNT_PERSON;
    (void)snprintf(account->shown.handle, sizeof account->shown.handle, "%s", handle);
    kernel_give_account(home.hub, kernel_session_find(home.hub, site_session(&home, tab)), account);
}

int stage_guest(const char *name, const char *handle)
{
    home.host++; /* each from an address of their own */
    const int tab = world_guest(&home, name);
    stage_account(tab, handle);
    return tab;
}

void stage_room_found(int tab, const char *class, char room[static 16])
{
    json_t *found = world_push(&home, tab, "found");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(str(found, "class"), class);
    ck_assert_int_gt(json_integer_value(json_object_get(found, "until")), home.now_ms);
    (void)snprintf(room, 16, "%s", str(found, "room"));
    json_decref(found);
}

size_t stage_seeks(void)
{
    return model_rows(&home.store, &seek_table);
}

size_t stage_offers(void)
{
    return model_rows(&home.store, &offer_table);
}

void stage_nobody_seeks(void)
{
    ck_assert_uint_eq(stage_seeks(), 0);
    ck_assert_uint_eq(stage_offers(), 0);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.count, 0);
}

void stage_accept(int tab, const char *room)
{
    json_decref(world_ok(&home, tab, "join", "{s:s}", "room", room));
    world_do(&home, tab, "ready", "{s:s,s:b,s:s}", "room", room, "ready", 1, "nonce",
             "abababababababababababababababab");
}

/* Behind that they wait, which they are told at first. */
static json_t *next_told(int tab)
{
    json_t *told;
    while ((told = world_push(&home, tab, "seeking")) && strcmp(str(told, "state"), "waiting") == 0)
        json_decref(told);
    return told;
}

void stage_is_told(int tab, const char *state)
{
    json_t *told = next_told(tab);
    ck_assert_ptr_nonnull(told);
    ck_assert_str_eq(str(told, "state"), state);
    json_decref(told);
}

void stage_seeks_on(int tab)
{
    ck_assert_ptr_null(next_told(tab));
}
