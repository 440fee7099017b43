import { AccountRole, type AccountMeta, type Instruction } from "@solana/kit";
import type { Keypair } from "../../src/solana/encoding/keys.ts";
import { SPENDING_PERIOD } from "../../src/solana/programs/squads-accounts.ts";
import { transferLamports } from "../../src/solana/programs/system.ts";
import { closeTokenAccount, transferChecked, USDC_MINT } from "../../src/solana/programs/token.ts";
import { deleteUser, updateUserDelegate } from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import type { ChainBench } from "../chain-bench.ts";
import { bring, type ExchangeBench, open, take, user, withSol } from "../drift-cases/case.ts";
import {
  asVault,
  createKey,
  tradingKey,
  tradingKeyUsdc,
  limitKey,
  multisig,
  owner,
  putDollars,
  stranger,
  vault,
  vaultUsdc,
} from "../squads-bench.ts";
import { addLimit, create, removeLimit, useLimit } from "../squads-cases/case.ts";
import type { createChance } from "./random-trading.ts";

type Chance = ReturnType<typeof createChance>;

const KEYS = [owner, tradingKey, stranger, createKey, limitKey];

/** Returns the keys that must sign, the fee payer first; undefined when one of them is unknown. */
function signersOf(instructions: readonly Instruction[]): readonly Keypair[] | undefined {
  const asked = instructions
    .flatMap(({ accounts = [] }) => accounts)
    .filter(({ role }) => role >= AccountRole.READONLY_SIGNER);
  const isSignable = asked.every(({ address }) => KEYS.some((key) => key.address === address));
  return isSignable
    ? KEYS.filter((key) => asked.some(({ address }) => address === key.address))
    : undefined;
}

/** Returns the instruction, sometimes with an account made read-only or replaced. */
function disturbed(chance: Chance, instruction: Instruction): Instruction {
  if (!chance.once(8)) return instruction;
  const accounts = [...(instruction.accounts ?? [])] as AccountMeta[];
  const at = chance.below(accounts.length);
  const meta = accounts[at];
  if (meta === undefined) return instruction;
  const other = chance.of([stranger.address, vault, tradingKeyUsdc, multisig]);
  const next = chance.of([
    () => accounts.with(at, { ...meta, role: meta.role & ~AccountRole.WRITABLE }),
    () => accounts.with(at, { ...meta, address: other }),
  ])();
  return { ...instruction, accounts: next };
}

async function sendPlain(bench: ChainBench, instructions: readonly Instruction[]) {
  const [first = owner, ...others] = signersOf(instructions) ?? [];
  await bench.send([first, ...others], instructions);
}

async function send(bench: ChainBench, chance: Chance, plain: readonly Instruction[]) {
  const changed = plain.map((instruction) => disturbed(chance, instruction));
  const instructions = signersOf(changed) === undefined ? plain : changed;
  await sendPlain(bench, instructions);
}

const someAmount = (chance: Chance): bigint =>
  chance.once(10)
    ? chance.of([0n, 1n, 2n ** 63n, 2n ** 64n - 1n])
    : BigInt(chance.below(400_000_000));

function insideVault(chance: Chance): Instruction {
  const amount = someAmount(chance);
  return chance.of([
    () => transferLamports({ from: vault, to: owner.address }, amount % 200_000_000n),
    () =>
      transferChecked(
        { source: vaultUsdc, mint: USDC_MINT, destination: tradingKeyUsdc, authority: vault },
        { amount, decimals: chance.once(9) ? 9 : 6 },
      ),
    () => closeTokenAccount({ account: vaultUsdc, destination: vault, authority: vault }),
  ])();
}

async function vaultStep(bench: ChainBench, chance: Chance): Promise<void> {
  const kind = chance.below(8);
  if (kind < 3) {
    await sendPlain(bench, await asVault(bench, [insideVault(chance)], someIndex(chance)));
  } else if (kind < 4) {
    await sendPlain(bench, [
      addLimit({
        amount: someAmount(chance),
        period: chance.of(Object.values(SPENDING_PERIOD)),
        members: chance.of([[tradingKey.address], [tradingKey.address, stranger.address], []]),
        destinations: chance.of([[], [tradingKey.address], [stranger.address, owner.address]]),
      }),
    ]);
  } else if (kind < 5) await sendPlain(bench, [removeLimit()]);
  else {
    const by = chance.once(5) ? chance.of([owner, stranger]) : tradingKey;
    const to = chance.once(5) ? stranger.address : tradingKey.address;
    await send(bench, chance, [useLimit(someAmount(chance), by, to, chance.once(9) ? 9 : 6)]);
  }
}

/** Returns mostly the next index, sometimes an earlier or later one. */
const someIndex = (chance: Chance): bigint | undefined =>
  chance.once(8) ? BigInt(chance.below(4)) : undefined;

/** Runs one sequence of an owner's, a trading key's and a thief's steps at a vault. */
export async function runVaultSequence(bench: ChainBench, chance: Chance, steps: number) {
  await bench.send([owner, createKey], [create()]);
  await bench.give(vault, 100_000_000n);
  await putDollars(bench, vault, 1_000_000_000n);
  await putDollars(bench, tradingKey.address, 5n);
  for (let at = 0; at < steps; at += 1) {
    if (chance.once(4)) bench.advance(chance.of([1, 3_600, 86_401, 8 * 86_400]));
    await vaultStep(bench, chance);
  }
}

/** Runs one sequence of an account's life at the exchange, money in and out, from opening to deletion. */
export async function runAccountSequence(bench: ExchangeBench, chance: Chance, steps: number) {
  await putDollars(bench, owner.address, 2_000_000_000n);
  await putDollars(bench, tradingKey.address, 1_000_000n);
  await bench.send([owner], open());
  for (let at = 0; at < steps; at += 1) {
    if (chance.once(3)) bench.advance(chance.of([1, 61, 301, 3_601, 86_401, 14 * 86_400]));
    if (chance.once(12)) {
      await bench.setExchange({
        exchangeStatus: chance.of([0, 0, 1, 2, 127]),
        maxInitializeUserFee: chance.of([0, 0, 1]),
      });
    }
    const kind = chance.below(10);
    const key = chance.of([tradingKey.address, stranger.address]);
    if (kind < 4) await send(bench, chance, [bring(someAmount(chance))]);
    else if (kind < 7) {
      await send(bench, chance, [take(someAmount(chance), chance.once(3) ? withSol : undefined)]);
    } else if (kind < 8) await send(bench, chance, [updateUserDelegate(IDS, user, key)]);
    else if (kind < 9) await send(bench, chance, [deleteUser(IDS, user)]);
    else await send(bench, chance, open(chance.below(3)).slice(chance.below(2)));
  }
}
