/** Characters per stream event, about one token. */
export const TOKEN_LENGTH = 4;

const WORDS =
  "the trend holds above its average while volume fades and funding turns so a breakout that fails would close the gap from Monday before buyers return to the range".split(
    " ",
  );

/** Returns a sentence that varies with the seed and is equal in every run. */
function sentence(seed: number, length: number): string {
  return Array.from(
    { length },
    (_, at) => WORDS[(seed * 7 + at * at + at * 3) % WORDS.length] ?? "",
  ).join(" ");
}

function section(at: number): string {
  const rows = Array.from(
    { length: 6 },
    (_, row) =>
      `| ${at}-${row} | ${140 + row}.2${at % 10} | **${row - 2}.4%** | ${sentence(at + row, 3)} |`,
  );
  return [
    `## Part ${at}: ${sentence(at, 4)}`,
    `${sentence(at + 1, 60)}. See [the report](https://news.example/${at}) and \`RSI(${at})\`.`,
    `${sentence(at + 2, 30)}, **${sentence(at + 3, 6)}**, ${sentence(at + 4, 40)}.`,
    Array.from({ length: 7 }, (_, item) => `- ${sentence(at + item, 12)} *${item}*`).join("\n"),
    `| Day | Close | Change | Note |\n|---|--:|--:|---|\n${rows.join("\n")}`,
    `> ${sentence(at + 5, 24)}.`,
    `\`\`\`js\nconst level${at} = ${at};\nif (close > level${at}) open("${sentence(at, 3)}");\n\`\`\``,
  ].join("\n\n");
}

/** A long answer with everything answers have: headings, lists, tables, quotes, code, links. */
export function longAnswer(tokenCount: number): string {
  const length = tokenCount * TOKEN_LENGTH;
  let text = "";
  for (let at = 1; text.length < length; at += 1) text += `${section(at)}\n\n`;
  return text.slice(0, length);
}
