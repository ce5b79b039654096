/*
 * A shared library that is loaded when something first needs it, not with the program: who does
 * without has neither its code in its process nor that of the libraries behind it.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Where the address of a function is put. */
struct library_function {
    const char *name;
    void *pointer; /* to a pointer to a function of the type of that name */
};

/*
 * Loads it and finds all functions, of which the last has no name; it is never unloaded. False with
 * `message` (of `size` bytes) and without any of them if it, or one of them, is not there; it may
 * be tried again.
 */
bool library_load(const char *file, const struct library_function *functions, char *message,
                  size_t size);

#endif
