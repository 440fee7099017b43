import { availableParallelism, loadavg } from "node:os";

/** A machine busier than this is measured as this busy, so that what hangs still ends. */
const MOST = 10;

/**
 * Returns a time limit for this machine as it is now, in milliseconds: what stops something that hangs on an idle machine,
 * as many times longer as processes want a processor.
 */
export const patient = (idleMs: number): number =>
  Math.round(idleMs * Math.min(MOST, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())));
