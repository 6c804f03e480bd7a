/*
 * release_account.c - the account of a release: a few lines on the terminal
 * and the JSON of --report. Neither shows an original value, and the seed is in
 * neither, for it would undo the random order of the rows.
 */
#include <stdio.h>
#include <string.h>

#include "engine/job/files.h"
#include "engine/masking/measured.h"
#include "engine/records/release.h"
#include "engine/records/verdict.h"

static const char *attribute_name(const engine_release *release, int32_t attribute)
{
    return release->promise.attributes[attribute].name;
}

static void add_example(tacit_grid *grid, tacit_strview example, bool as_it_is)
{
    if (as_it_is)
        tacit_grid_add(grid, "as it is");
    else if (example.len)
        tacit_grid_add_view(grid, example);
    else
        tacit_grid_add(grid, "(missing)");
}

static void tell_levels(FILE *out, const engine_release *release)
{
    static const char *const HEADER[] = {"attribute", "level", "released, for example"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 3);
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        int level = release->solution->levels[i];
        tacit_grid_add(&grid, "%s", attribute_name(release, i));
        tacit_grid_add(&grid, "%d of %d", level, tacit_hierarchy_height(release->hierarchies[i]));
        add_example(&grid, release->examples[i], level == 0);
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
}

/* Cells have levels of their own: their mean, and how many are left as they are. */
static void tell_cells(FILE *out, const engine_release *release)
{
    static const char *const HEADER[] = {"attribute", "mean level", "as it is", "most general",
                                         "for example"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 5);
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        const int64_t *rows = &release->level_rows[i * TACIT_MAX_LEVELS];
        int height = tacit_hierarchy_height(release->hierarchies[i]);
        double all = release->metrics.rows > 0 ? (double)release->metrics.rows : 1, levels = 0;
        for (int level = 0; level <= height; level++)
            levels += (double)rows[level] * level;
        tacit_grid_add(&grid, "%s", attribute_name(release, i));
        tacit_grid_add(&grid, "%.2f of %d", levels / all, height);
        tacit_grid_add(&grid, "%.1f%%", 100 * (double)rows[0] / all);
        tacit_grid_add(&grid, "%.1f%%", 100 * (double)rows[height] / all);
        add_example(&grid, release->examples[i], !release->examples[i].bytes);
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
}

static void tell_suppressed(FILE *out, const engine_release *release)
{
    const tacit_metrics *metrics = &release->metrics;
    char rows[32];
    double share =
        metrics->rows > 0 ? 100.0 * (double)metrics->suppressed_rows / (double)metrics->rows : 0;
    engine_line(out, "suppressed", "%s rows (%.1f%%), of them %lld complementary%s",
                tacit_number_text(rows, sizeof rows, (double)metrics->suppressed_rows, 0), share,
                (long long)metrics->complementary_rows,
                release->policy->drop_suppressed && metrics->suppressed_rows ? "; left out" : "");
    engine_line(out, "Prec", "%.3f, weighted %.3f; granularity %.3f", metrics->precision,
                metrics->precision_weighted, metrics->granularity);
}

static void tell_classes(FILE *out, const engine_release *release)
{
    const tacit_metrics *metrics = &release->metrics;
    char classes[32], largest[32], average[32], of[64] = "";
    bool people = release->frame.person >= 0; /* averages are of rows in any case */
    if (metrics->sets > 1)
        snprintf(of, sizeof of, " on %d quasi-identifiers, each by itself,", (int)metrics->sets);
    engine_line(out, "classes", "%s%s of %lld to %s %s, %s%s on average",
                tacit_number_text(classes, sizeof classes, (double)metrics->classes, 0), of,
                (long long)metrics->smallest_class,
                tacit_number_text(largest, sizeof largest, (double)metrics->largest_class, 0),
                people ? "people" : "rows",
                tacit_number_text(average, sizeof average, metrics->average_class, 1),
                people ? " rows" : "");
}

/* What the search knows of its answer, in words. */
static void tell_search(FILE *out, const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    char sentence[256];
    if (search->nodes > 0)
        engine_line(out, "search", "%s",
                    engine_search_sentence(sentence, sizeof sentence, release));
}

/* What was done to the cells and what that costs. */
static void tell_work(FILE *out, const engine_release *release)
{
    if (engine_release_ambiguates(release)) {
        engine_blanks_tell(out, release);
        engine_dependencies_tell(out, &release->dependencies);
        return;
    }
    if (release->solution->boxes)
        tell_cells(out, release);
    else if (tacit_policy_generalizes(release->policy))
        tell_levels(out, release);
    if (tacit_policy_generalizes(release->policy)) {
        fputc('\n', out);
        tell_suppressed(out, release);
    }
    tell_classes(out, release);
    tell_search(out, release);
}

void engine_release_tell(FILE *out, engine_release *release)
{
    char rows[32], sentence[1024];
    engine_print_title(
        out, "%s: %s rows, k = %lld, by %s",
        strcmp(release->target, "-") ? release->target : "standard output",
        tacit_number_text(rows, sizeof rows, (double)release->application->row_count, 0),
        (long long)release->wanted.k, engine_release_method(release));
    engine_masking_tell(out, &release->masking);
    if (release->masking.masking && tacit_policy_generalizes(release->policy))
        fputc('\n', out);
    tell_work(out, release);
    engine_scrubbed_text_tell(out, &release->scrubbed);
    engine_previous_tell(out, release);
    engine_line(out, "judge", "%s%s%s", release->verdict->holds ? ENGINE_GOOD : ENGINE_BAD,
                engine_verdict_sentence(sentence, sizeof sentence, release->verdict,
                                        &release->promise.promise),
                ENGINE_PLAIN);
    engine_found_tell(out, &release->found, &release->c);
    engine_measured_tell(out, &release->measured);
    engine_ledger_tell(out, release->ledger);
    engine_line(out, "time", "%.2f s", release->total);
}

static void add_attributes(tacit_account *account, const engine_release *release)
{
    int heights[TACIT_MAX_QUASI];
    int32_t count = release->frame.attribute_count;
    for (int32_t i = 0; i < count; i++) {
        tacit_strview name = tacit_strview_of(attribute_name(release, i));
        heights[i] = tacit_hierarchy_height(release->hierarchies[i]);
        tacit_account_push_text(account, "quasi", name);
        if (!release->solution->boxes)
            tacit_account_integer_in(account, "levels", name, release->solution->levels[i]);
        tacit_account_integer_in(account, "heights", name, heights[i]);
    }
    tacit_account_real(account, "lattice_size", tacit_lattice_size(heights, count));
    tacit_account_real(account, "strategies", tacit_lattice_strategies(heights, count));
    tacit_account_list(account, "steps");
    for (int32_t i = 0; i < release->solution->step_count; i++) {
        const tacit_step *step = &release->solution->steps[i];
        if (step->attribute < 0)
            continue;
        tacit_account_push_object(account, "steps");
        tacit_account_text(account, "@.attribute",
                           tacit_strview_of(attribute_name(release, step->attribute)));
        tacit_account_integer(account, "@.distinct", step->distinct);
    }
}

/* Where cells have levels of their own: rows on each level, from the ground. */
static void add_cell_levels(tacit_account *account, const engine_release *release)
{
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        tacit_account_push_object(account, "cell_levels");
        tacit_account_text(account, "@.attribute", tacit_strview_of(attribute_name(release, i)));
        for (int level = 0; level <= tacit_hierarchy_height(release->hierarchies[i]); level++)
            tacit_account_push_integer(account, "@.rows",
                                       release->level_rows[i * TACIT_MAX_LEVELS + level]);
    }
}

static void add_minimal(tacit_account *account, const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    int32_t count = release->frame.attribute_count;
    tacit_account_list(account, "minimal");
    for (int64_t i = 0; i < search->minimal_count; i++) {
        tacit_account_push_object(account, "minimal");
        for (int32_t a = 0; a < count; a++)
            tacit_account_push_integer(account, "@.levels", search->minimal[i * count + a]);
        tacit_account_real(account, "@.cost", search->minimal_costs[i]);
    }
}

static void add_search(tacit_account *account, const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    tacit_metric metric = release->wanted.metric;
    tacit_account_text(account, "metric", tacit_strview_of(tacit_metric_name(metric)));
    tacit_account_real(account, "metric_value", tacit_metrics_value(&release->metrics, metric));
    tacit_account_real(account, "cost", tacit_metrics_cost(&release->metrics, metric));
    tacit_account_real(account, "lower_bound", engine_search_bound(release));
    tacit_account_real(account, "gap", engine_search_gap(release));
    tacit_account_bool(account, "proven", search->proven);
    tacit_account_bool(account, "stopped", search->stopped);
    tacit_account_real(account, "nodes", search->nodes);
    tacit_account_integer(account, "nodes_checked", search->nodes_checked);
    if (release->wanted.all_minimal)
        add_minimal(account, release);
    if (release->solution->boxes)
        add_cell_levels(account, release);
}

static void add_metrics(tacit_account *account, const tacit_metrics *metrics)
{
    tacit_account_integer(account, "suppressed_rows", metrics->suppressed_rows);
    tacit_account_integer(account, "suppressed_cells", metrics->suppressed_cells);
    tacit_account_real(account, "precision", metrics->precision);
    tacit_account_real(account, "precision_weighted", metrics->precision_weighted);
    tacit_account_integer(account, "quasi_identifiers", metrics->sets);
    tacit_account_integer(account, "combinations", metrics->combinations);
    tacit_account_integer(account, "classes", metrics->classes);
    tacit_account_integer(account, "smallest_class", metrics->smallest_class);
    tacit_account_integer(account, "largest_class", metrics->largest_class);
    tacit_account_real(account, "average_class", metrics->average_class);
    tacit_account_real(account, "average_class_ratio", metrics->average_class_ratio);
    tacit_account_real(account, "discernibility", metrics->discernibility);
    tacit_account_real(account, "entropy", metrics->entropy);
    tacit_account_real(account, "granularity", metrics->granularity);
    tacit_account_real(account, "loss_score", metrics->loss);
    tacit_account_real(account, "height", metrics->height);
}

static int bins_used(const tacit_size_bins *bins)
{
    int count = TACIT_SIZE_BINS;
    while (count > 0 && !bins->classes[count - 1])
        count--;
    return count;
}

/* Classes by size before and after, bin by bin; `from` is each bin's smallest
 * size, and bins that k leaves no size are left out. */
static void add_sizes(tacit_account *account, const engine_release *release)
{
    static const char *const LISTS[] = {"class_sizes.from", "class_sizes.before.rows",
                                        "class_sizes.before.classes", "class_sizes.after.rows",
                                        "class_sizes.after.classes"};
    const tacit_size_bins *before = &release->before, *after = &release->after;
    int used = bins_used(before) > bins_used(after) ? bins_used(before) : bins_used(after);
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++)
        tacit_account_list(account, LISTS[i]);
    for (int i = 0; i < used; i++) {
        int64_t from, to;
        if (!tacit_size_bin_range(&from, &to, release->wanted.k, i))
            continue;
        const int64_t values[] = {from, before->rows[i], before->classes[i], after->rows[i],
                                  after->classes[i]};
        for (size_t j = 0; j < sizeof LISTS / sizeof LISTS[0]; j++)
            tacit_account_push_integer(account, LISTS[j], values[j]);
    }
}

static void add_identifiers(tacit_account *account, const engine_promise *promise)
{
    tacit_account_list(account, "identifiers.dropped");
    tacit_account_list(account, "identifiers.pseudonyms");
    for (int32_t i = 0; i < promise->promise.identifier_count; i++)
        tacit_account_push_text(account,
                                promise->identifiers[i].pseudonym ? "identifiers.pseudonyms"
                                                                  : "identifiers.dropped",
                                tacit_strview_of(promise->identifiers[i].name));
}

static void add_seconds(tacit_account *account, const engine_release *release)
{
    for (int i = 0; i < ENGINE_RELEASE_STEPS; i++) {
        char path[32];
        snprintf(path, sizeof path, "seconds.%s", engine_release_steps[i]);
        tacit_account_real(account, path, release->seconds[i]);
    }
    tacit_account_real(account, "seconds.total", release->total);
}

static void fill(tacit_account *account, const void *subject)
{
    const engine_release *release = subject;
    double rows = (double)release->metrics.rows;
    double loss = rows > 0 ? (double)release->wanted.most_suppressed / rows : 0;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("anonymize"));
    tacit_account_text(account, "method", tacit_strview_of(engine_release_method(release)));
    tacit_account_integer(account, "rows", release->metrics.rows);
    tacit_account_integer(account, "k", release->wanted.k);
    tacit_account_bool(account, "people", release->frame.person >= 0);
    tacit_account_real(account, "loss", release->policy->has_loss ? release->policy->loss : loss);
    add_attributes(account, release);
    add_metrics(account, &release->metrics);
    if (engine_release_ambiguates(release))
        engine_blanks_account(account, release);
    else
        add_search(account, release);
    engine_dependencies_account(account, &release->dependencies);
    engine_scrubbed_text_account(account, &release->scrubbed);
    engine_previous_account(account, release);
    engine_masking_account(account, &release->masking);
    engine_measured_account(account, &release->measured);
    tacit_account_integer(account, "complementary", release->metrics.complementary_rows);
    tacit_account_text(account, "order",
                       tacit_strview_of(release->policy->keep_order ? "kept" : "random"));
    add_identifiers(account, &release->promise);
    add_sizes(account, release);
    engine_verdict_account(account, release->verdict);
    engine_found_account(account, &release->found, &release->c);
    engine_ads_account(account, &release->ads);
    engine_ledger_account(account, release->ledger);
    add_seconds(account, release);
}

const engine_reports engine_release_reports = {"Release of records", fill, engine_release_page,
                                               NULL};

tacit_status engine_release_report(engine_release *release)
{
    return engine_report(release->session, &engine_release_reports, release);
}
