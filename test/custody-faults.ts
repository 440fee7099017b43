import { expect } from "vitest";
import { ChainUnavailableError } from "../src/solana/chain.ts";
import { signatureOf } from "../src/solana/signing.ts";
import type { CustodyLife } from "./custody-life.ts";
import { amountOf, type LifeStep } from "./custody-stories.ts";
import type { CustodyWorld } from "./custody-world.ts";
import { setSwapPaused } from "./pause-swap.ts";
import { shownVenue } from "../src/domain/venue-id.ts";
import { setExchangePaused } from "./practice-operator.ts";

/** Step of a custody life to which a fault is applied. */
export interface Struck {
  readonly life: CustodyLife;
  readonly world: CustodyWorld;
  readonly step: LifeStep;
}

type Prepared = Awaited<ReturnType<CustodyWorld["prepare"]>>;

/** Applies a fault and checks the owner's messages; the step may be done or open afterwards. */
type Strike = (struck: Struck) => Promise<void>;

const SLOT_MS = 400;
/** Time after which an expired blockhash is final, in milliseconds. */
const EXPIRY_MS = 190 * SLOT_MS;

const ask = async ({ world, step }: Struck): Promise<Prepared> =>
  world.prepare(step.intent, await amountOf(world, step));

/** Submits the wallet's answer as the page does. */
const handOver = (custody: CustodyWorld["custody"], prepared: Prepared, signed: Uint8Array) =>
  prepared.method === "sign"
    ? custody.acceptSigned(prepared.id, signed)
    : custody.acceptSent(prepared.id, signatureOf(signed));

/** Sends a transaction as a wallet that submits by itself does. */
async function walletSends(world: CustodyWorld, prepared: Prepared, signed: Uint8Array) {
  if (prepared.method === "signAndSend") await world.chain.send(signed);
}

async function expectState(
  { world }: Struck,
  prepared: Prepared,
  state: string,
  reason: string | null = null,
): Promise<void> {
  expect(await world.custody.find(prepared.id)).toMatchObject({ state, reason });
}

async function setPaused(world: CustodyWorld, isPaused: boolean): Promise<void> {
  await setExchangePaused(world.chain, isPaused);
  await setSwapPaused(world.ledger, isPaused);
}

/** Returns a paused venue's refusal of a step; null for steps that do not use it. */
function pausedWords(venue: string, { intent }: LifeStep): string | null {
  if (venue === "jupiter") {
    if (intent === "close-positions") {
      return "Nobody buys SOL through Jupiter now. You can move it to your wallet instead.";
    }
    return intent === "deposit"
      ? "The practice swap is paused: no new positions until it resumes."
      : null;
  }
  if (intent === "deposit") {
    return "Drift has paused deposits, withdrawals, trading: no new positions and no deposits until it resumes.";
  }
  return intent === "withdraw" || intent === "close-positions"
    ? "The exchange is paused. Nothing was sent."
    : null;
}

const shortWords = ({ name }: LifeStep): RegExp =>
  name === "creating the multisig"
    ? /^At least 0\.2 SOL is required to set up a new agent\. Your wallet holds 0\.009 SOL\.$/
    : /^Please add at least 0\.0[12]\d* SOL to pay for transaction fees\. Your wallet holds 0\.009 SOL\.$/;

const LAST_WORDS = "The transaction expired without landing. Nothing was moved.";

/** All faults of a transaction between the request and finality. */
export const FAULTS: readonly (readonly [string, Strike])[] = [
  [
    "the tab is closed before the wallet is asked",
    async (struck) => {
      const left = await ask(struck);
      struck.world.clock.advance(2 * SLOT_MS);
      const next = await ask(struck);
      expect(next).toMatchObject({ multisig: left.multisig, vault: left.vault });
      await expectState(struck, left, "abandoned");
      expect(await struck.world.approve(next)).toMatchObject({ state: "confirmed" });
    },
  ],
  [
    "the tab is closed once the wallet has signed",
    async (struck) => {
      const prepared = await ask(struck);
      await walletSends(struck.world, prepared, struck.world.sign(prepared));
      await struck.world.custody.follow(struck.world.agentId);
      await expectState(
        struck,
        prepared,
        prepared.method === "signAndSend" ? "confirmed" : "prepared",
      );
    },
  ],
  [
    "two tabs ask and both are signed",
    async (struck) => {
      const { world } = struck;
      const one = await ask(struck);
      world.clock.advance(2 * SLOT_MS);
      const other = await ask(struck);
      expect(await world.approve(other)).toMatchObject({ state: "confirmed" });
      if (struck.step.isRepeatable === true) {
        // The owner signed it as well; executing it again sets the same value
        expect(await world.approve(one)).toMatchObject({ state: "confirmed" });
        return;
      }
      await expect(world.approve(one)).rejects.toThrow();
      await world.custody.follow(world.agentId);
      expect(await world.custody.find(one.id)).toMatchObject({ state: "abandoned" });
    },
  ],
  [
    "the server is killed before the wallet is asked",
    async (struck) => {
      const prepared = await ask(struck);
      await struck.world.restart();
      expect(await struck.world.approve(prepared)).toMatchObject({ state: "confirmed" });
    },
  ],
  [
    "the server is killed after the report, before the landing",
    async (struck) => {
      const { world } = struck;
      const prepared = await ask(struck);
      const signed = world.sign(prepared);
      const dying = world.serverOn((chain) => ({
        ...chain,
        send: () => Promise.reject(new ChainUnavailableError("Never left")),
      }));
      expect(await handOver(dying, prepared, signed)).toMatchObject({ state: "sent" });
      await world.restart();
      if (prepared.method === "signAndSend") {
        await expect(ask(struck)).rejects.toMatchObject({ code: "transaction_open" });
      }
      await walletSends(world, prepared, signed);
      await world.custody.follow(world.agentId);
      await expectState(struck, prepared, "confirmed");
    },
  ],
  [
    "the server is killed after the landing, before it is known",
    async (struck) => {
      const { world } = struck;
      const prepared = await ask(struck);
      const signed = world.sign(prepared);
      const dying = world.serverOn((chain) => ({
        ...chain,
        signatureStatuses: () => Promise.reject(new ChainUnavailableError("Gone")),
      }));
      await walletSends(world, prepared, signed);
      expect(await handOver(dying, prepared, signed)).toMatchObject({ state: "sent" });
      await world.restart();
      await world.custody.follow(world.agentId);
      await expectState(struck, prepared, "confirmed");
    },
  ],
  [
    "the node does not answer, and the transaction lands",
    async (struck) => {
      const { world } = struck;
      const prepared = await ask(struck);
      const signed = world.sign(prepared);
      const flaky = world.serverOn((chain) => ({
        ...chain,
        async send(bytes) {
          await chain.send(bytes);
          throw new ChainUnavailableError("The answer was lost");
        },
      }));
      await walletSends(world, prepared, signed);
      // A client without an answer resends the same bytes
      await walletSends(world, prepared, signed);
      await handOver(flaky, prepared, signed);
      await handOver(world.custody, prepared, signed);
      await expectState(struck, prepared, "confirmed");
    },
  ],
  [
    "the blockhash expires before the wallet has signed",
    async (struck) => {
      const { world } = struck;
      const prepared = await ask(struck);
      world.clock.advance(EXPIRY_MS);
      await world.custody.follow(world.agentId);
      await expectState(struck, prepared, "expired", "It was not signed in time.");
      const signed = world.sign(prepared);
      if (prepared.method === "signAndSend") {
        await expect(world.chain.send(signed)).rejects.toThrow("BlockhashNotFound");
      }
      expect(await handOver(world.custody, prepared, signed)).toMatchObject({ state: "expired" });
    },
  ],
  [
    "the blockhash expires on the way to the chain",
    async (struck) => {
      const { world } = struck;
      const prepared = await ask(struck);
      const cut = world.serverOn((chain) => ({
        ...chain,
        send: () => Promise.reject(new ChainUnavailableError("Never left")),
      }));
      expect(await handOver(cut, prepared, world.sign(prepared))).toMatchObject({ state: "sent" });
      world.clock.advance(160 * SLOT_MS);
      await expect(ask(struck)).rejects.toMatchObject({
        code: "transaction_open",
        message: "Another transaction of this agent is still open. It has to settle first.",
      });
      world.clock.advance(EXPIRY_MS - 160 * SLOT_MS);
      await world.custody.follow(world.agentId);
      await expectState(struck, prepared, "expired", LAST_WORDS);
    },
  ],
  [
    "the owner refuses in the wallet",
    async (struck) => {
      const { world } = struck;
      const prepared = await ask(struck);
      await expectState(struck, prepared, "prepared");
      expect(await world.custody.summarise(world.agentId)).toMatchObject({
        openTransactionId: prepared.id,
      });
      expect(await world.approve(prepared)).toMatchObject({ state: "confirmed" });
    },
  ],
  [
    "the venue is paused",
    async (struck) => {
      const { world, step } = struck;
      const words = pausedWords(shownVenue((await world.agent()).venue), step);
      await setPaused(world, true);
      if (words === null) {
        expect(await world.approve(await ask(struck))).toMatchObject({ state: "confirmed" });
      } else await expect(ask(struck)).rejects.toMatchObject({ message: words });
      await setPaused(world, false);
    },
  ],
  [
    "the venue is paused while the wallet asks",
    async (struck) => {
      const { world } = struck;
      const prepared = await ask(struck);
      await setPaused(world, true);
      const isRefused = await world.approve(prepared).then(
        () => false,
        () => true,
      );
      await setPaused(world, false);
      await expectState(struck, prepared, isRefused ? "prepared" : "confirmed");
    },
  ],
  [
    "the wallet is short of SOL",
    async (struck) => {
      await struck.life.lendAllBut(9_000_000n);
      await expect(ask(struck)).rejects.toThrow(shortWords(struck.step));
      await struck.life.repay();
    },
  ],
  [
    "the wallet runs short while it asks",
    async (struck) => {
      const { world, life } = struck;
      const prepared = await ask(struck);
      await life.lendAllBut(900_000n);
      const answer = await world.approve(prepared).catch(() => null);
      await life.repay();
      if (answer?.state === "failed") expect(answer.reason).toMatch(/not enough SOL/i);
      else if (answer === null) await expectState(struck, prepared, "prepared");
    },
  ],
  [
    "the chain cannot be read",
    async (struck) => {
      const blind = struck.world.serverOn((chain) => ({
        ...chain,
        accounts: () => Promise.reject(new ChainUnavailableError("No answer")),
      }));
      const { intent } = struck.step;
      const amount = await amountOf(struck.world, struck.step);
      await expect(
        blind.prepare({ agentId: struck.world.agentId, intent, amount }),
      ).rejects.toMatchObject({
        code: "unavailable",
        message: "The network's nodes do not answer at the moment. Try again in a moment.",
      });
    },
  ],
];
