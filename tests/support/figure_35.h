/*
 * figure_35.h - GT1 of Figure 35 (Sweeney, Computational Disclosure Control), which earlier
 * releases are tried with.
 */
#ifndef TACIT_TESTS_SUPPORT_FIGURE_35_H
#define TACIT_TESTS_SUPPORT_FIGURE_35_H

#define FIGURE_35_HEADER "Race,BirthDate,Gender,ZIP,Problem\n"
#define FIGURE_35_GT1                                                                \
    FIGURE_35_HEADER                                                                 \
    "black,1965,male,02141,short of breath\nblack,1965,male,02141,chest pain\n"      \
    "person,1965,female,0213*,painful eye\nperson,1965,female,0213*,wheezing\n"      \
    "black,1964,female,02138,obesity\nblack,1964,female,02138,chest pain\n"          \
    "white,1964,male,0213*,short of breath\nperson,1965,female,0213*,hypertension\n" \
    "white,1964,male,0213*,obesity\nwhite,1964,male,0213*,fever\n"                   \
    "white,1967,male,02138,vomiting\nwhite,1967,male,02138,back pain\n"

#endif
