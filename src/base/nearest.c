/*
 * nearest.c - which name was meant, where a word is none of them.
 */
#include <string.h>

#include <tacit/base.h>

/* Levenshtein's distance with transpositions, on words of up to 31 letters. */
static int distance(const char *a, const char *b)
{
    enum { MAX = 32 };
    int table[MAX][MAX];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n >= MAX || m >= MAX)
        return MAX;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (!i || !j) {
                table[i][j] = i + j;
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = table[i - 1][j] + 1 < best ? table[i - 1][j] + 1 : best;
            best = table[i][j - 1] + 1 < best ? table[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                table[i - 2][j - 2] + 1 < best)
                best = table[i - 2][j - 2] + 1;
            table[i][j] = best;
        }
    return table[n][m];
}

const char *tacit_nearest(const char *word, const void *names, size_t count, size_t stride)
{
    const char *nearest = NULL;
    int least = (int)strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride);
        int far = distance(word, name);
        if (strlen(word) > 2 && strncmp(name, word, strlen(word)) == 0)
            far = 1; /* cut short */
        if (far < least && far < (int)strlen(name)) {
            least = far;
            nearest = name;
        }
    }
    return nearest;
}
