/*
 * records.h - k-anonymous releases of records: classes, methods, metrics.
 *
 * The waist is `classes`: the distinct combinations of quasi-identifier values
 * on given levels, each with its number of rows (and of people). Methods see a
 * frame (what can be counted) and classes, never rows, so their cost follows
 * the number of classes. A solution says what each class is released as: on one
 * level for each attribute, with some classes suppressed, or each class as a box
 * of its own. Applying it gives what the writer needs.
 */
#ifndef TACIT_RECORDS_H
#define TACIT_RECORDS_H

#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Attributes of a quasi-identifier; and of those that are suppressed cell by cell (ambiguate,
 * mu-argus, earlier releases), which hold what is suppressed of a row in one word. */
enum { TACIT_MAX_ATTRIBUTES = 4096, TACIT_MAX_MASKED = 64 };

/* One attribute of the quasi-identifier. */
typedef struct tacit_attribute {
    int32_t column;                   /* of the table */
    const tacit_hierarchy *hierarchy; /* borrowed */
    double weight;                    /* for weighted Prec; 0: Equation 3 */
    double link;                      /* likelihood of being used for linking, 0 to 1 */
    int least_level;                  /* released no finer than this */
    tacit_rating rating;              /* for mu-argus */
} tacit_attribute;

/* A promise beyond k about every class; see model.h. */
typedef struct tacit_model {
    tacit_model_bound bound;
    int32_t column;                   /* the sensitive one, coded; -1 where the model is about the
                                         population */
    const tacit_hierarchy *hierarchy; /* of that column, where distances are taken in a tree */
    tacit_spread spread;              /* of that column's numbers */
} tacit_model;

/* What has been counted for a frame so far: who solves several times puts one into
 * the frame, and what was counted once is not counted again. */
typedef struct tacit_counted tacit_counted;

tacit_status tacit_counted_new(tacit_counted **out, tacit_error *err);
void tacit_counted_free(tacit_counted *counted);

/* People who could be in the table: a register with the same attributes. */
typedef struct tacit_population tacit_population;

/* The classes of a node as numbers. */
typedef struct tacit_tally {
    int64_t classes;
    double squares;       /* of their sizes, summed */
    int64_t below;        /* classes of fewer than k rows */
    int64_t below_rows;   /* rows in them */
    int64_t widest;       /* rows of the largest of them */
    double below_squares; /* of their sizes, summed */
} tacit_tally;

/* Rows of classes below k that have a value of an attribute, as tacit_hierarchy_map numbers it. */
typedef void (*tacit_below_fn)(void *payload, int32_t attribute, uint32_t number, int64_t rows);

/* Classes that are counted where the data are, and stay there. Levels have an entry an attribute.
 * Asked by one caller at a time. */
typedef struct tacit_elsewhere {
    void *context;
    const uint32_t *const *ground; /* an attribute each: rows of each value of the frame's table,
                                      missing the last; what else it says of rows is of no use */
    tacit_status (*tally)(void *context, tacit_tally *out, const int *levels, int64_t k,
                          tacit_error *err);
    tacit_status (*below)(void *context, const int *levels, int64_t k, tacit_below_fn take,
                          void *payload, tacit_error *err);
    /* The smallest (or largest) class of k rows or more: its rows and its values. Of several, that
     * whose numbers come first. */
    tacit_status (*next)(void *context, int64_t *rows, uint32_t *numbers, const int *levels,
                         int64_t k, bool largest, tacit_error *err);
} tacit_elsewhere;

/* What is to be protected: a table's attributes, grouped into one or several
 * quasi-identifiers. */
typedef struct tacit_frame {
    const tacit_table *table;
    const uint32_t *repeats; /* rows of the data that each row of the table stands for, where it
                                was counted elsewhere; NULL: one. Such a solution can be measured,
                                not applied */
    int64_t repeated;        /* their sum, or the rows elsewhere */
    const tacit_elsewhere
        *elsewhere; /* NULL, or who counts the classes; then a solution has none */
    const tacit_attribute *attributes;
    int32_t attribute_count;
    const uint64_t *sets; /* a bit an attribute, each in (attribute_count + 63) / 64 words of its
                             own; NULL: one set of all */
    int32_t set_count;
    int32_t person;            /* column whose distinct values are people, or -1: every row is one;
                                  rows where it is missing count together as one person */
    bool households;           /* its values are households, which are called so */
    const tacit_model *models; /* what classes keep beyond k */
    int32_t model_count;
    tacit_population *population; /* for the models that need one */
    tacit_risk_bounds risks;      /* what the release as a whole keeps */
    tacit_counted *counted;       /* of this frame and no other; NULL: nothing is kept */
} tacit_frame;

/* Binds a register to a frame's attributes: columns[a] is the register's column
 * of attribute a and hierarchies[a] the attribute's hierarchy bound to it. Both,
 * and the register, must outlive it. Values are matched by their names. */
tacit_status tacit_population_new(tacit_population **out, const tacit_frame *frame,
                                  const tacit_table *people, const int32_t *columns,
                                  const tacit_hierarchy *const *hierarchies, const tacit_run *run,
                                  tacit_error *err);
void tacit_population_free(tacit_population *population);

/* Rows of the frame's table at equal steps, at most so many, with the same columns and codes: put
 * in the table's place, with nothing counted and no population, they make a frame for a first look.
 * Only codes and values can be asked of it. */
tacit_status tacit_frame_sample(tacit_table **out, const tacit_frame *frame, int64_t rows,
                                tacit_error *err);

typedef struct tacit_classes tacit_classes;

/* Counts the classes of the table with attribute i on levels[i]. */
tacit_status tacit_classes_new(tacit_classes **out, const tacit_frame *frame, const int *levels,
                               const tacit_run *run, tacit_error *err);

/* The same from classes already counted on levels that are nowhere higher. */
tacit_status tacit_classes_roll_up(tacit_classes **out, const tacit_frame *frame,
                                   const tacit_classes *from, const int *levels,
                                   const tacit_run *run, tacit_error *err);
void tacit_classes_free(tacit_classes *classes);

int64_t tacit_classes_count(const tacit_classes *classes);
int64_t tacit_classes_rows(const tacit_classes *classes); /* of all classes together */

/* Rows and people of a class; the same where no person column is named. */
int64_t tacit_classes_size(const tacit_classes *classes, int64_t index);
int64_t tacit_classes_people(const tacit_classes *classes, int64_t index);

/* The attribute's value on its level, as tacit_hierarchy_map numbers it. */
uint32_t tacit_classes_code(const tacit_classes *classes, int64_t index, int32_t attribute);
const int *tacit_classes_levels(const tacit_classes *classes);

/* Row -> class, into class_of with an entry a row of the table. */
tacit_status tacit_classes_assign(const tacit_classes *classes, const tacit_frame *frame,
                                  uint32_t *class_of, const tacit_run *run, tacit_error *err);

/* What a release may be measured by. Methods make a metric's cost as small as
 * they can: the metric itself, or 1 minus it where more is better. */
typedef enum tacit_metric {
    TACIT_METRIC_PREC = 0,    /* Prec, 5.4; more is better */
    TACIT_METRIC_WEIGHTED,    /* weighted Prec; more is better */
    TACIT_METRIC_GRANULARITY, /* 1 minus the mean over cells of (leaves - 1) / (all leaves - 1);
                                 more is better */
    TACIT_METRIC_LOSS,        /* geometric mean of 1 + an attribute's mean of the same, minus 1 */
    TACIT_METRIC_DISCERNIBILITY, /* sum of squared class sizes, all rows for a suppressed one */
    TACIT_METRIC_AVERAGE,        /* average class over k */
    TACIT_METRIC_ENTROPY,        /* non-uniform entropy, 0 to 1 */
    TACIT_METRIC_HEIGHT,         /* sum of levels */
    TACIT_METRIC_LISTED /* the first of those that are files of their own, such as suppression:
                           means over cells of a cost from 0 to 1; less is better */
} tacit_metric;

enum {
    TACIT_MAX_LISTED_METRICS = 16,
    TACIT_MAX_METRICS = TACIT_METRIC_LISTED + TACIT_MAX_LISTED_METRICS
};

/* How many metrics there are; each has a number below. */
tacit_metric tacit_metric_count(void);

/* The metric's name, such as "prec", and what it is in a few words; the metric of
 * a name, or tacit_metric_count() if there is none. */
const char *tacit_metric_name(tacit_metric metric);
const char *tacit_metric_summary(tacit_metric metric);
tacit_metric tacit_metric_find(const char *name);

/* Which of several releases of the same cost is taken; the next rule decides
 * where one does not, and attribute order always decides. */
typedef enum tacit_preference {
    TACIT_PREFER_LEVELS = 0, /* fewest levels in all, then most distinct classes */
    TACIT_PREFER_DISTINCT,   /* most distinct classes, then fewest levels */
    TACIT_PREFER_ORDER       /* lowest level of the first attribute, then of the second ... */
} tacit_preference;

/* What is asked of a method. */
typedef struct tacit_records_options {
    int64_t k;
    int64_t max_suppressed; /* rows that may be suppressed, complementary ones included */
    bool most_general;      /* every attribute on its highest level */
    bool
        complement_largest; /* complementary suppression from the largest class, not the smallest */
    bool drop_suppressed;   /* suppressed rows will be left out of the release */
    tacit_metric metric;
    tacit_preference prefer;
    bool all_minimal;       /* list every k-minimal generalization as well */
    bool resist_minimality; /* local, optimal, k-similar: boxes are laid out on rows that are drawn
                               and left out, so that nothing follows from knowing the method; needs
                               drop_suppressed. See ambiguate.h for ambiguate */
    bool quick;             /* local: only its first division, for a first look: it keeps less */
    bool until_stopped;     /* improve for as long as the run's progress callback lets it */
    const struct tacit_argus *argus; /* see argus.h; NULL: the repaired mu-argus, nobody asked */
    const struct tacit_ambiguate *ambiguate; /* see ambiguate.h; NULL: as if it were all zero */
} tacit_records_options;

/* One decision of a method, for the report of what was done. */
typedef struct tacit_step {
    int32_t attribute; /* generalized by one level, or -1 */
    uint32_t distinct; /* distinct values it had before */
} tacit_step;

/* A release that generalizes each cell by itself. A box is a value for each
 * attribute; a class lies under each box it is released as. */
typedef struct tacit_part {
    uint32_t class_index;
    uint32_t box;
    int64_t people; /* of the class */
} tacit_part;

typedef struct tacit_boxes {
    int64_t count;     /* no two are the same */
    uint8_t *levels;   /* box by box, an attribute each */
    uint32_t *numbers; /* the same: the value as tacit_hierarchy_map numbers it on that level */
    uint32_t *box_of;  /* a class each: what it is released as, but for its parts */
    tacit_part *parts; /* people of a class that leave in another box, ascending by class and
                          box; the rest of the class, if any, leaves in box_of */
    int64_t part_count;
    uint32_t *people; /* a box each, where a person's rows may leave in several: NULL: they follow
                         from the classes */
} tacit_boxes;

/* What a search can say of its answer. Costs are those of the metric. */
typedef struct tacit_search {
    double lower_bound; /* no release of the method's kind costs less; NAN: nothing is known */
    bool proven;        /* and this one costs no more */
    bool stopped;       /* the search was stopped; this is the best so far */
    double nodes;       /* of the lattice, or candidates of another kind; 0: no search */
    int64_t nodes_checked;
    int *minimal;          /* where asked for: levels of every k-minimal generalization,
                              an attribute each, in ascending order */
    double *minimal_costs; /* and the cost of each */
    int64_t minimal_count;
} tacit_search;

typedef struct tacit_solution {
    int32_t attribute_count;
    int *levels;            /* an attribute each: of the classes */
    tacit_classes *classes; /* on those levels; NULL where they are counted elsewhere */
    int64_t *suppressed;    /* a class each: people to suppress; all, none or a part. NULL where
                               there are boxes */
    int64_t
        suppressed_rows;   /* of all classes together (people where a part is counted in people) */
    int64_t complementary; /* of those, suppressed only so that suppressed rows keep k */
    tacit_boxes *boxes;    /* NULL: what is not suppressed is released on `levels` */
    tacit_step *steps;
    int32_t step_count;
    tacit_search search;
} tacit_solution;

void tacit_boxes_free(tacit_boxes *boxes);
void tacit_solution_free(tacit_solution *solution);

/* What a method can do, as bits. */
enum {
    TACIT_METHOD_MODELS = 1, /* keeps models beyond k */
    TACIT_METHOD_CELLS = 2,  /* generalizes cell by cell: its solutions have boxes */
    TACIT_METHOD_SEARCHES =
        4, /* improves while it is let: stopped by the progress callback, it gives the best so
              far with search.stopped set, instead of TACIT_CANCELLED, once there is any */
    TACIT_METHOD_EXPLORED = 8,    /* one of those that are compared where none is named */
    TACIT_METHOD_RESISTS = 32,    /* can release so that nothing follows from knowing it */
    TACIT_METHOD_LINKS = 64,      /* goes by how likely attributes are used for linking */
    TACIT_METHOD_ELSEWHERE = 256, /* does with classes that are counted elsewhere */
    TACIT_METHOD_COUNTS = 128, /* looks at classes only: takes a frame that was counted elsewhere */
    TACIT_METHOD_AMBIGUATES = 16 /* suppresses cells by themselves, and what it is asked for is
                                    in ambiguate.h; k is for rows that agree, not for classes */
};

/* A method: one file, one line in the table of methods. */
typedef struct tacit_method {
    const char *name;
    const char *summary;
    tacit_status (*solve)(tacit_solution **out, const tacit_frame *frame,
                          const tacit_records_options *options, const tacit_run *run,
                          tacit_error *err);
    unsigned features;
    unsigned metrics; /* a bit for each metric that it can be told to make good; 0: none */
} tacit_method;

/* The methods, ending in NULL, and the one of a name. */
const tacit_method *const *tacit_methods(void);
const tacit_method *tacit_method_find(const char *name);

/* The solution on the rows: what the writer needs. Owned arrays. */
typedef struct tacit_application {
    uint64_t *suppressed; /* bit a row */
    int64_t suppressed_rows;
    uint32_t *order;         /* rows in the order of the release; NULL: as they are */
    int64_t row_count;       /* rows released */
    tacit_codes_view *codes; /* an attribute each: a number for each row of the table */
    tacit_strview **labels;  /* an attribute each: a label for each number; with bytes NULL where
                                the cell stays as it is */
    uint32_t *label_counts;
    int32_t attribute_count;
    void **owned; /* the codes that the table does not hold */
} tacit_application;

typedef struct tacit_apply_options {
    bool keep_order; /* otherwise rows are shuffled by the run's seed */
    bool drop_suppressed;
} tacit_apply_options;

tacit_status tacit_solution_apply(tacit_application **out, const tacit_solution *solution,
                                  const tacit_frame *frame, const tacit_apply_options *options,
                                  const tacit_run *run, tacit_error *err);
void tacit_application_free(tacit_application *application);

/* What a release is worth. Suppressed cells count as the highest level, whether
 * their rows are released or left out; classes are those that are released. */
typedef struct tacit_metrics {
    int64_t rows; /* of the table */
    int64_t suppressed_rows;
    int64_t complementary_rows; /* of them, suppressed only so that suppressed rows keep k */
    int64_t suppressed_people;
    int64_t suppressed_cells;  /* cells of the quasi-identifier released as suppressed */
    double precision;          /* Prec, 5.4 */
    double precision_weighted; /* Prec_w with the given weights, or Equation 3 */
    int32_t sets;              /* quasi-identifiers that classes are counted of, each by itself */
    int64_t classes;           /* the suppressed rows together count as one, unless left out */
    int64_t smallest_class;    /* in people */
    int64_t largest_class;
    double average_class;       /* rows a class */
    int64_t combinations;       /* of all attributes: the classes, where there is one set */
    double average_class_ratio; /* rows a combination over k (C_avg) */
    double discernibility;      /* sum of squared class sizes; a suppressed row costs all rows */
    double entropy;             /* non-uniform entropy, 0 (nothing lost) to 1 */
    double granularity;
    double loss;
    double height; /* sum of levels; the mean over rows where cells have levels of their own */
    double listed[TACIT_MAX_LISTED_METRICS]; /* from TACIT_METRIC_LISTED on */
} tacit_metrics;

/* The metric's value, and what a method makes small. */
double tacit_metrics_value(const tacit_metrics *metrics, tacit_metric metric);
double tacit_metrics_cost(const tacit_metrics *metrics, tacit_metric metric);

/* The value that a cost stands for, such as a lower bound. */
double tacit_metric_of_cost(tacit_metric metric, double cost);

/* application may be NULL: then the solution is measured as it stands, without a
 * look at the rows. Where people with several rows are suppressed in part of a
 * class, their rows are then taken at the class's average. */
tacit_status tacit_metrics_of(tacit_metrics *out, const tacit_solution *solution,
                              const tacit_application *application, const tacit_frame *frame,
                              const tacit_records_options *options, const tacit_run *run,
                              tacit_error *err);

/* Classes by size, with a border at k: bin 0 is people who are alone, bin 1 the
 * other classes below k, and bins from 2 on hold k to 2k-1 people, 2k to 4k-1
 * and so on. Each counts its classes and the rows in them. */
enum { TACIT_SIZE_BINS = 64 };
typedef struct tacit_size_bins {
    int64_t k;
    int64_t rows[TACIT_SIZE_BINS];
    int64_t classes[TACIT_SIZE_BINS];
} tacit_size_bins;

void tacit_size_bins_init(tacit_size_bins *bins, int64_t k);
void tacit_size_bins_add(tacit_size_bins *bins, int64_t people, int64_t rows);
void tacit_size_bins_add_classes(tacit_size_bins *bins, const tacit_classes *classes);

/* The classes of a release. Suppressed rows are one unless they are left out. */
tacit_status tacit_size_bins_add_release(tacit_size_bins *bins, const tacit_solution *solution,
                                         const tacit_metrics *metrics, bool drop_suppressed,
                                         const tacit_frame *frame, const tacit_run *run,
                                         tacit_error *err);

/* The sizes of a bin, from and to included; false where k leaves it none. */
bool tacit_size_bin_range(int64_t *from, int64_t *to, int64_t k, int bin);

/* Rows on each level of each attribute: rows[attribute * TACIT_MAX_LEVELS + level].
 * Suppression of whole rows is left out of account. */
void tacit_solution_level_rows(int64_t *rows, const tacit_solution *solution);

/* The labels of the largest class that is released, an attribute each; with bytes
 * NULL where values stay as they are, so that nothing is shown that the release
 * does not show. */
tacit_status tacit_solution_example(tacit_strview *labels, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err);

/* Equation 1: number of attribute-level generalizations; Theorem 4: number of
 * strategies. Infinity where they exceed a double. */
double tacit_lattice_size(const int *heights, int32_t count);
double tacit_lattice_strategies(const int *heights, int32_t count);

#ifdef __cplusplus
}
#endif
#endif
