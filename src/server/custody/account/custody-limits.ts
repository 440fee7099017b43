import { formatDecimal } from "../../../domain/amount.ts";

export const LAMPORT_DECIMALS = 9;

/** What the owner's wallet needs before a new agent is set up: 0.2 SOL. */
export const SET_UP_WALLET_LAMPORTS = 200_000_000n;

/** What the owner's wallet needs for any later step: 0.01 SOL. */
export const WALLET_LAMPORTS = 10_000_000n;

/** What a vault is funded with: 0.1 SOL. */
export const VAULT_FUNDING_LAMPORTS = 100_000_000n;

/** Below this the vault is funded before the delegation: 0.05 SOL. */
export const VAULT_MIN_LAMPORTS = 50_000_000n;

/** The least the delegation asks of the vault: 0.035 SOL. */
const DELEGATION_MIN_LAMPORTS = 35_000_000n;

/** Fee of one signature. */
export const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** Priority fee of what an owner signs, in micro-lamports per compute unit. */
export const OWNER_UNIT_PRICE_MICRO_LAMPORTS = 5_000n;

/** Priority fee of deletion and recovery, in micro-lamports per compute unit. */
export const EXIT_UNIT_PRICE_MICRO_LAMPORTS = 20_000n;

/** Compute units of deletion and recovery. */
export const EXIT_COMPUTE_UNITS = 600_000;

/** Lamports that recovery leaves in the vault at least: 0.001 SOL. */
export const VAULT_RESERVE_LAMPORTS = 1_000_000n;

/** Recovering less than this is not worth its transaction. */
export const MIN_RECOVERED_LAMPORTS = 20_000n;

/** Returns the most quote units that count as dust: 0.01. */
export function quoteDust(decimals: number): bigint {
  return 10n ** BigInt(decimals - 2);
}

/** Returns what the vault needs before accounts of that rent can be made beside its own, never below 0.035 SOL. */
export function delegationLamports(setUpRentLamports: bigint, vaultFloorLamports: bigint): bigint {
  const needed = setUpRentLamports + vaultFloorLamports;
  return needed > DELEGATION_MIN_LAMPORTS ? needed : DELEGATION_MIN_LAMPORTS;
}

/** Returns what recovery leaves in the vault: 0.001 SOL, or what the chain asks of an account that holds anything. */
export function vaultReserve(vaultFloorLamports: bigint): bigint {
  return vaultFloorLamports > VAULT_RESERVE_LAMPORTS ? vaultFloorLamports : VAULT_RESERVE_LAMPORTS;
}

/** Returns the priority fee of a compute limit in lamports, rounded up as the chain charges it. */
export function priorityFeeLamports(
  computeUnitLimit: number,
  unitPrice: bigint = OWNER_UNIT_PRICE_MICRO_LAMPORTS,
): bigint {
  const microLamports = BigInt(computeUnitLimit) * unitPrice;
  return (microLamports + 999_999n) / 1_000_000n;
}

/** Returns lamports as people read them, for instance `0.2 SOL`. */
export function formatSol(lamports: bigint): string {
  return `${formatDecimal(lamports, LAMPORT_DECIMALS)} SOL`;
}
