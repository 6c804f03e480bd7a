/*
 * compare_account.c - what comparing policies has found: a table on the terminal, CSV, JSON, and a
 * page with the frontier of Figure 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/explore/compare.h"
#include "engine/job/files.h"

/* ---- as a table ---- */

/* "null-map, k-map". */
static const char *maps_of(char *text, size_t size, const engine_compared *compared)
{
    const struct {
        bool holds;
        const char *name;
    } maps[] = {{compared->null_map, "null-map"},
                {compared->wrong_map, "wrong-map"},
                {compared->k_map, "k-map"}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (maps[i].holds && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", maps[i].name);
    return text;
}

static void fill_grid(tacit_grid *grid, const engine_comparison *comparison)
{
    static const char *const HEADER[] = {"policy",  "method", "lost",        "re-linked",
                                         "at most", "IL1s",   "exact links", "frontier"};
    char text[64];
    tacit_grid_init(grid, HEADER, 8);
    for (int i = 0; i < comparison->count; i++) {
        const engine_compared *compared = &comparison->list[i];
        bool made = !compared->refused[0];
        tacit_grid_add(grid, "%s", compared->name);
        tacit_grid_add(grid, "%s", compared->method);
        tacit_grid_add(grid, made ? "%.3f" : "-", compared->lost);
        tacit_grid_add(grid, made ? "%.3f" : "-", compared->relinked);
        tacit_grid_add(grid, made ? "%.3f" : "-", compared->high);
        tacit_grid_add(grid, made && isfinite(compared->il1s) ? "%.3f" : "-", compared->il1s);
        tacit_grid_add(grid, "%s", made ? maps_of(text, sizeof text, compared) : "no release");
        tacit_grid_add(grid, "%s", compared->best ? "yes" : "");
    }
}

static void print_terminal(const engine_comparison *comparison, FILE *out)
{
    tacit_grid grid;
    fprintf(out,
            "%s: what each policy loses of the information, and the share of records that can be "
            "told from it\n\n",
            engine_show(comparison->data).text);
    fill_grid(&grid, comparison);
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    for (int i = 0; i < comparison->count; i++)
        if (comparison->list[i].refused[0])
            fprintf(out, "\n  %s: no release: %s\n", engine_show(comparison->list[i].name).text,
                    engine_show(comparison->list[i].refused).text);
}

/* ---- as CSV ---- */

static void print_real(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.6f", value);
    else
        fputc(',', out);
}

static void print_row(FILE *out, const engine_compared *compared)
{
    bool made = !compared->refused[0];
    const double values[] = {compared->lost,     compared->il1s, compared->pmse,
                             compared->relinked, compared->low,  compared->high};
    fprintf(out, "\"%s\",%s,%lld,%s", compared->name, compared->method, (long long)compared->k,
            made ? "true" : "false");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        print_real(out, made ? values[i] : NAN);
    fprintf(out, ",%s\n", compared->best ? "true" : "false");
}

static tacit_status write_csv(const engine_comparison *comparison, const char *path,
                              tacit_error *err)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return tacit__nomem(err);
    fputs("policy,method,k,released,lost,il1s,pmse,relinked,relinked_low,relinked_high,frontier\n",
          out);
    for (int i = 0; i < comparison->count; i++)
        print_row(out, &comparison->list[i]);
    bool failed = ferror(out);
    failed |= fclose(out) != 0;
    tacit_status status = failed ? tacit__nomem(err) : engine_write_text(path, text, len, err);
    tacit__free(text);
    return status;
}

/* ---- as JSON ---- */

static void account_one(tacit_account *account, const engine_compared *compared)
{
    tacit_account_push_object(account, "policies");
    tacit_account_text(account, "@.policy", tacit_strview_of(compared->name));
    tacit_account_text(account, "@.method", tacit_strview_of(compared->method));
    tacit_account_integer(account, "@.k", compared->k);
    tacit_account_bool(account, "@.released", !compared->refused[0]);
    tacit_account_bool(account, "@.frontier", compared->best);
    tacit_account_real(account, "@.seconds", compared->seconds);
    if (compared->refused[0]) {
        tacit_account_text(account, "@.refused", tacit_strview_of(compared->refused));
        return;
    }
    tacit_account_integer(account, "@.rows", compared->rows);
    tacit_account_real(account, "@.lost", compared->lost);
    tacit_account_real(account, "@.il1s", compared->il1s);
    tacit_account_real(account, "@.pmse", compared->pmse);
    tacit_account_real(account, "@.precision", compared->precision);
    tacit_account_real(account, "@.relinked", compared->relinked);
    tacit_account_real(account, "@.relinked_low", compared->low);
    tacit_account_real(account, "@.relinked_high", compared->high);
    tacit_account_text(account, "@.attack", tacit_strview_of(compared->attack));
    tacit_account_bool(account, "@.null_map", compared->null_map);
    tacit_account_bool(account, "@.wrong_map", compared->wrong_map);
    tacit_account_bool(account, "@.k_map", compared->k_map);
}

static void fill_account(tacit_account *account, const void *subject)
{
    const engine_comparison *comparison = subject;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("compare"));
    tacit_account_list(account, "policies");
    for (int i = 0; i < comparison->count; i++)
        account_one(account, &comparison->list[i]);
    tacit_account_real(account, "seconds.total", engine_now() - comparison->session->start);
}

/* ---- as a page ---- */

/* The data as it is loses nothing; what it exposes was measured beside each release. */
static void add_chart(tacit_page *page, const engine_comparison *comparison)
{
    const char *names[TACIT_MAX_SCATTER];
    double x[TACIT_MAX_SCATTER], y[TACIT_MAX_SCATTER];
    bool best[TACIT_MAX_SCATTER];
    int count = 0;
    for (int i = 0; i < comparison->count; i++) {
        const engine_compared *compared = &comparison->list[i];
        if (compared->refused[0])
            continue;
        if (count == 0) {
            names[count] = "the data as it is";
            x[count] = 0;
            y[count] = compared->unprotected;
            best[count++] = false;
        }
        names[count] = compared->name;
        x[count] = compared->lost;
        y[count] = compared->relinked;
        best[count++] = compared->best;
    }
    const tacit_scatter scatter = {
        .title = "Risk against loss",
        .x_label = "share of the information that is lost",
        .y_label = "share of the records that can be told",
        .names = names,
        .x = x,
        .y = y,
        .best = best,
        .count = count,
    };
    if (count > 0)
        tacit_page_scatter(page, &scatter);
}

static void fill_page(tacit_page *page, const void *subject)
{
    const engine_comparison *comparison = subject;
    tacit_grid grid;
    tacit_page_paragraph(page, "Each point is a policy. Further left the release has lost less, "
                               "further down fewer people can be told from it; the dashed line is "
                               "the frontier of those that no other beats in both.");
    add_chart(page, comparison);
    fill_grid(&grid, comparison);
    tacit_grid_show(&grid, page, "What each policy loses and whom it exposes");
    tacit_grid_clear(&grid);
    for (int i = 0; i < comparison->count; i++)
        if (comparison->list[i].refused[0]) {
            char words[400];
            snprintf(words, sizeof words, "%s: no release: %s", comparison->list[i].name,
                     comparison->list[i].refused);
            tacit_page_paragraph(page, words);
        }
}

/* ---- all of them ---- */

const engine_reports engine_compare_reports = {"Policies compared", fill_account, fill_page, NULL};

tacit_status engine_compare_tell(FILE *out, const engine_comparison *comparison)
{
    engine_session *session = comparison->session;
    const char *target = engine_value(session->settings, "output");
    print_terminal(comparison, out);
    engine_session_flush(session);
    tacit_status status = target ? write_csv(comparison, target, &session->error) : TACIT_OK;
    return status == TACIT_OK ? engine_report(session, &engine_compare_reports, comparison)
                              : status;
}
