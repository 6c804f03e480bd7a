/*
 * cpu.h - hot loops compiled twice: for every x86-64, and for those of the last
 * decade (AVX2, BMI, POPCNT), chosen when the program starts.
 */
#ifndef TACIT_SRC_BASE_CPU_H
#define TACIT_SRC_BASE_CPU_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define TACIT__HOT __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define TACIT__HOT
#endif

#endif
