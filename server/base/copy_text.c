#include <base/copy_text.h>

#include <stdlib.h>
#include <string.h>

char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}
