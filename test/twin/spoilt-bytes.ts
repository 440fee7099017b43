import { type AccountMeta, AccountRole, type Instruction } from "@solana/kit";
import { anchorDiscriminator } from "../../src/solana/encoding/anchor.ts";
import type { Keypair } from "../../src/solana/encoding/keys.ts";
import {
  createKey,
  limitKey,
  multisig,
  owner,
  stranger,
  tradingKey,
  tradingKeyUsdc,
  vault,
  vaultUsdc,
} from "../squads-bench.ts";
import { createChance } from "./random-trading.ts";
import type { TwinBench } from "./twin-bench.ts";

type Chance = ReturnType<typeof createChance>;

const KEYS = [owner, tradingKey, stranger, createKey, limitKey];

const ADDRESSES = [stranger.address, vault, vaultUsdc, tradingKeyUsdc, multisig, owner.address];

/** Keeps what is spoilt independent of what a sequence does. */
const SPOILT_SEEDS = 1_000_000;

/** Length of the part of the data that names the method. */
const METHOD = 8;

const STORES_MESSAGE = anchorDiscriminator("global", "vault_transaction_create");

const startsWith = (data: Uint8Array, start: Uint8Array): boolean =>
  start.every((byte, at) => byte === data[at]);

/** Returns the data with one place of its arguments changed, cut off or lengthened. */
function spoiltData(chance: Chance, data: Uint8Array): Uint8Array {
  if (data.length <= METHOD) return Uint8Array.from([...data, 0]);
  const at = METHOD + chance.below(data.length - METHOD);
  return chance.of([
    () => data.with(at, chance.of([0, 1, 2, 3, 4, 5, 127, 128, 255])),
    () => data.with(at, (data[at] ?? 0) ^ (1 << chance.below(8))),
    () => data.slice(0, at),
    () => Uint8Array.from([...data, chance.below(256)]),
  ])();
}

/** Returns the accounts with one of them replaced, missing, doubled, or with other rights. */
function spoiltAccounts(chance: Chance, accounts: readonly AccountMeta[]): readonly AccountMeta[] {
  const at = chance.below(accounts.length);
  const meta = accounts[at];
  if (meta === undefined) return accounts;
  return chance.of([
    () => accounts.with(at, { ...meta, role: meta.role & ~AccountRole.WRITABLE }),
    () => accounts.with(at, { ...meta, role: meta.role & ~AccountRole.READONLY_SIGNER }),
    () => accounts.with(at, { ...meta, address: chance.of(ADDRESSES) }),
    () => accounts.with(at, { ...meta, address: chance.of(accounts)?.address ?? meta.address }),
  ])();
}

/** Returns instructions of which one is spoilt in its arguments or accounts. */
function spoilt(chance: Chance, instructions: readonly Instruction[]): readonly Instruction[] {
  const at = chance.below(instructions.length);
  const one = instructions[at];
  if (one === undefined) return instructions;
  const data = Uint8Array.from(one.data ?? []);
  // A stored message may call any method of any program, and practice knows only those the product uses
  const next =
    !startsWith(data, STORES_MESSAGE) && chance.once(2)
      ? { ...one, data: spoiltData(chance, data) }
      : { ...one, accounts: spoiltAccounts(chance, one.accounts ?? []) };
  return instructions.with(at, next);
}

/** Returns the keys that must sign, the fee payer first; undefined when one of them is unknown. */
function signersOf(
  instructions: readonly Instruction[],
  payer: Keypair,
): readonly [Keypair, ...Keypair[]] | undefined {
  const asked = instructions
    .flatMap(({ accounts = [] }) => accounts)
    .filter(({ role }) => role >= AccountRole.READONLY_SIGNER);
  if (!asked.every(({ address }) => KEYS.some((key) => key.address === address))) return undefined;
  const others = KEYS.filter(
    (key) => key !== payer && asked.some(({ address }) => address === key.address),
  );
  return [payer, ...others];
}

/** Returns twins that get one of three transactions in a spoilt form too, before the sound one. */
export function alsoSpoilt(twins: TwinBench, seed: number): TwinBench {
  const chance = createChance(seed + SPOILT_SEEDS);
  return {
    ...twins,
    async send(keys, instructions, tables) {
      const changed = chance.once(3) ? spoilt(chance, instructions) : [];
      const signers = signersOf(changed, keys[0]);
      if (changed.length > 0 && signers !== undefined) await twins.send(signers, changed, tables);
      return twins.send(keys, instructions, tables);
    },
  };
}
