/*
 * Feeds every file of a folder to a fuzz target, so that what fuzzing once found stays found in
 * builds that cannot fuzz.
 *
 * usage: fuzz-NAME-replay FOLDER
 */
#include "fuzz.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

enum { MOST = 1 << 16 };

static int replay(const char *folder, const char *name)
{
    static uint8_t bytes[MOST];
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return -1;
    }
    const size_t n = fread(bytes, 1, MOST, file);
    (void)fclose(file);
    /* On the heap and no larger than it is, so that a sanitizer sees a step too far. */
    uint8_t *exact = malloc(n > 0 ? n : 1);
    if (!exact)
        return -1;
    for (size_t i = 0; i < n; i++)
        exact[i] = bytes[i];
    (void)LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
    if (!dir) {
        (void)fprintf(stderr, "usage: replay FOLDER\n");
        return EX_USAGE;
    }
    unsigned n = 0;
    int status = EXIT_SUCCESS;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] != '.') {
            status = replay(argv[1], entry->d_name) == 0 ? status : EXIT_FAILURE;
            n++;
        }
    }
    (void)closedir(dir);
    (void)printf("%u inputs\n", n);
    return n > 0 ? status : EXIT_FAILURE;
}
