import type { Signature } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { type Chain, ChainUnavailableError, type SignatureStatus } from "./chain.ts";
import { askSignature } from "./settle-signature.ts";

const signature = "1".repeat(64) as Signature;
const sent = { signature, lastValidBlockHeight: 1_150n, blockhashSlot: 2_000n };
const landed: SignatureStatus = { slot: 2_100n, commitment: "finalized", error: null };

interface Node {
  readonly slot: bigint;
  readonly blockHeight: bigint;
  readonly historyStart?: bigint;
  readonly status?: SignatureStatus | null;
  /** Slot of the node's signature index; the node's slot when absent. */
  readonly searchedSlot?: bigint;
}

/** Creates a chain of several nodes; `asked` lists the calls to each. */
function chainOf(...nodes: readonly Node[]) {
  const asked: string[] = [];
  const chains = nodes.map((node, at) => {
    const note = (call: string) => void asked.push(`${at} ${call}`);
    return {
      async progress() {
        note("progress");
        return { slot: node.slot, blockHeight: node.blockHeight };
      },
      async historyStart() {
        note("history");
        return node.historyStart ?? 0n;
      },
      async signatureStatuses(_: unknown, { minSlot = 0n } = {}) {
        note("statuses");
        const slot = node.searchedSlot ?? node.slot;
        if (slot < minSlot) throw new ChainUnavailableError("Behind");
        return { slot, statuses: [node.status ?? null] };
      },
    } as unknown as Chain;
  });
  const withOneNode: Chain["withOneNode"] = async (work) => {
    let last: unknown;
    for (const chain of chains) {
      try {
        return await work(chain);
      } catch (error) {
        if (!(error instanceof ChainUnavailableError)) throw error;
        last = error;
      }
    }
    throw last;
  };
  return { asked, chain: { withOneNode } as unknown as Chain };
}

const far = { slot: 2_400n, blockHeight: 1_200n };

describe("the outcome of a transaction", () => {
  it("is landed as soon as a node reports it", async () => {
    const { chain, asked } = chainOf({ ...far, status: landed });
    expect(await askSignature(chain, sent)).toEqual({ kind: "landed", status: landed });
    expect(asked).toEqual(["0 statuses"]);
  });

  it("is pending while its last block is not final, and while it is only processed", async () => {
    const pending = { kind: "pending" };
    const last = { ...far, blockHeight: sent.lastValidBlockHeight };
    expect(await askSignature(chainOf(last).chain, sent)).toEqual(pending);
    const processed = { ...far, status: { ...landed, commitment: "processed" as const } };
    expect(await askSignature(chainOf(processed).chain, sent)).toEqual(pending);
  });

  it("is expired when one node with complete history proves it", async () => {
    const { chain, asked } = chainOf(far);
    expect(await askSignature(chain, sent)).toEqual({ kind: "expired" });
    expect(asked).toEqual(["0 statuses", "0 progress", "0 history", "0 statuses"]);
  });

  it("is not expired according to a node whose statuses lag behind its height", async () => {
    const split = { ...far, searchedSlot: 2_100n };
    await expect(askSignature(chainOf(split).chain, sent)).rejects.toBeInstanceOf(
      ChainUnavailableError,
    );
    const { chain } = chainOf(split, { ...far, status: landed });
    expect(await askSignature(chain, sent)).toEqual({ kind: "landed", status: landed });
  });

  it("is not expired according to a node that forgot its blockhash's time", async () => {
    const forgetful = { ...far, historyStart: 2_001n };
    await expect(askSignature(chainOf(forgetful).chain, sent)).rejects.toBeInstanceOf(
      ChainUnavailableError,
    );
    const { chain, asked } = chainOf(forgetful, far);
    expect(await askSignature(chain, sent)).toEqual({ kind: "expired" });
    expect(asked.slice(-4)).toEqual(["1 statuses", "1 progress", "1 history", "1 statuses"]);
  });

  it("is not expired by a height impossible for the slots since the blockhash", async () => {
    const wrong = { slot: 2_100n, blockHeight: 9_000_000n };
    await expect(askSignature(chainOf(wrong).chain, sent)).rejects.toBeInstanceOf(
      ChainUnavailableError,
    );
  });

  it("needs a longer history when the blockhash's slot is unknown", async () => {
    const unknown = { ...sent, blockhashSlot: null };
    const recent = { ...far, historyStart: 1_900n };
    await expect(askSignature(chainOf(recent).chain, unknown)).rejects.toBeInstanceOf(
      ChainUnavailableError,
    );
    const older = { ...far, historyStart: 1_000n };
    expect(await askSignature(chainOf(older).chain, unknown)).toEqual({ kind: "expired" });
  });
});
