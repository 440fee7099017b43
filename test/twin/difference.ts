/** A difference between the practice chain and the real programs. */
export interface Difference {
  /** What differs, as the table of explained differences names it: `log.only-real …`, `field.User.idle`, … */
  readonly id: string;
  readonly practice: string;
  readonly real: string;
}

/** A row of `docs/practice-differences.md`. */
export interface ExplainedRow {
  readonly id: string;
  /** The runs that need it: `squads`, `native`, `account`, `trade`, … */
  readonly runs: readonly string[];
  readonly reason: string;
}

/** Reads the rows of the table: id (in backticks, `*` stands for anything), runs, what, reason. */
export function parseExplained(markdown: string): readonly ExplainedRow[] {
  return markdown.split("\n").flatMap((line) => {
    const cells = /^\| `(.+?)` +\| ([^|]+)\|([^|]+)\|([^|]+)\|$/.exec(line);
    if (cells === null) return [];
    const [, id = "", runs = "", what = "", reason = ""] = cells;
    if (what.trim() === "" || reason.trim() === "") throw new Error(`No reason is given for ${id}`);
    return [{ id, runs: runs.split(",").map((run) => run.trim()), reason: reason.trim() }];
  });
}

function matcherOf(id: string): RegExp {
  const parts = id.split("*").map((part) => part.replace(/[.\\+?^$|(){}[\]]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

/** Matches differences with the explained rows of one run and records which rows were used. */
export class Explanations {
  readonly #rows: readonly { readonly id: string; readonly matches: RegExp }[];
  readonly #needed = new Set<string>();

  constructor(rows: readonly ExplainedRow[], run: string) {
    this.#rows = rows
      .filter(({ runs }) => runs.includes(run))
      .map(({ id }) => ({ id, matches: matcherOf(id) }));
  }

  /** Returns the differences no row explains. */
  unexplained(differences: readonly Difference[]): readonly Difference[] {
    return differences.filter((difference) => {
      const row = this.#rows.find(({ matches }) => matches.test(difference.id));
      if (row !== undefined) this.#needed.add(row.id);
      return row === undefined;
    });
  }

  /** Returns the rows not used so far. */
  idle(): readonly string[] {
    return this.#rows.map(({ id }) => id).filter((id) => !this.#needed.has(id));
  }
}
