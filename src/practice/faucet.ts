import type { Address, Blockhash, Instruction } from "@solana/kit";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../solana/programs/associated-token.ts";
import { setComputeUnitLimit } from "../solana/programs/compute-budget.ts";
import { instruction, signer, writable } from "../solana/encoding/instruction.ts";
import { transferLamports } from "../solana/programs/system.ts";
import { TOKEN_PROGRAM } from "../solana/programs/token.ts";
import { FAUCET, PRACTICE_QUOTE_MINT } from "./genesis.ts";
import { concatBytes, u64Bytes } from "./runtime/bytes.ts";
import { signTransaction } from "./sign-transaction.ts";

/** Limits of one faucet call: 10 SOL and 10,000 quote tokens. */
export const FAUCET_MAX_LAMPORTS = 10_000_000_000n;
export const FAUCET_MAX_QUOTE_UNITS = 10_000_000_000n;

/** Amounts to give, in lamports and quote base units. */
export interface Grant {
  readonly lamports: bigint;
  readonly quoteUnits: bigint;
}

const MINT_TO = 7;
const UNITS = 100_000;

function mintQuote(account: Address, amount: bigint): Instruction {
  return instruction(
    TOKEN_PROGRAM,
    [writable(PRACTICE_QUOTE_MINT), writable(account), signer(FAUCET.address)],
    concatBytes([Uint8Array.of(MINT_TO), u64Bytes(amount)]),
  );
}

/** Returns the faucet's signed transaction. `attempt` distinguishes equal grants under one blockhash. */
export function faucetTransaction(
  owner: Address,
  { lamports, quoteUnits }: Grant,
  blockhash: Blockhash,
  attempt: number,
): Uint8Array {
  const instructions: Instruction[] = [setComputeUnitLimit(UNITS + attempt)];
  if (lamports > 0n) {
    instructions.push(transferLamports({ from: FAUCET.address, to: owner }, lamports));
  }
  if (quoteUnits > 0n) {
    const accounts = { payer: FAUCET.address, owner, mint: PRACTICE_QUOTE_MINT };
    const account = associatedTokenAddress(owner, PRACTICE_QUOTE_MINT);
    instructions.push(createAssociatedTokenIdempotent(accounts), mintQuote(account, quoteUnits));
  }
  return signTransaction([FAUCET], instructions, blockhash);
}
