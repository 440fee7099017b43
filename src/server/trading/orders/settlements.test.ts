import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { openPracticeBench } from "../../../../test/chain-bench.ts";
import { withFaults } from "../../../../test/faults.ts";
import { practiceKeyPair } from "../../../practice/sign-transaction.ts";
import { transferLamports } from "../../../solana/programs/system.ts";
import { signTransaction } from "../../../solana/signing.ts";
import { compileTransaction } from "../../../solana/transaction.ts";
import { createSettlements } from "./settlements.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");

async function open() {
  const { chain } = await openPracticeBench();
  await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  const lifetime = await chain.latestBlockhash();
  const { lastValidBlockHeight, slot: blockhashSlot } = lifetime;
  const transfer = transferLamports({ from: alice.address, to: bob.address }, 1_000_000n);
  const draft = { feePayer: alice.address, lifetime, instructions: [transfer] };
  const transaction = signTransaction(compileTransaction(draft), alice);
  const warnings: object[] = [];
  const settlements = createSettlements({ warn: (detail) => void warnings.push(detail) });
  const received = async () => (await chain.accounts([bob.address])).accounts[0]?.lamports ?? 0n;
  return {
    faulty: withFaults(chain),
    settlements,
    sent: { transaction, lastValidBlockHeight, blockhashSlot },
    warnings,
    received,
  };
}

describe("a settling transaction", () => {
  it("is sent again in the background until it lands once", async () => {
    const { faulty, settlements, sent, warnings, received } = await open();
    let sendings = 0;
    faulty.script(() => (sendings++ === 0 ? "drop" : undefined));
    await settlements.begin(faulty, agentIdOf("a"), sent);
    expect(await received()).toBe(0n);
    await expect.poll(received).toBe(1_000_000n);
    await settlements.stop();
    expect(sendings).toBe(2);
    expect(warnings).toEqual([]);
  });

  it("is dropped when the process ends", async () => {
    const { faulty, settlements, sent, warnings, received } = await open();
    let sendings = 0;
    faulty.script(() => {
      sendings += 1;
      return "drop";
    });
    await settlements.begin(faulty, agentIdOf("a"), sent);
    await settlements.stop();
    const before = sendings;
    faulty.script(() => undefined);
    expect(before).toBe(1);
    expect(await received()).toBe(0n);
    expect(warnings).toEqual([]);
  });
});
