import type { Address } from "@solana/kit";
import {
  deriveLookupTable,
  encodeLookupTable,
  LOOKUP_TABLE_PROGRAM,
} from "../solana/programs/address-lookup-table.ts";
import { FAUCET, genesisAccount } from "./genesis.ts";
import type { AccountState } from "./runtime/account-state.ts";
import { STAND_INS } from "./stand-ins.ts";

/** Genesis lookup table of the practice chain: on a real network an operator creates it before the first agent. */
export const PRACTICE_LOOKUP_TABLE: Address = deriveLookupTable(FAUCET.address, 0n).address;

/** Returns the table's account with the addresses that the practice venues share. */
export function practiceTable(): AccountState {
  const addresses = new Set(STAND_INS.flatMap((venue) => venue.sharedAddresses()));
  return genesisAccount(LOOKUP_TABLE_PROGRAM, encodeLookupTable(FAUCET.address, [...addresses]));
}
