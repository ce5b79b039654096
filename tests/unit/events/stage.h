/* People with accounts at one server, one of whom, Ana, directs an event that the others enter. */
#ifndef STAGE_H
#define STAGE_H

#include "../hub/world.h"

enum { STAGE_PEOPLE = 8, STAGE_START_MS = 60000 };

extern struct world world;
extern int ana, people[STAGE_PEOPLE]; /* tabs */
extern char event_id[CODE_SPACE];

/* A fixture. */
void stage_set_up(void);
void stage_tear_down(void);
/* Somebody with an account. */
int stage_called(struct world *at, const char *name, const char *handle);
/* So many, in `people`. */
void stage_gather(struct world *at, unsigned count);

/* Rules as for json_pack, without `start`, which is STAGE_START_MS from now. */
json_t *stage_rules(const struct world *at, const char *format, ...);
void stage_make(struct world *at, int tab, json_t *rules);
/* The first so many enter it, and it begins. */
void stage_begin(unsigned count);
/* What it is like; a new reference. */
json_t *stage_look(struct world *at, int tab);
const char *stage_phase(struct world *at);

/* Which table of the last round, from 0, that is; its entrants come to it. */
void stage_come(struct world *at, unsigned table, unsigned missing);
/* All who came give up, the first player last. */
void stage_give_up(struct world *at, unsigned table);
/* The whole log; the caller's to free. */
char *stage_log(struct world *at, int tab);
/* ... proves itself. */
void stage_proves(struct world *at, int tab);
/* Everybody comes back. */
void stage_restart(void);

#endif
