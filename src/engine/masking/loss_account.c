/*
 * loss_account.c - what a release has lost: a few lines on the terminal, and
 * the JSON of --report. Neither holds a value of the data.
 */
#include "engine/masking/loss_account.h"
#include "engine/job/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/records/verdict.h"

enum { NAME = 48, WORST = 3, PATH = 96 };

static const char ROOT[] = "information_loss";

/* ---- the terminal ---- */

static const char *name_of(char *buffer, const tacit_loss *loss, int32_t attribute)
{
    return engine_printable(buffer, NAME, tacit_strview_of(loss->attributes[attribute].name));
}

/* The attribute that has lost the largest share among those that are not listed, or -1. */
static int32_t next_worst(const tacit_loss *loss, const int32_t *listed, int count)
{
    int32_t worst = -1;
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        bool taken = false;
        for (int j = 0; j < count; j++)
            taken |= listed[j] == i;
        if (!taken && loss->attributes[i].lost > 0.0005 &&
            (worst < 0 || loss->attributes[i].lost > loss->attributes[worst].lost))
            worst = i;
    }
    return worst;
}

static void tell_information(FILE *out, const tacit_loss *loss)
{
    char text[400], name[NAME];
    int32_t listed[WORST];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "%.1f%% of the information: %.2f of %.2f bits a record are left",
                                   100 * loss->lost, loss->information, loss->entropy_original);
    for (int i = 0; i < WORST && used < sizeof text; i++) {
        listed[i] = next_worst(loss, listed, i);
        if (listed[i] < 0)
            break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s (%.1f%%)",
                                 i ? "," : "; most of it of", name_of(name, loss, listed[i]),
                                 100 * loss->attributes[listed[i]].lost);
    }
    engine_line(out, "lost", "%s", text);
}

/* Adds to text where the value is known. */
static void append(char *text, size_t size, const char *format, double value)
    __attribute__((format(printf, 3, 0)));
static void append(char *text, size_t size, const char *format, double value)
{
    size_t used = strlen(text);
    if (isnan(value))
        return;
    if (used)
        used += (size_t)snprintf(text + used, size - used, ", ");
    snprintf(text + used, size - used, format, value);
}

static void tell_numbers(FILE *out, const tacit_loss *loss)
{
    char text[400] = "";
    append(text, sizeof text, "IL1s %.3f", loss->il1s);
    append(text, sizeof text, "means moved by %.3f standard deviations", loss->mean_shift);
    append(text, sizeof text, "variances by %.1f%%", 100 * loss->variance_change);
    append(text, sizeof text, "correlations by %.3f", loss->correlation_change);
    append(text, sizeof text, "ranks by %.1f%%", 100 * loss->rank_change);
    append(text, sizeof text, "first eigenvalue by %.1f%%", 100 * loss->eigen_first);
    if (*text)
        engine_line(out, "numbers", "%s", text);
}

static void tell_margins(FILE *out, const tacit_loss *loss)
{
    char a[NAME], b[NAME], c[NAME], d[NAME];
    if (loss->cell.first < 0)
        return;
    engine_line(
        out, "margins",
        "a cell of %s by %s has changed most, by %.2f points of share; the table of %s by %s "
        "has, by %.1f%% in total variation",
        name_of(a, loss, loss->cell.first), name_of(b, loss, loss->cell.second),
        100 * loss->cell.change, name_of(c, loss, loss->variation.first),
        name_of(d, loss, loss->variation.second), 100 * loss->variation.change);
}

static void tell_discriminator(FILE *out, const tacit_loss *loss)
{
    char ratio[64] = "";
    if (isnan(loss->pmse))
        return;
    if (isfinite(loss->pmse_ratio))
        snprintf(ratio, sizeof ratio, ", %.2f times what chance explains", loss->pmse_ratio);
    engine_line(out, "told apart", "pMSE %.5f: %.1f%% of what there is to tell%s", loss->pmse,
                100 * loss->pmse_share, ratio);
}

void engine_loss_tell(FILE *out, const tacit_loss *loss)
{
    tell_information(out, loss);
    tell_numbers(out, loss);
    tell_margins(out, loss);
    tell_discriminator(out, loss);
}

/* ---- JSON ---- */

static void add_attribute(tacit_account *account, const tacit_loss_attribute *a)
{
    tacit_account_text(account, "@.name", tacit_strview_of(a->name));
    tacit_account_bool(account, "@.numeric", a->numeric);
    tacit_account_bool(account, "@.dropped", a->dropped);
    tacit_account_bool(account, "@.opaque", a->opaque);
    tacit_account_integer(account, "@.categories", a->categories);
    tacit_account_bool(account, "@.read_as_claims", a->read_as_claims);
    tacit_account_real(account, "@.entropy.original", a->entropy_original);
    tacit_account_real(account, "@.entropy.release", a->entropy_release);
    tacit_account_real(account, "@.entropy.change", a->entropy_release - a->entropy_original);
    tacit_account_real(account, "@.information", a->information);
    tacit_account_real(account, "@.lost", a->lost);
    tacit_account_real(account, "@.margin_change", a->margin_change);
    if (!a->numeric)
        return;
    tacit_account_integer(account, "@.compared", a->compared);
    tacit_account_integer(account, "@.no_numbers", a->no_numbers);
    tacit_account_real(account, "@.il1s", a->il1s);
    tacit_account_real(account, "@.mean_change", a->mean_change);
    tacit_account_real(account, "@.mean_shift", a->mean_shift);
    tacit_account_real(account, "@.variance_change", a->variance_change);
    tacit_account_real(account, "@.rank_change", a->rank_change);
    tacit_account_real(account, "@.correlation_change", a->correlation_change);
}

static void add_real(tacit_account *account, const char *name, double value)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s.total.%s", ROOT, name);
    tacit_account_real(account, path, value);
}

static void add_integer(tacit_account *account, const char *name, int64_t value)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s.total.%s", ROOT, name);
    tacit_account_integer(account, path, value);
}

static void add_pair(tacit_account *account, const tacit_loss *loss, const char *name,
                     const tacit_loss_pair *pair)
{
    const int32_t members[] = {pair->first, pair->second};
    char path[PATH], change[PATH / 2];
    snprintf(path, sizeof path, "%s.total.%s.attributes", ROOT, name);
    tacit_account_list(account, path);
    for (int i = 0; i < 2 && pair->first >= 0; i++)
        tacit_account_push_text(account, path, tacit_strview_of(loss->attributes[members[i]].name));
    snprintf(change, sizeof change, "%s.change", name);
    add_real(account, change, pair->change);
}

static void add_total(tacit_account *account, const tacit_loss *loss)
{
    add_integer(account, "rows", loss->rows);
    add_integer(account, "released", loss->released);
    add_integer(account, "made_up", loss->made_up);
    add_real(account, "intact", loss->intact);
    add_real(account, "entropy.original", loss->entropy_original);
    add_real(account, "entropy.release", loss->entropy_release);
    add_real(account, "entropy.change", loss->entropy_release - loss->entropy_original);
    add_real(account, "information", loss->information);
    add_real(account, "lost", loss->lost);
    add_real(account, "joint_entropy.original", loss->joint_original);
    add_real(account, "joint_entropy.release", loss->joint_release);
    add_integer(account, "compared", loss->compared);
    add_real(account, "il1s", loss->il1s);
    add_real(account, "mean_shift", loss->mean_shift);
    add_real(account, "variance_change", loss->variance_change);
    add_real(account, "rank_change", loss->rank_change);
    add_real(account, "covariance_change", loss->covariance_change);
    add_real(account, "correlation_change", loss->correlation_change);
    add_real(account, "eigen_first", loss->eigen_first);
    add_real(account, "eigen_all", loss->eigen_all);
    add_integer(account, "margins.pairs", loss->pairs);
    add_pair(account, loss, "margins.cell", &loss->cell);
    add_pair(account, loss, "margins.variation", &loss->variation);
    add_integer(account, "discriminator.rows", loss->fit_rows);
    add_integer(account, "discriminator.terms", loss->fit_terms);
    add_real(account, "discriminator.pmse", loss->pmse);
    add_real(account, "discriminator.share", loss->pmse_share);
    add_real(account, "discriminator.expected", loss->pmse_expected);
    add_real(account, "discriminator.ratio", loss->pmse_ratio);
}

void engine_loss_account(tacit_account *account, const tacit_loss *loss)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s.attributes", ROOT);
    tacit_account_list(account, path);
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        tacit_account_push_object(account, path);
        add_attribute(account, &loss->attributes[i]);
    }
    add_total(account, loss);
}
