/** Returns the number of lines that are neither blank nor only a comment. */
export function countCodeLines(text) {
  let isInComment = false;
  let lines = 0;
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    if (isInComment) {
      isInComment = !line.includes("*/");
    } else if (line.startsWith("/*")) {
      isInComment = !line.includes("*/");
    } else if (line !== "" && !line.startsWith("//")) {
      lines += 1;
    }
  }
  return lines;
}
