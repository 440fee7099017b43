import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { strictestOf, type TradingState } from "../../domain/trading-state.ts";
import { makeFolder } from "./open-secret.ts";

/** Names of the files that stop trading, tolerating other case, an extension and surrounding spaces. */
export const SWITCH_FILE = /^\s*(halt|reduce)\s*(?:\..*)?$/i;

const STATES: Readonly<Record<string, TradingState>> = { HALT: "halted", REDUCE: "reducing" };

/** Logs a message once while its cause lasts. */
type Say = (message: string) => void;

/** Whether only root or this account can have made it, as a file: a process that may write none can still make sockets. */
function isOperators(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && [0, process.getuid?.() ?? 0].includes(found.uid);
}

/**
 * Returns a reader of the operator's switch files in the data folder, which work while everything else fails and
 * survive a restart: `HALT` stops every order, `REDUCE` allows closing orders only.
 *
 * Only a plain file of root or of this account counts; one with a misspelled name that the pattern accepts does too.
 * While the folder cannot be read no entry is allowed, and a halt stays in force.
 */
export function createKillSwitch(dataDir: string, say: Say = () => {}): () => TradingState {
  try {
    makeFolder(dataDir);
  } catch {
    // Reported by the first reading, which fails as well
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
      return meant === undefined ? [] : [{ name, meant, counts: isOperators(join(dataDir, name)) }];
    });
    const odd = switches.flatMap(({ name, meant, counts }) => {
      if (!counts)
        return [`"${name}" is no plain file of root or of this account: it does not count`];
      return name === meant ? [] : [`"${name}" is taken for ${meant}`];
    });
    sayOnce(odd.join(", "));
    const counted = switches.filter(({ counts }) => counts);
    last = strictestOf(...counted.map(({ meant }) => STATES[meant] ?? "active"));
    return last;
  };
}
