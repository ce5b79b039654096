/*
 * Options of a program or command as a table: one row each gives the parsing, the environment
 * variable, the usage text and the manual.
 *
 * A row says where in the caller's own struct its value goes, so the caller reads fields and never
 * argv. Knows no command, and prints only the help.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char * */
    OPTION_NAME,   /* const char *, not empty */
    OPTION_NUMBER, /* int64_t, between min and max */
    OPTION_COUNT,  /* unsigned, between min and max */
    OPTION_REAL,   /* double, finite and above 0 */
    OPTION_WORD,   /* const char *, one of `words` */
    OPTION_LIST,   /* struct option_list: may be given several times */
};

enum { OPTION_LIST_MAX = 32 };

/* What is given on the command line replaces what the environment says. */
struct option_list {
    const char *items[OPTION_LIST_MAX + 1]; /* the last is NULL */
    size_t count;
    bool from_environment;
    char text[1024]; /* the variable's value, cut up at commas and blanks */
};

struct option_row {
    const char *name; /* without the dashes in front, and each `_` is a dash; NULL ends a table */
    char letter;      /* short form, or 0 */
    enum option_kind kind;
    const char *value; /* what the help calls it: "FILE" */
    const char *help;
    size_t offset;            /* in the command's struct */
    int64_t min, max;         /* of a number or count */
    int64_t initial;          /* what it is when it is not given */
    const char *const *words; /* NULL-terminated */
};

struct option_table {
    const struct option_row *rows;
    void *values;
};

/*
 * Where options may stand beside the command line, which wins: `--log-level` as the prefix and
 * LOG_LEVEL. A flag is 1 or 0 there.
 */
struct option_environment {
    const char *prefix;
    const char *(*get)(const char *name); /* as getenv */
};

enum option_outcome { OPTIONS_OK, OPTIONS_HELP, OPTIONS_VERSION, OPTIONS_BAD };

enum { OPTIONS_GIVEN_MAX = 64 };

struct options_parsed {
    const struct option_row *given[OPTIONS_GIVEN_MAX]; /* on the command line, in its order */
    size_t given_count;
    int operand_count;
    char **operands;   /* the front of argv is rearranged to hold them */
    char problem[256]; /* with OPTIONS_BAD: a sentence without a full stop */
};

/*
 * Reads the environment (NULL: none) and argv[0..argc) (without the command's name) into the
 * tables' values, which hold the defaults. `--` ends the options; `-` alone and what begins with a
 * minus and a digit are operands; `--name=value` and `-xvalue` are known. The first of --help, -h,
 * --version and -V ends it with that outcome. Texts point into argv and the environment.
 */
enum option_outcome options_parse(const struct option_table *tables, size_t table_count,
                                  const struct option_environment *environment, int argc,
                                  char **argv, struct options_parsed *parsed);

/* Was it given on the command line? `name` as in its row. */
bool options_given(const struct options_parsed *parsed, const char *name);

/* The rows as lines for --help; NULL prints nothing. */
void option_rows_print(const struct option_row *rows, FILE *out);

#endif
