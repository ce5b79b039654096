#include <cli/encoding.h>

#include <iconv.h>
#include <langinfo.h>
#include <protocol/text.h>
#include <string.h>

static const char MARK[] = "\xef\xbb\xbf";

const char *encoding_of_locale(void)
{
    return nl_langinfo(CODESET);
}

bool encoding_to_utf8(char *out, size_t size, const char *in, const char *encoding)
{
    char copy[1024]; /* iconv takes no text that may not be changed */
    size_t left = strlen(in), room = size - 1;
    if (left >= sizeof copy)
        return false;
    memcpy(copy, in, left + 1);
    const iconv_t to_utf8 = iconv_open("UTF-8", encoding);
    /* So it is defined. NOLINTNEXTLINE(performance-no-int-to-ptr) */
    if (to_utf8 == (iconv_t)-1)
        return false;
    char *from = copy, *to = out;
    const bool converted = iconv(to_utf8, &from, &left, &to, &room) != (size_t)-1;
    (void)iconv_close(to_utf8);
    *to = '\0';
    return converted && utf8_valid(out, strlen(out));
}

const char *encoding_read(char *out, size_t size, const char *in)
{
    if (utf8_valid(in, strlen(in)))
        return in;
    return encoding_to_utf8(out, size, in, encoding_of_locale()) ? out : NULL;
}

const char *encoding_skip_mark(const char *text, size_t len)
{
    const size_t mark = sizeof MARK - 1;
    return len >= mark && memcmp(text, MARK, mark) == 0 ? text + mark : text;
}
