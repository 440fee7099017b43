import type { Address, Instruction } from "@solana/kit";
import type { FullInstruction } from "../encoding/instruction.ts";
import { type LookupTables, compileInner } from "./squads-message.ts";
import {
  proposalApprove,
  proposalCreate,
  vaultTransactionAccountsClose,
  vaultTransactionCreate,
  vaultTransactionExecute,
} from "./squads.ts";

/**
 * Returns the instructions that create, propose, approve, execute and close one vault transaction.
 *
 * In one transaction they are atomic: any failing step reverts all and the transaction index is unchanged.
 * `transactionIndex` is the multisig's last used index plus one.
 */
export function vaultLife(life: {
  readonly multisig: Address;
  readonly transactionIndex: bigint;
  readonly member: Address;
  readonly vault: Address;
  readonly rentCollector: Address;
  readonly instructions: readonly Instruction[];
  readonly tables?: LookupTables;
}): readonly FullInstruction[] {
  const { multisig, transactionIndex, member, tables = {} } = life;
  const message = compileInner(life.vault, life.instructions, tables);
  const initiator = { multisig, creator: member, rentPayer: member };
  return [
    vaultTransactionCreate(initiator, { transactionIndex, vaultIndex: 0, message }),
    proposalCreate(initiator, transactionIndex),
    proposalApprove({ multisig, member }, transactionIndex),
    vaultTransactionExecute({ multisig, member }, { transactionIndex, message, tables }),
    vaultTransactionAccountsClose(
      { multisig, rentCollector: life.rentCollector },
      transactionIndex,
    ),
  ];
}
