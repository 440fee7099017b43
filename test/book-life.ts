import type { Address, Instruction, Signature } from "@solana/kit";
import type { Chain, TransactionOutcome } from "../src/solana/chain.ts";
import type { Keypair } from "../src/solana/encoding/keys.ts";
import { transferChecked } from "../src/solana/programs/token.ts";
import { deriveUserStats } from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../src/venues/drift/instance.ts";
import type { VenueAccount } from "../src/venues/venue.ts";
import { lamportsOf, tokensOf } from "./chain-bench.ts";
import {
  bring,
  DOLLAR,
  type ExchangeBench,
  nameDelegate,
  open,
  ownerUsdc,
  settle,
  SOL_BASE,
  START_PRICE,
  take,
  trade,
  userAddress,
  withSol,
} from "./drift-cases/case.ts";
import { openVenue } from "./drift-cases/venue-bench.ts";
import { expectBookedHowever, type Reading } from "./memory-book.ts";
import { tradingKey, multisig, owner, putDollars, stranger } from "./squads-bench.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";

/** Random event; `part` is a percentage of the possible amount. */
export type LifeEvent =
  | { readonly kind: "deposit" | "withdraw" | "gift"; readonly part: number }
  | { readonly kind: "long" | "short"; readonly part: number }
  | { readonly kind: "settle"; readonly isStranger: boolean }
  | { readonly kind: "price"; readonly percent: number }
  | { readonly kind: "wait"; readonly hours: number };

/** The owner's key stands in for the vault; the multisig address is unused. */
const ACCOUNT: VenueAccount = {
  owner: stranger.address,
  multisig,
  vault: owner.address,
  tradingKey: tradingKey.address,
  subAccountId: 0,
};

const WATCHED = [owner.address, ownerUsdc, userAddress, deriveUserStats(IDS, owner.address)];
const GIFTS = associatedTokenAddress(stranger.address, IDS.quote.mint);

/** Runs a sequence of events on the exchange and asserts after every read that the ledger equals the chain. */
export async function liveAndBook(
  bench: ExchangeBench,
  events: readonly LifeEvent[],
  reading: Reading,
): Promise<void> {
  const { venue, clock } = await openVenue(bench, ACCOUNT);
  const landed: TransactionOutcome[] = [];
  let price = START_PRICE;

  const send = async (key: Keypair, instructions: readonly Instruction[]): Promise<void> => {
    bench.nextSlot();
    const before = await state();
    const { error, logs } = await bench.send([key], instructions);
    const after = await state();
    const slot = BigInt(landed.length + 1);
    landed.push({
      signature: `transaction-${slot}` as Signature,
      slot,
      blockTime: (await bench.time()).unixTime,
      error: error === null ? null : { kind: "transaction", name: "AccountNotFound" },
      logs,
      feeLamports: 0n,
      lamportDeltas: new Map(
        WATCHED.map((address, at) => [
          address,
          (after.lamports[at] ?? 0n) - (before.lamports[at] ?? 0n),
        ]),
      ),
      tokenDeltas: [
        {
          account: ownerUsdc,
          mint: IDS.quote.mint,
          owner: owner.address,
          delta: after.tokens - before.tokens,
        },
      ],
    });
  };
  const state = async () => ({
    lamports: await Promise.all(WATCHED.map((address) => lamportsOf(bench, address))),
    tokens: await tokensOf(bench, ownerUsdc),
  });

  await putDollars(bench, owner.address, 2_000n * DOLLAR);
  await putDollars(bench, stranger.address, 1_000n * DOLLAR);
  const opening = (await venue.readLedger(ACCOUNT)).balances;
  await send(owner, [...open(), nameDelegate(), bring(1_000n * DOLLAR)]);

  for (const event of events) await live(event);

  async function live(event: LifeEvent): Promise<void> {
    const dollars = (part: number) => BigInt(part) * 5n * DOLLAR + 1n;
    switch (event.kind) {
      case "deposit":
        return send(owner, [bring(dollars(event.part))]);
      case "withdraw":
        return send(owner, [take(dollars(event.part), withSol, true)]);
      case "gift": {
        const amount = BigInt(event.part) + 1n;
        const accounts = { source: GIFTS, destination: ownerUsdc, owner: stranger.address };
        return send(stranger, [gift(accounts, amount)]);
      }
      case "long":
      case "short": {
        const size = (BigInt(event.part) * 6n * SOL_BASE) / 100n / 100_000_000n;
        const base = (size === 0n ? 1n : size) * 100_000_000n;
        return send(tradingKey, [trade(event.kind, base, { price })]);
      }
      case "settle":
        return send(event.isStranger ? stranger : tradingKey, [
          settle(event.isStranger ? stranger : tradingKey),
        ]);
      case "price":
        price += (price * BigInt(event.percent)) / 100n;
        return bench.setPrice(price);
      case "wait":
        clock.ms += event.hours * 3_600_000;
        bench.advance(event.hours * 3_600);
        return bench.setPrice(price);
    }
  }

  await expectBookedHowever({ venue, account: ACCOUNT, clock, opening, landed, nodeOf }, reading);
}

function gift(
  { source, destination, owner: from }: Record<"source" | "destination" | "owner", Address>,
  amount: bigint,
): Instruction {
  return transferChecked(
    { source, destination, mint: IDS.quote.mint, authority: from },
    { amount, decimals: IDS.quote.decimals },
  );
}

/** Returns a node that lists each transaction under every account, newest first. */
function nodeOf(landed: readonly TransactionOutcome[]): Chain {
  const newestFirst = landed.map(({ signature }) => signature).toReversed();
  const node: Pick<Chain, "progress" | "historyStart" | "signaturesFor" | "transaction"> = {
    historyStart: async () => 0n,
    progress: async () => ({ slot: 1_000_000n, blockHeight: 0n }),
    async signaturesFor(_address, limit, { before } = {}) {
      const at = before === undefined ? 0 : newestFirst.indexOf(before) + 1;
      return newestFirst.slice(at, at + limit);
    },
    transaction: async (signature) =>
      landed.find((outcome) => outcome.signature === signature) ?? null,
  };
  return { ...node, withOneNode: (work) => work(node as Chain) } as Chain;
}
