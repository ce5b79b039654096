/*
 * A text with places for facts (facts.h):
 *
 *     {name}              its number
 *     {name|day|days}     and a word behind it, the first one for 1
 *     {name:d|day|days}   of a time in milliseconds: days, hours (h) or minutes (m), rounded up, so
 *                         that nothing is said to go sooner than it does
 *     {?name}...{.}       what is there only if it is not 0
 *     {?name}...{:}...{.} ... and else the other one
 *
 * There are no braces otherwise.
 */
#ifndef PRIVACY_TEMPLATE_H
#define PRIVACY_TEMPLATE_H

#include <stdbool.h>

struct buffer;
struct hub;

/* False: it is no such text, or names no fact. Memory that failed shows in `out`. */
bool template_write(const struct hub *hub, const char *text, struct buffer *out);

#endif
