/*
 * What the commands that need no server print, byte by byte. After a change that is meant, run with
 * TALUVA_UPDATE_GOLDEN=1 and read the difference. That of the analysis also changes with the
 * computer's net and search.
 */
#include "../../support/source_file.h"
#include "suites.h"
#include <cli/program.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST "2/0/48 - h20w2t3/h20w2t3 - - 48 draw:0"
#define BOATS "2/0/48/boats 0,0=1V0/0,1=1C/1,0=1J:0h1 h19w2t3b2/h20w2t3b2 - - 46 place:1:RS"
#define CAST  "4/Y/24 8R cast:RBY t2b4:M,We,e/out/t2b4:wWMe,-,e/t2b6:W,Me,e T,I/-/A/B,T -/-/-/-"
#define CHOOSE                                                                                     \
    "4/Y/24 9Y choose:YRGB t1b5:wmW,M,e/t3b0:wM,e,-/t3b5:wmW,M,e/t4b0:mWe,ee,e -/-/-/- -/-/-/-"
#define OVER                                                                                       \
    "4/Y/24 17Y over:totem:B t3b0:mWe,-,-/t5b0:WMe,Me,M/t6b0:mWee,e,e/t4b0x:-,-,- -/-/-/- "        \
    "-/-/-/-"

/* The command lines of one golden file. */
static const struct {
    const char *golden;
    const char *lines[44];
} PROGRAMS[] = {
    /* The record that is annotated already is printed as it is. */
    {"analyse",
     {"analyse --simulations 2 three.taluva", "analyse --simulations=2 teams.taluva",
      "analyse --simulations 2 --json three.taluva",
      "analyse --simulations 2 --annotate annotated.taluva"}},
    {"analyse-wrong",
     {"analyse --json --annotate three.taluva", "analyse", "analyse a b", "analyse no-such-file",
      "analyse --simulations 5001 three.taluva", "analyse --simulations -1 three.taluva",
      "analyse ../totem/match.taluva", "analyse ../totem/game.json", "analyse wrong.taluva"}},
    {"event",
     {"event pair swiss.trf",
      "event pair --json swiss.trf",
      "event pair --names swiss-open.trf",
      "event pair --names --rounds 5 swiss-open.trf",
      "event pair --rounds 3 swiss-open.trf",
      "event pair swiss-baku.trf",
      "event pair swiss-none.trf",
      "event pair swiss-wrong.trf",
      "event pair swiss-bad.trf",
      "event check swiss.trf",
      "event check --json swiss.trf",
      "event check swiss-wrong.trf",
      "event check --json swiss-wrong.trf",
      "event check swiss-bad.trf",
      "event check three.taluva",
      "event check no-such-file",
      "event swap swiss.trf",
      "event pair",
      "event pair --rounds 0 swiss.trf",
      "event verify evening.jsonl",
      "event verify --json evening.jsonl",
      "event verify evening-open.jsonl",
      "event verify --json evening-open.jsonl",
      "event verify evening-wrong.jsonl",
      "event verify --json evening-wrong.jsonl",
      "event verify swiss.trf",
      "event verify swiss.jsonl",
      "event trf swiss.jsonl",
      "event trf swiss-open.jsonl",
      "event trf evening.jsonl",
      "event trf evening-wrong.jsonl",
      "event trf swiss.trf",
      "event --help"}},
    {"help",
     {"",
      "--help",
      "-h",
      "--version",
      "-V",
      "totem",
      "totem --help",
      "totem -h",
      "nonsense",
      "totem nonsense",
      "analyse --help",
      "create --game=totem --help",
      "create --game chess",
      "create --game=chess",
      "create --game",
      "join --help",
      "help",
      "help perft",
      "help nonsense",
      "help map",
      "help ends",
      "help rules",
      "help levels",
      "totem help rules",
      "totem help phases",
      "totem help spells",
      "totem help ties",
      "totem help ends",
      "totem help map",
      "totem -V",
      "play --help",
      "totem help",
      "totem help legal",
      "totem legal --help",
      "perft -h",
      "show --version",
      "show --nonsense",
      "totem show --as",
      "totem show --as=nobody"}},
    /* Options that would change nothing. */
    {"idle",
     {"create --move 3",
      "create --clock fischer --period 3",
      "create --clock none --on-timeout computer",
      "create --no-join --seat 1",
      "create --no-join --ready",
      "create --level strong",
      "create --json --small",
      "rooms --ascii",
      "rooms --code abc",
      "create --title=",
      "join",
      "play --clock move --bank 3",
      "play --json --small",
      "play --json --people 2",
      "play --people 1 --name Ana --name Bo",
      "play --people 6",
      "play --level best",
      "play --server ws://localhost",
      "seek --games totem,",
      "seek --games taluva,totem --game totem",
      "seek --range 149",
      "seek --range 200 --with ana-1903"}},
    {"legal",
     {"legal --count " FIRST, "legal " FIRST, "legal " BOATS, "legal --tile JJ --count " BOATS,
      "legal --tile=2JJ --count " BOATS, "legal --tile XX " BOATS, "legal 2/0/48", "legal",
      "totem legal -- " CAST, "totem legal --count -- " CAST, "totem legal --count -- " CHOOSE,
      "totem legal -- " OVER, "totem legal -- 4/Y/24", "totem legal nonsense"}},
    {"show",
     {"show --no-color " BOATS, "show --ascii --no-color " BOATS, "show --small --no-color " BOATS,
      "show --small --coordinates --ascii --no-color " BOATS,
      "show --coordinates --no-color " FIRST, "show nonsense", "totem show --no-color -- " CAST,
      "totem show --no-color --as watcher -- " CAST,
      "totem show --no-color --as server --small -- " CAST, "totem show --no-color --as 2 -- " CAST,
      "totem show --ascii --no-color --as=0 --small -- " CHOOSE, "totem show --no-color -- " OVER}},
    {"replay",
     {"replay three.taluva", "replay three.taluva teams.taluva", "replay --position three.taluva",
      "replay --turn 3 --no-color three.taluva",
      "replay --turn 22 --no-color --ascii --small teams.taluva",
      "replay --turn 15 --no-color --ascii --small three.taluva",
      "replay --turn 0 --as 1 --no-color ../totem/match.taluva",
      "replay --turn 4 --as watcher --no-color --ascii ../totem/match.taluva",
      "replay --turn 99 three.taluva", "replay --as 4 --turn 1 three.taluva",
      "replay --turn 1 --no-color --ascii --small three.taluva teams.taluva",
      "replay no-such-file three.taluva", "replay wrong.taluva", "replay ../totem/game.json",
      "totem replay ../totem/game.json", "totem replay --position ../totem/match.taluva",
      "replay --turn -2 three.taluva", "replay"}},
};

static int redirect(FILE *stream, FILE *to)
{
    (void)fflush(stream);
    int kept = dup(fileno(stream));
    ck_assert_int_ge(dup2(fileno(to), fileno(stream)), 0);
    return kept;
}

static void restore(FILE *stream, int kept)
{
    (void)fflush(stream);
    ck_assert_int_ge(dup2(kept, fileno(stream)), 0);
    (void)close(kept);
}

/* Without the CR of report files, which editors do not show. */
static void append(FILE *out, const char *name, FILE *from)
{
    static char text[1 << 17];
    rewind(from);
    const size_t len = fread(text, 1, sizeof text, from);
    ck_assert_uint_lt(len, sizeof text);
    if (len > 0)
        fprintf(out, "%s", name);
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '\r')
            fputc(text[i], out);
    }
    (void)fclose(from);
}

static void run(const char *line, FILE *golden)
{
    static const struct game *const games[] = {&game_taluva, &game_totem, NULL};
    char text[512], *argv[40], *rest;
    int argc = 0;
    FILE *out = tmpfile(), *err = tmpfile();
    ck_assert(out && err);
    (void)snprintf(text, sizeof text, "taluva %s", line);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    argv[argc] = NULL;
    const int kept_out = redirect(stdout, out), kept_err = redirect(stderr, err);
    const int status = program_run(games, NULL, argc, argv);
    restore(stdout, kept_out);
    restore(stderr, kept_err);
    fprintf(golden, "$ taluva%s%s\n", *line ? " " : "", line);
    append(golden, "", out);
    append(golden, "--- standard error:\n", err);
    fprintf(golden, "--- status %d\n\n", status);
}

START_TEST(commands_print)
{
    char folder[1024], path[128], *text;
    size_t len;
    FILE *golden = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(golden);
    source_file_path(folder, sizeof folder, "tests/unit/clients/program");
    const int here = open(".", O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(here, 0);
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; PROGRAMS[_i].lines[i]; i++)
        run(PROGRAMS[_i].lines[i], golden);
    ck_assert_int_eq(fchdir(here), 0); /* other tests may share the process */
    (void)close(here);
    ck_assert_int_eq(fclose(golden), 0);
    snprintf(path, sizeof path, "tests/unit/clients/golden/program-%s.txt", PROGRAMS[_i].golden);
    check_golden(path, text, len);
    free(text);
}
END_TEST

Suite *program_suite(void)
{
    Suite *suite = suite_create("program");
    TCase *tcase = tcase_create("program");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, commands_print, 0, sizeof PROGRAMS / sizeof PROGRAMS[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
