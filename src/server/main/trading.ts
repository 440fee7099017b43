import { hostname } from "node:os";
import { createConditionRunner } from "../alert-sources/conditions/condition-runner.ts";
import { createEntryAtr } from "../alert-sources/conditions/entry-atr.ts";
import { createCustody } from "../custody/custody.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { createHousekeeping } from "../housekeeping/housekeeping.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { addConditionGauges } from "../metrics/gauges.ts";
import { countAlerts } from "../metrics/count-alerts.ts";
import { openTradingMetrics } from "../metrics/open-metrics.ts";
import { publishFigures } from "../metrics/publish-figures.ts";
import { inClass, type Networks } from "../networks.ts";
import type { NodeTrouble, Stopped } from "../../domain/agent-health.ts";
import { repeatTask } from "../pacing/repeat-task.ts";
import { newId } from "../crypto/new-id.ts";
import { createReconciler } from "../reconcile/reconciler.ts";
import { endAllLaneLeases } from "../store/lanes/lanes.ts";
import { endBlockers } from "../store/postgres/installation.ts";
import { insertLowSolNotices } from "../store/notices/notice-watch.ts";
import { createPipeline, type PipelineDeps } from "../trading/pipeline.ts";
import { createPriceFeed, hasLivePrices } from "../market-data/prices/price-feed.ts";
import { createOutsideWatch } from "./doctor.ts";
import { createAgentShares } from "./divide-agents.ts";
import { getText } from "./http-client.ts";
import { openCandles } from "./open-candles.ts";
import { noticeSettings, openNotices } from "./open-notices.ts";
import { type OpenedProcess, type ProcessWork, runProcess } from "./open-process.ts";

/** Pause between two looks of the built-in networks' keepers, in milliseconds. */
const KEEPER_PAUSE_MS = 2_000;

const keepersOf = (networks: Networks, onFailure: (error: unknown) => void) =>
  [...networks.values()].flatMap(({ keep }) =>
    keep === undefined ? [] : repeatTask({ task: keep, pauseMs: KEEPER_PAUSE_MS, onFailure }),
  );

const priceFeedOf = ({ config, store, shared, onFailure }: OpenedProcess, holder: string) =>
  createPriceFeed({
    ...shared,
    configured: config.priceSources,
    holder,
    hints: store.notifier,
    get: getText,
    accounts: shared.networks.get("mainnet")?.inClass?.("exit").chain.accounts,
    onFailure,
  });

/** Pause between two looks for sessions that keep others waiting, in milliseconds. */
const BLOCKERS_PAUSE_MS = 2_000;

const blockersOf = ({ shared, logger, onFailure }: OpenedProcess) =>
  repeatTask({
    async task() {
      const sessions = await endBlockers(shared.db);
      if (sessions > 0) logger.warn({ sessions }, "ended what kept others waiting for web's role");
    },
    pauseMs: BLOCKERS_PAUSE_MS,
    onFailure,
  });

const watchesOf = (opened: OpenedProcess) => [blockersOf(opened), createOutsideWatch(opened)];

/** A server goes by its machine and folder, so that the next of its processes has the same share. */
const sharesOf = ({ config, shared, onFailure }: OpenedProcess) =>
  createAgentShares({ ...shared, name: `${hostname()} ${config.dataDir}`, onFailure });

/** Returns the check of custody before an order; that of an exit asks before others. */
function custodyCheckOf(
  deps: Parameters<typeof createCustodyGuard>[0],
): PipelineDeps["custodyCheck"] {
  const guardOf = (callClass: "entry" | "exit") =>
    createCustodyGuard({ ...deps, networks: inClass(deps.networks, callClass) });
  const [entries, exits] = [guardOf("entry"), guardOf("exit")];
  return (agentId, isExit) => (isExit ? exits : entries)(agentId);
}

/** Time after which a signer or a network's nodes that do not answer keep this process from trading, in milliseconds. */
const STOPS_AFTER_MS = 10_000;

/** Troubles of a node that it can be traded through. */
const TRADED_THROUGH: readonly NodeTrouble[] = ["without_history"];

/** Returns the networks that nothing can be traded on at present, each with the reason and since when. */
function whatStops({ keys, shared: { clock, networks } }: OpenedProcess): readonly Stopped[] {
  const nowMs = clock.now();
  const silentMs = keys.beat();
  return [...networks.values()].flatMap(({ network, nodes }): readonly Stopped[] => {
    if (silentMs > STOPS_AFTER_MS) {
      return [{ network, reason: "signer", sinceMs: Math.round(nowMs - silentMs) }];
    }
    const troubles = (nodes?.() ?? []).map(({ trouble }) => trouble);
    const stopping = troubles.filter(
      (each) => each !== null && !TRADED_THROUGH.includes(each.kind),
    );
    if (stopping.length === 0 || stopping.length < troubles.length) return [];
    const sinceMs = Math.max(...stopping.map((each) => each?.sinceMs ?? nowMs));
    return nowMs - sinceMs > STOPS_AFTER_MS ? [{ network, reason: "nodes", sinceMs }] : [];
  });
}

/** Pause between two looks at how far a network is, in milliseconds: without agents nothing else asks its nodes. */
const LOOK_PAUSE_MS = 10_000;

/** The nodes' records tell what failed. */
const looksAtNodes = (networks: Networks) =>
  [...networks.values()].flatMap(({ chain, nodes }) =>
    nodes === undefined
      ? []
      : repeatTask({
          task: async () => void (await chain.progress("confirmed")),
          pauseMs: LOOK_PAUSE_MS,
          onFailure: () => {},
        }),
  );

/** Creates what trades: conditions, lanes, followed transactions, reconciliation with the book, housekeeping, notices. */
function createTrading(opened: OpenedProcess, worker: string): ProcessWork {
  const { config, logger, store, keys, prices, onFailure, shared } = opened;
  const { db, clock, random, networks } = shared;
  const looking = { ...shared, networks: inClass(networks, "reconcile") };
  const traded = { ...shared, networks: inClass(networks, "entry") };
  const goodSince = new Map<string, number>();
  const formerFeePayers = keys.formerFeePayers.map(({ address }) => address);

  const historyOf = openCandles({
    ...shared,
    ...config,
    prices,
    enabled: config.networks,
  }).evaluated;

  const shares = sharesOf(opened);
  const pipeline = createPipeline({
    ...traded,
    shares,
    entryAtr: createEntryAtr(historyOf),
    alertDatabase: store.alerts,
    lanes: store.lanes.pool,
    hints: store.notifier,
    worker,
    signer: { feePayer: keys.feePayer.address, sign: keys.sign },
    formerFeePayers,
    newId: () => newId(random),
    custodyCheck: custodyCheckOf({ ...shared, keys, goodSince }),
    log: logger,
  });
  const custody = createCustody({
    ...shared,
    keys,
    onFailure,
    onPositionsClosed: pipeline.positionsClosed,
  });
  const metrics = openTradingMetrics({
    clockDifference: opened.clockDifference,
    ...looking,
    feePayer: keys.feePayer.address,
    log: logger,
    onLow: (network) =>
      insertLowSolNotices(db, network, new Date(clock.now()).toISOString().slice(0, 10)),
  });
  const conditions = createConditionRunner({
    ...shared,
    shares,
    historyOf,
    receive: countAlerts(metrics.registry, pipeline.receive),
    log: logger,
  });
  addConditionGauges(metrics.registry, conditions.counts);
  const feePayers = [keys.feePayer.address, ...formerFeePayers];
  const reconciler = createReconciler({
    ...looking,
    shares,
    keys,
    guard: createCustodyGuard({ ...looking, keys, goodSince }),
    alongside: metrics.feePayer.look,
    book: (agent, inTurn) =>
      updateAgentLedger({ ...looking, feePayers, log: logger }, agent, { inTurn }),
    onFailure,
  });
  const { dispatcher } = openNotices({ ...shared, ...noticeSettings(opened), onFailure });
  const housekeeping = createHousekeeping({ db, clock, onFailure });
  const figures = publishFigures({
    db,
    lanes: store.lanes.db,
    registry: metrics.registry,
    worker,
    stopped: () => whatStops(opened),
    onFailure,
  });
  const works = [
    shares,
    ...looksAtNodes(looking.networks),
    ...watchesOf(opened),
    ...(hasLivePrices(config.networks) ? [priceFeedOf(opened, worker)] : []),
    ...keepersOf(networks, (error) => logger.warn({ err: error }, "keeper failed")),
    conditions,
    pipeline,
    custody,
    reconciler,
    housekeeping,
    dispatcher,
    figures,
  ];

  return {
    async start() {
      // The parent gives the same name to the next process of one that died
      await endAllLaneLeases(db, worker);
      await shares.beat();
      for (const work of works) work.start();
    },
    async stop() {
      for (const work of works) await work.stop();
    },
  };
}

runProcess("trading", (opened) => createTrading(opened, process.argv[2] ?? ""));
