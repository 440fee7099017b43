import { sha256 } from "@noble/hashes/sha2.js";
import type { Blockhash } from "@solana/kit";
import { encodeBase58 } from "../domain/base58.ts";
import type { Clock } from "../domain/clock.ts";
import type { BuiltInNetwork } from "../domain/network.ts";
import { u64Bytes } from "./runtime/bytes.ts";
import { concatBytes, utf8 } from "../solana/encoding/pda.ts";
import type { ChainTime } from "./runtime/program.ts";

/** Duration of a slot in milliseconds. */
export const SLOT_MS = 400;

/** Slots for which a blockhash is valid after its own. */
export const BLOCKHASH_LIFETIME_SLOTS = 150n;

/** Slots after which a transaction is final. */
export const FINALITY_SLOTS = 32n;

/** Time on the practice chain: slots and blockhashes depend only on the clock, so that all processes agree. */
export interface Slots {
  readonly genesisHash: string;
  now(): ChainTime & { readonly nowMs: number };
  blockhash(slot: bigint): Blockhash;
  /** Returns whether a transaction with this blockhash may still land in the slot. */
  isRecent(blockhash: string, slot: bigint): boolean;
}

/** Creates the slots of a network's chain that began at `genesisAtMs`; no transaction is valid on two networks. */
export function createSlots(
  genesisAtMs: number,
  clock: Clock,
  network: BuiltInNetwork = "practice",
): Slots {
  const genesis = sha256(utf8(`${network} chain ${genesisAtMs}`));
  const hashes = new Map<bigint, Blockhash>();

  const blockhash = (slot: bigint): Blockhash => {
    const known = hashes.get(slot);
    if (known !== undefined) return known;
    if (hashes.size > 1_000) hashes.clear();
    const hash = encodeBase58(sha256(concatBytes([genesis, u64Bytes(slot)]))) as Blockhash;
    hashes.set(slot, hash);
    return hash;
  };

  return {
    genesisHash: encodeBase58(genesis),
    blockhash,
    now() {
      const nowMs = clock.now();
      const age = Math.max(0, nowMs - genesisAtMs);
      return {
        nowMs,
        slot: BigInt(Math.floor(age / SLOT_MS)),
        unixTime: BigInt(Math.floor(nowMs / 1_000)),
      };
    },
    isRecent(hash, slot) {
      const oldest = slot > BLOCKHASH_LIFETIME_SLOTS ? slot - BLOCKHASH_LIFETIME_SLOTS : 0n;
      for (let candidate = slot; candidate >= oldest; candidate -= 1n) {
        if (blockhash(candidate) === hash) return true;
      }
      return false;
    },
  };
}
