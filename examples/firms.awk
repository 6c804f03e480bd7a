# firms.awk - makes up the firms of examples/firms.csv: awk -f firms.awk
#
# None of them does business anywhere. Park and Miller's generator makes the same
# file everywhere. A few are large, and some belong to the same owner, so that
# a table of their turnover has cells in which one of them can be recognized.

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

# Thousands a year, most of them small.
function turnover(    small) {
    small = 20 + draw(400)
    return draw(8) == 0 ? small * (3 + draw(25)) : small
}

BEGIN {
    state = 31
    print "firm,owner,district,branch,turnover"
    for (i = 1; i <= 240; i++)
        printf "F%03d,O%03d,%s,%s,%d\n", i, draw(12) == 0 ? 1 + draw(i) : i,
            choose("Aldmoor 30 Brindle 22 Cairn 12 Dunholm 28 Estley 8 Farrow 20 Gorse 16 Hythe 10"),
            choose("farming 20 mining 4 food 18 machines 14 building 22 trade 30 hotels 12"),
            turnover()
}
