# patients.awk - makes up the patients of examples/patients.csv: awk -f patients.awk
#
# Nobody in it lives; names, numbers and illnesses are drawn independently of
# any real person. Park and Miller's generator makes the same file everywhere.

function draw(below) {
    state = state * 48271 % 2147483647
    return int(state / 2147483647 * below)
}

# One of "value weight value weight ...".
function choose(list,    words, count, total, at, i) {
    count = split(list, words, " ")
    for (i = 2; i <= count; i += 2)
        total += words[i]
    at = draw(total)
    for (i = 2; i < count && at >= words[i]; i += 2)
        at -= words[i]
    return words[i - 1]
}

function word(list,    words, count) {
    count = split(list, words, " ")
    return words[draw(count) + 1]
}

function two(number) {
    return number < 10 ? "0" number : number
}

# Adults in a hospital of one town.
function year() {
    return choose("1940 22 1950 30 1960 28 1970 20") + draw(10)
}

function marital(age) {
    if (age < 60)
        return choose("single 18 married 60 divorced 17 separated 5")
    return choose("single 7 married 60 divorced 12 separated 2 widowed 19")
}

function education(age) {
    if (age < 60)
        return choose("secondary 14 diploma 42 associate 8 bachelor 24 master 9 doctorate 3")
    return choose("primary 8 secondary 18 diploma 36 associate 6 bachelor 22 master 8 doctorate 2")
}

function diagnosis(age) {
    if (age < 60)
        return choose("hypertension 28 diabetes 18 asthma 12 fracture 10 depression 12 obesity 12 migraine 8")
    return choose("hypertension 26 diabetes 20 pneumonia 12 arthritis 16 stroke 8 fracture 10 heart-failure 8")
}

BEGIN {
    state = 18
    first["female"] = "Alva Brisa Cilia Dorle Elsin Fenna Garda Hylke Ilvy Jorun Kaisa Liv Merle Nuria Ottla"
    first["male"] = "Anders Birk Corvin Dario Emrik Falko Gerrit Halvar Ivo Jannes Kolja Leif Marek Niklas Oskar"
    last = "Ashwick Brandeli Corvane Dunmarch Elderby Fennimore Galbrai Hartwind Isenfell Jorvik" \
        " Kestrin Lowmere Marlowen Northgale Oakhusen Pellworth Quarrend Rivendal Stormont Thornby"
    print "patient,name,birth,sex,postcode,ethnicity,marital,education,diagnosis,charges"
    for (i = 1; i <= 600; i++) {
        born = year()
        age = 2024 - born
        sex = choose("female 52 male 48")
        printf "P%04d,%s %s,%d-%s-%s,%s,%s,%s,%s,%s,%s,%d.%s\n", i,
            word(first[sex]), word(last), born, two(draw(12) + 1), two(draw(28) + 1), sex,
            choose("02138 25 02139 21 02136 8 02141 20 02142 11 02144 7 02148 8"),
            choose("white 66 black 14 hispanic 11 asian 7 native 2"),
            marital(age), education(age), diagnosis(age),
            200 + draw(90) * draw(90) + draw(500), two(draw(100))
    }
}
