#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include "base/alloc.h"
#include "base/error.h"
#include "cells/auto.h"
#include "cells/exact.h"
static double now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return (double)t.tv_sec+(double)t.tv_nsec*1e-9;}
static int32_t nsec(tacit__auto*a){int32_t n=0;for(int32_t i=0;i<a->cells->count;i++)n+=tacit__auto_secondary(a,i);return n;}
tacit_status tacit__suppress_auto(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                  const tacit_suppress_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__auto a; tacit_pattern p={0}; tacit_status s; double t=now();
    s=tacit__auto_init(&a,cells,status,run,err); if(s) return s;
    const char*st=getenv("START"); st=st?st:"hypercube";
    if(!strcmp(st,"hypercube")) s=tacit__hypercube_solve(&p,cells,status,options,run,err);
    else if(!strcmp(st,"hitas")) s=tacit__hitas_solve(&p,cells,status,options,run,err);
    else s=tacit__pattern_init(&p,cells,status,err);
    if(s) return s;
    tacit__auto_reset(&a,p.status); fprintf(stderr,"start %s cost %.0f  %.2f\n",st,tacit__auto_cost(&a),now()-t); t=now();
    int32_t un; s=tacit__auto_protect(&un,&a,strcmp(st,"flows")?4000:0,err); if(s) return s;
    fprintf(stderr,"protect cost %.0f n %d un %d work %.2e %.2f\n",tacit__auto_cost(&a),nsec(&a),un,(double)a.work,now()-t); t=now();
    tacit__auto_prune(&a);
    fprintf(stderr,"prune cost %.0f n %d proofs %d\n",tacit__auto_cost(&a),nsec(&a),a.proof_count);
    s=tacit__auto_trim(&a,INT64_MAX/2,err);if(s) return s;
    fprintf(stderr,"trim cost %.0f n %d work %.2e %.2f\n",tacit__auto_cost(&a),nsec(&a),(double)a.work,now()-t); t=now();
    if(options->rounds>=0){int32_t r=0; s=tacit__auto_blocks(&r,&a,options->rounds,0,err); if(s) return s;
    fprintf(stderr,"blocks %d cost %.0f n %d work %.2e %.2f\n",r,tacit__auto_cost(&a),nsec(&a),(double)a.work,now()-t); }
    memcpy(p.status,a.status,(size_t)cells->count);
    p.unprotected=un; p.lower_bound=NAN; tacit__pattern_finish(&p,cells); *out=p; tacit__auto_clear(&a); return TACIT_OK;
}
