/*
 * audit_link.h - linking a release to registers of people (Sweeney, chapters 2.4 and 4.3).
 *
 * A record maps to a person where in every column that release and register share the released
 * value and the person's can be the same: normally the released one holds his; where the register
 * itself is vague, or knows nothing ("*"), his may hold the released one. Values are nodes of
 * lineages (lineage.h), so releases may mix levels cell by cell.
 *
 * Of every record the people are counted to whom it maps, and of every person the records that he
 * could be. A record with one candidate is identified; a person with one is found by whoever knows
 * that he is in the release, though his record may map to others, too. Where they are the same
 * two, record and person are each other's only ones.
 *
 * The protection models of 4.3, as far as data can show them. P are the people of the register, S
 * those whom a truth says to stand behind records. What cannot be shown is `unknown`: an adversary
 * who has other registers, pseudo-entities of U that no register lists, and whether what
 * stands beside the quasi-identifier is true.
 *
 *   k-map      every record maps to at least k people. The thesis' formula wants the record's
 *              own subject among them as well, its words only k members of U; the words are
 *              followed, and records that map to their own subject are counted beside it.
 *   null-map   no record maps to a subject. Without a truth anybody may be one, so it
 *              holds only where no record maps to anybody.
 *   wrong-map  there are more than 2 records, and each maps to exactly one subject, who is not its
 *              own. The formula says g(f(f_c(s))) = s, that it maps to its own; the words say "not
 *              the entity to which the original information was collected", and Figure 20 shows
 *              that. The words are followed. Without a truth it can be refuted, never shown.
 *
 * A truth may leave records out. Then S is known only in part, and what depends on the rest is
 * unknown.
 */
#ifndef TACIT_AUDIT_LINK_H
#define TACIT_AUDIT_LINK_H

#include <tacit/experimental/audit.h>
#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_MAX_LINK_COLUMNS = 64, TACIT_LINK_BINS = 12 };

/* A shared column: its lineage, and both files' codes with a node for each. Borrowed. */
typedef struct tacit_link_column {
    uint32_t nodes; /* of the lineage */
    const uint32_t *ends, *parents;
    tacit_codes_view released;
    const uint32_t *released_nodes; /* by code */
    uint32_t released_codes;        /* entries of it */
    tacit_codes_view known;         /* in the register; a row's node may be 0: not known */
    const uint32_t *known_nodes;
    uint32_t known_codes;
} tacit_link_column;

#define TACIT_LINK_NOBODY UINT32_MAX

typedef struct tacit_link_case {
    const tacit_link_column *columns;
    int32_t column_count;   /* 1 to TACIT_MAX_LINK_COLUMNS */
    int64_t records;        /* rows of the release */
    int64_t rows;           /* of the register */
    const uint32_t *person; /* a row of the register each: whom it is about, ascending from 0
                               without gaps; NULL: every row is a person */
    int64_t people;
    const uint32_t *truth; /* a record each: its person, or TACIT_LINK_NOBODY where that is not
                              known; NULL: nothing is */
    int64_t k;             /* of k-map; 1 or more */
    bool names;            /* also find the only candidates: `only` */
} tacit_link_case;

typedef enum tacit_link_verdict {
    TACIT_LINK_UNKNOWN = 0,
    TACIT_LINK_HOLDS,
    TACIT_LINK_BROKEN
} tacit_link_verdict;

/* What a truth shows. */
typedef struct tacit_link_truth {
    int64_t records;          /* whose person is known */
    int64_t subjects;         /* different people among those */
    int64_t to_own;           /* of these records: map to their own subject */
    int64_t to_subject;       /* records, of all, that map to some subject */
    int64_t to_one_subject;   /* and to exactly one */
    int64_t to_wrong_subject; /* of the records whose person is known: to exactly one, another's */
    int64_t right;            /* one candidate, and it is the right one: re-identified */
    int64_t wrong;            /* one candidate, and it is somebody else */
    int64_t found;            /* subjects who could be one record only, and it is theirs */
} tacit_link_truth;

/* A class is a group of records that agree in all columns. */
typedef struct tacit_link {
    int64_t records, people, classes;
    uint32_t *class_of; /* a record each */
    uint32_t *sizes;    /* a class each: its records */
    uint32_t *maps_to;  /* a class each: people */
    uint32_t *only;     /* a class each, where names were asked for: the person, if it maps to
                           one, else TACIT_LINK_NOBODY; NULL where not */

    /* By how many: 0, 1, 2, 3, 4, 5-9, 10-19, 20-49, 50-99, 100-999, 1000-9999, and more. */
    int64_t records_by_people[TACIT_LINK_BINS]; /* records by the people whom they map to */
    int64_t people_by_records[TACIT_LINK_BINS]; /* people by the records that they could be */
    int64_t smallest;      /* the fewest people that a record maps to; 0 without records */
    int64_t records_below; /* that map to fewer than k */
    int64_t records_one;   /* that map to exactly one person */
    int64_t people_one;    /* people who are the only candidate of some record */
    int64_t people_in_one; /* people who could be exactly one record */
    int64_t people_below;  /* who could be some, and fewer than k */
    int64_t pairs;         /* of record and person that are each other's only candidate */

    /* A bit a column: released values other than "*" were found that can be some register's. */
    uint64_t agrees;
    /* A bit a column: there are released values other than "*". */
    uint64_t says;

    tacit_link_verdict k_map, null_map, wrong_map;
    bool has_truth;
    tacit_link_truth truth;
} tacit_link;

/* TACIT_LIMIT where there are too many columns. */
tacit_status tacit_link_new(tacit_link **out, const tacit_link_case *c, const tacit_run *run,
                            tacit_error *err);
void tacit_link_free(tacit_link *link);

/* The smallest number of a bin. */
int64_t tacit_link_bin_start(int bin);

/* ---- uniqueness in the register (Figure 16) ---- */

/* A combination of columns, and how many of the register's people it leaves alone. */
typedef struct tacit_link_unique {
    uint64_t columns; /* a bit each */
    int64_t groups;   /* of people who agree in them */
    int64_t alone;    /* people in groups of one */
    int64_t below;    /* people in groups of fewer than k */
} tacit_link_unique;

enum { TACIT_MAX_LINK_SETS = 20000 };

/* Every combination of 1 to `most` columns: fewer columns first, then those that
 * leave more people alone. Of people with several rows the first counts. TACIT_LIMIT where there
 * would be more than TACIT_MAX_LINK_SETS. */
tacit_status tacit_link_uniqueness(tacit_link_unique **out, int32_t *count,
                                   const tacit_link_case *c, int32_t most, const tacit_run *run,
                                   tacit_error *err);
void tacit_link_uniqueness_free(tacit_link_unique *sets);

/* ---- files ---- */

/* A release, and the registers that an adversary has, which are joined to one, as the definition's
 * E: the people are the rows of the first, and each further one adds its columns where it agrees in
 * all columns, by name, that are there already (a natural left outer join). A person without a row
 * there has unknown values, a person with several has several rows. An empty key agrees with
 * nothing. Borrowed, for as long as the linkage. */
typedef struct tacit_linkage_files {
    const tacit_table *release;
    const tacit_table *const *registers; /* the first has the people */
    int32_t register_count;
    const tacit_promise_attribute *columns; /* that may link, with their hierarchies: those are
                                               taken that both sides have, coded */
    int32_t column_count;
    int64_t most_rows; /* of the joined registers; 0: 16 million, or 4 a person if that is more */
} tacit_linkage_files;

typedef struct tacit_linkage tacit_linkage;

/* Columns that two registers share must be coded. TACIT_INVALID where nothing is shared, or a
 * register shares no column with those before it; TACIT_LIMIT where rows become too many; and what
 * lineages refuse. */
tacit_status tacit_linkage_new(tacit_linkage **out, const tacit_linkage_files *files,
                               const tacit_run *run, tacit_error *err);
void tacit_linkage_free(tacit_linkage *linkage);

/* The case, with a k of 2 and no truth, which the caller may change; it borrows from the linkage.
 * And which of the files' columns its columns are. */
tacit_link_case tacit_linkage_case(const tacit_linkage *linkage);
const int32_t *tacit_linkage_columns(const tacit_linkage *linkage);

#ifdef __cplusplus
}
#endif
#endif
