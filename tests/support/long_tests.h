/* Which test cases the sanitizers leave out at every change. */
#ifndef SUPPORT_LONG_TESTS_H
#define SUPPORT_LONG_TESTS_H

/*
 * The tag of test cases that go through the same code as the others of their program, with more
 * matches, options or places of a fault. With gcc a program runs all its cases; with sanitizers it
 * does so at night, and at a change those without the tag (CK_EXCLUDE_TAGS in meson.build).
 */
#define LONG_TESTS "long"

/*
 * The tag of test cases that compare numbers which other cases compute as well: the sanitizers see
 * that code there.
 */
#define SAME_NUMBERS "numbers"

#endif
