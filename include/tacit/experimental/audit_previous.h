/*
 * audit_previous.h - what a release tells beside an earlier release of the same source: the
 * complementary and the temporal release attack (Sweeney, Computational Disclosure Control, 5.5.2
 * and 5.5.3), and unsorted matching (5.5.1).
 *
 * Both releases are columns of nodes of one tree each (lineage.h): a node holds another if that
 * lies under it, and two values can be the same if one holds the other. A column that the earlier
 * release does not have is taken for "*" in it, which can be anything.
 *
 * The adversary and what he does
 *
 * Two rows, one of each release, can be the same record if their values agree in every
 * column; the record's values are then the finer of each two, its joined box. The adversary
 * presumes that as many rows as possible are the same records. His possible worlds are the largest
 * sets of such pairs in which no row is used twice; a pair is possible if it lies in one of them,
 * and a row of the release may be new if one of them leaves it without a partner. The possible
 * boxes of a row are the joined boxes of its possible pairs, and its own box if it may be new.
 *
 * What of it is exposed: the promise is that k rows are alike, so a row is surely exposed if each
 * of its possible boxes is shared by fewer than k rows, that is, if fewer than k have a possible
 * box with the same nodes, whoever is behind it. Of a single release these are the rows in classes
 * below k.
 *
 * Less is asked by ambiguity: there, rows of which less is known count too. A person is a node in
 * each column: a value that some file shows, or, if there are others under it, some value under it
 * that no file shows. For a person the adversary has as candidates all rows of the release that
 * have a possible box which holds the person's values. Fewest candidates have those persons of a
 * box who lie under nothing finer: the rows with a possible box that holds the whole box, called
 * the candidates of the box. A row is traced if one of its boxes has fewer than k candidates.
 *
 * A row is exposed if it is surely exposed or traced; where ambiguity is promised, if it is traced.
 * It is possibly exposed if it is not, but one of its boxes is shared by fewer than k rows:
 * somebody would be exposed if the person with that box existed.
 *
 * The rows of the release are judged. What becomes of those of the earlier one is the same question
 * with the sides exchanged.
 *
 * Rows are counted, not people. Where several quasi-identifiers are promised, boxes are those of
 * each of them, and a row's candidates the fewest of any.
 */
#ifndef TACIT_AUDIT_PREVIOUS_H
#define TACIT_AUDIT_PREVIOUS_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A column of one release: the node of a row is nodes[code], or the code itself where nodes is
 * NULL. A width of 0 stands for a column that is not there. Borrowed. */
typedef struct tacit_node_column {
    tacit_codes_view codes;
    const uint32_t *nodes;
} tacit_node_column;

/* A column of both, in one tree. Node 0 is "*", which holds all. Outside the quasi-identifier ends
 * may be NULL: then nodes only agree if they are the same, and 0 is one like any other. */
typedef struct tacit_joint_column {
    const uint32_t *ends; /* one past the last node under each */
    uint32_t node_count;
    tacit_node_column now;    /* of the release that is audited */
    tacit_node_column before; /* of the earlier one; may be missing */
} tacit_joint_column;

/* Two releases. The quasi-identifying columns come first. */
typedef struct tacit_two_releases {
    const tacit_joint_column *columns;
    int32_t column_count;
    int32_t quasi_count; /* at least 1, at most 64 */
    const uint64_t
        *sets; /* quasi-identifiers: a bit a quasi-identifying column; NULL: one of all */
    int32_t set_count;
    int64_t now_rows, before_rows; /* each below 2^31 */
    int64_t k;
    bool by_candidates; /* ambiguity is promised: traced rows are what is exposed */
    int64_t max_pairs;  /* of kinds of rows that are looked at together; 0: TACIT_MOST_PAIRS */
} tacit_two_releases;

/* Pairs take 8 bytes each while worlds are searched. */
#define TACIT_MAX_PAIRS (INT64_C(1) << 24)

/* What comes of the join. Rows of the release that agree in all columns are one kind. */
typedef struct tacit_joined {
    bool by_worlds; /* false: there were more than most_pairs; then every pair of rows that can be
                       the same counts as possible, rows with none are new, and a row has one
                       box: the narrowest that holds all its joined boxes */
    int64_t pairs;  /* of kinds that can be the same; -1: more than most_pairs */
    int64_t same_rows;      /* rows that are the same in every world; -1 where not by worlds */
    int64_t certain_rows;   /* rows with one kind of partner, and no world without */
    int64_t fresh_rows;     /* rows that may be new */
    int64_t finer_rows;     /* rows of which a quasi-identifying value is known finer for certain */
    int64_t exposed_rows;   /* surely exposed, or traced */
    int64_t possible_rows;  /* possibly exposed */
    int64_t sure_rows;      /* surely exposed */
    int64_t traced_rows;    /* with fewer than k candidates */
    int64_t fewest_sharing; /* of any row, counted up to k; 0 where there are no rows */
    int64_t fewest_candidates; /* the same */
    int64_t joined_classes;    /* of the table they form, on all quasi-identifying columns */
    int64_t smallest_class;

    uint32_t *kind_of; /* a row of the release each, then of the earlier one */
    uint32_t kind_count;
    tacit_codes_view *columns; /* a column each: for every row of the release the finest node that
                                  holds all its possible ones; width 0: a column outside the
                                  quasi-identifier that can only agree by being equal */
    int32_t column_count;
    uint32_t *sharing;    /* a kind each: the fewest rows that share one of its boxes, up to k */
    uint32_t *candidates; /* a kind each: the fewest of one of its boxes, up to k */
    bool *sure;           /* a kind each: surely exposed */
    uint32_t *alike;      /* a kind each: rows with its nodes in all quasi-identifying columns */
} tacit_joined;

/* TACIT_INVALID where k, columns or sets make no sense, TACIT_LIMIT for too many rows. */
tacit_status tacit_join_releases(tacit_joined **out, const tacit_two_releases *two,
                                 const tacit_run *run, tacit_error *err);
void tacit_joined_free(tacit_joined *joined);

/* For every code of a column (missing as the last), the code of the same value in another column;
 * where that has no such value, one past its missing. So a column that can only agree by being
 * equal needs no tree, and nothing but this of the larger dictionaries. To be freed with
 * tacit_values_free. */
tacit_status tacit_match_values(uint32_t **codes, const tacit_table *table, int32_t column,
                                const tacit_table *other, int32_t other_column, tacit_error *err);
void tacit_values_free(uint32_t *codes);

/* A column of the release as the join leaves it: what a further earlier release can be
 * joined with. Borrowed; a width of 0 where it is as it was. */
tacit_node_column tacit_joined_column(const tacit_joined *joined, int32_t column);

/* Whether the order of the release follows that of another file: the source or an earlier
 * release. Both tests ask what would be if the release stood in random order, each order being as
 * likely, and tell by how many standard deviations it is off; variances are exact.
 *
 * Places: rows that agree with the row at the same place of the other file. Ranks: the product of a
 * row's place and the mean place of the rows that it can be, summed over those that can be
 * any; this survives rows that were added or left out. */
typedef struct tacit_order_verdict {
    bool tested;   /* false: too many pairs, or every order would look the same */
    bool too_many; /* pairs */
    bool follows;
    int64_t places;   /* both files have */
    int64_t agreeing; /* rows that agree with the row at their place */
    double expected;  /* of them, in random order */
    double places_z;  /* 0 where the places of a random order say nothing */
    double ranks_z;
    double correlation; /* of a row's place with the mean place of the rows it can be */

    /* What follows if rows at the same place are the same records wherever they agree. */
    int64_t finer_rows;
    int64_t exposed_rows; /* whose box, one for each row, fewer than k share */
    int64_t fewest;       /* that share the box of any row, counted up to k */
} tacit_order_verdict;

/* The order follows where nine tenths of the rows agree at their place, and that is more than
 * TACIT_ORDER_PLACES standard deviations above what a random order gives, or where ranks are off by
 * more than TACIT_ORDER_RANKS. Small tables are off by chance more often than large ones. */
#define TACIT_ORDER_PLACES 3.0
#define TACIT_ORDER_RANKS  4.0

tacit_status tacit_audit_order(tacit_order_verdict *out, const tacit_two_releases *two,
                               const tacit_run *run, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
