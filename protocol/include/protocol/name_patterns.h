/*
 * What nobody is to be called, whoever says so: a list of words, one a line, "#" and what follows
 * it left out. A word is found anywhere in a name, "=word" is the whole of it; both by their
 * skeletons, so that what looks alike is alike. Looking at one name takes at most
 * NAME_PATTERNS_MAX comparisons of short texts.
 *
 * Values in, values out; knows no file and no server.
 */
#ifndef PROTOCOL_NAME_PATTERNS_H
#define PROTOCOL_NAME_PATTERNS_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    NAME_PATTERNS_MAX = 1024,
    NAME_PATTERN_BYTES = 32, /* of a skeleton */
    NAME_PATTERN_BYTES_MIN = 2,
    NAME_SKELETON_BYTES = PROTOCOL_TITLE_BYTES, /* of the longest that is looked at */
};

struct name_pattern {
    char skeleton[NAME_PATTERN_BYTES + 1];
    bool whole; /* the whole name is meant */
};

struct name_patterns {
    size_t count;
    struct name_pattern list[NAME_PATTERNS_MAX];
};

/* The one that two letters look like together, as of any skeleton; 0: they do not. */
char name_merge_letters(char before, char c);

/*
 * In lower case, without anything of ASCII but letters and digits, then 0 as o, 1 ! | and i as l, 3
 * as e, 4 and @ as a, 5 and $ as s, 7 as t, rn as m and vv as w; other letters as they are.
 */
void name_skeleton(const char *name, char skeleton[static NAME_SKELETON_BYTES + 1]);

/* Into a list of none. False: line `bad_line`, from 1, is no word that can be looked for, or one
 * too many. */
bool name_patterns_read(struct name_patterns *patterns, const char *text, size_t len,
                        size_t *bad_line);

bool name_patterns_forbid(const struct name_patterns *patterns, const char *name);

#endif
