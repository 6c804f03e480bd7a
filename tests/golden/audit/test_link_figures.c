/*
 * test_link_figures.c - Figures 18 to 21 of Sweeney, Computational Disclosure Control, as cases of
 * the protection models, with the people of Figure 23, and the two examples of 4.3: the identity
 * release and the complete suppression. And Figure 16's reasoning on Governor Weld, whose birth
 * date six people had, three of them men, one of those in his ZIP.
 *
 * The population is Dan, Don, Dave, Ann, Abe and Al; the subjects are Ann, Abe and Al, whose
 * records are the first, second and third.
 */
#include "linked.h"

/* E of Figure 23 knows the subjects; the others of P are real as well. */
#define SUBJECTS "Ann,10/2/61,02139\nAbe,7/14/61,02139\nAl,3/8/61,02138\n"
static const char FIGURE_23[] = "name,birth,ZIP\n" SUBJECTS;
static const char POPULATION[] =
    "name,birth,ZIP\n" SUBJECTS "Dan,5/1/50,02141\nDon,6/2/52,02142\nDave,7/3/54,02141\n";
static const uint32_t TRUTH[] = {0, 1, 2};

typedef struct figure {
    const char *name, *release;
    bool by_name;                                  /* the release has names, too */
    tacit_link_verdict k_map, null_map, wrong_map; /* k is 2 */
    int64_t people[3];                             /* whom each record maps to */
    int64_t right, wrong;
} figure;

static const figure FIGURES[] = {
    {"Figure 18, de-identification",
     "birth,ZIP,diagnosis\n10/2/61,02139,Cardiac\n"
     "7/14/61,02139,Cancer\n3/8/61,02138,Liver\n",
     false,
     TACIT_LINK_BROKEN,
     TACIT_LINK_BROKEN,
     TACIT_LINK_BROKEN,
     {1, 1, 1},
     3,
     0},
    {"Figure 19, encryption",
     "name,birth,ZIP,diagnosis\nJcd,a8f1,9e0,Cardiac\n"
     "Jwq,77c2,9e0,Cancer\nJxy,b0d3,41a,Liver\n",
     true,
     TACIT_LINK_BROKEN,
     TACIT_LINK_HOLDS,
     TACIT_LINK_BROKEN,
     {0, 0, 0},
     0,
     0},
    {"Figure 20, swapping as a unit",
     "name,birth,ZIP,diagnosis\nAl,3/8/61,02138,Cardiac\n"
     "Ann,10/2/61,02139,Cancer\nAbe,7/14/61,02139,Liver\n",
     true,
     TACIT_LINK_BROKEN,
     TACIT_LINK_BROKEN,
     TACIT_LINK_HOLDS,
     {1, 1, 1},
     0,
     3},
    {"Figure 21, generalization",
     "birth,ZIP,diagnosis\n*,0213*,Cardiac\n*,0213*,Cancer\n"
     "*,0213*,Liver\n",
     false,
     TACIT_LINK_HOLDS,
     TACIT_LINK_BROKEN,
     TACIT_LINK_BROKEN,
     {3, 3, 3},
     0,
     0},
    {"4.3, identity release",
     "name,birth,ZIP,diagnosis\nAnn,10/2/61,02139,Cardiac\n"
     "Abe,7/14/61,02139,Cancer\nAl,3/8/61,02138,Liver\n",
     true,
     TACIT_LINK_BROKEN,
     TACIT_LINK_BROKEN,
     TACIT_LINK_BROKEN,
     {1, 1, 1},
     3,
     0},
};

static void open_figure(linked *l, const figure *f, const char *people)
{
    linked_open(l, f->release, people);
    if (f->by_name)
        linked_by(l, "name", &LINKED_PLAIN);
    linked_by(l, "birth", &LINKED_PLAIN);
    linked_by(l, "ZIP", &LINKED_MASK);
}

static void check_figure(const figure *f, const char *people)
{
    linked l;
    open_figure(&l, f, people);
    linked_run(&l, TRUTH, 2);
    print_message("%s\n", f->name);
    assert_int_equal(l.link->k_map, f->k_map);
    assert_int_equal(l.link->null_map, f->null_map);
    assert_int_equal(l.link->wrong_map, f->wrong_map);
    for (int64_t record = 0; record < 3; record++)
        assert_int_equal(linked_people(&l, record), f->people[record]);
    assert_int_equal(l.link->truth.right, f->right);
    assert_int_equal(l.link->truth.wrong, f->wrong);
    linked_close(&l);
}

static void test_figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
        check_figure(&FIGURES[i], FIGURE_23);
        check_figure(&FIGURES[i], POPULATION);
    }
}

/* Who does not know the subjects can say less, and never that swapping protects. */
static void test_figures_without_truth(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
        const figure *f = &FIGURES[i];
        bool mapped = f->people[0] > 0;
        linked l;
        open_figure(&l, f, POPULATION);
        linked_run(&l, NULL, 2);
        assert_int_equal(l.link->k_map, f->k_map);
        assert_int_equal(l.link->null_map, mapped ? TACIT_LINK_UNKNOWN : TACIT_LINK_HOLDS);
        assert_int_equal(l.link->wrong_map, mapped ? TACIT_LINK_UNKNOWN : TACIT_LINK_BROKEN);
        assert_int_equal(l.link->records_one, f->people[0] == 1 ? 3 : 0);
        linked_close(&l);
    }
}

/* The tuple of Figure 21 links to both Al and Ann; in Figure 23's register it is one of three. */
static void test_generalized_tuple(void **state)
{
    (void)state;
    linked l;
    linked_open(&l, "birth,ZIP,diagnosis\n*,0213*,Cardiac\n",
                "name,birth,ZIP\nAnn,10/2/61,02139\nAl,3/8/61,02138\nDan,5/1/50,02141\n");
    linked_by(&l, "birth", &LINKED_PLAIN);
    linked_by(&l, "ZIP", &LINKED_MASK);
    linked_run(&l, NULL, 2);
    assert_int_equal(linked_people(&l, 0), 2);
    assert_int_equal(l.link->k_map, TACIT_LINK_HOLDS);
    linked_close(&l);
}

/* A blank table: every tuple could be everybody, and everybody every tuple. */
static void test_complete_suppression(void **state)
{
    (void)state;
    linked l;
    linked_open(&l, "name,birth,ZIP,diagnosis\n*,*,*,*\n*,*,*,*\n*,*,*,*\n", FIGURE_23);
    linked_by(&l, "name", &LINKED_PLAIN);
    linked_by(&l, "birth", &LINKED_PLAIN);
    linked_by(&l, "ZIP", &LINKED_MASK);
    linked_run(&l, TRUTH, 3);
    assert_int_equal(l.link->classes, 1);
    assert_int_equal(l.link->smallest, 3);
    assert_int_equal(l.link->k_map, TACIT_LINK_HOLDS);
    assert_int_equal(l.link->records_one, 0);
    assert_int_equal(l.link->people_by_records[3], 3); /* each could be all three records */
    assert_int_equal(l.link->truth.to_own, 3);
    linked_close(&l);
}

/* 2.4.4: six people with his birth date, three of them men, one in his ZIP. */
static const char VOTERS[] = "name,birth,sex,ZIP\nWeld,7/31/45,m,02138\nA,7/31/45,m,02139\n"
                             "B,7/31/45,m,02140\nC,7/31/45,f,02138\nD,7/31/45,f,02139\n"
                             "E,7/31/45,f,02141\nF,1/1/50,m,02138\nG,2/2/51,f,02138\n";

static void test_governor(void **state)
{
    (void)state;
    static const struct {
        const char *release;
        int64_t people;
    } STEPS[] = {{"birth,sex,ZIP\n7/31/45,*,*\n", 6},
                 {"birth,sex,ZIP\n7/31/45,m,*\n", 3},
                 {"birth,sex,ZIP\n7/31/45,m,02138\n", 1}};
    for (int i = 0; i < 3; i++) {
        linked l;
        linked_open(&l, STEPS[i].release, VOTERS);
        linked_by(&l, "birth", &LINKED_PLAIN);
        linked_by(&l, "sex", &LINKED_PLAIN);
        linked_by(&l, "ZIP", &LINKED_MASK);
        linked_run(&l, NULL, 2);
        assert_int_equal(linked_people(&l, 0), STEPS[i].people);
        if (STEPS[i].people == 1)
            assert_int_equal(l.link->only[0], 0);
        linked_close(&l);
    }
}

/* Figure 16's kind of table, on the same eight voters. */
static void test_uniqueness(void **state)
{
    (void)state;
    static const struct {
        uint64_t columns;
        int64_t alone;
    } WANT[] = {{1, 2}, {4, 2}, {2, 0}, {5, 4}, {6, 4}, {3, 2}, {7, 8}};
    linked l;
    tacit_link_unique *sets = NULL;
    tacit_error err = {0};
    int32_t count = 0;
    linked_open(&l, "birth,sex,ZIP\n", VOTERS);
    linked_by(&l, "birth", &LINKED_PLAIN);
    linked_by(&l, "sex", &LINKED_PLAIN);
    linked_by(&l, "ZIP", &LINKED_MASK);
    linked_run(&l, NULL, 2);
    assert_int_equal(tacit_link_uniqueness(&sets, &count, &l.c, 3, NULL, &err), TACIT_OK);
    assert_int_equal(count, 7);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(sets[i].columns, WANT[i].columns);
        assert_int_equal(sets[i].alone, WANT[i].alone);
    }
    tacit_link_uniqueness_free(sets);
    linked_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),           cmocka_unit_test(test_figures_without_truth),
        cmocka_unit_test(test_generalized_tuple), cmocka_unit_test(test_complete_suppression),
        cmocka_unit_test(test_governor),          cmocka_unit_test(test_uniqueness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
