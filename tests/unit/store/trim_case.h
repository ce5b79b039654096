/* Letting finished rooms go, as every engine does it: what is committed, asked and expected. */
#ifndef STORE_TRIM_CASE_H
#define STORE_TRIM_CASE_H

#include <hub/store.h>

/* A store that is empty, and how it is used. */
struct trim_case {
    uint64_t sessions[2]; /* who acts */
    void *ctx;
    void (*commit)(void *ctx, const struct store_op *ops, size_t count);
    void (*trim)(void *ctx, struct store_trim *trim); /* STORE_OK, or it fails the test */
    size_t (*listed)(void *ctx, uint64_t session);    /* finished matches, up to a page */
    bool (*has)(void *ctx, const char *room_id);      /* as an archived room that can be read */
};

/* A finished room that so many of the sessions have acted in, and their lists. */
void trim_case_put(const struct trim_case *c, const char *room_id, int sessions, int64_t ended_ms);
/* The same, and its match goes on. */
void trim_case_put_live(const struct trim_case *c, const char *room_id, int64_t last_ms);

void trim_case_bounds(const struct trim_case *c); /* what goes and what stays */
/* Rows of a table of its own, `trim_tables`: that of one room stays, of three. */
void trim_case_rows(const struct trim_case *c);
extern const struct store_table *const trim_tables[];
void trim_case_named(const struct trim_case *c);
void trim_case_steps(const struct trim_case *c); /* many go, a few at a time */

#endif
