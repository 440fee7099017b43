import type { Address, Instruction } from "@solana/kit";
import { practiceKeyPair } from "../src/practice/sign-transaction.ts";
import { SQUADS_TREASURY } from "../src/practice/genesis.ts";
import { rentExemptMinimum } from "../src/practice/runtime/account-state.ts";
import type { Keypair } from "../src/solana/encoding/keys.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";
import {
  multisigCodec,
  programConfigCodec,
  type Multisig,
} from "../src/solana/programs/squads-accounts.ts";
import {
  vaultLife,
  deriveMultisig,
  deriveProgramConfig,
  deriveVault,
  SQUADS_PROGRAM,
} from "../src/solana/programs/squads.ts";
import { SYSTEM_PROGRAM } from "../src/solana/programs/system.ts";
import {
  mintCodec,
  TOKEN_PROGRAM,
  USDC_MINT,
  tokenAccountCodec,
} from "../src/solana/programs/token.ts";
import type { ChainBench } from "./chain-bench.ts";

export const owner = practiceKeyPair("owner");
export const tradingKey = practiceKeyPair("delegate");
export const stranger = practiceKeyPair("stranger");
export const createKey = practiceKeyPair("create key");
export const limitKey = practiceKeyPair("limit key");

export const multisig = deriveMultisig(createKey.address).address;
export const vault = deriveVault(multisig).address;
export const vaultUsdc = associatedTokenAddress(vault, USDC_MINT);
export const tradingKeyUsdc = associatedTokenAddress(tradingKey.address, USDC_MINT);

/** Creates the accounts a cluster has before the first multisig: the program's configuration, its treasury, a dollar mint. */
export async function prepareSquads(bench: ChainBench): Promise<void> {
  const config = programConfigCodec.encode({
    authority: SYSTEM_PROGRAM,
    multisigCreationFee: 0n,
    treasury: SQUADS_TREASURY,
    reserved: new Uint8Array(64),
  });
  const mint = mintCodec.encode({
    mintAuthority: owner.address,
    supply: 10_000_000_000n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
  });
  await bench.put(deriveProgramConfig().address, rentFree(SQUADS_PROGRAM, config));
  await bench.put(SQUADS_TREASURY, rentFree(SYSTEM_PROGRAM, new Uint8Array(0)));
  await bench.put(USDC_MINT, rentFree(TOKEN_PROGRAM, mint));
  for (const { address } of [owner, tradingKey, stranger])
    await bench.give(address, 10_000_000_000n);
}

/** Gives a wallet or vault a token account with dollars. */
export async function putDollars(
  bench: ChainBench,
  wallet: Keypair["address"],
  amount: bigint,
  mint: Address = USDC_MINT,
): Promise<void> {
  const data = tokenAccountCodec.encode({
    mint,
    owner: wallet,
    amount,
    delegate: null,
    state: 1,
    isNative: null,
    delegatedAmount: 0n,
    closeAuthority: null,
  });
  await bench.put(associatedTokenAddress(wallet, mint), rentFree(TOKEN_PROGRAM, data));
}

function rentFree(program: Keypair["address"], bytes: ArrayLike<number>) {
  const data = Uint8Array.from(bytes);
  const lamports = rentExemptMinimum(data.length);
  return { lamports, owner: program, data, executable: false };
}

export async function readMultisig(bench: ChainBench): Promise<Multisig> {
  const state = await bench.account(multisig);
  if (state === null) throw new Error("The multisig does not exist");
  return multisigCodec.decode(state.data);
}

/** Wraps instructions into the vault's life under the index given, or the next one. */
export async function asVault(
  bench: ChainBench,
  instructions: readonly Instruction[],
  transactionIndex?: bigint,
): Promise<readonly Instruction[]> {
  const index = transactionIndex ?? (await readMultisig(bench)).transactionIndex + 1n;
  return vaultLife({
    multisig,
    transactionIndex: index,
    member: owner.address,
    vault,
    rentCollector: owner.address,
    instructions,
  });
}
