/*
 * peer.h - programs as another hand writes them, solved by another solver: a linear or integer
 * program is written to a file in CPLEX LP form, and GLPK's glpsol, a process of its own, says what
 * the least cost is. GLPK is under the GPL, so nothing is linked with it.
 *
 * Nor is it taken at its word: its integers are rounded and every row is looked at again. A program
 * whose answer does not survive that, or that takes longer than PEER_SECONDS, is left undecided.
 *
 * Include tables.h first.
 */
#ifndef TACIT_TESTS_SUPPORT_PEER_H
#define TACIT_TESTS_SUPPORT_PEER_H

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

enum { PEER_COLUMNS = 8192, PEER_ROWS = 16384, PEER_TERMS = 1 << 17 };

/* Of a program, for glpsol. */
#define PEER_SECONDS "2"

/* What a row may be off by, beside the sizes of its terms. */
#define PEER_CLOSE 1e-6

typedef enum peer_result { PEER_LEAST, PEER_NONE, PEER_UNDECIDED } peer_result;

typedef struct peer {
    int columns, rows, terms;
    double cost[PEER_COLUMNS], lower[PEER_COLUMNS], upper[PEER_COLUMNS], value[PEER_COLUMNS];
    bool integer[PEER_COLUMNS];
    double row_lower[PEER_ROWS], row_upper[PEER_ROWS];
    int starts[PEER_ROWS + 1], items[PEER_TERMS];
    double coefs[PEER_TERMS];
} peer;

/* The one program in hand, without rows and columns. */
static inline peer *peer_new(void)
{
    static peer made;
    made.columns = made.rows = made.terms = made.starts[0] = 0;
    return &made;
}

static inline int peer_column(peer *p, double cost, double lower, double upper, bool integer)
{
    int column = p->columns++;
    assert_true(p->columns <= PEER_COLUMNS);
    p->cost[column] = cost;
    p->lower[column] = lower;
    p->upper[column] = upper;
    p->integer[column] = integer;
    return column;
}

/* A term of the row in the making, which peer_row ends. */
static inline void peer_term(peer *p, int column, double coef)
{
    assert_true(p->terms < PEER_TERMS);
    p->items[p->terms] = column;
    p->coefs[p->terms++] = coef;
}

static inline void peer_row(peer *p, double lower, double upper)
{
    assert_true(p->rows < PEER_ROWS);
    p->row_lower[p->rows] = lower;
    p->row_upper[p->rows] = upper;
    p->starts[++p->rows] = p->terms;
}

/* ---- the file ---- */

static inline void peer_write_row(FILE *file, const peer *p, int row, const char *sign, double side)
{
    for (int j = p->starts[row]; j < p->starts[row + 1]; j++)
        fprintf(file, " %+.17g x%d\n", p->coefs[j], p->items[j]);
    fprintf(file, " %s %.17g\n", sign, side);
}

static inline void peer_write_rows(FILE *file, const peer *p)
{
    fprintf(file, "Subject To\n");
    for (int r = 0; r < p->rows; r++) {
        if (p->starts[r] == p->starts[r + 1])
            continue;
        if (p->row_lower[r] == p->row_upper[r]) {
            peer_write_row(file, p, r, "=", p->row_lower[r]);
            continue;
        }
        if (p->row_lower[r] > -INFINITY)
            peer_write_row(file, p, r, ">=", p->row_lower[r]);
        if (p->row_upper[r] < INFINITY)
            peer_write_row(file, p, r, "<=", p->row_upper[r]);
    }
}

static inline void peer_write(FILE *file, const peer *p)
{
    fprintf(file, "Minimize\n all:\n");
    for (int i = 0; i < p->columns; i++)
        fprintf(file, " %+.17g x%d\n", p->cost[i], i);
    peer_write_rows(file, p);
    fprintf(file, "Bounds\n");
    for (int i = 0; i < p->columns; i++) {
        fprintf(file, p->lower[i] > -INFINITY ? " x%d >= %.17g\n" : " x%d >= -inf\n", i,
                p->lower[i]);
        if (p->upper[i] < INFINITY)
            fprintf(file, " x%d <= %.17g\n", i, p->upper[i]);
    }
    fprintf(file, "General\n");
    for (int i = 0; i < p->columns; i++)
        if (p->integer[i])
            fprintf(file, " x%d\n", i);
    fprintf(file, "End\n");
}

/* ---- the answer ---- */

static inline bool peer_between(double value, double lower, double upper, double close)
{
    return value >= lower - close && value <= upper + close;
}

/* Whether the values, integers rounded, keep everything; and what they cost. */
static inline bool peer_keeps(double *cost, peer *p)
{
    bool keeps = true;
    *cost = 0;
    for (int i = 0; i < p->columns; i++) {
        p->value[i] = p->integer[i] ? nearbyint(p->value[i]) : p->value[i];
        keeps &= peer_between(p->value[i], p->lower[i], p->upper[i],
                              PEER_CLOSE * fmax(1, fabs(p->value[i])));
        *cost += p->cost[i] * p->value[i];
    }
    for (int r = 0; r < p->rows; r++) {
        double sum = 0, size = 1;
        for (int j = p->starts[r]; j < p->starts[r + 1]; j++) {
            double term = p->coefs[j] * p->value[p->items[j]];
            sum += term;
            size = fmax(size, 1e-3 * fabs(term));
        }
        keeps &= peer_between(sum, p->row_lower[r], p->row_upper[r], PEER_CLOSE * size);
    }
    return keeps;
}

/* "s mip ROWS COLUMNS STATUS COST" or "s bas ROWS COLUMNS PRIMAL DUAL COST", and "j COLUMN VALUE"
 * or "j COLUMN STATE VALUE DUAL". */
static inline peer_result peer_read(double *cost, peer *p, const char *path)
{
    char line[256], first = '?', second = '?';
    bool basic = false;
    int column;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double value;
        basic |= strncmp(line, "s bas", 5) == 0;
        if (sscanf(line, "s %*s %*d %*d %c %c", &first, &second) >= 1)
            continue;
        if (sscanf(line, basic ? "j %d %*c %lf" : "j %d %lf", &column, &value) == 2)
            p->value[column - 1] = value;
    }
    fclose(file);
    if (first == 'n')
        return PEER_NONE;
    bool least = basic ? first == 'f' && second == 'f' : first == 'o';
    return least && peer_keeps(cost, p) ? PEER_LEAST : PEER_UNDECIDED;
}

/* A program that is found to have no solution before it is begun has none in the answer either:
 * only the words say so. */
static inline bool peer_says_none(const char *path)
{
    char line[256];
    bool none = false;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        none |= strstr(line, "NO PRIMAL FEASIBLE") || strstr(line, "NO INTEGER FEASIBLE");
    if (file)
        fclose(file);
    return none;
}

static inline int peer_run(const char *program, const char *answer, const char *words)
{
    char *arguments[] = {"glpsol",       "--lp",    (char *)program, "--write",
                         (char *)answer, "--tmlim", PEER_SECONDS,    NULL};
    posix_spawn_file_actions_t kept;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&kept);
    posix_spawn_file_actions_addopen(&kept, 1, words, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (posix_spawnp(&child, arguments[0], &kept, NULL, arguments, environ) == 0)
        waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&kept);
    return status;
}

static inline peer_result peer_solve(double *cost, peer *p)
{
    char folder[] = "/tmp/tacit-peer-XXXXXX", paths[3][sizeof folder + 8];
    static const char *const NAMES[] = {"program", "answer", "words"};
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, NAMES[i]);
    FILE *file = fopen(paths[0], "w");
    assert_non_null(file);
    peer_write(file, p);
    fclose(file);
    *cost = NAN;
    peer_result result = PEER_UNDECIDED;
    if (peer_run(paths[0], paths[1], paths[2]) == 0)
        result = peer_says_none(paths[2]) ? PEER_NONE : peer_read(cost, p, paths[1]);
    for (int i = 0; i < 3; i++)
        unlink(paths[i]);
    rmdir(folder);
    return result;
}

/* Where glpsol is not installed there is nothing to compare with. */
static inline bool peer_is_there(void)
{
    bool there = system("command -v glpsol >/dev/null 2>&1") == 0;
    if (!there)
        print_message("glpsol (Debian's glpk-utils) is not installed: nothing is compared\n");
    return there;
}

#endif
