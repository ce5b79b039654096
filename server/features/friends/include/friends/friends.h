/*
 * Friends: whom an account follows, and of those who follow it as well, who is there. Nobody is
 * told that they are followed, and who is there is kept nowhere: it is asked, when somebody wants
 * to know it, of the parts where they are at home. Whoever does not want to be seen is not, nor is
 * anybody by whom they have blocked.
 */
#ifndef FRIENDS_FRIENDS_H
#define FRIENDS_FRIENDS_H

#include <features/feature.h>

extern const struct feature feature_friends;

#endif
