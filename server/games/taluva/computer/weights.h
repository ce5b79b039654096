/* The trained net. */
#ifndef COMPUTER_WEIGHTS_H
#define COMPUTER_WEIGHTS_H

#include "net.h"

extern const struct net net_trained; /* made by the trainer, see README.md */

#endif
