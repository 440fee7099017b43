/** What the command was asked for. */
export interface ProofOptions {
  readonly kills: number;
  /** Decides moments and victims; drawn when absent. */
  readonly seed: number | null;
  /** Servers on one PostgreSQL; one server keeps its own database. */
  readonly servers: number;
  /** Rounds in which the server stays dead while stops fire at the exchange; 0: kills under alerts instead. */
  readonly stops: number;
}

/** The command was called with something it does not know; the message is one line. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}

const LIMITS = {
  kills: { least: 1, most: 100_000 },
  seed: { least: 0, most: 4_294_967_295 },
  servers: { least: 1, most: 9 },
  stops: { least: 1, most: 1_000 },
} as const;

type Name = keyof typeof LIMITS;

const USAGE = "npm run prove -- [--kills 100] [--seed N] [--servers 1] [--stops 50]";

const isName = (name: string): name is Name => Object.hasOwn(LIMITS, name);

/** Reads `--kills 1000` or `--kills=1000`, and so on; throws `OptionError`. */
export function readOptions(words: readonly string[]): ProofOptions {
  const given = new Map<Name, number>();
  const rest = words.flatMap((word) =>
    word.startsWith("--") && word.includes("=") ? word.split(/=(.*)/s, 2) : [word],
  );
  for (let at = 0; at < rest.length; at += 2) {
    const word = rest[at] ?? "";
    const name = word.replace(/^--/, "");
    if (!word.startsWith("--") || !isName(name)) {
      throw new OptionError(`prove: ${word} is not known; ${USAGE}`);
    }
    const { least, most } = LIMITS[name];
    const text = rest[at + 1] ?? "";
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new OptionError(`prove: ${word} must be a whole number from ${least} to ${most}.`);
    }
    given.set(name, value);
  }
  return {
    kills: given.get("kills") ?? 100,
    seed: given.get("seed") ?? null,
    servers: given.get("servers") ?? 1,
    stops: given.get("stops") ?? 0,
  };
}
