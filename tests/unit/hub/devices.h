/* A session on several devices, for the tests of that: a world, and what they often do in it. */
#ifndef DEVICES_H
#define DEVICES_H

#include "world.h"

enum { PASS_SPACE = 29, DEVICE_SPACE = 9 };

extern struct world device_world; /* it sends messages to browsers */

void device_setup(void);
void device_teardown(void);

/* A link or a phrase. */
void device_make(int tab, const char *op, char pass[static PASS_SPACE]);
/* A tab on another device, which has a token of its own. */
int device_enter(const char *pass, const char *client);
int device_by_link(int tab, const char *client);
void device_refused(const char *pass, const char *code);
/* Tabs that are closed are used again, so what they had is kept. */
struct tab device_tab(int tab);
/* Its token is not known any more. */
void device_is_ended(const char *token);
/* The names in the list, each behind a line, the one that asks with a star. */
void device_expect_list(int tab, const char *expected);
/* The number of the at-th device. */
void device_number(int tab, size_t at, char device[static DEVICE_SPACE]);
void device_forget(int tab, size_t at);

#endif
