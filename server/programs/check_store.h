/* `taluvad check`: looks at a store, or a copy of one, and says what is damaged. */
#ifndef SERVER_CHECK_STORE_H
#define SERVER_CHECK_STORE_H

struct game_type;

/* A line on standard output for each room that cannot be served and for every other damage, then
 * the totals. An exit status: EX_OK whole, EX_DATAERR damaged, else it could not be looked at. */
int check_store(const char *path, const struct game_type *const games[]);

#endif
