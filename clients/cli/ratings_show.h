/* Ratings as a server hands them out, shown to people: those of one account, and the best of a
 * class. */
#ifndef CLI_RATINGS_SHOW_H
#define CLI_RATINGS_SHOW_H

#include "pages.h"

/* The page of the ratings of the account of a profile, which is the last page. False: it names
 * none, which has been said. */
bool ratings_find_account(const struct pages *pages, char *path, size_t size);
int ratings_say_nobody(const char *handle);

/* The last page: one account's ratings, each that is known well with which level of the computer
 * plays about so, for which other pages are fetched; and the best ones of a class, from the first
 * on. With `json` as they came, an object a line. An exit code. */
int ratings_print(struct pages *pages, const char *handle, bool json);
int leaders_print(const struct pages *pages, bool json);

#endif
