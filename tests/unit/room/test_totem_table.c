/*
 * The table of Totem on the wire, of positions in the words of totem.md 7.1: all of it exactly, of
 * every change no more than what changed, for everybody no more than he may know; and what may be
 * done.
 */
#include "suites.h"
#include <check.h>
#include <jansson.h>
#include <protocol/patch_writer.h>
#include <stdlib.h>
#include <string.h>
#include <totem_match.h>

enum { MOST_BYTES = 1 << 17, WATCHER = GAME_NO_SEAT };

static void read_position(const char *position, struct totem_match *match)
{
    size_t offset;
    const char *what;
    memset(match, 0, sizeof *match);
    ck_assert_msg(totem_position_parse(position, strlen(position), &match->game, &offset, &what),
                  "%s: %s at %zu", position, what, offset);
    match->options = match->game.options;
}

static json_t *take_json(struct writer *writer, struct buffer *buffer)
{
    json_error_t error;
    ck_assert(writer_done(writer));
    json_t *value = json_loadb(buffer_payload(buffer), buffer->len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value, "%s in %.*s", error.text, (int)buffer->len, buffer_payload(buffer));
    buffer_release(buffer);
    return value;
}

/* Lets both go. */
static void expect_equal(json_t *is, json_t *want)
{
    char *text = json_dumps(is, JSON_COMPACT), *want_text = json_dumps(want, JSON_COMPACT);
    ck_assert_msg(json_equal(is, want), "%s\ninstead of %s", text, want_text);
    free(text);
    free(want_text);
    json_decref(is);
    json_decref(want);
}

static void expect_json(json_t *is, const char *expected)
{
    json_error_t error;
    json_t *want = json_loads(expected, 0, &error);
    ck_assert_msg(want, "%s in %s", error.text, expected);
    expect_equal(is, want);
}

static json_t *table_of(const struct totem_match *before, const struct totem_match *after,
                        unsigned viewer)
{
    struct buffer buffer;
    struct writer writer;
    struct patch patch;
    buffer_init(&buffer, 0, MOST_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    patch_init(&patch, &writer);
    totem_views.table(before, after, viewer, &patch);
    writer_end(&writer);
    return take_json(&writer, &buffer);
}

/* ---- all of it */

static const struct {
    const char *position;
    unsigned viewer;
    const char *table;
} whole_rows[] = {
    {"4/R/24 1R cast:BG t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/t2b6x:wm,wm,WMe "
     "T:R1/G,M:R1,H:G1/I,F:R1!/B:Y3!,F:R1! -/-/-/-",
     1,
     "{\"round\":1,\"first\":\"R\",\"step\":\"cast\",\"acting\":[\"B\",\"G\"],\"supply\":13,"
     "\"families\":{"
     "\"R\":{\"seat\":0,\"pieces\":1,\"birds\":6},"
     "\"G\":{\"seat\":1,\"pieces\":1,\"birds\":5,\"chosen\":1},"
     "\"B\":{\"seat\":2,\"pieces\":1,\"birds\":6,\"chosen\":1},"
     "\"Y\":{\"seat\":3,\"pieces\":2,\"birds\":6,\"barred\":true}},"
     "\"huts\":{\"R1\":{\"people\":\"wwm\",\"down\":{\"R\":1,\"G\":1},\"up\":{\"F\":\"BY\"}},"
     "\"R2\":{\"people\":\"WM\"},\"R3\":{\"people\":\"me\"},"
     "\"G1\":{\"people\":\"wwmW\",\"down\":{\"G\":1}},\"G2\":{\"people\":\"M\"},"
     "\"G3\":{\"people\":\"me\"},"
     "\"B1\":{\"people\":\"wwmmWM\"},\"B2\":{},\"B3\":{\"people\":\"e\"},"
     "\"Y1\":{\"people\":\"wm\"},\"Y2\":{\"people\":\"wm\"},"
     "\"Y3\":{\"people\":\"WMe\",\"up\":{\"B\":\"Y\"}}},"
     "\"mine\":{\"G\":{\"hand\":\"G\",\"down\":{\"H\":\"G1\",\"M\":\"R1\"}}}}"},
    {"3/R/24 2G starve:R:R2 t1b0:bbw,mM,M/t1b1:w,m,-/out -/-/- -/-/-", WATCHER,
     "{\"round\":2,\"first\":\"G\",\"step\":\"starve\",\"acting\":[\"R\"],\"hungry\":[{\"family\":"
     "\"R\",\"count\":2}],\"supply\":35,\"families\":{\"R\":{\"seat\":0,\"pieces\":1,\"birds\":0},"
     "\"G\":{\"seat\":1,\"pieces\":1,\"birds\":1},\"B\":{\"seat\":2,\"out\":true}},\"huts\":{"
     "\"R1\":{\"people\":\"bbw\"},\"R2\":{\"people\":\"mM\"},\"R3\":{\"people\":\"M\"},\"G1\":{"
     "\"people\":\"w\"},\"G2\":{\"people\":\"m\"},\"G3\":{}}}"},
    {"2/R/24/spells-b 1R write:GBY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- -/-/-/- "
     "+T:R1,F:G1/-/-/-",
     0,
     "{\"round\":1,\"first\":\"R\",\"step\":\"write\",\"acting\":[\"G\",\"B\",\"Y\"],\"supply\":12,"
     "\"families\":{\"R\":{\"seat\":0,\"pieces\":1,\"birds\":6,\"written\":true},\"G\":{\"seat\":1,"
     "\"pieces\":1,\"birds\":6},\"B\":{\"seat\":0,\"pieces\":1,\"birds\":6},\"Y\":{\"seat\":1,"
     "\"pieces\":1,\"birds\":6}},\"huts\":{\"R1\":{\"people\":\"wm\"},\"R2\":{},\"R3\":{},\"G1\":{"
     "\"people\":\"wm\"},\"G2\":{},\"G3\":{},\"B1\":{\"people\":\"wm\"},\"B2\":{},\"B3\":{},\"Y1\":"
     "{\"people\":\"wm\"},\"Y2\":{},\"Y3\":{}},\"mine\":{\"R\":{\"note\":\"T:R1,F:G1\"}}}"},
    {"4/R/24/meals-b 2G take:GB:R2 t1b0:wmMM,-,-/t1b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,- -/-/-/- "
     "-/-/-/+-,M,-",
     3,
     "{\"round\":2,\"first\":\"G\",\"step\":\"take\",\"acting\":[\"G\",\"B\"],\"hungry\":[{"
     "\"family\":\"R\",\"count\":2}],\"supply\":36,\"families\":{\"R\":{\"seat\":0,\"pieces\":1,"
     "\"birds\":0},\"G\":{\"seat\":1,\"pieces\":1,\"birds\":0},\"B\":{\"seat\":2,\"pieces\":1,"
     "\"birds\":0},\"Y\":{\"seat\":3,\"pieces\":1,\"birds\":0,\"written\":true}},\"huts\":{\"R1\":{"
     "\"people\":\"wmMM\"},\"R2\":{},\"R3\":{},\"G1\":{\"people\":\"wm\"},\"G2\":{},\"G3\":{},"
     "\"B1\":{\"people\":\"wm\"},\"B2\":{},\"B3\":{},\"Y1\":{\"people\":\"wm\"},\"Y2\":{},\"Y3\":{}"
     "},\"mine\":{\"Y\":{\"note\":\"-,M,-\"}}}"},
    {"4/R/24 2R over:totem:R t6b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,- -/-/-/- -/-/-/-",
     WATCHER,
     "{\"round\":2,\"first\":\"R\",\"step\":\"over\",\"supply\":36,\"families\":{\"R\":{\"seat\":0,"
     "\"pieces\":6,\"birds\":0},\"G\":{\"seat\":1,\"pieces\":1,\"birds\":0},\"B\":{\"seat\":2,"
     "\"pieces\":1,\"birds\":0},\"Y\":{\"seat\":3,\"pieces\":1,\"birds\":0}},\"huts\":{\"R1\":{"
     "\"people\":\"wm\"},\"R2\":{},\"R3\":{},\"G1\":{\"people\":\"wm\"},\"G2\":{},\"G3\":{},\"B1\":"
     "{\"people\":\"wm\"},\"B2\":{},\"B3\":{},\"Y1\":{\"people\":\"wm\"},\"Y2\":{},\"Y3\":{}}}"},
};

START_TEST(test_whole)
{
    struct totem_match match;
    read_position(whole_rows[_i].position, &match);
    expect_json(table_of(NULL, &match, whole_rows[_i].viewer), whole_rows[_i].table);
}
END_TEST

/* ---- what changed, there and back */

#define HOMES  "t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/t1b6:wm,wm,WMe"
#define COUPLE "/t1b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,- "
#define REST   " -/-/-/- -/-/-/-"

static const struct {
    const char *before, *after;
    unsigned viewer;
    const char *there, *back;
} change_rows[] = {
    {"4/R/24 1R cast:RB " HOMES " G:R1,T/G:R1/I/- -/-/-/-",
     "4/R/24 1R cast:RB " HOMES " G:R1,T/G:R1/I/- -/-/-/-", 0, "{}", "{}"},
    /* the first spell of a family is laid */
    {"4/R/24 1R cast:RB " HOMES " G,T/-/I/- -/-/-/-",
     "4/R/24 1R cast:BR " HOMES " G,T:G1/-/I/- -/-/-/-", 0,
     "{\"acting\":[\"B\",\"R\"],\"families\":{\"R\":{\"chosen\":1}},\"huts\":{\"G1\":{\"down\":{"
     "\"R\":1}}},\"mine\":{\"R\":{\"hand\":\"G\",\"down\":{\"T\":\"G1\"}}}}",
     "{\"acting\":[\"R\",\"B\"],\"families\":{\"R\":{\"chosen\":2}},\"huts\":{\"G1\":{\"down\":"
     "null}},\"mine\":{\"R\":{\"hand\":\"GT\",\"down\":null}}}"},
    {"4/R/24 1R cast:RB " HOMES " G,T/-/I/- -/-/-/-",
     "4/R/24 1R cast:BR " HOMES " G,T:G1/-/I/- -/-/-/-", 2,
     "{\"acting\":[\"B\",\"R\"],\"families\":{\"R\":{\"chosen\":1}},\"huts\":{\"G1\":{\"down\":{"
     "\"R\":1}}}}",
     "{\"acting\":[\"R\",\"B\"],\"families\":{\"R\":{\"chosen\":2}},\"huts\":{\"G1\":{\"down\":"
     "null}}}"},
    /* the last one, where others lie */
    {"4/R/24 1R cast:RB " HOMES " G:R1,T/H:R1/I/- -/-/-/-",
     "4/R/24 1R cast:B " HOMES " G:R1,T:R1/H:R1/I/- -/-/-/-", 0,
     "{\"acting\":[\"B\"],\"families\":{\"R\":{\"chosen\":null}},\"huts\":{\"R1\":{\"down\":{\"R\":"
     "2}}},\"mine\":{\"R\":{\"hand\":null,\"down\":{\"T\":\"R1\"}}}}",
     "{\"acting\":[\"R\",\"B\"],\"families\":{\"R\":{\"chosen\":1}},\"huts\":{\"R1\":{\"down\":{"
     "\"R\":1}}},\"mine\":{\"R\":{\"hand\":\"T\",\"down\":{\"T\":null}}}}"},
    {"4/R/24 1R cast:RB " HOMES " G:R1,T/H:R1/I/- -/-/-/-",
     "4/R/24 1R cast:B " HOMES " G:R1,T:R1/H:R1/I/- -/-/-/-", WATCHER,
     "{\"acting\":[\"B\"],\"families\":{\"R\":{\"chosen\":null}},\"huts\":{\"R1\":{\"down\":{\"R\":"
     "2}}}}",
     "{\"acting\":[\"R\",\"B\"],\"families\":{\"R\":{\"chosen\":1}},\"huts\":{\"R1\":{\"down\":{"
     "\"R\":1}}}}"},
    /* nobody acts in a reveal but the first family */
    {"4/R/24 1R reveal3:R " HOMES " T:R1/L:R1/-/- -/-/-/-",
     "4/R/24 1R reveal6:G " HOMES " T:R1!/P:R1!,L:R1/-/- -/-/-/-", 0,
     "{\"step\":\"reveal6\",\"acting\":[\"G\"],\"huts\":{\"R1\":{\"down\":{\"R\":null},\"up\":{"
     "\"T\":\"R\",\"P\":\"G\"}}},\"mine\":null}",
     "{\"step\":\"reveal3\",\"acting\":[\"R\"],\"huts\":{\"R1\":{\"down\":{\"R\":1},\"up\":null}},"
     "\"mine\":{\"R\":{\"down\":{\"T\":\"R1\"}}}}"},
    {"4/R/24 1R reveal6:RG " HOMES " M:R1/M:R1!,P:R2/-/- -/-/-/-",
     "4/R/24 1R reveal6:G " HOMES " M:R1!/M:R1!,P:R2/-/- -/-/-/-", 1,
     "{\"acting\":[\"G\"],\"huts\":{\"R1\":{\"down\":null,\"up\":{\"M\":\"RG\"}}}}",
     "{\"acting\":[\"R\",\"G\"],\"huts\":{\"R1\":{\"down\":{\"R\":1},\"up\":{\"M\":\"G\"}}}}"},
    {"4/R/24 1R reveal7:R t2b0:gbwme,e,-" COUPLE "L:R1/-/-/- -/-/-/-",
     "4/R/24 2G settle:GBYR t1b1x:wm,-,-" COUPLE "-/-/-/- -/-/-/-", 1,
     "{\"round\":2,\"first\":\"G\",\"step\":\"settle\",\"acting\":[\"G\",\"B\",\"Y\",\"R\"],"
     "\"supply\":35,\"families\":{\"R\":{\"pieces\":1,\"birds\":1,\"barred\":true}},\"huts\":{"
     "\"R1\":{\"people\":\"wm\",\"down\":null},\"R2\":{\"people\":null}}}",
     "{\"round\":1,\"first\":\"R\",\"step\":\"reveal7\",\"acting\":[\"R\"],\"supply\":36,"
     "\"families\":{\"R\":{\"pieces\":2,\"birds\":0,\"barred\":null}},\"huts\":{\"R1\":{\"people\":"
     "\"gbwme\",\"down\":{\"R\":1}},\"R2\":{\"people\":\"e\"}}}"},
    /* who has left does not return */
    {"4/R/24 2R choose:R t2b3:wm,-,-" COUPLE "-/-/-/- -/-/-/-",
     "4/R/24 2R choose:G out" COUPLE "-/-/-/- -/-/-/-", WATCHER,
     "{\"acting\":[\"G\"],\"supply\":36,\"families\":{\"R\":{\"pieces\":null,\"birds\":null,"
     "\"out\":true}},\"huts\":{\"R1\":null,\"R2\":null,\"R3\":null}}",
     NULL},
    /* people who starve */
    {"4/R/24 2R reveal4:R t1b0:gww,mee,-/t1b0:wm,-,-/t1b4:wmWMe,-,-/t1b4:wmWMee,-,- L:R1/-/-/- "
     "-/-/-/-",
     "4/R/24 2R starve:RG:R2,G1 t1b0:gww,mee,-/t1b0:wm,-,-/t1b4:wmWMe,-,-/t1b4:wmWMee,-,- "
     "L:R1/-/-/- -/-/-/-",
     1,
     "{\"step\":\"starve\",\"acting\":[\"R\",\"G\"],\"hungry\":[{\"family\":\"R\",\"count\":2},{"
     "\"family\":\"G\",\"count\":1}]}",
     "{\"step\":\"reveal4\",\"acting\":[\"R\"],\"hungry\":null}"},
    {"4/R/24 2R starve:RG:R2,G1 t1b0:gww,mee,-/t1b0:wm,-,-/t1b4:wmWMe,-,-/t1b4:wmWMee,-,- "
     "L:R1/-/-/- -/-/-/-",
     "4/R/24 2R starve:RG:R1,G1 t1b0:gww,mee,-/t1b0:wm,-,-/t1b4:wmWMe,-,-/t1b4:wmWMee,-,- "
     "L:R1/-/-/- -/-/-/-",
     1, "{\"hungry\":[{\"family\":\"R\",\"count\":1},{\"family\":\"G\",\"count\":1}]}",
     "{\"hungry\":[{\"family\":\"R\",\"count\":2},{\"family\":\"G\",\"count\":1}]}"},
    /* what is written */
    {"2/R/24/spells-b 1R write:RGBY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-" REST,
     "2/R/24/spells-b 1R write:GBY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- -/-/-/- "
     "+T:R1,F:G1/-/-/-",
     0,
     "{\"acting\":[\"G\",\"B\",\"Y\"],\"families\":{\"R\":{\"written\":true}},\"mine\":{\"R\":{"
     "\"note\":\"T:R1,F:G1\"}}}",
     "{\"acting\":[\"R\",\"G\",\"B\",\"Y\"],\"families\":{\"R\":{\"written\":null}},\"mine\":"
     "null}"},
    {"2/R/24/spells-b 1R write:GBY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- -/-/-/- "
     "+T:R1,F:G1/-/-/-",
     "2/R/24/spells-b 1R write:GY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- -/-/-/- "
     "+T:R1,F:G1/-/+T:R1/-",
     2, "{\"acting\":[\"G\",\"Y\"],\"families\":{\"B\":{\"written\":true}}}",
     "{\"acting\":[\"G\",\"B\",\"Y\"],\"families\":{\"B\":{\"written\":null}}}"},
    {"2/R/24/spells-b 1R write:GBY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- -/-/-/- "
     "+T:R1,F:G1/-/-/-",
     "2/R/24/spells-b 1R write:GY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- -/-/-/- "
     "+T:R1,F:G1/-/+T:R1/-",
     1, "{\"acting\":[\"G\",\"Y\"],\"families\":{\"B\":{\"written\":true}}}",
     "{\"acting\":[\"G\",\"B\",\"Y\"],\"families\":{\"B\":{\"written\":null}}}"},
    {"4/R/24 1R reveal7:R t5b0:wm,-,-" COUPLE "L:R1/-/-/- -/-/-/-",
     "4/R/24 1R over:totem:R t6b0:wm,-,-" COUPLE "-/-/-/- -/-/-/-", 0,
     "{\"step\":\"over\",\"acting\":null,\"families\":{\"R\":{\"pieces\":6}},\"huts\":{\"R1\":{"
     "\"down\":null}},\"mine\":null}",
     "{\"step\":\"reveal7\",\"acting\":[\"R\"],\"families\":{\"R\":{\"pieces\":5}},\"huts\":{"
     "\"R1\":{\"down\":{\"R\":1}}},\"mine\":{\"R\":{\"down\":{\"L\":\"R1\"}}}}"},
};

START_TEST(test_change)
{
    struct totem_match before, after;
    read_position(change_rows[_i].before, &before);
    read_position(change_rows[_i].after, &after);
    expect_json(table_of(&before, &after, change_rows[_i].viewer), change_rows[_i].there);
    if (change_rows[_i].back)
        expect_json(table_of(&after, &before, change_rows[_i].viewer), change_rows[_i].back);
}
END_TEST

/* ---- what may be done */

static json_t *moves_of(const struct totem_match *match, unsigned seat)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, MOST_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    totem_views.moves(match, seat, &writer);
    writer_end(&writer);
    return take_json(&writer, &buffer);
}

/* Every command that the rules list, of each family of the seat in turn; none of too many. */
static json_t *commands_of(const struct totem_match *match, unsigned seat)
{
    static struct totem_command commands[2001];
    json_t *list = json_array();
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (totem_seat_of(&match->options, family) != seat ||
            !((totem_acting(&match->game) >> family) & 1))
            continue;
        size_t count = totem_list(&match->game, family, commands, 2000);
        for (size_t i = 0; i < count; i++) {
            char text[TOTEM_COMMAND_TEXT];
            totem_command_format(&commands[i], text);
            json_array_append_new(list, json_string(text));
        }
    }
    if (json_array_size(list) > 1000)
        json_array_clear(list);
    return list;
}

static const struct {
    const char *position;
    unsigned seat;
    const char *asked;
    bool listed;
} moves_rows[] = {
    {"4/R/24 1R settle:RGBY t1b6:wwmmWMe,-,-" COUPLE "-/-/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"settle\",\"people\":\"wwmmWMe\",\"stay\":7}}", false},
    {"4/R/24 1R settle:RGBY t1b6:wwwwwwwmmmmmmmmmmWMe,-,-" COUPLE "-/-/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"settle\",\"people\":\"wwwwwwwmmmmmmmmmmWMe\",\"stay\":18}}", false},
    {"4/R/24 2R choose:RG t3b2:wm,-,-" COUPLE "-/-/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"choose\",\"spells\":\"GBTIAFMPHL\",\"most\":5,\"free\":3}}", true},
    {"4/R/24 2R choose:RG t5b30:wm,-,-" COUPLE "-/-/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"choose\",\"spells\":\"GBTIAFMPHL\",\"most\":10,\"free\":5}}", false},
    {"4/R/24 1R cast:RB t2b0:wm,-,-/out/t1b0:wm,-,-/t1b0:wm,-,- G,T,L:R1/-/I/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"cast\",\"spells\":\"GT\",\"huts\":[\"R1\",\"R2\",\"R3\",\"B1\",\"B2\","
     "\"B3\",\"Y1\",\"Y2\",\"Y3\"],\"free\":2}}",
     true},
    {"4/R/24/spells-a 1R cast:RYG t3b1:wm,-,-" COUPLE "T:R1,L:R2/-/I:G1/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"cast\",\"spells\":\"GBIAFMPH\",\"huts\":[\"R1\",\"R2\",\"R3\",\"G1\","
     "\"G2\",\"G3\",\"B1\",\"B2\",\"B3\",\"Y1\",\"Y2\",\"Y3\"],\"free\":1}}",
     true},
    {"4/R/24/spells-a 1R cast:RYG t2b1:wm,-,-" COUPLE "T:R1,M:R3,L:R2/-/I:G1/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"cast\",\"spells\":\"GBIAFPH\",\"huts\":[\"R1\",\"R2\",\"R3\",\"G1\","
     "\"G2\",\"G3\",\"B1\",\"B2\",\"B3\",\"Y1\",\"Y2\",\"Y3\"],\"free\":0}}",
     true},
    {"2/R/24/spells-b 1R write:RGY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,- -/-/-/- "
     "-/-/+T:R1/-",
     0,
     "{\"R\":{\"kind\":\"write\",\"spells\":\"GBTIAFMPHL\",\"most\":7,\"free\":1,\"huts\":[\"R1\","
     "\"R2\",\"R3\",\"G1\",\"G2\",\"G3\",\"B1\",\"B2\",\"B3\",\"Y1\",\"Y2\",\"Y3\"]}}",
     false},
    {"2/R/24/spells-b 1R write:RGBY t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-/t1b6:wm,-,-" REST, 1,
     "{\"G\":{\"kind\":\"write\",\"spells\":\"GBTIAFMPHL\",\"most\":7,\"free\":1,\"huts\":[\"R1\","
     "\"R2\",\"R3\",\"G1\",\"G2\",\"G3\",\"B1\",\"B2\",\"B3\",\"Y1\",\"Y2\",\"Y3\"]},\"Y\":{"
     "\"kind\":\"write\",\"spells\":\"GBTIAFMPHL\",\"most\":7,\"free\":1,\"huts\":[\"R1\",\"R2\","
     "\"R3\",\"G1\",\"G2\",\"G3\",\"B1\",\"B2\",\"B3\",\"Y1\",\"Y2\",\"Y3\"]}}",
     false},
    {"4/R/24 1R reveal3:R " HOMES " G:R1,B:R2!,T:R1,A:R1,P:R1/L:R1/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"reveal\",\"spells\":\"GT\"}}", true},
    {"4/R/24 1R reveal4:R " HOMES " G:R1,T:R1,A:R1,F:R2,P:R1/L:R1/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"reveal\",\"spells\":\"AF\"}}", true},
    {"4/R/24 1R reveal6:R " HOMES " B:R2!,T:R1,A:R1,P:R1,H:R1/L:R1/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"reveal\",\"spells\":\"PH\"}}", true},
    {"4/R/24 1R reveal7:RG " HOMES " B:R2!,T:R1,A:R1,P:R1,H:R1/L:R1/-/- -/-/-/-", 0,
     "{\"R\":{\"kind\":\"reveal\",\"spells\":\"\"}}", true},
    {"4/R/24 2R starve:RG:R2,G1 t1b0:gww,mee,e/t1b0:wm,-,-/t1b4:wmWMe,-,-/t1b4:wmWMee,-,- "
     "L:R1/-/-/- -/-/-/-",
     0,
     "{\"R\":{\"kind\":\"starve\",\"from\":\"R\",\"people\":{\"R1\":\"gww\",\"R2\":\"m\"},"
     "\"count\":2}}",
     true},
    {"4/B/24/meals-a 2B take:YGYG:R4,G1 t1b0:ww,mee,-/t1b0:wm,-,-/t1b4:wmWMe,-,-/t1b4:wmWMee,-,- "
     "L:R1/-/-/- -/-/-/-",
     3,
     "{\"Y\":{\"kind\":\"take\",\"from\":\"R\",\"people\":{\"R1\":\"ww\",\"R2\":\"mee\"},\"count\":"
     "1}}",
     true},
    {"4/R/24 1R reveal3:R " HOMES " T:R1/L:R1/-/- -/-/-/-", 1, "{}", true},
};

START_TEST(test_moves)
{
    struct totem_match match;
    read_position(moves_rows[_i].position, &match);
    json_t *moves = moves_of(&match, moves_rows[_i].seat);
    json_t *list = json_incref(json_object_get(moves, "moves"));
    ck_assert_int_eq(json_array_size(list) > 0, moves_rows[_i].listed && moves_rows[_i].asked[2]);
    expect_equal(list, commands_of(&match, moves_rows[_i].seat));
    expect_json(json_incref(json_object_get(moves, "asked")), moves_rows[_i].asked);
    json_decref(moves);
}
END_TEST

/* ---- the end */

static const struct {
    const char *position;
    const char *reason; /* NULL: it is not over */
    uint32_t winners;
    uint8_t ranks[TOTEM_SEATS_MAX];
} over_rows[] = {
    {"4/R/24 2R over:totem:R t6b0:wm,-,-/t1b1:wm,-,-/t3b0:wm,-,-/t1b1:wm,-,-" REST,
     "totem",
     1,
     {1, 3, 2, 3}},
    {"4/R/24 2R over:totem:Y t2b0:wm,-,-/t2b0:wm,-,-/out/t6b0:wm,-,-" REST,
     "totem",
     8,
     {2, 2, 4, 1}},
    {"3/R/2 2G over:rounds:- t1b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,- -/-/- -/-/-",
     "rounds",
     0,
     {1, 1, 1}},
    {"2/R/24 2B over:last-standing:BR t1b3:wm,-,-/out/t1b0:wm,-,-/out" REST,
     "last-standing",
     1,
     {1, 2}},
    {"4/R/24 2R choose:R t2b3:wm,-,-" COUPLE "-/-/-/- -/-/-/-", NULL, 0, {0}},
};

START_TEST(test_over)
{
    struct totem_match match;
    struct game_outcome outcome = {.reason = NULL};
    read_position(over_rows[_i].position, &match);
    bool over = over_rows[_i].reason != NULL;
    ck_assert(totem_rules.over(&match, NULL) == over);
    ck_assert(totem_rules.over(&match, &outcome) == over);
    if (over)
        ck_assert_str_eq(outcome.reason, over_rows[_i].reason);
    ck_assert_uint_eq(outcome.winners, over_rows[_i].winners);
    ck_assert_uint_eq(outcome.teams, 0);
    ck_assert_mem_eq(outcome.ranks, over_rows[_i].ranks, sizeof over_rows[_i].ranks);
}
END_TEST

START_TEST(test_result)
{
    struct buffer buffer;
    struct writer writer;
    struct totem_match match;
    read_position(over_rows[3].position, &match);
    buffer_init(&buffer, 0, MOST_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    totem_views.result(&match, &writer);
    writer_end(&writer);
    expect_json(take_json(&writer, &buffer), "{\"families\":[\"B\",\"R\"]}");
}
END_TEST

Suite *totem_table_suite(void)
{
    Suite *suite = suite_create("Totem's table");
    TCase *tcase = tcase_create("table");
    tcase_add_loop_test(tcase, test_whole, 0, sizeof whole_rows / sizeof *whole_rows);
    tcase_add_loop_test(tcase, test_change, 0, sizeof change_rows / sizeof *change_rows);
    tcase_add_loop_test(tcase, test_moves, 0, sizeof moves_rows / sizeof *moves_rows);
    tcase_add_loop_test(tcase, test_over, 0, sizeof over_rows / sizeof *over_rows);
    tcase_add_test(tcase, test_result);
    suite_add_tcase(suite, tcase);
    return suite;
}
