import { AccountRole, type Address, type Instruction, getBase16Codec } from "@solana/kit";
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors.json" with { type: "json" };
import { associatedTokenAddress } from "./associated-token.ts";
import { SPENDING_PERIOD } from "./squads-accounts.ts";
import {
  multisigCreateV2,
  squadsArguments,
  vaultLife,
  multisigAddSpendingLimit,
  multisigRemoveSpendingLimit,
  spendingLimitUse,
  deriveMultisig,
  deriveProgramConfig,
  deriveProposal,
  deriveSpendingLimit,
  deriveVault,
  deriveVaultTransaction,
} from "./squads.ts";
import { transferLamports } from "./system.ts";
import { USDC_MINT, transferChecked } from "./token.ts";

const ROLES: Record<AccountRole, string> = {
  [AccountRole.READONLY]: "r",
  [AccountRole.WRITABLE]: "w",
  [AccountRole.READONLY_SIGNER]: "s",
  [AccountRole.WRITABLE_SIGNER]: "ws",
};

const plain = (instruction: Instruction) => ({
  programId: instruction.programAddress as string,
  accounts: (instruction.accounts ?? []).map(({ address, role }) => [
    address as string,
    ROLES[role],
  ]),
  data: getBase16Codec().decode(instruction.data ?? new Uint8Array()),
});

const keys = vectors.keys as Record<keyof typeof vectors.keys, Address>;
const pdas = vectors.pdas as unknown as Record<
  Exclude<keyof typeof vectors.pdas, "drift">,
  Address
>;

const create = (configAuthority?: Address) =>
  multisigCreateV2(
    { treasury: keys.treasury, createKey: keys.createKey, creator: keys.user },
    {
      ...(configAuthority === undefined ? {} : { configAuthority }),
      threshold: 1,
      members: [{ key: keys.user, permissions: 7 }],
      rentCollector: keys.user,
    },
  );

const life = (transactionIndex: bigint, instruction: Instruction) =>
  vaultLife({
    multisig: pdas.multisig,
    transactionIndex,
    member: keys.user,
    vault: pdas.vault,
    rentCollector: keys.user,
    instructions: [instruction],
  });

const limitUse = {
  multisig: pdas.multisig,
  member: keys.delegate,
  spendingLimit: pdas.spendingLimit,
  destination: keys.delegate,
};

const built: Record<keyof typeof vectors.squads, readonly Instruction[]> = {
  "multisigCreateV2, controlled": [create(keys.user)],
  "multisigCreateV2, autonomous": [create()],
  "vault life 1: SOL transfer": life(
    1n,
    transferLamports({ from: pdas.vault, to: keys.user }, 1_000_000n),
  ),
  "vault life 2: USDC transfer": life(
    2n,
    transferChecked(
      {
        source: pdas.vaultUsdc,
        mint: USDC_MINT,
        destination: pdas.userUsdc,
        authority: pdas.vault,
      },
      { amount: 250_000_000n, decimals: 6 },
    ),
  ),
  "add spending limit: 100 USDC a day": [
    multisigAddSpendingLimit(
      { multisig: pdas.multisig, configAuthority: keys.user, rentPayer: keys.user },
      {
        createKey: keys.limitKey,
        mint: USDC_MINT,
        amount: 100_000_000n,
        period: SPENDING_PERIOD.day,
        members: [keys.delegate],
        destinations: [keys.delegate],
      },
    ),
  ],
  "remove spending limit": [
    multisigRemoveSpendingLimit({
      multisig: pdas.multisig,
      configAuthority: keys.user,
      spendingLimit: pdas.spendingLimit,
      rentCollector: keys.user,
    }),
  ],
  "use spending limit: 60 USDC": [
    spendingLimitUse({ ...limitUse, mint: USDC_MINT }, { amount: 60_000_000n, decimals: 6 }),
  ],
  "use spending limit: SOL": [spendingLimitUse(limitUse, { amount: 10_000_000n, decimals: 9 })],
};

describe("Squads instructions", () => {
  it.each(Object.keys(vectors.squads) as (keyof typeof vectors.squads)[])(
    "equal the golden bytes: %s",
    (name) => {
      expect(built[name].map(plain)).toEqual(vectors.squads[name]);
    },
  );

  it("decode back to their arguments", () => {
    const bytes = create(keys.user).data;
    expect(squadsArguments.multisigCreateV2.decode(bytes)).toEqual({
      configAuthority: keys.user,
      threshold: 1,
      members: [{ key: keys.user, permissions: 7 }],
      timeLock: 0,
      rentCollector: keys.user,
      memo: null,
    });
    expect(() => squadsArguments.proposalApprove.decode(bytes)).toThrow();
  });
});

describe("Squads addresses", () => {
  it("equal the golden ones", () => {
    expect({
      programConfig: deriveProgramConfig().address,
      multisig: deriveMultisig(keys.createKey).address,
      vault: deriveVault(pdas.multisig).address,
      transaction1: deriveVaultTransaction(pdas.multisig, 1n).address,
      proposal1: deriveProposal(pdas.multisig, 1n).address,
      spendingLimit: deriveSpendingLimit(pdas.multisig, keys.limitKey).address,
      vaultUsdc: associatedTokenAddress(pdas.vault, USDC_MINT),
      userUsdc: associatedTokenAddress(keys.user, USDC_MINT),
    }).toEqual({ ...pdas, drift: undefined });
  });
});
