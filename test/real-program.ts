/** A case that runs on the practice chain and, given the program's file, on the real program. */
export interface ProgramCase {
  readonly name: string;
  /** Reason the case does not apply to the real program; absent: it applies. */
  readonly practiceOnly?: string;
}

/** Returns the cases as test rows for the real program: title, case, and the reason it is skipped, which is also in the title. */
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
