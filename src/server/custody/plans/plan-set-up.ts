import type { Address, Instruction } from "@solana/kit";
import { AppError } from "../../../contract/errors.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { OwnerVersion } from "../../../solana/transaction.ts";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import { programConfigCodec } from "../../../solana/programs/squads-accounts.ts";
import {
  multisigCreateV2,
  deriveProgramConfig,
  SQUADS_PROGRAM,
} from "../../../solana/programs/squads.ts";
import { transferLamports } from "../../../solana/programs/system.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import {
  delegationLamports,
  formatSol,
  OWNER_UNIT_PRICE_MICRO_LAMPORTS,
  SET_UP_WALLET_LAMPORTS,
  VAULT_FUNDING_LAMPORTS,
  VAULT_MIN_LAMPORTS,
  WALLET_LAMPORTS,
} from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";
import { type CustodyPlan, requireWallet, wrapVaultStep } from "./custody-plan.ts";

/** Enough for creating a multisig, one transfer and a token account, measured at about 45,000. */
const CREATE_UNIT_LIMIT = 120_000;

/** Compute units of funding alone; a vault operation that moves tokens takes 118,221. */
const FUND_UNIT_LIMIT = 300_000;

/**
 * Returns the next transaction of a set-up from the chain's present state, or null when nothing is left to sign.
 * Version 1 fits the whole set-up in one transaction. In version 0 the first one opens the vault's quote account
 * for the second one, which would leave a wallet's own instructions too little room.
 */
export async function planSetUp(
  context: CustodyContext,
  state: CustodyState,
  remaining: readonly PlanStep[],
  version: OwnerVersion,
): Promise<CustodyPlan | null> {
  const { account } = context;
  const stepCount = 1 + Math.max(1, remaining.length);
  if (state.multisig === null) {
    const creation = await planCreation(context, state, stepCount);
    return version === 1
      ? planWhole(context, creation, remaining)
      : withQuoteAccount(context, state, creation, remaining);
  }

  const [next] = remaining;
  if (next === undefined) return null;
  if (state.vaultLamports < VAULT_MIN_LAMPORTS) {
    return {
      ...planFunding(context, state, state.multisig.transactionIndex, VAULT_FUNDING_LAMPORTS),
      stepCount,
    };
  }
  const rentLamports = next.ownerRentLamports ?? 0n;
  requireWallet(state, WALLET_LAMPORTS + rentLamports);
  const needed = delegationLamports(state.rents.venueSetUp, state.rents.floor);
  if (state.vaultLamports < needed) {
    throw new AppError("vault_balance_too_low", {
      message: `The vault needs at least ${formatSol(needed)}; it holds ${formatSol(state.vaultLamports)}. Please fund the vault first.`,
    });
  }
  return {
    step: 2,
    stepCount,
    label: next.label,
    amount: null,
    ...wrapVaultStep(next, account, state.multisig.transactionIndex),
    unitPrice: OWNER_UNIT_PRICE_MICRO_LAMPORTS,
    isEntry: true,
    ...openingFirst(context, state, next),
    costs: {
      rentLamports,
      transferLamports: 0n,
      quoteAmount: 0n,
      // Replacing a trading key opens no account
      unrecoverable: next.expects.some(({ kind }) => kind === "account_exists")
        ? venueLoss(context, state)
        : [],
    },
  };
}

/** Returns the unrecoverable rent of the venue's set-up. */
function venueLoss({ venue }: CustodyContext, { rents }: CustodyState) {
  const lamports = rents.venueUnrecoverable;
  return lamports > 0n ? [{ what: venue.instance.unrecoverableWhat, lamports }] : [];
}

async function planCreation(
  context: CustodyContext,
  state: CustodyState,
  stepCount: number,
): Promise<CustodyPlan> {
  if (state.ownerLamports < SET_UP_WALLET_LAMPORTS) {
    throw new AppError("set_up_balance_too_low", {
      message: `At least 0.2 SOL is required to set up a new agent. Your wallet holds ${formatSol(state.ownerLamports)}.`,
    });
  }
  const { account, createKey } = context;
  const { owner, multisig, vault } = account;
  const config = await readProgramConfig(context);
  return {
    step: 1,
    stepCount,
    label: `Create the multisig and fund the vault (${formatSol(VAULT_FUNDING_LAMPORTS)})`,
    amount: null,
    computeUnitLimit: CREATE_UNIT_LIMIT,
    unitPrice: OWNER_UNIT_PRICE_MICRO_LAMPORTS,
    isEntry: true,
    instructions: () => [
      multisigCreateV2(
        { treasury: config.treasury, createKey, creator: owner },
        {
          configAuthority: owner,
          threshold: 1,
          members: [{ key: owner, permissions: 7 }],
          rentCollector: owner,
        },
      ),
      transferLamports({ from: owner, to: vault }, VAULT_FUNDING_LAMPORTS),
    ],
    expects: {
      effects: [
        { kind: "account_exists", address: multisig, programId: SQUADS_PROGRAM },
        { kind: "lamports_at_least", address: vault, lamports: VAULT_FUNDING_LAMPORTS },
      ],
      vaultTransaction: null,
      needsCoSigner: true,
    },
    costs: {
      rentLamports: state.rents.multisig + config.creationFee,
      transferLamports: VAULT_FUNDING_LAMPORTS,
      quoteAmount: 0n,
      unrecoverable: [
        { what: "Multisig account", lamports: state.rents.multisig },
        ...venueLoss(context, state),
      ],
    },
  };
}

/** Returns the step's instructions that open the vault's quote account, paid by the owner. */
function quoteAccountOpenings(
  { account, venue }: CustodyContext,
  { before }: PlanStep,
): readonly Instruction[] {
  const opened = associatedTokenAddress(account.vault, venue.instance.quote.mint);
  return before.filter(
    ({ programAddress, accounts = [] }) =>
      programAddress === ASSOCIATED_TOKEN_PROGRAM && accounts[1]?.address === opened,
  );
}

/** Opens the vault's quote account with the creation where a later step would. */
function withQuoteAccount(
  context: CustodyContext,
  { rents }: CustodyState,
  creation: CustodyPlan,
  remaining: readonly PlanStep[],
): CustodyPlan {
  const openings = remaining.flatMap((step) => quoteAccountOpenings(context, step));
  if (openings.length === 0) return creation;
  const rentLamports = creation.costs.rentLamports + rents.tokenAccount;
  return {
    ...creation,
    instructions: (tables) => [...creation.instructions(tables), ...openings],
    costs: { ...creation.costs, rentLamports },
  };
}

/** Plans the whole set-up as one transaction: the vault is funded before its own part runs. */
function planWhole(
  { account }: CustodyContext,
  creation: CustodyPlan,
  remaining: readonly PlanStep[],
): CustodyPlan {
  let lastIndex = 0n;
  const parts = remaining.map((step) => {
    const part = wrapVaultStep(step, account, lastIndex);
    if (part.expects.vaultTransaction !== null) lastIndex += 1n;
    return part;
  });
  const rent = remaining.reduce((sum, step) => sum + (step.ownerRentLamports ?? 0n), 0n);
  return {
    ...creation,
    step: 1,
    stepCount: 1,
    label: [creation, ...remaining].map(({ label }) => label).join(". "),
    computeUnitLimit: parts.reduce(
      (sum, part) => sum + part.computeUnitLimit,
      creation.computeUnitLimit,
    ),
    instructions: (tables) => [
      ...creation.instructions(tables),
      ...parts.flatMap((part) => part.instructions(tables)),
    ],
    expects: {
      // The vault's own part spends some of its funding again
      effects: [creation, ...parts]
        .flatMap(({ expects }) => expects.effects)
        .filter(({ kind }) => kind !== "lamports_at_least"),
      vaultTransaction:
        parts.find(({ expects }) => expects.vaultTransaction !== null)?.expects.vaultTransaction ??
        null,
      needsCoSigner: true,
    },
    costs: { ...creation.costs, rentLamports: creation.costs.rentLamports + rent },
  };
}

/** Returns the plan to sign first where the step opens the vault's quote account and then leaves a wallet no room. */
export function openingFirst(
  context: CustodyContext,
  state: CustodyState,
  step: PlanStep,
): Pick<CustodyPlan, "whenTooLarge"> {
  if (state.multisig === null || quoteAccountOpenings(context, step).length === 0) return {};
  return { whenTooLarge: planFunding(context, state, state.multisig.transactionIndex, 0n) };
}

/**
 * Plans sending SOL to the vault and opening its quote account; 0 lamports only opens it. The vault's instruction opens
 * nothing more, but it consumes the multisig's next index: of several transfers prepared for one index only one can
 * land.
 */
function planFunding(
  { account, venue }: CustodyContext,
  state: CustodyState,
  transactionIndex: bigint,
  lamports: bigint,
): CustodyPlan {
  const { owner, vault } = account;
  const { mint } = venue.instance.quote;
  const rentLamports = state.vaultHasQuoteAccount ? 0n : state.rents.tokenAccount;
  requireWallet(state, WALLET_LAMPORTS + lamports + rentLamports);
  const step: PlanStep = {
    label:
      lamports === 0n
        ? "Open the vault's token account"
        : `Fund the vault (${formatSol(lamports)})`,
    before: [
      ...(lamports === 0n ? [] : [transferLamports({ from: owner, to: vault }, lamports)]),
      createAssociatedTokenIdempotent({ payer: owner, owner: vault, mint }),
    ],
    asVault: [createAssociatedTokenIdempotent({ payer: vault, owner: vault, mint })],
    after: [],
    computeUnitLimit: FUND_UNIT_LIMIT,
    expects: lamports === 0n ? [] : [{ kind: "lamports_at_least", address: vault, lamports }],
  };
  return {
    step: 1,
    stepCount: 2,
    label: step.label,
    amount: null,
    ...wrapVaultStep(step, account, transactionIndex),
    unitPrice: OWNER_UNIT_PRICE_MICRO_LAMPORTS,
    costs: { rentLamports, transferLamports: lamports, quoteAmount: 0n },
  };
}

async function readProgramConfig(
  context: CustodyContext,
): Promise<{ readonly treasury: Address; readonly creationFee: bigint }> {
  const { accounts } = await context.runtime.chain.accounts([deriveProgramConfig().address]);
  const config = accounts[0] ?? null;
  if (config === null) {
    throw new AppError("venue_unavailable", {
      message: "The custody program is not set up on this network.",
    });
  }
  const { treasury, multisigCreationFee } = programConfigCodec.decode(config.data);
  return { treasury, creationFee: multisigCreationFee };
}
