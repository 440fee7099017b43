import { beforeEach, describe, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld, USDC } from "../../../test/custody-world.ts";
import { useDatabase } from "../../../test/database.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { signatureOf } from "../../solana/signing.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

/** Longer than a blockhash lives, and than its expiry takes to be final. */
const EXPIRY_MS = 190 * 400;

const database = useDatabase({ isEach: true });
let world: CustodyWorld;

const read = ({ transaction }: { readonly transaction: string }) =>
  decodeTransaction(Buffer.from(transaction, "base64"));

describe.each([
  ["0", {}],
  ["1", { versions: ["legacy", 0, 1] as const }],
])("a prepared transaction of version %s", (_version, options) => {
  beforeEach(async () => {
    world = await createCustodyWorld(database, options);
    await world.setUp();
  });

  it("gets a present blockhash and keeps everything else", async () => {
    const first = await world.prepare("deposit", "200");
    world.clock.advance(EXPIRY_MS);
    const renewed = await world.custody.renew(first.id);
    const [before, after] = [read(first), read(renewed)];
    expect(after.blockhash).not.toBe(before.blockhash);
    expect(after.instructions).toEqual(before.instructions);
    expect(after.settings).toEqual(before.settings);
    const { id: _first, transaction: _old, lastValidBlockHeight: height, ...same } = first;
    expect(renewed).toMatchObject(same);
    expect(BigInt(renewed.lastValidBlockHeight)).toBeGreaterThan(BigInt(height));
    expect(await world.approve(renewed)).toMatchObject({ state: "confirmed" });
  });

  it("moves money once when a wallet signs both", async () => {
    const first = await world.prepare("deposit", "200");
    world.clock.advance(4_000);
    const renewed = await world.custody.renew(first.id);
    expect(await world.approve(first)).toMatchObject({ state: "confirmed" });
    await expect(world.chain.send(world.sign(renewed))).rejects.toMatchObject({
      error: { kind: "instruction" },
    });
    await world.custody.follow();
    world.clock.advance(EXPIRY_MS);
    await world.custody.follow();
    expect(await world.quote(world.owner.address)).toBe(800n * USDC);
  });

  it("finds what a wallet sent without reporting it, and then renews nothing", async () => {
    const first = await world.prepare("deposit", "200");
    await world.chain.send(world.sign(first));
    world.clock.advance(4_000);
    await expect(world.custody.renew(first.id)).rejects.toMatchObject({
      code: "transaction_landed",
      fields: { transaction: first.id },
    });
    expect(await world.custody.find(first.id)).toMatchObject({
      state: "confirmed",
      signature: signatureOf(world.sign(first)),
    });
  });

  it("identifies which of several renewed transactions the wallet sent without reporting it", async () => {
    const first = await world.prepare("deposit", "200");
    world.clock.advance(4_000);
    const second = await world.custody.renew(first.id);
    await world.chain.send(world.sign(first));
    await expect(world.custody.renew(second.id)).rejects.toMatchObject({
      code: "transaction_landed",
      fields: { transaction: first.id },
    });
  });

  it("reports that another transaction landed in its place, and does not confuse the two", async () => {
    const other = await world.prepare("deposit", "200");
    const shown = await world.prepare("deposit", "300");
    await world.chain.send(world.sign(other));
    await expect(world.custody.renew(shown.id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("another one of this agent has landed"),
    });
  });

  it("has failed, not vanished, when the block contains it without logs and fee", async () => {
    const prepared = await world.prepare("deposit", "200");
    const signature = signatureOf(world.sign(prepared));
    const error = { kind: "transaction", name: "InsufficientFundsForFee" } as const;
    const server = world.serverOn((chain) =>
      wrapChain(chain, (inner) => ({
        async signatureStatuses(signatures) {
          const { slot } = await inner.progress("confirmed");
          const status = { slot, commitment: "finalized", error } as const;
          return { slot, statuses: signatures.map((each) => (each === signature ? status : null)) };
        },
        transaction: async () => ({
          signature,
          slot: 1n,
          blockTime: null,
          error,
          logs: [],
          feeLamports: 0n,
          lamportDeltas: new Map(),
          tokenDeltas: [],
        }),
      })),
    );
    expect(await server.acceptSent(prepared.id, signature)).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/\w+/),
    });
  });

  it("says why the chain would refuse it by now", async () => {
    const first = await world.prepare("deposit", "200");
    await changeExchange(world.chain, { exchangeStatus: 127 });
    await expect(world.custody.renew(first.id)).rejects.toMatchObject({
      code: "transaction_refused",
    });
    expect(await world.custody.find(first.id)).toMatchObject({ state: "prepared" });
  });
});
