/*
 * `export`: a token by which a program fetches what is kept of the account, for an hour. It is in
 * memory alone, one of each account: a server that starts anew knows it no more, and who wants to
 * go on asks once more.
 */
#ifndef IDENTITY_OP_EXPORT_H
#define IDENTITY_OP_EXPORT_H

struct call;
struct store_query;

enum { EXPORT_MS = 3600000 };

void op_export(struct call *call);
/* What would prove who it is. */
void op_export_queried(struct call *call, const struct store_query *query);

#endif
