/*
 * The secrets of Totem through the whole server: a match is played twice, the second time Bo casts
 * one spell for another wherever it is not uncovered, and names other people where that is not
 * read. All others must be sent the same bytes, at the same times, and a computer plays the same.
 */
#include "suites.h"
#include "tapes.h"
#include "world.h"
#include <base/rng.h>
#include <string.h>
#include <totem_moves.h>

enum { ANA, BO, CHI, ZOE, PEOPLE = TAPES };
enum { MOVE_SPACE = 80, RESTART_AT = 12, LEAVE_AT = 20 };
enum { SEED = 60, PEOPLE_TAKEN = 3 }; /* the variant in which Bo names people in secret */

static const struct {
    int players;
    const char *spells, *meals;
    unsigned commands; /* of people: so far it goes, and is not over */
} variants[] = {{2, "turns", "owner", 60}, {3, "turns", "B", 64}, {4, "turns", "A", 60},
                {2, "A", "B", 100},        {3, "A", "A", 64},     {4, "A", "owner", 60},
                {2, "B", "A", 48},         {3, "B", "owner", 40}, {4, "B", "B", 64}};

static const char letters[] = "GBTIAFMPHL";
static const char wanted[] = "TAP"; /* what Bo casts; T is the one that is exchanged */
enum { ONE = 2, OTHER = 8 };        /* T and H: of different phases */

static struct world world;
static char room[CODE_SPACE];
static int tabs[PEOPLE];
static int players; /* of those who play, people come first, then a computer */
static struct tapes *tapes;
static bool exchanged, secret_meals; /* in this match */
static unsigned commands, undone, taken;

/* ---- what is asked, and what is played */

struct person_chance {
    struct chance chance;
    struct rng rng;
};
static struct person_chance chances[PEOPLE];

/* One spell in three is what people would use: more of them cost birds, and people starve. */
static unsigned below(struct chance *chance, unsigned n)
{
    struct rng *rng = &((struct person_chance *)chance)->rng;
    return n == 3 && rng_below(rng, 3) > 0 ? 0 : rng_below(rng, n);
}

static unsigned set_of(const char *spells)
{
    unsigned set = 0;
    for (; *spells; spells++)
        set |= 1U << (strchr(letters, *spells) - letters);
    return set;
}

static unsigned other_spell(unsigned spell)
{
    if (!exchanged || (spell != ONE && spell != OTHER))
        return spell;
    return ONE + OTHER - spell;
}

static unsigned exchange(unsigned set)
{
    unsigned out = 0;
    for (unsigned spell = 0; spell < 10; spell++)
        out |= ((set >> spell) & 1) << other_spell(spell);
    return out;
}

/* The spells of Bo's plan, at most so many, as they are called in this match. */
static unsigned planned(json_int_t most)
{
    unsigned set = 0;
    for (json_int_t i = 0; i < most && wanted[i]; i++)
        set |= 1U << (strchr(letters, wanted[i]) - letters);
    return exchange(set);
}

static void write_set(unsigned set, char *out)
{
    char *at = out;
    for (unsigned spell = 0; spell < 10; spell++) {
        if ((set >> spell) & 1)
            *at++ = letters[spell];
    }
    if (at == out)
        *at++ = '-';
    *at = '\0';
}

/* Where Bo puts a spell, whatever it is called in this match. */
static const char *hut_for(const json_t *asked, unsigned spell)
{
    const json_t *huts = json_object_get(asked, "huts");
    return json_string_value(
        json_array_get(huts, (commands + 5 * other_spell(spell)) % json_array_size(huts)));
}

static void write_puts(const json_t *asked, char *out)
{
    unsigned set = planned(num(asked, "most"));
    size_t len = 0;
    for (unsigned spell = 0; spell < 10; spell++) {
        if ((set >> spell) & 1)
            len += (size_t)snprintf(out + len, MOVE_SPACE - 10 - len, "%s%c:%s", len ? "," : "",
                                    letters[spell], hut_for(asked, spell));
    }
    if (len == 0)
        (void)strcpy(out, "-");
}

/* The first of the plan that is not placed; false: none is left. */
static bool write_put(const json_t *asked, char *out)
{
    unsigned left = exchange(set_of(str(asked, "spells")) & planned(3)), spell = 0;
    if (left == 0)
        return false;
    while (!((left >> spell) & 1))
        spell++;
    spell = other_spell(spell);
    (void)snprintf(out, MOVE_SPACE - 10, "%c:%s", letters[spell], hut_for(asked, spell));
    return true;
}

/* Bo uncovers anything but what is exchanged. */
static void write_shown(const json_t *asked, char *out)
{
    write_set(set_of(str(asked, "spells")) & ~(1U << ONE | 1U << OTHER), out);
}

/* What follows "=" in Bo's command; false: nothing is planned for such a step. */
static bool write_planned(const json_t *asked, char *out)
{
    const char *kind = str(asked, "kind");
    if (strcmp(kind, "choose") == 0)
        write_set(planned(num(asked, "most")), out);
    else if (strcmp(kind, "write") == 0)
        write_puts(asked, out);
    else if (strcmp(kind, "reveal") == 0)
        write_shown(asked, out);
    else
        return strcmp(kind, "cast") == 0 && write_put(asked, out);
    return true;
}

static const char *bos_move(const json_t *all, char move[MOVE_SPACE])
{
    void *first = json_object_iter((json_t *)(uintptr_t)all);
    const json_t *asked = json_object_iter_value(first);
    const char *kind = str(asked, "kind"), *family = json_object_iter_key(first);
    char rest[MOVE_SPACE - 10];
    if (write_planned(asked, rest))
        (void)snprintf(move, MOVE_SPACE, "%s@%s=%s", kind, family, rest);
    else if (strcmp(kind, "cast") == 0)
        (void)snprintf(move, MOVE_SPACE, "pass@%s", family);
    else
        totem_compose(all, &chances[BO].chance, move, MOVE_SPACE);
    return kind;
}

/* ---- the match */

static json_t *reply_to(int person, const char *op, const char *move)
{
    int64_t id = move
                     ? world_post(&world, tabs[person], op, "{s:s,s:s}", "room", room, "move", move)
                     : world_post(&world, tabs[person], op, "{s:s}", "room", room);
    world_settle(&world);
    json_t *reply = world_reply(&world, tabs[person], id);
    ck_assert_ptr_nonnull(reply);
    world_pass(&world, 100);
    return reply;
}

static bool try(int person, const char *op, const char *move)
{
    json_t *reply = reply_to(person, op, move);
    bool fine = json_object_get(reply, "ok");
    json_decref(reply);
    return fine;
}

static void come(int person, int tab)
{
    tabs[person] = tab;
    world.tabs[tab].tape = tapes->file[person];
}

static void open_room(unsigned variant)
{
    static const char *const names[] = {"Ana", "Bo", "Chi", "Zoe"};
    for (int person = 0; person < PEOPLE; person++)
        come(person, world_guest(&world, names[person]));
    json_t *ok = world_ok(&world, tabs[ANA], "create", "{s:s,s:{s:i,s:s,s:s},s:{s:s,s:i,s:i}}",
                          "game", "totem", "options", "players", players, "spells",
                          variants[variant].spells, "meals", variants[variant].meals, "clock",
                          "kind", "fischer", "bank_s", 600, "increment_s", 10);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    int people = players == 2 ? 2 : players - 1;
    for (int person = 0; person < people; person++) {
        world_do(&world, tabs[person], "join", "{s:s,s:i}", "room", room, "seat", person);
        world_do(&world, tabs[person], "ready", "{s:s,s:b}", "room", room, "ready", 1);
    }
    if (people < players)
        world_do(&world, tabs[ANA], "bot", "{s:s,s:i}", "room", room, "seat", people);
    for (int person = people; person < PEOPLE; person++)
        world_do(&world, tabs[person], "watch", "{s:s}", "room", room);
    world_do(&world, tabs[ANA], "start", "{s:s}", "room", room);
}

/* How many must still act, as a watcher is told. */
static size_t still_acting(void)
{
    json_t *ok = world_ok(&world, tabs[ZOE], "watch", "{s:s}", "room", room);
    size_t count = json_array_size(
        json_object_get(json_object_get(json_object_get(ok, "state"), "table"), "acting"));
    json_decref(ok);
    return count;
}

/* All that can be asked for: the past, the record, the state, the list, and what is refused. */
static void look_around(void)
{
    static const char *const wrong[] = {"reveal@G=T", "reveal@R=GBTIAFMPHL", "take@R=G:w/-/-",
                                        "cast@R=T:Y3", "write@G=-"};
    static const int others[] = {ANA, CHI, ZOE};
    for (unsigned i = 0; i < 3; i++) {
        int person = others[i];
        world_do(&world, tabs[person], "past", "{s:s,s:i}", "room", room, "have", 0);
        world_do(&world, tabs[person], "record", "{s:s}", "room", room);
        world_do(&world, tabs[person], "watch", "{s:s}", "room", room);
        world_do(&world, tabs[person], "watch", "{s:s,s:i}", "room", room, "have", 5);
        world_do(&world, tabs[person], "rooms", "");
        for (unsigned k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
            ck_assert(!try(person, "check", wrong[k]) || person != ZOE);
        try(person, "moves", NULL);
        try(person, "undo", NULL);
        world_pass(&world, 2000);
        world_forget(&world, tabs[person]);
    }
}

/* Something else in each match, that is taken back before it is read. */
static void write_and_undo(const json_t *asked, const char *kind, const char *move)
{
    char other[MOVE_SPACE];
    bool takes = secret_meals && strcmp(kind, "take") == 0, writes = strcmp(kind, "write") == 0;
    if (takes)
        totem_compose(asked, &chances[BO].chance, other, sizeof other);
    /* It is read when nobody is left who must still write. */
    if ((!takes && !writes) || still_acting() < 2)
        return;
    taken += takes;
    ck_assert(try(BO, "move", takes && exchanged ? other : move));
    if (undone % 4 == 0)
        look_around();
    undone += try(BO, "undo", NULL);
}

static bool play_bo(const json_t *asked)
{
    char move[MOVE_SPACE];
    const char *kind = bos_move(asked, move);
    write_and_undo(asked, kind, move);
    return try(BO, "move", move);
}

/* The person does what is asked of it, if anything is. */
static bool play_person(int person)
{
    char move[MOVE_SPACE];
    json_t *reply = reply_to(person, "moves", NULL);
    const json_t *asked = json_object_get(json_object_get(reply, "ok"), "asked");
    bool done = false;
    if (json_object_size(asked) > 0 && person == BO)
        done = play_bo(asked);
    else if (json_object_size(asked) > 0)
        done = totem_compose(asked, &chances[person].chance, move, sizeof move) &&
               try(person, "move", move);
    json_decref(reply);
    return done;
}

static void restart(void)
{
    world_restart(&world);
    for (int person = 0; person < PEOPLE; person++) {
        come(person, world_back(&world, tabs[person]));
        world_do(&world, tabs[person], "watch", "{s:s,s:i}", "room", room, "have", 7);
    }
}

static void play_commands(unsigned variant)
{
    static const int order[] = {BO, ANA, CHI};
    for (unsigned turns = 0; commands < variants[variant].commands; turns++) {
        ck_assert_uint_lt(turns, 4 * variants[variant].commands);
        for (unsigned i = 0; i < 3; i++)
            commands += play_person(order[i]);
        world_pass(&world, 700); /* the computer's */
        for (int person = 0; person < PEOPLE; person++)
            world_forget(&world, tabs[person]);
        if (turns == RESTART_AT)
            restart();
        if (turns == LEAVE_AT && players == 4)
            try(CHI, "resign", NULL);
        if (turns % 16 == 7)
            look_around();
    }
    look_around();
}

static void play(unsigned variant, bool other, struct tapes *said)
{
    tapes = said;
    exchanged = other;
    players = variants[variant].players;
    secret_meals = strcmp(variants[variant].meals, "B") == 0;
    commands = undone = taken = 0;
    tapes_begin(tapes);
    for (int person = 0; person < PEOPLE; person++)
        chances[person] = (struct person_chance){{below}, {(uint64_t)person + SEED}};
    world_init(&world);
    open_room(variant);
    play_commands(variant);
    world_release(&world);
    tapes_end(tapes);
}

START_TEST(test_others_are_told_the_same)
{
    struct tapes first, second;
    play((unsigned)_i, false, &first);
    play((unsigned)_i, true, &second);
    tapes_expect_same(&first, &second, ANA);
    tapes_expect_same(&first, &second, CHI);
    tapes_expect_same(&first, &second, ZOE);
    ck_assert_str_ne(first.text[BO], second.text[BO]);
    ck_assert_ptr_nonnull(strstr(first.text[BO], "\"mine\":{\"G\":"));
    ck_assert_ptr_null(strstr(first.text[ZOE], "\"mine\""));
    ck_assert_uint_ge(undone, strcmp(variants[_i].spells, "B") == 0);
    ck_assert_uint_ge(taken, _i == PEOPLE_TAKEN);
    tapes_release(&first);
    tapes_release(&second);
}
END_TEST

Suite *hidden_totem_suite(void)
{
    Suite *suite = suite_create("hidden totem");
    TCase *tcase = tcase_create("two matches");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, test_others_are_told_the_same, 0,
                        (int)(sizeof variants / sizeof variants[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
