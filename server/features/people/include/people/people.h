/*
 * People: accounts, which are sessions with a handle, and what others are told of who has one.
 */
#ifndef PEOPLE_PEOPLE_H
#define PEOPLE_PEOPLE_H

struct feature;

extern const struct feature feature_people;

#endif
