import type { Address } from "@solana/kit";
import { programConfigCodec } from "../solana/programs/squads-accounts.ts";
import { deriveProgramConfig, SQUADS_PROGRAM } from "../solana/programs/squads.ts";
import { RENT_SYSVAR, SYSTEM_PROGRAM } from "../solana/programs/system.ts";
import {
  mintCodec,
  TOKEN_PROGRAM,
  tokenAccountCodec,
  USDC_MINT,
} from "../solana/programs/token.ts";
import { practiceKeyPair } from "./sign-transaction.ts";
import {
  type AccountState,
  EMPTY_ACCOUNT,
  RENT_PER_BYTE,
  rentExemptMinimum,
  rentSysvarData,
} from "./runtime/account-state.ts";
import {
  NATIVE_LOADER,
  SYSVAR_OWNER,
  UPGRADEABLE_LOADER,
  WRAPPED_SOL_MINT,
} from "./runtime/bytes.ts";
import type { Program } from "./runtime/program.ts";

/** Holds all practice SOL at genesis and is the mint authority of the practice quote token. */
export const FAUCET = practiceKeyPair("faucet");

/** Receives Squads' creation fee, which is zero as on mainnet. */
export const SQUADS_TREASURY = practiceKeyPair("squads treasury").address;

/** Settlement token of the practice network's exchange. */
export const PRACTICE_QUOTE_MINT = USDC_MINT;

const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;
const NO_ADDRESS = SYSTEM_PROGRAM;

/** Returns a rent-exempt account with the given content. */
export function genesisAccount(owner: Address, data: Uint8Array): AccountState {
  return { lamports: rentExemptMinimum(data.length), owner, data, executable: false };
}

/** Returns a mint's account. */
export function genesisMint(
  decimals: number,
  mintAuthority: Address | null,
  supply: bigint,
): AccountState {
  const state = { mintAuthority, supply, decimals, isInitialized: true, freezeAuthority: null };
  return genesisAccount(TOKEN_PROGRAM, new Uint8Array(mintCodec.encode(state)));
}

/** Returns a token account; `reserve` is the rent of one of wrapped SOL. */
export function genesisTokens(
  mint: Address,
  owner: Address,
  amount: bigint,
  reserve: bigint | null = null,
): AccountState {
  const data = tokenAccountCodec.encode({
    mint,
    owner,
    amount,
    delegate: null,
    state: 1,
    isNative: reserve,
    delegatedAmount: 0n,
    closeAuthority: null,
  });
  return genesisAccount(TOKEN_PROGRAM, new Uint8Array(data));
}

/** Returns the Rent sysvar for a price per byte in lamports. */
export function rentSysvar(perByte: bigint): AccountState {
  return genesisAccount(SYSVAR_OWNER, rentSysvarData(perByte));
}

function squadsConfig(): AccountState {
  const data = programConfigCodec.encode({
    authority: NO_ADDRESS,
    multisigCreationFee: 0n,
    treasury: SQUADS_TREASURY,
    reserved: new Uint8Array(64),
  });
  return genesisAccount(SQUADS_PROGRAM, new Uint8Array(data));
}

/** Returns the practice chain's genesis accounts, without the exchange's own. `quoteSupply` in base units. */
export function genesisAccounts(
  programs: Iterable<Program>,
  quoteSupply: bigint,
): ReadonlyMap<Address, AccountState> {
  const accounts = new Map<Address, AccountState>();
  for (const { address, builtIn } of programs) {
    const owner = builtIn ? NATIVE_LOADER : UPGRADEABLE_LOADER;
    accounts.set(address, { ...EMPTY_ACCOUNT, lamports: 1n, owner, executable: true });
  }
  accounts.set(RENT_SYSVAR, rentSysvar(RENT_PER_BYTE));
  accounts.set(FAUCET.address, { ...EMPTY_ACCOUNT, lamports: FAUCET_LAMPORTS });
  accounts.set(SQUADS_TREASURY, { ...EMPTY_ACCOUNT, lamports: rentExemptMinimum(0) });
  accounts.set(PRACTICE_QUOTE_MINT, genesisMint(6, FAUCET.address, quoteSupply));
  accounts.set(WRAPPED_SOL_MINT, genesisMint(9, null, 0n));
  accounts.set(deriveProgramConfig().address, squadsConfig());
  return accounts;
}
