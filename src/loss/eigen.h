/*
 * eigen.h - eigenvalues of small symmetric matrices.
 */
#ifndef TACIT_SRC_LOSS_EIGEN_H
#define TACIT_SRC_LOSS_EIGEN_H

/* Eigenvalues of a symmetric matrix of size * size finite numbers, the largest first, into values.
 * The matrix is used up. */
void tacit__eigenvalues(double *values, double *matrix, int size);

#endif
