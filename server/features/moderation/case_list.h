/* Cases as they are shown, the gravest first, and who of the reporters is believed. */
#ifndef MODERATION_CASE_LIST_H
#define MODERATION_CASE_LIST_H

#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

enum {
    CASES_SHOWN = 100,  /* in a list */
    REPORTER_TRUST = 5, /* of the last so many that came to nothing: they go last */
};

/* Those that wait, the gravest first, as the member "reports"; and how many they are. */
void cases_write(const struct hub *hub, struct writer *writer);
size_t cases_count(const struct hub *hub);
/* The reports of a case, or of one that has been judged, as members. False: there is none. */
bool cases_write_one(const struct hub *hub, uint64_t id, struct writer *writer);

#endif
