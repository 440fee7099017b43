import { mkdirSync, readdirSync } from "node:fs";
import { strictestOf, type TradingState } from "../domain/trading-state.ts";

/** Files that stop trades, written as a person in a hurry would: other case, an ending, spaces around. */
export const SWITCH_FILE = /^\s*(halt|reduce)\s*(?:\..*)?$/i;

const STATES: Readonly<Record<string, TradingState>> = { HALT: "halted", REDUCE: "reducing" };

/** Says something once for as long as it stays so. */
type Say = (message: string) => void;

/**
 * Returns what the operator allows, read from files in the data folder so that it works while everything else fails
 * and survives a restart: `HALT` stops every order, `REDUCE` lets agents close only.
 *
 * A link that leads nowhere counts, and so does a name that is nearly right. While the folder cannot be read nothing is
 * opened, and what was halted stays so.
 */
export function createKillSwitch(dataDir: string, say: Say = () => {}): () => TradingState {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch {
    // Said with the first reading, which fails as well
  }
  let last: TradingState = "active";
  let said = "";
  const sayOnce = (message: string): void => {
    if (message !== said && message !== "") say(message);
    said = message;
  };
  return () => {
    let names: readonly string[];
    try {
      names = readdirSync(dataDir);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      sayOnce(`DATA_DIR cannot be read (${code}): nothing is opened until it can`);
      return strictestOf("reducing", last);
    }
    const switches = names.flatMap((name) => {
      const meant = SWITCH_FILE.exec(name)?.[1]?.toUpperCase();
      return meant === undefined ? [] : [{ name, meant }];
    });
    const near = switches.filter(({ name, meant }) => name !== meant);
    sayOnce(near.map(({ name, meant }) => `"${name}" is taken for ${meant}`).join(", "));
    last = strictestOf(...switches.map(({ meant }) => STATES[meant] ?? "active"));
    return last;
  };
}
