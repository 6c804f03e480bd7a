/*
 * normal.c - normal numbers by the ziggurat (Marsaglia and Tsang, The ziggurat method for
 * generating random variables, 2000), with the layer and the number taken from different bits, as
 * Doornik (An improved ziggurat method to generate normal random samples, 2005) asks for.
 *
 * The area under exp(-x^2/2) is cut into 256 layers of one size, all rectangles but the lowest,
 * which has the tail. A number drawn in a layer lies under the curve at once in 99 of 100 cases:
 * 64 random bits and a multiplication, a quarter of what a logarithm and a sine take. Numbers have
 * 53 bits.
 */
#include "techniques/numeric/numeric.h"

#include <math.h>

#include "techniques/runner/technique.h"

/* Where the tail begins, and the area of a layer; one follows from the other. */
static const double TAIL = 3.6541528853610088;
static const double AREA = 0.00492867323399;

static double curve(double x)
{
    return exp(-0.5 * x * x);
}

void tacit__normal_init(tacit__normal *normal)
{
    double *ends = normal->ends;
    ends[0] = AREA / curve(TAIL);
    ends[1] = TAIL;
    for (int i = 2; i < TACIT__NORMAL_LAYERS; i++)
        ends[i] = sqrt(-2 * log(AREA / ends[i - 1] + curve(ends[i - 1])));
    ends[TACIT__NORMAL_LAYERS] = 0;
    for (int i = 0; i < TACIT__NORMAL_LAYERS; i++)
        normal->inner[i] = ends[i + 1] / ends[i];
}

static double draw_tail(tacit__random *random)
{
    double beyond, height;
    do {
        beyond = -log(tacit__random_positive(random)) / TAIL;
        height = -log(tacit__random_positive(random));
    } while (2 * height < beyond * beyond);
    return TAIL + beyond;
}

double tacit__normal_draw(const tacit__normal *normal, tacit__random *random)
{
    for (;;) {
        uint64_t bits = (uint64_t)tacit__random_word(random) << 32;
        bits |= tacit__random_word(random);
        size_t layer = bits & (TACIT__NORMAL_LAYERS - 1);
        double share = (double)(bits >> 11) * 0x1p-52 - 1; /* from -1 to 1 */
        if (fabs(share) < normal->inner[layer])
            return share * normal->ends[layer];
        if (layer == 0)
            return share < 0 ? -draw_tail(random) : draw_tail(random);
        double x = share * normal->ends[layer], height = curve(x);
        double low = curve(normal->ends[layer]), high = curve(normal->ends[layer + 1]);
        if (low + tacit__random_unit(random) * (high - low) < height)
            return x;
    }
}
