/*
 * For a game's options of `create`: a member for each that was given; the server knows the others.
 */
#ifndef CLI_CREATE_H
#define CLI_CREATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { CREATE_NOT_GIVEN = -1 }; /* the default of an option that is a number */

/* Nothing is added for NULL, CREATE_NOT_GIVEN and false. */
void create_set_text(json_t *options, const char *key, const char *value);
void create_set_number(json_t *options, const char *key, int64_t value);
void create_set_flag(json_t *options, const char *key, bool value);

#endif
