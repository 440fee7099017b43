import type { Multisig } from "../../../solana/programs/squads-accounts.ts";
import {
  multisigCodec,
  multisigSize,
  programConfigCodec,
} from "../../../solana/programs/squads-accounts.ts";
import { squadsArguments } from "../../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import { concatBytes, u64Bytes } from "../../runtime/bytes.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import {
  accountAt,
  argumentsOf,
  loadAt,
  requireProgram,
  requireSeeds,
  requireWritable,
  signerAt,
  store,
} from "../anchor.ts";
import { createDerivedAccount } from "../create-account.ts";
import {
  compareKeys,
  multisigDerivation,
  PERMISSION,
  programConfigDerivation,
} from "./multisig-accounts.ts";
import { ensure } from "./squads-failures.ts";

const MAX_TIME_LOCK_SECONDS = 90 * 24 * 60 * 60;
const ALL_PERMISSIONS = 7;

function requireSound(context: InstructionContext, { members, threshold, timeLock }: Multisig) {
  const able = (permission: number) =>
    members.filter(({ permissions }) => (permissions & permission) !== 0).length;
  ensure(context, members.length > 0, "EmptyMembers");
  const keys = new Set(members.map(({ key }) => key));
  ensure(context, keys.size === members.length, "DuplicateMember");
  const areKnown = members.every(({ permissions }) => permissions <= ALL_PERMISSIONS);
  ensure(context, areKnown, "UnknownPermission");
  ensure(context, able(PERMISSION.initiate) > 0, "NoProposers");
  ensure(context, able(PERMISSION.execute) > 0, "NoExecutors");
  ensure(context, able(PERMISSION.vote) > 0, "NoVoters");
  const isReachable = threshold > 0 && threshold <= able(PERMISSION.vote);
  ensure(context, isReachable, "InvalidThreshold");
  ensure(context, timeLock <= MAX_TIME_LOCK_SECONDS, "TimeLockExceedsMaxAllowed");
}

/** Creates a multisig; its create key signs, the creator pays the rent and the creation fee. */
export function multisigCreateV2(context: InstructionContext): void {
  const args = argumentsOf(context, squadsArguments.multisigCreateV2);
  const config = loadAt(context, 0, "program_config", programConfigCodec);
  const treasury = accountAt(context, 1).address;
  const { address } = accountAt(context, 2);
  const createKey = signerAt(context, 3, "create_key");
  const creator = signerAt(context, 4, "creator");
  requireProgram(context, 5, SYSTEM_PROGRAM, "system_program");

  const { address: derived, bump, seeds } = multisigDerivation(createKey);
  requireSeeds(context, address, derived, "multisig");
  const space = multisigSize(args.members.length);
  createDerivedAccount(context, {
    payer: creator,
    address,
    space,
    owner: context.programId,
    seeds,
  });
  requireSeeds(context, config.address, programConfigDerivation().address, "program_config");
  requireWritable(context, 1, "treasury");
  ensure(context, treasury === config.value.treasury, "InvalidAccount");

  const multisig: Multisig = {
    createKey,
    configAuthority: args.configAuthority ?? SYSTEM_PROGRAM,
    threshold: args.threshold,
    timeLock: args.timeLock,
    transactionIndex: 0n,
    staleTransactionIndex: 0n,
    rentCollector: args.rentCollector,
    bump,
    members: args.members.toSorted((a, b) => compareKeys(a.key, b.key)),
  };
  requireSound(context, multisig);
  store(context, address, multisigCodec, multisig);

  const fee = config.value.multisigCreationFee;
  if (fee === 0n) return;
  context.invoke({
    programId: SYSTEM_PROGRAM,
    accounts: [
      { address: creator, isSigner: true, isWritable: true },
      { address: treasury, isSigner: false, isWritable: true },
    ],
    data: concatBytes([Uint8Array.of(2, 0, 0, 0), u64Bytes(fee)]),
  });
}
