/*
 * transport.h - as much as possible sent from givers to takers along given edges.
 */
#ifndef TACIT_RECORDS_PREVIOUS_TRANSPORT_H
#define TACIT_RECORDS_PREVIOUS_TRANSPORT_H

#include <tacit/base.h>

/* The edges of giver g are edges[starts[g]] up to edges[starts[g + 1]]: takers, the one
 * that is liked best first. Borrowed. */
typedef struct tacit__transport {
    uint32_t givers, takers;
    const int64_t *starts;
    const uint32_t *edges;
    const uint32_t *supply; /* a giver each */
    const uint32_t *demand; /* a taker each */
} tacit__transport;

/* What goes along each edge of a maximum flow, into `flow`. The same for the same input. */
tacit_status tacit__transport_solve(uint32_t *flow, const tacit__transport *problem,
                                    const tacit_run *run, tacit_error *err);

#endif
