/* In which order a store is handed over, and that the hub can refuse it. */
#include "cases.h"
#include <stdio.h>
#include <string.h>

static int refuse_room(void *ctx, const struct store_room *room)
{
    (void)ctx, (void)room;
    return STORE_CORRUPT;
}

static int take_epoch(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static int take_session(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    return 0;
}

static int take_row(void *ctx, const struct store_table *table, const void *row)
{
    (void)ctx, (void)table, (void)row;
    return 0;
}

struct order {
    char room[9];
    int rooms, events, guests;
};

static int order_room(void *ctx, const struct store_room *room)
{
    struct order *order = ctx;
    snprintf(order->room, sizeof order->room, "%s", room->seed.id);
    order->rooms++;
    return 0;
}

static int order_event(void *ctx, const char *room_id, const struct room_event *event)
{
    struct order *order = ctx;
    (void)event;
    order->events++;
    return strcmp(order->room, room_id) == 0 ? 0 : STORE_CORRUPT;
}

static int order_guest(void *ctx, const char *room_id, uint64_t session)
{
    struct order *order = ctx;
    order->guests++;
    return strcmp(room_id, "room000b") == 0 && session == 7 ? 0 : STORE_CORRUPT;
}

/* As the hub takes them: events of rooms that were played side by side come room by room. */
START_TEST(each_room_is_followed_by_its_events)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op ops[] = {op_room("room000a"),       op_room("room000b"),
                             op_event("room000b", 1),   op_event("room000a", 1),
                             op_event("room000b", 2),   op_event("room000a", 2),
                             op_guest("room000b", 7, 0)};
    ck_assert_int_eq(commit_ops(store, ops, 7), STORE_OK);
    sqlite_store_close(store);
    store = scratch_open(&scratch);
    struct order order = {.rooms = 0};
    struct store_sink sink = {take_epoch,  take_session, take_row, order_room,
                              order_event, order_guest,  NULL,     &order};
    ck_assert_int_eq(sqlite_store_load(store, &sink), STORE_OK);
    ck_assert_int_eq(order.rooms, 2);
    ck_assert_int_eq(order.events, 4);
    ck_assert_int_eq(order.guests, 1);
    sqlite_store_close(store);
}
END_TEST

START_TEST(what_the_hub_refuses_ends_the_loading)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    sqlite_store_close(store);
    store = scratch_open(&scratch);
    struct store_sink sink = {take_epoch, take_session, take_row, refuse_room,
                              NULL,       NULL,         NULL,     NULL};
    ck_assert_int_eq(sqlite_store_load(store, &sink), STORE_CORRUPT);
    ck_assert_ptr_nonnull(strstr(sqlite_store_message(store), "not usable"));
    sqlite_store_close(store);
}
END_TEST

void add_loading_tests(TCase *tests)
{
    tcase_add_test(tests, each_room_is_followed_by_its_events);
    tcase_add_test(tests, what_the_hub_refuses_ends_the_loading);
}
