import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TradingState } from "../domain/trading-state.ts";

/**
 * Returns what the operator allows, read from files in the data folder so that it works while everything else fails
 * and survives a restart: `HALT` stops every order, `REDUCE` lets agents close only.
 */
export function createKillSwitch(dataDir: string): () => TradingState {
  return () => {
    if (existsSync(join(dataDir, "HALT"))) return "halted";
    return existsSync(join(dataDir, "REDUCE")) ? "reducing" : "active";
  };
}
