import { Kysely, PostgresDialect } from "kysely";
import { accountReader, TEST_HOST } from "../inherit-terms.ts";
import type { TradingState } from "../../src/domain/trading-state.ts";
import type { FaultyChain } from "../faults.ts";
import type { PriceSource } from "../../src/practice/price-source.ts";
import type { TradingKeySigner } from "../../src/server/custody/account/trading-key-signer.ts";
import { createCustodyGuard } from "../../src/server/custody/custody-guard.ts";
import { createTradingKeySigner } from "../../src/server/custody/signer/create-trading-key-signer.ts";
import { createSigningLedger } from "../../src/server/custody/signer/signing-ledger.ts";
import { createSigningAgents } from "../../src/server/custody/signer/read-signing-agent.ts";
import type { LedgerDeps } from "../../src/server/ledger/ledger-deps.ts";
import { createReconciler, type Reconciler } from "../../src/server/reconcile/reconciler.ts";
import {
  type AlertReceiver,
  createAlertReceiver,
} from "../../src/server/trading/intake/receive-alerts.ts";
import { createSettlements } from "../../src/server/trading/orders/settlements.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import type { KeptLane, TradingDeps } from "../../src/server/trading/orders/order-context.ts";
import type { Chain } from "../../src/solana/chain.ts";
import { wrapChain } from "../wrap-chain.ts";
import type { TestClock } from "../clock.ts";
import type { SignedNote } from "../judge/actions.ts";
import { practiceRules } from "../practice-venues.ts";
import { type BaseWorld, networksOn } from "./base-world.ts";
import { createServerGate, type ServerGate } from "./server-gate.ts";

/** What every server of a world shares. */
export interface Surroundings {
  readonly base: BaseWorld;
  readonly clock: TestClock;
  readonly prices: PriceSource;
  readonly tradingState: () => TradingState;
  readonly newId: () => string;
  /** Called with everything a trading key signs. */
  readonly onSigned: (signed: Omit<SignedNote, "tradingState">) => void;
  /** Called with what a living server logs as a warning or an error. */
  readonly onProblem: (detail: object) => void;
  /** Puts a fault into a server, to test the invariants. */
  readonly spoil?: ((sound: SoundParts) => ServerParts) | undefined;
}

interface ServerParts {
  readonly deps: TradingDeps;
  readonly receiver: AlertReceiver;
}

interface SoundParts extends ServerParts {
  readonly surroundings: Pick<Surroundings, "prices" | "clock">;
}

/** One server process: everything of the product that trades, behind a gate at which it can be killed or paused. */
export interface SimServer {
  readonly name: string;
  readonly gate: ServerGate;
  readonly deps: TradingDeps;
  readonly receiver: AlertReceiver;
  readonly reconciler: Reconciler;
  readonly book: LedgerDeps;
  /** Lanes that stay held between two turns. */
  readonly kept: Map<AgentId, KeptLane>;
  /** Settlements that wait to look again, oldest first: calling one ends its wait. */
  readonly sleepers: (() => void)[];
}

const READS = [
  "genesisHash",
  "accounts",
  "accountsOf",
  "latestBlockhash",
  "progress",
  "historyStart",
  "simulate",
  "send",
  "signatureStatuses",
  "transaction",
  "recentUnitPrices",
  "minimumBalance",
  "slotDurationMs",
  "signaturesFor",
] as const satisfies readonly (keyof Chain)[];

type AnyCall = (...given: readonly unknown[]) => Promise<unknown>;

/** The chain as only this server reaches it. */
const gatedChain = (chain: Chain, gate: ServerGate): Chain =>
  wrapChain(chain, (inner) =>
    Object.fromEntries(
      READS.map((name) => {
        const call = inner[name] as AnyCall;
        return [name, (...given: readonly unknown[]) => gate.pass(() => call(...given))];
      }),
    ),
  );

export function startServer(name: string, node: FaultyChain, around: Surroundings): SimServer {
  const { base, clock, prices, tradingState, newId } = around;
  const gate = createServerGate();
  const pool = gate.guard(base.database.pool);
  const db: TradingDeps["db"] = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const chain = gatedChain(node, gate);
  const networks = networksOn(chain, prices, clock);
  const publisher = { publish() {} };
  const problem = (detail: object): void => {
    if (!gate.isKilled) around.onProblem(detail);
  };
  const log = { debug() {}, warn: problem, error: problem };
  const guard = createCustodyGuard({ db, networks, clock, publisher, keys: base.keys });
  const sleepers: (() => void)[] = [];
  const settlements = createSettlements(
    log,
    () => new Promise<void>((resolve) => sleepers.push(resolve)),
  );
  const soundDeps: TradingDeps = {
    db,
    lanes: pool,
    networks,
    signer: gatedSigner(gate, node, around),
    clock,
    newId,
    publisher,
    tradingState,
    custodyCheck: (id) => guard(id),
    settlements,
    entryAtr: async () => new Map(),
    log,
  };
  const soundReceiver = createAlertReceiver({
    database: { db, pool },
    newId,
    onStored: () => {},
    onError: (err) => problem({ err }),
  });
  const sound: SoundParts = { deps: soundDeps, receiver: soundReceiver, surroundings: around };
  const { deps, receiver } = around.spoil?.(sound) ?? sound;
  const book = { ...deps, feePayers: [base.keys.feePayer.address] };
  const reconciler = createReconciler({
    ...book,
    keys: base.keys,
    guard,
    onFailure: (err) => problem({ err }),
  });
  return { name, gate, deps, receiver, reconciler, book, kept: new Map(), sleepers };
}

/** Returns a signer whose requests can be interrupted; the signer itself is another process with its own connections. */
function gatedSigner(gate: ServerGate, node: FaultyChain, around: Surroundings): TradingKeySigner {
  const { base, prices, clock, tradingState } = around;
  const signer = createTradingKeySigner({
    keys: base.keys,
    ledger: createSigningLedger({ pool: base.database.pool, clock }),
    agents: createSigningAgents({
      pool: base.database.pool,
      rulesOf: practiceRules(node, prices, clock),
      tradingState,
      keys: base.keys,
      clock,
      host: TEST_HOST,
      readAccount: accountReader(node),
    }),
  });
  return {
    feePayer: signer.feePayer,
    sign: (request) =>
      gate.pass(async () => {
        const signed = await signer.sign(request);
        const { agentId, purpose } = request;
        around.onSigned({ agentId, purpose, signature: signed.signature });
        return signed;
      }),
  };
}
