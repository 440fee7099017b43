import {
  multisigCodec,
  proposalCodec,
  proposalSize,
  vaultTransactionCodec,
} from "../../../solana/programs/squads-accounts.ts";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import {
  squadsArguments,
  deriveProposal,
  deriveVault,
  SQUADS_PROGRAM,
  squadsSeeds,
} from "../../../solana/programs/squads.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import {
  accountAt,
  argumentsOf,
  initAccount,
  loadAt,
  requireProgram,
  requireSeeds,
  requireWritable,
  signerAt,
  store,
} from "../anchor.ts";
import { closeProgramAccount, derive } from "../create-account.ts";
import {
  loadMultisig,
  PERMISSION,
  requireMember,
  requireMultisigSeeds,
} from "./multisig-accounts.ts";
import { ensure, squadsFailure } from "./squads-failures.ts";

/** Stores a message for the vault under the multisig's next index. */
export function vaultTransactionCreate(context: InstructionContext): void {
  const args = argumentsOf(context, squadsArguments.vaultTransactionCreate);
  const multisig = loadMultisig(context);
  const { address } = accountAt(context, 1);
  const creator = signerAt(context, 2, "creator");
  const payer = signerAt(context, 3, "rent_payer");
  requireProgram(context, 4, SYSTEM_PROGRAM, "system_program");

  const index = multisig.value.transactionIndex + 1n;
  const derived = derive(SQUADS_PROGRAM, squadsSeeds.transaction(multisig.address, index));
  requireSeeds(context, address, derived.address, "transaction");
  ensure(context, args.ephemeralSigners === 0, "InvalidTransactionMessage");
  const transaction = {
    multisig: multisig.address,
    creator,
    index,
    bump: derived.bump,
    vaultIndex: args.vaultIndex,
    vaultBump: deriveVault(multisig.address, args.vaultIndex).bump,
    ephemeralSignerBumps: [],
    message: args.message,
  };
  const space = vaultTransactionCodec.encode(transaction).length;
  initAccount(context, address, "transaction", derived, { payer, space });
  requireMultisigSeeds(context, multisig);
  requireWritable(context, 0, "multisig");
  requireMember(context, multisig.value, creator, PERMISSION.initiate);

  requireSoundMessage(context, args.message);
  store(context, address, vaultTransactionCodec, transaction);
  const next = { ...multisig.value, transactionIndex: index };
  store(context, multisig.address, multisigCodec, next);
  context.log(`transaction index: ${index}`);
}

type Message = ReturnType<typeof squadsArguments.vaultTransactionCreate.decode>["message"];

function requireSoundMessage(context: InstructionContext, message: Message): void {
  const { numSigners, numWritableSigners, numWritableNonSigners, accountKeys } = message;
  const loaded = message.addressTableLookups.reduce(
    (sum, lookup) => sum + lookup.writableIndexes.length + lookup.readonlyIndexes.length,
    0,
  );
  const total = accountKeys.length + loaded;
  const isSound =
    numSigners <= accountKeys.length &&
    numWritableSigners <= numSigners &&
    numWritableNonSigners <= accountKeys.length - numSigners &&
    message.instructions.every(
      ({ programIdIndex, accountIndexes }) =>
        programIdIndex < total && accountIndexes.every((index) => index < total),
    );
  ensure(context, isSound, "InvalidTransactionMessage");
}

/** Opens the vote on a stored transaction. */
export function proposalCreate(context: InstructionContext): void {
  const args = argumentsOf(context, squadsArguments.proposalCreate);
  const multisig = loadMultisig(context);
  const { address } = accountAt(context, 1);
  const creator = signerAt(context, 2, "creator");
  const payer = signerAt(context, 3, "rent_payer");
  requireProgram(context, 4, SYSTEM_PROGRAM, "system_program");
  const { transactionIndex } = args;

  const derived = derive(SQUADS_PROGRAM, squadsSeeds.proposal(multisig.address, transactionIndex));
  const space = proposalSize(multisig.value.members.length);
  initAccount(context, address, "proposal", derived, { payer, space });
  requireMultisigSeeds(context, multisig);
  const { value } = multisig;
  ensure(context, transactionIndex <= value.transactionIndex, "InvalidTransactionIndex");
  ensure(context, transactionIndex > value.staleTransactionIndex, "StaleProposal");
  requireMember(context, value, creator, PERMISSION.initiate | PERMISSION.vote);

  store(context, address, proposalCodec, {
    multisig: multisig.address,
    transactionIndex,
    status: {
      __kind: args.isDraft ? "draft" : "active",
      timestamp: context.time.unixTime,
    },
    bump: derived.bump,
    approved: [],
    rejected: [],
    cancelled: [],
  });
}

/** Adds a member's approval; the approval that reaches the threshold makes the proposal executable. */
export function proposalApprove(context: InstructionContext): void {
  argumentsOf(context, squadsArguments.proposalApprove);
  const multisig = loadMultisig(context);
  const member = signerAt(context, 1, "member");
  const proposal = loadAt(context, 2, "proposal", proposalCodec);
  requireMultisigSeeds(context, multisig);
  requireWritable(context, 1, "member");
  const { address: derived } = deriveProposal(multisig.address, proposal.value.transactionIndex);
  requireSeeds(context, proposal.address, derived, "proposal");
  requireWritable(context, 2, "proposal");
  requireMember(context, multisig.value, member, PERMISSION.vote);
  ensure(context, proposal.value.status.__kind === "active", "InvalidProposalStatus");
  const isStale = proposal.value.transactionIndex <= multisig.value.staleTransactionIndex;
  ensure(context, !isStale, "StaleProposal");
  ensure(context, !proposal.value.approved.includes(member), "AlreadyApproved");

  const approved = [...proposal.value.approved, member];
  const isApproved = approved.length >= multisig.value.threshold;
  store(context, proposal.address, proposalCodec, {
    ...proposal.value,
    approved,
    rejected: proposal.value.rejected.filter((key) => key !== member),
    status: isApproved
      ? { __kind: "approved", timestamp: context.time.unixTime }
      : proposal.value.status,
  });
}

/** Closes a finished transaction and its proposal; their rent goes to the multisig's collector. */
export function vaultTransactionAccountsClose(context: InstructionContext): void {
  const multisig = loadMultisig(context);
  const proposalAddress = accountAt(context, 1).address;
  const transaction = loadAt(context, 2, "transaction", vaultTransactionCodec);
  const collector = accountAt(context, 3).address;
  requireMultisigSeeds(context, multisig);
  const { rentCollector, staleTransactionIndex } = multisig.value;
  ensure(context, rentCollector !== null, "RentReclamationDisabled", "multisig");
  const { index } = transaction.value;
  const { address: derived } = deriveProposal(multisig.address, index);
  requireSeeds(context, proposalAddress, derived, "proposal");
  requireWritable(context, 1, "proposal");
  requireWritable(context, 2, "transaction");
  const isOurs = transaction.value.multisig === multisig.address;
  ensure(context, isOurs, "TransactionForAnotherMultisig", "transaction");
  requireWritable(context, 3, "rent_collector");
  ensure(context, collector === rentCollector, "InvalidRentCollector", "rent_collector");

  const hasProposal = context.read(proposalAddress).data.length > 0;
  const kind = hasProposal
    ? loadAt(context, 1, "proposal", proposalCodec).value.status.__kind
    : undefined;
  const isFinished = kind === "executed" || kind === "rejected" || kind === "cancelled";
  const isUnfinishable = kind !== "approved" && kind !== "executing";
  const isStale = index <= staleTransactionIndex;
  if (!isFinished && !(isStale && isUnfinishable)) {
    throw squadsFailure(context, "InvalidProposalStatus");
  }
  if (hasProposal) closeProgramAccount(context, proposalAddress, collector);
  closeProgramAccount(context, transaction.address, collector);
}
