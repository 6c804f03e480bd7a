/*
 * sample.c - sampling (Figure 17): a random part of the rows, of all alike or of each stratum, and
 * the weights that let who gets it count for all.
 *
 * Rows are drawn without replacement and keep their order. Of a stratum its share is drawn, rounded
 * up or down by chance such that every row is as likely to be drawn as any other and the sizes sum
 * up: strata in random order lie end to end on a line, on which one random number sets the points
 * that are one row apart. A row's weight is how many it stands for; weights of a stratum add up to
 * its rows exactly, in the decimals that they are written with.
 *
 * Linear.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/swap/exchange.h"

enum { SAMPLE_SHARE, SAMPLE_ROWS, SAMPLE_EACH, SAMPLE_BY, SAMPLE_LEAST, SAMPLE_WRITE };

enum { DRAW_SIZES, DRAW_ROWS };

enum { WEIGHT_DECIMALS = 6 };

static const tacit_technique_option SAMPLE_OPTIONS[] = {
    [SAMPLE_SHARE] = {"share", TACIT_TECHNIQUE_NUMBER, .help = "share of the rows that are drawn",
                      .least = 1e-9, .most = 1},
    [SAMPLE_ROWS] = {"rows", TACIT_TECHNIQUE_INTEGER, .help = "how many rows are drawn", .least = 1,
                     .most = (double)TACIT_MAX_ROWS},
    [SAMPLE_EACH] = {"each", TACIT_TECHNIQUE_INTEGER,
                     .help = "how many rows are drawn of each stratum; all where it has fewer",
                     .least = 1, .most = (double)TACIT_MAX_ROWS},
    [SAMPLE_BY] = {"by", TACIT_TECHNIQUE_COLUMNS,
                   .help = "rows that agree in these columns are a stratum, drawn from by itself"},
    [SAMPLE_LEAST] = {"least", TACIT_TECHNIQUE_INTEGER,
                      .help = "at least so many rows of each stratum, as far as it has them",
                      .least = 0, .most = (double)TACIT_MAX_ROWS},
    [SAMPLE_WRITE] = {"write", TACIT_TECHNIQUE_TEXT, .help = "a new column with each row's weight"},
    {.name = NULL},
};

typedef struct sampling {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    tacit__row_groups strata;
    int64_t *sizes; /* rows drawn of each */
    int64_t drawn;
    bool *chosen;    /* a row each */
    double *weights; /* a row each; NULL: not asked for */
    int decimals;
} sampling;

static tacit_status check_sample(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[SAMPLE_SHARE].given + values[SAMPLE_ROWS].given + values[SAMPLE_EACH].given != 1)
        return tacit__call_error(call, NULL, err,
                                 "how many rows is one of `share`, `rows` and `each`");
    if (values[SAMPLE_EACH].given && !values[SAMPLE_BY].given)
        return tacit__call_error(call, &values[SAMPLE_EACH], err,
                                 "`each` is of strata: it needs `by`");
    if (values[SAMPLE_LEAST].given && (values[SAMPLE_EACH].given || !values[SAMPLE_BY].given))
        return tacit__call_error(call, &values[SAMPLE_LEAST], err,
                                 "`least` is of strata, and goes with `by` and `share` or `rows`");
    if (values[SAMPLE_WRITE].text_count > 1)
        return tacit__call_error(call, &values[SAMPLE_WRITE], err, "`write` is one column");
    return TACIT_OK;
}

/* ---- how many ---- */

static int64_t size_of(const sampling *s, uint32_t stratum)
{
    return s->strata.starts[stratum + 1] - s->strata.starts[stratum];
}

/* So many rows of so many: of each stratum on the line as many as there are points on its
 * stretch. */
static void share_out(sampling *s, const uint32_t *order, double rows, double of,
                      tacit__random *random)
{
    /* of twenty bits, so that the sum with a whole number of rows is exact */
    double shift = (double)(tacit__random_word(random) >> 12) * 0x1p-20;
    double passed = 0;
    int64_t points = 0;
    for (uint32_t i = 0; i < s->strata.count; i++) {
        uint32_t stratum = order[i];
        passed += (double)size_of(s, stratum);
        int64_t until = (int64_t)floor(passed * rows / of + shift), size = until - points;
        s->sizes[stratum] = size < size_of(s, stratum) ? size : size_of(s, stratum);
        points = until;
    }
}

static void set_sizes(sampling *s, const uint32_t *order)
{
    const tacit__runner_value *values = s->call->values;
    int64_t least = values[SAMPLE_EACH].given ? (int64_t)values[SAMPLE_EACH].number
                                              : (int64_t)values[SAMPLE_LEAST].number;
    bool counted = values[SAMPLE_ROWS].given;
    tacit__random random;
    tacit__call_random(&random, s->call, DRAW_SIZES, 1);
    if (!values[SAMPLE_EACH].given)
        share_out(s, order, values[counted ? SAMPLE_ROWS : SAMPLE_SHARE].number,
                  counted ? (double)s->sheet->rows : 1, &random);
    for (uint32_t i = 0; i < s->strata.count; i++) {
        int64_t wanted = least < size_of(s, i) ? least : size_of(s, i);
        s->sizes[i] = s->sizes[i] > wanted ? s->sizes[i] : wanted;
        s->drawn += s->sizes[i];
    }
}

static tacit_status find_sizes(sampling *s, tacit_error *err)
{
    const tacit__runner_value *values = s->call->values;
    uint32_t count = s->strata.count;
    tacit__random random;
    if (values[SAMPLE_ROWS].given && values[SAMPLE_ROWS].number > (double)s->sheet->rows)
        return tacit__call_error(s->call, &values[SAMPLE_ROWS], err,
                                 "there are %lld rows to draw from", (long long)s->sheet->rows);
    uint32_t *order = tacit__alloc_array(count, sizeof *order);
    s->sizes = tacit__alloc_zeroed(count, sizeof *s->sizes);
    if (!order || !s->sizes) {
        tacit__free(order);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    tacit__call_random(&random, s->call, DRAW_SIZES, 0);
    tacit__shuffle_list(order, count, &random);
    set_sizes(s, order);
    tacit__free(order);
    return TACIT_OK;
}

/* ---- weights ---- */

/* As many as are asked for; none where all weights are whole; never so many that a sum of them
 * would not be exact. */
static void find_decimals(sampling *s)
{
    int64_t largest = 0;
    bool whole = true;
    for (uint32_t i = 0; i < s->strata.count; i++) {
        whole = whole && (s->sizes[i] == 0 || size_of(s, i) % s->sizes[i] == 0);
        largest = size_of(s, i) > largest ? size_of(s, i) : largest;
    }
    s->decimals = s->call->decimals >= 0 ? s->call->decimals : whole ? 0 : WEIGHT_DECIMALS;
    while (s->decimals > 0 && (double)largest * pow(10, s->decimals) >= 0x1p53)
        s->decimals--;
}

/* The stratum's rows in units of the last decimal, dealt out evenly; what is over goes to the first
 * rows, which stand in random order. */
static void weigh(sampling *s, uint32_t stratum, const uint32_t *rows)
{
    double unit = pow(10, s->decimals);
    int64_t units = (int64_t)round((double)size_of(s, stratum) * unit), size = s->sizes[stratum];
    for (int64_t i = 0; i < size; i++)
        s->weights[rows[i]] = (double)(units / size + (i < units % size)) / unit;
}

static tacit_status write_weights(sampling *s, const uint32_t *from, tacit_error *err)
{
    int32_t index;
    tacit_status status =
        tacit__sheet_add_column(&index, s->sheet, s->call->values[SAMPLE_WRITE].texts[0], err);
    if (status == TACIT_OK)
        status = tacit__sheet_numbers(s->sheet, index, false, err);
    if (status != TACIT_OK)
        return status;
    tacit__sheet_column *column = &s->sheet->columns[index];
    tacit__sheet_decimals(column, s->decimals);
    for (int64_t i = 0; i < s->drawn; i++)
        tacit__cell_put_number(column, i, s->weights[from[i]]);
    return TACIT_OK;
}

/* ---- which ---- */

static void choose(sampling *s)
{
    tacit__random random;
    tacit__call_random(&random, s->call, DRAW_ROWS, 0);
    find_decimals(s);
    for (uint32_t i = 0; i < s->strata.count; i++) {
        uint32_t *rows = s->strata.rows + s->strata.starts[i];
        tacit__draw_front(rows, size_of(s, i), s->sizes[i], &random);
        for (int64_t j = 0; j < s->sizes[i]; j++)
            s->chosen[rows[j]] = true;
        if (s->weights)
            weigh(s, i, rows);
    }
}

static tacit_status take(sampling *s, tacit_error *err)
{
    int64_t count = 0;
    uint32_t *from = tacit__alloc_array((size_t)s->drawn, sizeof *from);
    if (!from)
        return tacit__nomem(err);
    for (int64_t row = 0; row < s->sheet->rows; row++)
        if (s->chosen[row])
            from[count++] = (uint32_t)row;
    tacit_status status = tacit__sheet_take_rows(s->sheet, from, count, err);
    if (status == TACIT_OK && s->weights)
        status = write_weights(s, from, err);
    tacit__free(from);
    return status;
}

static tacit_status draw(sampling *s, tacit_error *err)
{
    size_t rows = (size_t)s->sheet->rows;
    bool weighted = s->call->values[SAMPLE_WRITE].given;
    s->chosen = tacit__alloc_zeroed(rows, sizeof *s->chosen);
    s->weights = weighted ? tacit__alloc_array(rows, sizeof *s->weights) : NULL;
    tacit_status status = s->chosen && (!weighted || s->weights) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        choose(s);
        status = take(s, err);
    }
    tacit__free(s->chosen);
    tacit__free(s->weights);
    return status;
}

/* ---- the step ---- */

static tacit_status report_sample(const sampling *s, int64_t rows, tacit_error *err)
{
    int64_t missed = 0;
    for (uint32_t i = 0; i < s->strata.count; i++)
        missed += s->sizes[i] == 0;
    tacit_status status = tacit__note(s->call, "rows_drawn", (double)s->drawn, err);
    if (status == TACIT_OK)
        status = tacit__note(s->call, "rows_left_out", (double)(rows - s->drawn), err);
    if (status == TACIT_OK && s->call->values[SAMPLE_BY].given)
        status = tacit__note(s->call, "strata", s->strata.count, err);
    if (status == TACIT_OK && s->call->values[SAMPLE_BY].given)
        status = tacit__note(s->call, "strata_without_rows", (double)missed, err);
    return status;
}

static tacit_status apply_sample(tacit__sheet *sheet, const tacit__runner_call *call,
                                 tacit_error *err)
{
    const tacit__runner_value *by = &call->values[SAMPLE_BY], *write = &call->values[SAMPLE_WRITE];
    sampling s = {.call = call, .sheet = sheet};
    int64_t rows = sheet->rows;
    if (write->given && tacit__sheet_find(sheet, write->texts[0]) >= 0)
        return tacit__call_error(call, write, err, "there is a column %.64s already",
                                 write->texts[0]);
    tacit_status status =
        tacit__row_groups_init(&s.strata, sheet, by->columns, by->text_count, err);
    if (status == TACIT_OK)
        status = find_sizes(&s, err);
    if (status == TACIT_OK)
        status = draw(&s, err);
    if (status == TACIT_OK)
        status = report_sample(&s, rows, err);
    tacit__free(s.sizes);
    tacit__row_groups_clear(&s.strata);
    return status;
}

const tacit_technique tacit__technique_sample = {
    .name = "sample",
    .summary = "a random part of the rows, with their weights",
    .effect = "the rows are a sample: counts are not those of the data, and estimates of them have "
              "sampling error",
    .options = SAMPLE_OPTIONS,
    .features = TACIT_TECHNIQUE_OF_TUPLES,
    .code = &(const struct tacit__technique_code){.apply = apply_sample, .check = check_sample},
};
