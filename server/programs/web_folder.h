/* Where the browser client is, if no option says it. */
#ifndef SERVER_WEB_FOLDER_H
#define SERVER_WEB_FOLDER_H

#include <stddef.h>

/*
 * The folder that was installed with the program `executable`, whose path ends with `bindir`, a '/'
 * and a name: `datadir`/taluva/web, below the same prefix unless it is absolute. Written to `path`,
 * which is returned; NULL if the program is not in `bindir`, or there is no such folder.
 */
const char *web_folder_of(const char *executable, const char *bindir, const char *datadir,
                          char *path, size_t size);

/* Of the running program as it was configured. */
const char *web_folder(char *path, size_t size);

#endif
