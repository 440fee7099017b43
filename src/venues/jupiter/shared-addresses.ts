import type { Address } from "@solana/kit";
import { ASSOCIATED_TOKEN_PROGRAM } from "../../solana/programs/associated-token.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads-pdas.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { type JupiterInstance, quoteToken } from "./instance.ts";

/** Returns the addresses that all agents' transactions share, programs and mints, for the deployment's lookup table. */
export function sharedAddresses(instance: JupiterInstance): readonly Address[] {
  const tokens = [quoteToken(instance), ...instance.assets];
  return [
    ...new Set([
      SQUADS_PROGRAM,
      ASSOCIATED_TOKEN_PROGRAM,
      SYSTEM_PROGRAM,
      ...tokens.map(({ tokenProgram }) => tokenProgram),
      ...tokens.map(({ mint }) => mint),
    ]),
  ];
}
