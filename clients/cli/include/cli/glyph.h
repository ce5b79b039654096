/*
 * Text as a terminal shows it: code points and their width in columns.
 *
 * Knows Unicode, the C locale's wcwidth and nothing else.
 */
#ifndef CLI_GLYPH_H
#define CLI_GLYPH_H

#include <stdint.h>
#include <stdio.h>

/*
 * The next code point of a NUL-terminated text, moving `*at`; 0 at the end. What may not reach a
 * terminal (control and direction characters, broken UTF-8) comes out as '?'.
 */
uint32_t glyph_next(const char **at);

/* 0 for marks that combine, 2 for wide characters, else 1. Never negative. */
int glyph_width(uint32_t code);

/* Columns of a whole text. */
int glyph_columns(const char *text);

void glyph_print(uint32_t code, FILE *out);

/* A text with everything replaced that may not reach a terminal. */
void glyph_print_text(const char *text, FILE *out);

#endif
