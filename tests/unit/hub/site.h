/* A site of two parts, each a world, for the tests of what goes between them. */
#ifndef SITE_H
#define SITE_H

#include "world.h"

/* Of a browser that takes messages. */
#define SITE_KEY                                                                                   \
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
#define SITE_AUTH "BTBZMqHH6r4Tts7J_aSIgg"

extern struct world home, away; /* parts 0 and 1; both send messages to browsers */

void site_setup(void);
void site_teardown(void);
/* Creates the hubs anew, after a change of their limits. */
void site_start(void);

/* Ana, whose home is `home`, and Zoe, whose home is `away`. */
struct site {
    int ana_home;       /* Ana's tab at home */
    uint64_t ana;       /* her session */
    struct table table; /* in `away`: tab 0 is Zoe, who made it, tab 1 Ana */
};
void site_meet(struct site *site); /* both are connected in `away` */
/* And sit at a table, with options as for world_table; not ready. */
void site_table(struct site *site, const char *format, ...);

uint64_t site_session(const struct world *world, int tab);
/* A peer in `away` of a session of `home`. */
int site_go(uint64_t session, const char *name);
/* The notes of each go to the other. */
void site_carry(void);
/* Time passes for both, and notes are carried. */
void site_pass(int64_t ms);
size_t site_foreign(const struct world *world); /* how many foreign sessions are there */

#endif
