import { multisigCodec } from "../../../solana/programs/squads-accounts.ts";
import { SQUADS_PROGRAM } from "../../../solana/programs/squads-pdas.ts";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import type { InstructionContext, Program } from "../../runtime/program.ts";
import {
  accountAt,
  anchorProgram,
  constraintFailure,
  loadAt,
  requireSeeds,
  signerAt,
} from "../anchor.ts";
import { createDerivedAccount } from "../create-account.ts";
import { transactionDerivation } from "./multisig-accounts.ts";
import { multisigCreateV2 } from "./multisig-create.ts";
import { addSpendingLimit, removeSpendingLimit, useSpendingLimit } from "./spending-limits.ts";
import { ensure } from "./squads-failures.ts";
import { vaultTransactionExecute } from "./vault-execute.ts";
import {
  proposalApprove,
  proposalCreate,
  vaultTransactionAccountsClose,
  vaultTransactionCreate,
} from "./vault-transaction.ts";

/** Size in bytes of a config transaction without actions. */
const CONFIG_TRANSACTION_SIZE = 85;

/** Always fails: config transactions require an autonomous multisig, which this product does not create. */
function configTransactionCreate(context: InstructionContext): void {
  const multisig = loadAt(context, 0, "multisig", multisigCodec);
  const next = transactionDerivation(multisig.address, multisig.value.transactionIndex + 1n);
  requireSeeds(context, accountAt(context, 1).address, next.address, "transaction");
  createDerivedAccount(context, {
    payer: signerAt(context, 3, "rent_payer"),
    address: next.address,
    space: CONFIG_TRANSACTION_SIZE,
    owner: context.programId,
    seeds: next.seeds,
  });
  const isControlled = multisig.value.configAuthority !== SYSTEM_PROGRAM;
  ensure(context, !isControlled, "NotSupportedForControlled");
  throw constraintFailure(context, "InstructionFallbackNotFound");
}

/**
 * The Squads v4 program: multisigs, vault transactions and spending limits; compute units as measured on the real
 * program.
 */
export const squadsProgram: Program = anchorProgram(SQUADS_PROGRAM, [
  { name: "multisig_create_v2", units: 22_000n, run: multisigCreateV2 },
  { name: "vault_transaction_create", units: 38_000n, run: vaultTransactionCreate },
  { name: "proposal_create", units: 18_000n, run: proposalCreate },
  { name: "proposal_approve", units: 13_000n, run: proposalApprove },
  { name: "vault_transaction_execute", units: 32_000n, run: vaultTransactionExecute },
  { name: "vault_transaction_accounts_close", units: 18_000n, run: vaultTransactionAccountsClose },
  { name: "multisig_add_spending_limit", units: 24_000n, run: addSpendingLimit },
  { name: "multisig_remove_spending_limit", units: 12_000n, run: removeSpendingLimit },
  { name: "spending_limit_use", units: 76_000n, run: useSpendingLimit },
  { name: "config_transaction_create", units: 10_000n, run: configTransactionCreate },
]);
