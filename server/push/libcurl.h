/*
 * libcurl, which is loaded when the first message is to be sent: a server that sends none does
 * without it, and without the libraries behind it.
 *
 * Its functions are called by their names, as if the program were linked with it, after
 * libcurl_load.
 */
#ifndef PUSH_LIBCURL_H
#define PUSH_LIBCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/* Macros of its own, for compilers that check types by them. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define LIBCURL_FUNCTIONS(ROW)                                                                     \
    ROW(curl_easy_cleanup)                                                                         \
    ROW(curl_easy_getinfo)                                                                         \
    ROW(curl_easy_init)                                                                            \
    ROW(curl_easy_perform)                                                                         \
    ROW(curl_easy_setopt)                                                                          \
    ROW(curl_easy_strerror)                                                                        \
    ROW(curl_global_cleanup)                                                                       \
    ROW(curl_global_init)                                                                          \
    ROW(curl_slist_append)                                                                         \
    ROW(curl_slist_free_all)

struct libcurl {
#define LIBCURL_POINTER(name) __typeof__(name) *name;
    LIBCURL_FUNCTIONS(LIBCURL_POINTER)
#undef LIBCURL_POINTER
};
extern struct libcurl libcurl;

/* On one thread. False with `message`: it is not there. */
bool libcurl_load(char *message, size_t size);

#define curl_easy_cleanup(...)   libcurl.curl_easy_cleanup(__VA_ARGS__)
#define curl_easy_getinfo(...)   libcurl.curl_easy_getinfo(__VA_ARGS__)
#define curl_easy_init(...)      libcurl.curl_easy_init(__VA_ARGS__)
#define curl_easy_perform(...)   libcurl.curl_easy_perform(__VA_ARGS__)
#define curl_easy_setopt(...)    libcurl.curl_easy_setopt(__VA_ARGS__)
#define curl_easy_strerror(...)  libcurl.curl_easy_strerror(__VA_ARGS__)
#define curl_global_cleanup(...) libcurl.curl_global_cleanup(__VA_ARGS__)
#define curl_global_init(...)    libcurl.curl_global_init(__VA_ARGS__)
#define curl_slist_append(...)   libcurl.curl_slist_append(__VA_ARGS__)
#define curl_slist_free_all(...) libcurl.curl_slist_free_all(__VA_ARGS__)

#endif
