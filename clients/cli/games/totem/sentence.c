#include "sentence.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sentence_add(const struct sentence *sentence, const char *format, ...)
{
    size_t len = strlen(sentence->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence->text + len, sentence->size - len, format, arguments);
    va_end(arguments);
}
