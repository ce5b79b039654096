/* The operation `analysis`: how good the moves of a match that is over were. */
#ifndef HUB_OP_ANALYSIS_H
#define HUB_OP_ANALYSIS_H

struct call;

void op_analysis(struct call *call);

#endif
