import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../test/chain-bench.ts";
import { withFaults } from "../../test/faults.ts";
import { practiceKeyPair } from "../practice/sign-transaction.ts";
import { ChainUnavailableError, TransactionRefusedError } from "./chain.ts";
import { landSigned } from "./land-signed.ts";
import { transferLamports } from "./programs/system.ts";
import { signatureOf, signTransaction } from "./signing.ts";
import { compileTransaction } from "./transaction.ts";
import { wrapChain } from "../../test/wrap-chain.ts";

const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");
const SLOT_MS = 400;

async function open() {
  const { chain, clock } = await openPracticeBench();
  await chain.fund(alice.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  const lifetime = await chain.latestBlockhash();
  const draft = compileTransaction({
    feePayer: alice.address,
    lifetime,
    instructions: [transferLamports({ from: alice.address, to: bob.address }, 1_000_000n)],
  });
  const sleep = async () => (clock.ms += SLOT_MS);
  const { lastValidBlockHeight, slot: blockhashSlot } = lifetime;
  return {
    chain,
    clock,
    sleep,
    bytes: signTransaction(draft, alice),
    lifetime: { lastValidBlockHeight, blockhashSlot },
    received: async () => (await chain.accounts([bob.address])).accounts[0]?.lamports ?? 0n,
  };
}

describe("a signed transaction", () => {
  it.each([
    ["the first two sendings get lost", ["drop", "drop"]],
    ["the node is away at first", ["refuse", "refuse", "refuse"]],
    ["the answer is lost", ["lose-answer"]],
  ] as const)("lands once when %s", async (_, faults) => {
    const { chain, sleep, bytes, lifetime, received } = await open();
    const faulty = withFaults(chain);
    faulty.script((sending) => faults[sending]);
    const landing = await landSigned({ chain: faulty, sleep }, bytes, lifetime);
    expect(landing).toMatchObject({ kind: "landed", status: { error: null } });
    expect(await received()).toBe(1_000_000n);
  });

  it("lands although nodes that do not know its blockhash refuse it", async () => {
    const { chain, sleep, bytes, lifetime, received } = await open();
    let refusals = 3;
    const pooled = wrapChain(chain, (inner) => ({
      async send(signed) {
        refusals -= 1;
        if (refusals < 0) return inner.send(signed);
        throw new TransactionRefusedError({ kind: "transaction", name: "BlockhashNotFound" }, []);
      },
    }));
    const landing = await landSigned({ chain: pooled, sleep }, bytes, lifetime);
    expect(landing.kind).toBe("landed");
    expect(await received()).toBe(1_000_000n);
  });

  it("is expired only once no block can include it", async () => {
    const { chain, clock, bytes, lifetime, received } = await open();
    const faulty = withFaults(chain);
    let sendings = 0;
    faulty.script(() => {
      sendings += 1;
      return "drop";
    });
    const sleep = async () => (clock.ms += 20 * SLOT_MS);
    const landing = await landSigned({ chain: faulty, sleep }, bytes, lifetime);
    expect(landing.kind).toBe("expired");
    expect(sendings).toBeGreaterThan(5);
    expect(await received()).toBe(0n);
  });

  it("is abandoned at once only when its first send fails in an instruction", async () => {
    const { chain, sleep, bytes, lifetime, received } = await open();
    const failing = (failures: readonly number[]) => {
      let sendings = 0;
      return wrapChain(chain, (inner) => ({
        async send(signed) {
          sendings += 1;
          if (!failures.includes(sendings))
            return sendings === 1 ? signatureOf(signed) : inner.send(signed);
          throw new TransactionRefusedError({ kind: "instruction", name: "Custom", code: 1 }, []);
        },
      }));
    };
    await expect(landSigned({ chain: failing([1]), sleep }, bytes, lifetime)).rejects.toThrow(
      "Custom 1",
    );
    // Dropped, refused, accepted: the refusal proves nothing about the first send
    const landing = await landSigned({ chain: failing([2]), sleep }, bytes, lifetime);
    expect(landing.kind).toBe("landed");
    expect(await received()).toBe(1_000_000n);
  });

  it("stays unknown when no node answers for a minute", async () => {
    const { chain, sleep, bytes, lifetime, clock } = await open();
    const faulty = withFaults(chain);
    faulty.setDown(true);
    const begun = clock.ms;
    await expect(landSigned({ chain: faulty, sleep }, bytes, lifetime)).rejects.toBeInstanceOf(
      ChainUnavailableError,
    );
    expect(clock.ms).toBeGreaterThan(begun);
  });
});
