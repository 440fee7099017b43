import { SigningRefusedError } from "../../src/server/custody/account/trading-key-signer.ts";
import { ChainUnavailableError, TransactionRefusedError } from "../../src/solana/chain.ts";
import type { Finding } from "../judge/judge.ts";
import type { Run } from "./run.ts";

/** Checks that the servers logged no secret, and only trouble of the chain and refusals of the signer. */
export function judgeProblems({ problems, base }: Run): readonly Finding[] {
  const seeds = base.agents.map(({ id }) => base.keys.of(id).tradingKey.seed);
  const secrets = [base.secret, base.keys.feePayer.seed, ...seeds].map((each) =>
    Buffer.from(each).toString("hex"),
  );
  return problems.flatMap((problem): readonly Finding[] => {
    const text = textOf(problem);
    if (secrets.some((each) => text.includes(each))) {
      return [{ kind: "forbidden", text: "a key was logged" }];
    }
    return isOfTheChain(problem) ? [] : [{ kind: "open", text }];
  });
}

function isOfTheChain(problem: object): boolean {
  const { err, landing } = problem as { readonly err?: unknown; readonly landing?: unknown };
  return (
    landing !== undefined ||
    err instanceof ChainUnavailableError ||
    err instanceof TransactionRefusedError ||
    // A price that moved, or an account another server used, in a pause
    err instanceof SigningRefusedError
  );
}

const textOf = (problem: object): string => {
  const { err } = problem as { readonly err?: unknown };
  if (err instanceof Error) return `${err.stack}`;
  return JSON.stringify(problem, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
};
