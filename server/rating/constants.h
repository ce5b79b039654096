/*
 * The numbers of the update, rounded to the nearest; q is ln(10) / 400 for a point. What computes
 * them stands in tests/vectors/ratings/reference.py.
 */
#ifndef RATING_CONSTANTS_H
#define RATING_CONSTANTS_H

#include <stdint.h>

#define RATING_BLUR   UINT64_C(761048920960)      /* 3 q^2 / pi^2, of thousandths squared; 2^-76 */
#define RATING_Q      UINT64_C(6796031666943979)  /* q, of thousandths; 2^-70 */
#define RATING_Q2     UINT64_C(41021449719829447) /* q^2, of thousandths squared; 2^-90 */
#define RATING_HALVES UINT64_C(9131246) /* log2(10) / 400, of thousandths: halvings; 2^-40 */

/* 2^(-1/2), 2^(-1/4), ...: 2^-30 */
enum { RATING_ROOTS = 26 };
static const uint32_t rating_roots[RATING_ROOTS] = {
    759250125,  902905651,  984625594,  1028218693, 1050733751, 1062175491, 1067942999,
    1070838486, 1072289173, 1073015252, 1073378477, 1073560135, 1073650976, 1073696399,
    1073719111, 1073730468, 1073736146, 1073738985, 1073740404, 1073741114, 1073741469,
    1073741647, 1073741735, 1073741780, 1073741802, 1073741813};

#endif
