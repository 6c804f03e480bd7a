/*
 * test_text_template_file.c - the notation of templates: what each sign stands for, and
 * what is said of a line that is none.
 */
#include "template_marks.h"

#include "text/template/tree.h"

/* What one template finds in a text, with < and > around it; the shipped ones are left out. */
static void find(char *found, const char *template, const char *text)
{
    char line[256];
    marks m;
    snprintf(line, sizeof line, "# one\n\nlicence 77 %s\r\n", template);
    marks_open(&m, line);
    marks_propose(&m, text);
    size_t count = tacit__templates_count(m.templates);
    const char *rule = tacit__templates_text(m.templates, count - 1);
    assert_string_equal(rule, template);
    assert_int_equal(tacit__templates_kind(m.templates, count - 1), TACIT_TEXT_LICENCE);
    assert_int_equal(tacit__templates_likelihood(m.templates, count - 1), 77);
    *found = '\0';
    for (size_t i = 0; i < m.proposals.count; i++)
        if (m.proposals.items[i].rule == rule) {
            const tacit__proposal *p = &m.proposals.items[i];
            sprintf(found + strlen(found), "<%.*s>", (int)(p->end - p->start), text + p->start);
        }
    marks_close(&m);
}

static void notation(void **state)
{
    (void)state;
    static const struct {
        const char *template, *text, *found;
    } cases[] = {
        {"ddd-dddd", "255-1423 or 255-1424", "<255-1423><255-1424>"},
        {"ddd - dddd", "255 -  1423", "<255 -  1423>"},
        {"ddd-dddd", "1255-1423 255-14234 a255-1423", ""},    /* words go on */
        {"ddd-dddd", "1-255-1423 255-1423-7 2.255-1423", ""}, /* numbers go on */
        {"~ddd-dddd~", "1-255-1423-7", "<255-1423>"},         /* and may */
        {"ddd-dddd",
         "255\xe2\x80\x93"
         "1423",
         "<255\xe2\x80\x93"
         "1423>"}, /* a dash */
        {"o'clock",
         "o\xe2\x80\x99"
         "clock",
         "<o\xe2\x80\x99"
         "clock>"},
        {"ext* d*", "Extension 1423, ext.5, EXT: 12", "<Extension 1423><ext.5><EXT: 12>"},
        {"ext * d", "ext abc7 5", "<ext abc7 5>"},
        {"d*2-3x", "1x 12x 123x 1234x", "<12x><123x>"},
        {"d*2+x", "1x 12x 1234567x", "<12x><1234567x>"},
        {"d*2/d", "12/3 1/2", "<12/3>"},
        {"{a, bc}*2", "abc bca aa a", "<abc><bca><aa>"},
        {"{tel, telephone, telex}", "tel telephone telex tele", "<tel><telephone><telex>"},
        {"a[b]c", "ac abc abbc", "<ac><abc>"},
        {"a[ b, c]", "a b ac a", "<a b><ac><a>"},
        {"\?\?-&&-^^", "ab-c3-DE ab-c3-de", "<ab-c3-DE>"},
        {"a_b", "a b a\nb a \r\n b ab", "<a b><a\nb><a \r\n b>"},
        {"\"Ab\"c", "AbC abc", "<AbC>"},
        {"\\d\\?", "D? d? 5?", "<D?><d?>"},
        {"room <d*>", "Room 5, room 77", "<5><77>"},
        {"<d*> beds", "5 beds 6 bed", "<5>"},
        {"a <b> c", "a b c", "<b>"},
        {"no. <d*>", "no. 3 4", "<3>"},
        {"(d)", "(5) ((6))", "<(5)><(6)>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[256];
        find(found, cases[i].template, cases[i].text);
        assert_string_equal(found, cases[i].found);
    }
}

/* Names of the shipped file can be used and replaced. */
static void names(void **state)
{
    (void)state;
    marks m;
    marks_open(&m, "reference 99 zz@month\n@month = {brumaire}\nreference 98 zz@month\n");
    assert_true(marks_hold(&m, "<zzMay|reference> <zzbrumaire|reference>"));
    marks_close(&m);
}

static void errors(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int line, column;
        const char *says;
    } cases[] = {
        {"dat 90 d", 1, 1, "no kind is called 'dat'"},
        {"\n# x\n  date ninety d", 3, 8, "no check is called 'ninety'"},
        {"date 101 d", 1, 6, "not a likelihood '101'"},
        {"date", 1, 5, "not a likelihood ''"},
        {"date 90", 1, 8, "nothing stands before ''"},
        {"date 90 {a, }", 1, 13, "nothing stands before '}'"},
        {"date 90 {a, b", 1, 9, "never closed '{a, b'"},
        {"date 90 [a", 1, 9, "close it with ]"},
        {"date 90 a <b", 1, 11, "never closed '<b'"},
        {"date 90 {<a>}", 1, 10, "no span can start"},
        {"date 90 <a> <b>", 1, 13, "no span can start"},
        {"date 90 x<[d]>", 1, 14, "the span may be empty"},
        {"@a = <b>", 1, 6, "no span can start"},
        {"date 90 a}", 1, 10, "unexpected '}'"},
        {"date 90 a~b", 1, 10, "unexpected '~'"},
        {"date 90 @nothing", 1, 9, "nothing is called '@nothing'"},
        {"@a b", 1, 4, "write = after the name"},
        {"@a_b = c", 1, 1, "not a name '@a_b'"},
        {"date 90 \"abc", 1, 9, "text without an end"},
        {"date 90 \"\"", 1, 10, "nothing between quotes"},
        {"date 90 a\\", 1, 11, "nothing follows the backslash"},
        {"date 90 {a}*", 1, 12, "say how often"},
        {"date 90 d*3-2", 1, 10, "an impossible repetition '*3-2'"},
        {"date 90 d*999", 1, 11, "from 0 to 200"},
        {"date 90 ab*2", 1, 12, "put it into braces"},
        {"date 90 [a]", 1, 12, "matches nothing at all"},
        {"date 90 {{{d*200}*200}*200}*200", 1, 22, "too large"},
        {"date 90 {{{{{{{{{{{{{{{{{{{{{a}}}}}}}}}}}}}}}}}}}}}", 1, 30, "nested too deep"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacit__templates *templates = NULL;
        tacit_error err = {0};
        assert_int_equal(tacit__templates_new(&templates, tacit_strview_of(cases[i].source), &err),
                         TACIT_PARSE);
        assert_null(templates);
        if (err.line != cases[i].line || err.column != cases[i].column ||
            !strstr(err.message, cases[i].says))
            fail_msg("%s: %d:%d: %s", cases[i].source, (int)err.line, (int)err.column, err.message);
        assert_string_equal(err.file, "templates");
    }
}

/* A line that is too long, and names within names that grow without end. */
static void limits(void **state)
{
    (void)state;
    char line[TACIT__TEMPLATE_LINE + 100], growing[1024] = "@a = dddddddd\n";
    tacit__templates *templates = NULL;
    tacit_error err = {0};
    memset(line, 'a', sizeof line);
    memcpy(line, "date 90 ", 8);
    assert_int_equal(tacit__templates_new(&templates, (tacit_strview){line, sizeof line}, &err),
                     TACIT_PARSE);
    assert_non_null(strstr(err.message, "too long"));
    for (int i = 0; i < 40; i++)
        strcat(growing, "@a = @a@a\n");
    err = (tacit_error){0};
    assert_int_equal(tacit__templates_new(&templates, tacit_strview_of(growing), &err),
                     TACIT_PARSE);
    assert_non_null(strstr(err.message, "too large"));
    assert_null(templates);
}

static void checks(void **state)
{
    (void)state;
    static const struct {
        const char *check, *passes, *fails;
    } cases[] = {
        {"luhn", "4111 1111 1111 1111", "4111 1111 1111 1112"},
        {"luhn", "79927398713", "0000"},
        {"mod97", "GB82 WEST 1234 5698 7654 32", "GB83 WEST 1234 5698 7654 32"},
        {"aba", "021000021", "021000022"},
        {"aba", "011000015", "000000000"},
        {"date", "2/29/91", "2/30/91"},
        {"date", "31.12.1999", "31.11.1999"},
        {"date", "1999-12-31", "1999-13-31"},
        {"date", "10/26", "32/5"},
        {"date", "99-05-26", "99-26-05"},
        {"packed", "19940226", "19941326"},
        {"packed", "02261994", "99991994"},
        {"packed", "940226", "941301"},
        {"day", "31", "32"},
        {"ipv4", "1.2.3.255", "1.2.3.256"},
        {"ssn", "123-45-6789", "000-45-6789"},
        {"ssn", "900-45-6789", "123-00-6789"},
        {"age", "120", "121"},
        {"age", "forty", "999999999999"},
        {"number", "255-1423", "555-5555"},
        {"phone", "255-1423", "255-142"},
        {"digit", "A1", "AB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacit__check check = tacit__check_of(tacit_strview_of(cases[i].check));
        assert_non_null(check);
        assert_non_null(strstr(tacit__check_names, cases[i].check));
        if (!check(tacit_strview_of(cases[i].passes)) || check(tacit_strview_of(cases[i].fails)))
            fail_msg("%s: %s, %s", cases[i].check, cases[i].passes, cases[i].fails);
    }
    assert_null(tacit__check_of(tacit_strview_of("luh")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notation), cmocka_unit_test(names),  cmocka_unit_test(errors),
        cmocka_unit_test(limits),   cmocka_unit_test(checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
