/*
 * libpq, which is loaded when a database is first named: a server whose store is a file does
 * without it, and without what it brings along (Kerberos, LDAP, a second library for TLS).
 *
 * Its functions are called by their names, as if the program were linked with it, after libpq_load.
 */
#ifndef POSTGRES_LIBPQ_H
#define POSTGRES_LIBPQ_H

#include <libpq-fe.h>
#include <stdbool.h>

#define LIBPQ_FUNCTIONS(ROW)                                                                       \
    ROW(PQbackendPID)                                                                              \
    ROW(PQclear)                                                                                   \
    ROW(PQcmdStatus)                                                                               \
    ROW(PQconnectdbParams)                                                                         \
    ROW(PQconninfoFree)                                                                            \
    ROW(PQconninfoParse)                                                                           \
    ROW(PQconsumeInput)                                                                            \
    ROW(PQenterPipelineMode)                                                                       \
    ROW(PQerrorMessage)                                                                            \
    ROW(PQexitPipelineMode)                                                                        \
    ROW(PQfinish)                                                                                  \
    ROW(PQflush)                                                                                   \
    ROW(PQfreemem)                                                                                 \
    ROW(PQgetResult)                                                                               \
    ROW(PQgetisnull)                                                                               \
    ROW(PQgetlength)                                                                               \
    ROW(PQgetvalue)                                                                                \
    ROW(PQisBusy)                                                                                  \
    ROW(PQnotifies)                                                                                \
    ROW(PQntuples)                                                                                 \
    ROW(PQpingParams)                                                                              \
    ROW(PQpipelineSync)                                                                            \
    ROW(PQresultErrorField)                                                                        \
    ROW(PQresultErrorMessage)                                                                      \
    ROW(PQresultStatus)                                                                            \
    ROW(PQsendPrepare)                                                                             \
    ROW(PQsendQuery)                                                                               \
    ROW(PQsendQueryParams)                                                                         \
    ROW(PQsendQueryPrepared)                                                                       \
    ROW(PQsetNoticeReceiver)                                                                       \
    ROW(PQsetSingleRowMode)                                                                        \
    ROW(PQsetnonblocking)                                                                          \
    ROW(PQsocket)                                                                                  \
    ROW(PQstatus)

struct libpq {
#define LIBPQ_POINTER(name) __typeof__(name) *name;
    LIBPQ_FUNCTIONS(LIBPQ_POINTER)
#undef LIBPQ_POINTER
};
extern struct libpq libpq;

/* On any thread; after the first time it costs nothing. False: it is not there, see libpq_trouble.
 */
bool libpq_load(void);
const char *libpq_trouble(void);

#define PQbackendPID(...)         libpq.PQbackendPID(__VA_ARGS__)
#define PQclear(...)              libpq.PQclear(__VA_ARGS__)
#define PQcmdStatus(...)          libpq.PQcmdStatus(__VA_ARGS__)
#define PQconnectdbParams(...)    libpq.PQconnectdbParams(__VA_ARGS__)
#define PQconninfoFree(...)       libpq.PQconninfoFree(__VA_ARGS__)
#define PQconninfoParse(...)      libpq.PQconninfoParse(__VA_ARGS__)
#define PQconsumeInput(...)       libpq.PQconsumeInput(__VA_ARGS__)
#define PQenterPipelineMode(...)  libpq.PQenterPipelineMode(__VA_ARGS__)
#define PQerrorMessage(...)       libpq.PQerrorMessage(__VA_ARGS__)
#define PQexitPipelineMode(...)   libpq.PQexitPipelineMode(__VA_ARGS__)
#define PQfinish(...)             libpq.PQfinish(__VA_ARGS__)
#define PQflush(...)              libpq.PQflush(__VA_ARGS__)
#define PQfreemem(...)            libpq.PQfreemem(__VA_ARGS__)
#define PQgetResult(...)          libpq.PQgetResult(__VA_ARGS__)
#define PQgetisnull(...)          libpq.PQgetisnull(__VA_ARGS__)
#define PQgetlength(...)          libpq.PQgetlength(__VA_ARGS__)
#define PQgetvalue(...)           libpq.PQgetvalue(__VA_ARGS__)
#define PQisBusy(...)             libpq.PQisBusy(__VA_ARGS__)
#define PQnotifies(...)           libpq.PQnotifies(__VA_ARGS__)
#define PQntuples(...)            libpq.PQntuples(__VA_ARGS__)
#define PQpingParams(...)         libpq.PQpingParams(__VA_ARGS__)
#define PQpipelineSync(...)       libpq.PQpipelineSync(__VA_ARGS__)
#define PQresultErrorField(...)   libpq.PQresultErrorField(__VA_ARGS__)
#define PQresultErrorMessage(...) libpq.PQresultErrorMessage(__VA_ARGS__)
#define PQresultStatus(...)       libpq.PQresultStatus(__VA_ARGS__)
#define PQsendPrepare(...)        libpq.PQsendPrepare(__VA_ARGS__)
#define PQsendQuery(...)          libpq.PQsendQuery(__VA_ARGS__)
#define PQsendQueryParams(...)    libpq.PQsendQueryParams(__VA_ARGS__)
#define PQsendQueryPrepared(...)  libpq.PQsendQueryPrepared(__VA_ARGS__)
#define PQsetNoticeReceiver(...)  libpq.PQsetNoticeReceiver(__VA_ARGS__)
#define PQsetSingleRowMode(...)   libpq.PQsetSingleRowMode(__VA_ARGS__)
#define PQsetnonblocking(...)     libpq.PQsetnonblocking(__VA_ARGS__)
#define PQsocket(...)             libpq.PQsocket(__VA_ARGS__)
#define PQstatus(...)             libpq.PQstatus(__VA_ARGS__)

#endif
