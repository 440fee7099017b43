import type { Address } from "@solana/kit";
import {
  deriveLookupTable,
  encodeLookupTable,
  LOOKUP_TABLE_PROGRAM,
} from "../solana/programs/address-lookup-table.ts";
import { DRIFT_V2_INSTANCE } from "../venues/drift/instance.ts";
import { sharedAddresses as driftAddresses } from "../venues/drift/shared-addresses.ts";
import { JUPITER_PRACTICE_INSTANCE } from "../venues/jupiter/instance.ts";
import { sharedAddresses as jupiterAddresses } from "../venues/jupiter/shared-addresses.ts";
import { FAUCET, genesisAccount } from "./genesis.ts";
import { oracleAddress } from "./programs/drift/drift-genesis.ts";
import { PRACTICE_MARKETS } from "./programs/drift/practice-markets.ts";
import type { AccountState } from "./runtime/account-state.ts";

/** The lookup table the practice chain starts with: what an operator makes on a real network before the first agent. */
export const PRACTICE_LOOKUP_TABLE: Address = deriveLookupTable(FAUCET.address, 0n).address;

/** Returns the table's account, filled with what the practice venues share. */
export function practiceTable(): AccountState {
  const addresses = new Set([
    ...driftAddresses(DRIFT_V2_INSTANCE, PRACTICE_MARKETS.map(oracleAddress)),
    ...jupiterAddresses(JUPITER_PRACTICE_INSTANCE),
  ]);
  return genesisAccount(LOOKUP_TABLE_PROGRAM, encodeLookupTable(FAUCET.address, [...addresses]));
}
