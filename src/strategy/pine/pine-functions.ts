/** Helper functions and variables of a script by name, in order of dependency. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
  above: [
    "// Figures within a billionth of each other are equal",
    "above(float a, float b) =>",
    "    a - b > 1e-9 * math.max(math.abs(a), math.abs(b))",
  ],
  crosses: [
    "crosses(float a, float b, float aBefore, float bBefore) =>",
    "    above(a, b) and not na(aBefore - bBefore) and not above(aBefore, bBefore)",
  ],
  rises: [
    "rises(float x, int bars) =>",
    "    bool all = true",
    "    for i = 0 to bars - 1",
    "        if not above(x[i], x[i + 1])",
    "            all := false",
    "    all",
  ],
  falls: [
    "falls(float x, int bars) =>",
    "    bool all = true",
    "    for i = 0 to bars - 1",
    "        if not above(x[i + 1], x[i])",
    "            all := false",
    "    all",
  ],
  DAY: ["// One day in milliseconds; all times are UTC", "DAY = 86400000"],
  isOn: [
    "// Days of the week from 1, Monday",
    "isOn(int day, string days) =>",
    "    str.contains(days, str.tostring((day + 3) % 7 + 1))",
  ],
  inSession: [
    "inSession(int from, int length, string days) =>",
    "    int day = int(math.floor((time_close - from) / DAY))",
    "    time_close - from - day * DAY < length and isOn(day, days)",
  ],
  isDue: [
    "isDue(int at, string days) =>",
    "    bool due = false",
    "    int day = int(math.floor((time_close - at) / DAY))",
    "    int before = nz(time_close[1], time_close)",
    "    while day * DAY + at > before",
    "        if isOn(day, days)",
    "            due := true",
    "        day -= 1",
    "    due",
  ],
  barNumber: [
    "barNumber(int length, int anchor) =>",
    "    int day = length > DAY ? 0 : int(math.floor(time / DAY))",
    "    int inDay = int(math.floor((time - anchor - day * DAY) / length))",
    "    day * int(math.floor((DAY + length - 1) / length)) + inDay",
  ],
  follows: [
    "// Across a gap of bars figures cannot be compared with those of the bar before",
    "follows = time == time_close[1]",
  ],
  sumOf: [
    "// Unlike a running sum it is exactly zero where all values are",
    "sumOf(float x, int bars) =>",
    "    float sum = 0",
    "    for i = 0 to bars - 1",
    "        sum += x[i]",
    "    sum",
  ],
  isNewDay: ["isNewDay = math.floor(time / DAY) != math.floor(nz(time[1], time) / DAY)"],
};

/** Returns the lines of the helpers that the given lines use, including indirectly used ones. */
export function helpersFor(lines: readonly string[]): readonly string[] {
  let all = [...lines];
  // Later helpers use only earlier ones
  for (const [name, helper] of Object.entries(HELPERS).toReversed()) {
    const isUsed = all.some((line) => new RegExp(String.raw`\b${name}\b`).test(line));
    if (isUsed) all = [...helper, ...all];
  }
  return all.slice(0, all.length - lines.length);
}
