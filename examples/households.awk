# households.awk - makes up the households of examples/households.csv: awk -f households.awk
#
# None of them lives anywhere. Park and Miller's generator makes the same file everywhere. All
# columns but the last are numbers, so that every technique can be applied to the same ones.

function draw(below) {
    state = state * 48271 % 2147483647
    return int(state / 2147483647 * below)
}

# About normal: the mean of twelve draws, scaled.
function normal(mean, deviation,    i, sum) {
    for (i = 0; i < 12; i++)
        sum += draw(1000) / 1000
    return mean + deviation * (sum - 6)
}

function at_least(number, least) {
    return number < least ? least : number
}

BEGIN {
    state = 17
    print "household,area,age,people,rooms,income,rent,heating"
    for (i = 1; i <= 800; i++) {
        area = 1 + draw(4) * 10 + draw(5)
        age = int(at_least(normal(48, 15), 18))
        people = 1 + int(at_least(normal(age < 30 ? 0.8 : age < 60 ? 2 : 0.7, 1.1), 0))
        rooms = 1 + int(at_least(normal(people + 0.8, 0.9), 0))
        income = int(at_least(normal(1400 + 22 * age + 450 * people, 900), 300))
        if (draw(25) == 0)
            income = income * 3
        rent = int(at_least(normal(180 * rooms + income / 12, 120), 120))
        heating = draw(3) == 0 ? "oil" : draw(2) == 0 ? "gas" : area > 20 ? "wood" : "district"
        printf "H%03d,%d,%d,%d,%d,%d,%d,%s\n", i, area, age, people, rooms, income, rent, heating
    }
}
