import type { Address } from "@solana/kit";

const ENTERED = /^Program (\S+) invoke \[\d+\]$/;
const LEFT = /^Program \S+ (?:success$|failed: )/;

/** The runtime's last line where a transaction logged more than it keeps. */
const CUT = "Log truncated";

/** Returns whether only the beginning of a transaction's log was kept: what it lacks is no proof of anything. */
export const isLogCut = (logs: readonly string[]): boolean => logs.includes(CUT);

/** Returns the lines a program itself logged, in order: other programs in the transaction could log the same text. */
export function linesOf(programId: Address, logs: readonly string[]): readonly string[] {
  const running: string[] = [];
  return logs.filter((line) => {
    const entered = ENTERED.exec(line)?.[1];
    if (entered !== undefined) running.push(entered);
    else if (LEFT.test(line)) running.pop();
    else return running.at(-1) === programId;
    return false;
  });
}
