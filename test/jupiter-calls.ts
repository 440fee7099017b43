import { type AccountMeta, AccountRole, type Address, getBase16Codec } from "@solana/kit";
import {
  type FullInstruction,
  instruction,
  readonly,
  signer,
  writable,
} from "../src/solana/encoding/instruction.ts";
import { keypairFromSeed } from "../src/solana/encoding/keys.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import {
  deriveMultisig,
  deriveSpendingLimit,
  deriveVault,
  SQUADS_PROGRAM,
} from "../src/solana/programs/squads.ts";
import { parseBuildResponse } from "../src/venues/jupiter/http-router.ts";
import {
  JUPITER_INSTANCE,
  JUPITER_PROGRAM,
  quoteToken,
  type SpotToken,
} from "../src/venues/jupiter/instance.ts";
import type { VenueAccount } from "../src/venues/venue.ts";
import recorded from "./recorded/jupiter-build.json" with { type: "json" };
import vectors from "./vectors.json" with { type: "json" };

const addressNamed = (n: number): Address => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const multisig = deriveMultisig(addressNamed(3)).address;

/** The agent whose swap the router's recorded answer is. */
export const swapper: VenueAccount = {
  owner: addressNamed(1),
  multisig,
  vault: deriveVault(multisig).address,
  tradingKey: addressNamed(2),
  subAccountId: 0,
  marketId: "SOL",
};

const { vault, tradingKey } = swapper;
const usdc = quoteToken(JUPITER_INSTANCE);

/** Returns a wallet's own account of a token. */
export const accountOf = (wallet: Address, { mint, tokenProgram }: SpotToken): Address =>
  associatedTokenAddress(wallet, mint, tokenProgram);

const ROLES: Readonly<Record<string, AccountRole>> = {
  r: AccountRole.READONLY,
  w: AccountRole.WRITABLE,
  s: AccountRole.READONLY_SIGNER,
};

/** Places of a draw's figures in its data, as Squads' own client writes them. */
export const DRAW = { amount: 8, decimals: 16 } as const;

/** Returns a draw with order, roles and bytes of Squads' own client, for other accounts and another amount. */
export function draw(amount: bigint, token: SpotToken = usdc): FullInstruction {
  const [golden] = vectors.squads["use spending limit: 60 USDC"];
  if (golden === undefined) throw new Error("The golden vectors have no draw");
  const { delegate } = vectors.keys;
  const ours: Readonly<Record<string, Address>> = {
    [vectors.pdas.multisig]: multisig,
    [delegate]: tradingKey,
    [vectors.pdas.spendingLimit]: deriveSpendingLimit(multisig, token.mint).address,
    [vectors.pdas.vault]: vault,
    [vectors.pdas.vaultUsdc]: accountOf(vault, token),
    [associatedTokenAddress(delegate as Address, usdc.mint)]: accountOf(tradingKey, token),
    [usdc.mint]: token.mint,
    [usdc.tokenProgram]: token.tokenProgram,
  };
  const accounts = golden.accounts.map(([address = "", role = ""]): AccountMeta => {
    const found = ROLES[role];
    if (found === undefined) throw new Error(`A golden draw has no role ${role}`);
    return { address: ours[address] ?? (address as Address), role: found };
  });
  const data = Uint8Array.from(getBase16Codec().encode(golden.data));
  const view = new DataView(data.buffer);
  view.setBigUint64(DRAW.amount, amount, true);
  view.setUint8(DRAW.decimals, token.decimals);
  return instruction(SQUADS_PROGRAM, accounts, data);
}

/** Places of a swap's figures in the router's bytes, and how many accounts stand before the pools'. */
export const SWAP = {
  inAmount: 8,
  quoted: 16,
  slippage: 24,
  fee: 26,
  gain: 28,
  fixed: 10,
} as const;

interface SwapFigures {
  readonly from?: SpotToken;
  readonly to?: SpotToken;
  readonly inAmount?: bigint;
  readonly quoted?: bigint;
  readonly slippageBps?: number;
}

/** What the recorded swap pays and takes: 150 USDC for at least 0.988416122 SOL. */
export const RECORDED = { inAmount: 150_000_000n, quoted: 998_400_123n, slippageBps: 100 } as const;

/** Returns the router's recorded swap with other tokens and figures written at their places. */
export function swap(figures: SwapFigures = {}): FullInstruction {
  const { swapInstruction: made } = parseBuildResponse(JSON.stringify(recorded));
  const sol = JUPITER_INSTANCE.assets[0] ?? usdc;
  const { from = usdc, to = sol, inAmount, quoted, slippageBps } = { ...RECORDED, ...figures };
  const ours: Readonly<Record<string, Address>> = {
    [accountOf(tradingKey, usdc)]: accountOf(tradingKey, from),
    [accountOf(vault, sol)]: accountOf(vault, to),
    [usdc.mint]: from.mint,
    [sol.mint]: to.mint,
  };
  const programs = [from.tokenProgram, to.tokenProgram];
  const accounts = made.accounts.map((meta, at) => ({
    ...meta,
    address:
      (at === 5 || at === 6 ? programs[at - 5] : undefined) ?? ours[meta.address] ?? meta.address,
  }));
  const data = Uint8Array.from(made.data);
  const view = new DataView(data.buffer);
  view.setBigUint64(SWAP.inAmount, inAmount, true);
  view.setBigUint64(SWAP.quoted, quoted, true);
  view.setUint16(SWAP.slippage, slippageBps, true);
  return instruction(made.programAddress, accounts, data);
}

/** Discriminator of `shared_accounts_route_v2`, and an id of the program's own accounts behind it. */
const SHARED = [0xd1, 0x98, 0x53, 0x93, 0x7c, 0xfe, 0xd8, 0xe9, 3];

/** Returns the same swap through the program's own accounts, in the order of the program's interface. */
export function sharedSwap(figures: SwapFigures = {}): FullInstruction {
  const { accounts, data } = swap(figures);
  const [authority, source, , from, to, fromProgram, toProgram, destination, events, program] =
    accounts.map(({ address }) => address);
  const named = (address: Address | undefined): Address => {
    if (address === undefined) throw new Error("The recorded swap lacks an account");
    return address;
  };
  const theirs = [4, 5, 6].map(addressNamed);
  return instruction(
    JUPITER_PROGRAM,
    [
      readonly(named(theirs[0])),
      signer(named(authority)),
      writable(named(source)),
      writable(named(theirs[1])),
      writable(named(theirs[2])),
      writable(named(destination)),
      ...[from, to, fromProgram, toProgram, events, program].map((each) => readonly(named(each))),
      ...accounts.slice(SWAP.fixed),
    ],
    [...SHARED, ...data.slice(8)],
  );
}

/** Returns `TransferChecked` in the token program's own layout: 12, the amount, the decimals. */
export function transferToVault(token: SpotToken, amount: bigint): FullInstruction {
  const data = new Uint8Array(10);
  const view = new DataView(data.buffer);
  view.setUint8(0, 12);
  view.setBigUint64(1, amount, true);
  view.setUint8(9, token.decimals);
  const [source, destination] = [accountOf(tradingKey, token), accountOf(vault, token)];
  return instruction(
    token.tokenProgram,
    [writable(source), readonly(token.mint), writable(destination), signer(tradingKey)],
    data,
  );
}
