/*
 * What a server says is shown to people and reckoned with, and a server may lie: no control
 * character, nothing that turns text around, and no number with which sums overflow gets further
 * than here.
 */
#ifndef WIRE_CLEAN_H
#define WIRE_CLEAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * In every text of the message, whatever its place, '?' for each character that no text of people
 * has (protocol/text.h); in a record line feeds stay. Members whose names have one are dropped.
 * An integer beyond PROTOCOL_INTEGER_MAX, on either side, becomes the last before that.
 * False: out of memory, and the message must not be used.
 */
bool wire_clean(json_t *message);

/* The same in a line that is no JSON. */
void wire_clean_line(char *text);

/*
 * Writes a message as it came, on one line: the same JSON, with such characters as \uXXXX. Other
 * bytes that are no text become '?'.
 */
void wire_print_message(const char *bytes, size_t len, FILE *out);
/* The same of an object, as it came. False: out of memory. */
bool wire_print_object(const json_t *object, FILE *out);

#endif
