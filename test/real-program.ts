/** A case that runs on the practice chain and, given the program's file, on the real program. */
export interface ProgramCase {
  readonly name: string;
  /** Why it says nothing about the real program; absent: it holds there as well. */
  readonly practiceOnly?: string;
}

/** The cases as rows for the real program: the title, the case, and why it cannot run here, which the title says too. */
export function onRealProgram<C extends ProgramCase>(
  cases: readonly C[],
  variable: "SQUADS_SO" | "DRIFT_SO",
) {
  const file = process.env[variable];
  const absent = file === undefined ? `${variable} names no program file` : null;
  const rows = cases.map((each) => {
    const reason = each.practiceOnly ?? absent;
    return [
      reason === null ? each.name : `${each.name} [not run: ${reason}]`,
      each,
      reason,
    ] as const;
  });
  return { file: file ?? "", rows };
}
