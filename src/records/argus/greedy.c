/*
 * greedy.c - SuppressOutliers (Figure 62 of Sweeney, Computational Disclosure
 * Control): in each record the value that is in the most of its outliers is
 * suppressed, the first of several, until no outlier is left without a suppressed
 * value; or, as the published program seems to have done, until no value is in more
 * than two of those that are left.
 *
 * What that program did is known from one example. Figure 74 lists two outliers for
 * t7, {birth, sex, zip} and {race, birth, zip}, and seven for t8; Figure 76
 * suppresses nothing in t7 and birth in t8, after which {sex, zip} and {race, sex}
 * are left. The text says that the program does not exhaust a record's outliers,
 * and phase E of Figure 48 that it suppresses "values that occur in multiple
 * outliers". So values that occur in one or two are spared here: birth in t7 and
 * sex in t8 occur in two. Other rules fit as well, such as leaving off when two
 * outliers are left, or one value for each record that has an outlying pair; the
 * figures do not tell them apart.
 *
 * Linear in the outliers, times attributes and rounds.
 */
#include "records/argus/argus.h"

#include "base/alloc.h"
#include "base/error.h"

/* The attribute that is in the most outliers without a star, or -1 where none is
 * in more than `spared`. */
static int32_t most_frequent(const tacit_argus_outlier *outliers, int64_t count, uint64_t stars,
                             int32_t attributes, int spared)
{
    int64_t most = spared;
    int32_t chosen = -1;
    for (int32_t a = 0; a < attributes; a++) {
        int64_t total = 0;
        for (int64_t i = 0; i < count; i++)
            total += !(outliers[i].attributes & stars) && outliers[i].attributes >> a & 1;
        if (total > most) {
            most = total;
            chosen = a;
        }
    }
    return chosen;
}

tacit_status tacit__argus_greedy(tacit__argus_plan *plan, const tacit__argus_view *view,
                                 const tacit__argus_outliers *outliers, int spared,
                                 tacit_error *err)
{
    uint64_t *stars = tacit__alloc_zeroed((size_t)view->count, sizeof *stars);
    if (!stars)
        return tacit__nomem(err);
    for (int64_t from = 0, end = 0; from < outliers->count; from = end) {
        const tacit_argus_outlier *first = &outliers->list[from];
        while (end < outliers->count && outliers->list[end].class_index == first->class_index)
            end++;
        uint64_t *here = &stars[first->class_index];
        int32_t attribute;
        while ((attribute = most_frequent(first, end - from, *here, view->attributes, spared)) >= 0)
            *here |= UINT64_C(1) << attribute;
    }
    *plan = (tacit__argus_plan){.stars = stars};
    return TACIT_OK;
}
