import type { Address } from "@solana/kit";
import {
  deriveLookupTable,
  encodeLookupTable,
  LOOKUP_TABLE_PROGRAM,
} from "../solana/programs/address-lookup-table.ts";
import { FAUCET, genesisAccount } from "./genesis.ts";
import type { AccountState } from "./runtime/account-state.ts";
import { STAND_INS } from "./stand-ins.ts";

/** The lookup table the practice chain starts with: what an operator makes on a real network before the first agent. */
export const PRACTICE_LOOKUP_TABLE: Address = deriveLookupTable(FAUCET.address, 0n).address;

/** Returns the table's account, filled with what the practice venues share. */
export function practiceTable(): AccountState {
  const addresses = new Set(STAND_INS.flatMap((venue) => venue.sharedAddresses()));
  return genesisAccount(LOOKUP_TABLE_PROGRAM, encodeLookupTable(FAUCET.address, [...addresses]));
}
