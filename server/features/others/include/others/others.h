/*
 * Others: whom an account has blocked, and what follows from that. Of two of whom one has blocked
 * the other neither sits down where the other sits, nor are they paired, nor does who has blocked
 * hear the other. Neither is told why.
 */
#ifndef OTHERS_OTHERS_H
#define OTHERS_OTHERS_H

#include <features/feature.h>

extern const struct feature feature_others;

#endif
