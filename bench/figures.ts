import { availableParallelism, loadavg } from "node:os";
import { percentile, type LoadResult } from "./http-load.ts";

export const median = (values: readonly number[]) =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
export const say = (line: string) => process.stdout.write(`${line}\n`);
export const fixed = (value: number, digits = 2) => value.toFixed(digits);
/** Returns the machine's load average of the last minute, including the measurement. */
export const machineLoad = () =>
  `${fixed(loadavg()[0] ?? Number.NaN, 1)} on ${availableParallelism()} cores`;
export const timestamp = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

export function requireOnly(status: number, result: LoadResult, name: string): void {
  const others = [...result.statuses].filter(([code]) => code !== status);
  if (result.again > 0) say(`${name} was sent ${result.again} alerts again after a 5xx answer`);
  if (others.length > 0) throw new Error(`${name} answered ${JSON.stringify(others)}`);
}
