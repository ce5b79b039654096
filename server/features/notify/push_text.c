#include "push_text.h"

#include <stdlib.h>
#include <string.h>

struct push_text *push_text_create(const char *bytes, size_t len)
{
    struct push_text *text = malloc(sizeof *text + len);
    if (!text)
        return NULL;
    text->refs = 1;
    text->len = len;
    memcpy(text->bytes, bytes, len);
    return text;
}

struct push_text *push_text_ref(struct push_text *text)
{
    if (text)
        text->refs++;
    return text;
}

void push_text_unref(struct push_text *text)
{
    if (text && --text->refs == 0)
        free(text);
}
