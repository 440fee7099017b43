import type { Address } from "@solana/kit";
import { TOKEN_PROGRAM } from "../../../solana/programs/token.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import { spotMarketLayout } from "../../../venues/drift/layout-spot-market.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import { DRIFT_V2_PROFILE } from "../../../venues/drift/profile.ts";
import { withdrawableAmount } from "../../../venues/drift/margin.ts";
import { concatBytes, u64Bytes, utf8Bytes } from "../../runtime/bytes.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { accountAt, argumentsOf, loadAt, signerAt, store } from "../anchor.ts";
import {
  loadMarkets,
  loadStats,
  loadUser,
  requireAddress,
  requireAuthority,
  requireRunning,
  requireStatsOf,
} from "./exchange-accounts.ts";
import { ensure } from "./exchange-failures.ts";
import { isCovered, marginAccountOf } from "./exchange-margin.ts";
import { settleFunding } from "./funding.ts";
import { changeDeposit, depositOf } from "./spot-balance.ts";

const TOKEN_TRANSFER = 3;

interface TokenTransfer {
  readonly source: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
  readonly seeds?: readonly Uint8Array[];
}

function transferTokens(context: InstructionContext, transfer: TokenTransfer): void {
  const { source, destination, authority, amount, seeds } = transfer;
  context.invoke(
    {
      programId: TOKEN_PROGRAM,
      accounts: [
        { address: source, isSigner: false, isWritable: true },
        { address: destination, isSigner: false, isWritable: true },
        { address: authority, isSigner: true, isWritable: false },
      ],
      data: concatBytes([Uint8Array.of(TOKEN_TRANSFER), u64Bytes(amount)]),
    },
    seeds === undefined ? [] : [seeds],
  );
}

/** Brings tokens in. Whoever owns the tokens may deposit for anybody. */
export function deposit(context: InstructionContext): void {
  const { marketIndex, amount } = argumentsOf(context, driftArguments.deposit);
  const user = loadUser(context, 1);
  const stats = loadStats(context, 2);
  const authority = signerAt(context, 3, "authority");
  const source = accountAt(context, 5).address;
  requireStatsOf(context, stats.value, user.value);
  requireRunning(context, "depositPaused");
  ensure(context, amount > 0n, "InsufficientDeposit");
  const spot = loadMarkets(context, 7).spot(marketIndex);
  const vault = requireAddress(context, 4, spot.value.vault, "spot_market_vault");

  const changed = changeDeposit(user.value, spot.value, amount);
  const index = changed.user.spotPositions.findIndex(
    (slot) => slot.marketIndex === marketIndex && slot.scaledBalance > 0n,
  );
  const spotPositions = changed.user.spotPositions.map((slot, at) =>
    at === index ? { ...slot, cumulativeDeposits: slot.cumulativeDeposits + amount } : slot,
  );
  store(context, user.address, userLayout, {
    ...changed.user,
    spotPositions,
    totalDeposits: changed.user.totalDeposits + amount,
    lastActiveSlot: context.time.slot,
  });
  store(context, spot.address, spotMarketLayout, {
    ...changed.market,
    nextDepositRecordId: spot.value.nextDepositRecordId + 1n,
  });
  transferTokens(context, { source, destination: vault, authority, amount });
}

/** Takes tokens out as far as margin allows; only the authority may. */
export function withdraw(context: InstructionContext): void {
  const args = argumentsOf(context, driftArguments.withdraw);
  const state = loadAt(context, 0, "state", stateLayout);
  const user = loadUser(context, 1);
  const stats = loadStats(context, 2);
  const authority = signerAt(context, 3, "authority");
  const destination = accountAt(context, 6).address;
  requireAuthority(context, user.value, authority);
  requireStatsOf(context, stats.value, user.value);
  const signer = requireAddress(context, 5, state.value.signer, "drift_signer");
  requireRunning(context, "withdrawPaused");
  ensure(context, args.amount > 0n, "InsufficientDeposit");
  const markets = loadMarkets(context, 8);
  const spot = markets.spot(args.marketIndex);
  const vault = requireAddress(context, 4, spot.value.vault, "spot_market_vault");

  const funded = settleFunding(user.value, markets);
  const held = depositOf(funded, spot.value);
  const allowed = withdrawableAmount(marginAccountOf(funded, markets));
  const amount = args.reduceOnly && args.amount > allowed ? allowed : args.amount;
  ensure(context, amount > 0n && amount <= held, "InsufficientCollateral");
  const changed = changeDeposit(funded, spot.value, -amount);
  ensure(
    context,
    isCovered(marginAccountOf(changed.user, markets), "initial"),
    "InsufficientCollateral",
  );
  store(context, user.address, userLayout, {
    ...changed.user,
    totalWithdraws: changed.user.totalWithdraws + amount,
    lastActiveSlot: context.time.slot,
  });
  store(context, spot.address, spotMarketLayout, {
    ...changed.market,
    nextDepositRecordId: spot.value.nextDepositRecordId + 1n,
  });
  const seeds = [utf8Bytes(DRIFT_V2_PROFILE.signerSeed), Uint8Array.of(state.value.signerNonce)];
  transferTokens(context, { source: vault, destination, authority: signer, amount, seeds });
}
