/* The operation `analysis`: how good the moves of a match that is over were. */
#ifndef HUB_OP_ANALYSIS_H
#define HUB_OP_ANALYSIS_H

struct call;
struct hub;

void op_analysis(struct call *call);
/* Those that no worker has made in time are given up. */
void op_analysis_late(struct hub *hub);

#endif
