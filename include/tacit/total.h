#ifndef TACIT_TOTAL_H
#define TACIT_TOTAL_H
#include <tacit/cells.h>
#include <tacit/graph.h>
#endif
