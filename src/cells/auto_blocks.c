#include "cells/auto.h"
tacit_status tacit__auto_blocks(int32_t *rounds, tacit__auto *a, int64_t most, double bound,
                                tacit_error *err)
{ (void)rounds;(void)a;(void)most;(void)bound;(void)err; return TACIT_OK; }
