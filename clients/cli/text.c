#include <cli/text.h>

#include <stdarg.h>
#include <stdio.h>

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int len = vsnprintf(text->bytes + text->len, text->size - text->len, format, arguments);
    va_end(arguments);
    if (len < 0 || (size_t)len >= text->size - text->len)
        text->failed = true;
    else
        text->len += (size_t)len;
}
