/*
 * Hidden information through the whole server: a match is played twice, the second time with the
 * hands of two players exchanged. All who must not know about it must be sent the same bytes, in
 * the same order.
 */
#include "suites.h"
#include "tapes.h"
#include "world.h"
#include <cards.h>
#include <string.h>

enum { ANA, BO, CHI, ZOE, PEOPLE = TAPES };

static struct world world;
static char room[CODE_SPACE];
static int tabs[PEOPLE];
static struct tapes *tapes; /* of the match that is played */

/* The card at this place of the player's hand. */
static void card_at(int tab, size_t place, char card[CARDS_NAME])
{
    json_t *ok = world_ok(&world, tab, "moves", "{s:s}", "room", room);
    const json_t *moves = json_object_get(ok, "moves");
    (void)snprintf(card, CARDS_NAME, "%s", json_string_value(json_array_get(moves, place)));
    json_decref(ok);
}

static void lay(int tab, size_t place)
{
    char card[CARDS_NAME];
    card_at(tab, place, card);
    world_do(&world, tab, "move", "{s:s,s:s}", "room", room, "move", card);
}

static void listen_to(int person, int tab)
{
    tabs[person] = tab;
    world.tabs[tab].tape = tapes->file[person];
}

static void open_room(void)
{
    static const char *const names[] = {"Ana", "Bo", "Chi", "Zoe"};
    for (int person = 0; person < PEOPLE; person++)
        listen_to(person, world_guest(&world, names[person]));
    json_t *ok = world_ok(&world, tabs[ANA], "create", "{s:s,s:{s:i},s:{s:s,s:i,s:i}}", "game",
                          "cards", "options", "players", 3, "clock", "kind", "fischer", "bank_s",
                          600, "increment_s", 10);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int person = ANA; person <= CHI; person++) {
        world_do(&world, tabs[person], "join", "{s:s,s:i}", "room", room, "seat", person);
        world_do(&world, tabs[person], "ready", "{s:s,s:b}", "room", room, "ready", 1);
    }
    world_do(&world, tabs[ZOE], "watch", "{s:s}", "room", room);
    world_do(&world, tabs[ANA], "start", "{s:s}", "room", room);
}

/* The whole log and the record, as a client may read them. */
static void look_back(int tab)
{
    world_do(&world, tab, "past", "{s:s,s:i}", "room", room, "have", 0);
    world_do(&world, tab, "record", "{s:s}", "room", room);
    world_do(&world, tab, "watch", "{s:s}", "room", room);
    world_do(&world, tab, "watch", "{s:s,s:i}", "room", room, "have", 5);
    world_do(&world, tab, "rooms", "");
}

/* Up to the last choice before cards are turned up: Ana has still to choose. */
static void first_choices(void)
{
    world_pass(&world, 1500);
    lay(tabs[BO], 2);
    world_refused(&world, tabs[BO], "not_your_turn", "move", "{s:s,s:s}", "room", room, "move",
                  "c0000");
    world_pass(&world, 700);
    world_do(&world, tabs[BO], "undo", "{s:s}", "room", room);
    look_back(tabs[ANA]);
    lay(tabs[BO], 4);
    world_refused(&world, tabs[CHI], "not_in_hand", "move", "{s:s,s:s}", "room", room, "move",
                  "c0000");
    world_cut(&world, tabs[CHI]);
    world_pass(&world, 900);
    listen_to(CHI, world_back(&world, tabs[CHI]));
    world_do(&world, tabs[CHI], "join", "{s:s,s:i}", "room", room, "have", 3);
    lay(tabs[CHI], 0);
    world_do(&world, tabs[CHI], "offer", "{s:s,s:s}", "room", room, "what", "pause");
    world_do(&world, tabs[CHI], "say", "{s:s,s:s}", "room", room, "text", "your turn");
    look_back(tabs[ANA]);
    look_back(tabs[ZOE]);
    world_refused(&world, tabs[ANA], "not_in_hand", "move", "{s:s,s:s}", "room", room, "move",
                  "c0000");
}

static void play(unsigned seat, unsigned other, struct tapes *said)
{
    cards_swap_hands(seat, other);
    tapes = said;
    tapes_begin(tapes);
    world_init(&world);
    open_room();
    first_choices();
    world_release(&world);
    tapes_end(tapes);
    cards_swap_hands(0, 0);
}

START_TEST(test_others_are_told_the_same)
{
    struct tapes first, second;
    play(0, 0, &first);
    play(BO, CHI, &second);
    tapes_expect_same(&first, &second, ANA);
    tapes_expect_same(&first, &second, ZOE);
    /* The owners of the exchanged hands do see a different match. */
    ck_assert_str_ne(first.text[BO], second.text[BO]);
    ck_assert_str_ne(first.text[CHI], second.text[CHI]);
    tapes_release(&first);
    tapes_release(&second);
}
END_TEST

Suite *hidden_suite(void)
{
    Suite *suite = suite_create("hidden");
    TCase *tcase = tcase_create("two matches");
    tcase_add_test(tcase, test_others_are_told_the_same);
    suite_add_tcase(suite, tcase);
    return suite;
}
