import type { FastifyInstance } from "fastify";
import { AppError } from "../../contract/errors.ts";
import { isOperator } from "../http/metrics.ts";
import { PLAIN_PAGE_POLICY, escapeHtml, plainPage } from "../http/plain-page.ts";
import { HEALTH_LIMITS_MS } from "../../domain/agent-health.ts";
import { lengthText } from "../../domain/interval.ts";
import type { Clock } from "../../domain/clock.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { NodeState } from "../../solana/node-record.ts";
import type { Networks } from "../networks.ts";
import { readFeedTroubles } from "../store/alerts/conditions.ts";
import {
  type NetworkHealth,
  readHealthByNetwork,
  type FillTimes,
  readFillTimes,
} from "../store/health/agent-health.ts";
import {
  readWaitingOrders,
  type WaitingOrders,
  type Durability,
  readDurability,
} from "../store/health/open-work.ts";
import { type OutsideLook, rankOf, readLook } from "../store/health/outside-looks.ts";
import { listProcesses, type ProcessSeen } from "../store/health/process-figures.ts";
import { listFailingReadings, type FailingReading } from "../store/reconcile/last-readings.ts";
import { type RoundRecord, readRounds } from "../store/reconcile/rounds.ts";
import type { Db } from "../store/postgres/db.ts";

/** Agents named one by one; the others are counted. */
const NAMED_AGENTS = 100;

interface StatusDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly tradingState: () => TradingState;
}

/** State of the deployment as its processes last saw it. */
interface Status {
  readonly nowMs: number;
  readonly tradingState: TradingState;
  readonly networks: readonly NetworkStatus[];
  /** Candle sources that do not answer, by feed. */
  readonly feeds: readonly {
    readonly feed: string;
    readonly text: string;
    readonly sinceMs: number;
  }[];
  /** Agents whose chain or venue did not answer the last reading, longest first. */
  readonly failing: readonly FailingReading[];
  readonly processes: readonly ProcessSeen[];
  readonly durability: Durability;
  readonly outside: OutsideLook;
}

interface NetworkStatus {
  readonly network: string;
  readonly round: RoundRecord | null;
  readonly health: NetworkHealth | null;
  readonly fills: FillTimes | null;
  readonly waiting: WaitingOrders | null;
  readonly nodes: readonly NodeState[];
}

/** Reads the status from the store and from this process's own nodes; asks no chain. */
async function readStatus({ db, clock, networks, tradingState }: StatusDeps): Promise<Status> {
  const nowMs = clock.now();
  const [rounds, health, fills, waiting, feeds, failing, processes, durability, outside] =
    await Promise.all([
      readRounds(db),
      readHealthByNetwork(db, new Date(nowMs - HEALTH_LIMITS_MS.silent)),
      readFillTimes(db, { since: new Date(nowMs - HEALTH_LIMITS_MS.fills) }),
      readWaitingOrders(db, new Date(nowMs)),
      readFeedTroubles(db),
      listFailingReadings(db, NAMED_AGENTS),
      listProcesses(db),
      readDurability(db),
      readLook(db),
    ]);
  return {
    nowMs,
    tradingState: tradingState(),
    networks: [...networks.values()].map(({ network, nodes }) => ({
      network,
      round: rounds.find((each) => each.network === network) ?? null,
      health: health.find((each) => each.network === network) ?? null,
      fills: fills.find((each) => each.network === network) ?? null,
      waiting: waiting.find((each) => each.network === network) ?? null,
      nodes: nodes?.() ?? [],
    })),
    feeds: [...feeds].map(([feed, trouble]) => ({ feed, ...trouble })),
    failing,
    processes,
    durability,
    outside,
  };
}

/** Seconds after which the browser loads the page again. */
const RELOAD_SECONDS = 15;

/** A process that wrote no figures for this long is not running, or cannot reach the database. */
const SILENT_PROCESS_MS = 20_000;

const STATES = {
  active: "Orders are sent.",
  reducing: "REDUCE is set: only exits are sent.",
  halted: "HALT is set: no order is sent.",
} as const;

/** Returns the status as an HTML page that loads itself again; what is wrong is said in words, not by colour alone. */
function statusPage(status: Status): string {
  const at = new Date(status.nowMs).toISOString();
  const body = `<header><h1>Status of this deployment</h1>
<p>As of <time datetime="${at}">${at}</time>, read again every ${RELOAD_SECONDS} seconds.</p>
<p>${marked(status.tradingState !== "active", STATES[status.tradingState])}</p>
<p>${durabilityText(status.durability)}</p></header>
<main>${status.networks.map((each) => networkPart(status, each)).join("")}
${table("Trading processes", ["Process", "Last figures"], processRows(status), "No trading process has written figures within the hour.")}
${table("Candle sources that do not answer", ["Market and interval", "For", "Why"], feedRows(status), "All sources answer.")}
${table(`Outside and what this runs on, ${lookedText(status)}`, ["What", "State", "For", "Seen, or what mends it"], outsideRows(status), "Nothing was looked at yet.")}
${table("Agents whose last reading failed", ["Agent", "Network", "For", "Why"], failingRows(status), "Every agent was read.")}</main>`;
  const head = `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">`;
  return plainPage({ title: "Status", head, body });
}

/** Says on how many machines an alert is when it is acknowledged. */
function durabilityText({ machines, followers }: Durability): string {
  if (machines > 1) return `An acknowledged alert is stored on ${machines} machines.`;
  if (followers === 0) return "An acknowledged alert is stored on 1 machine.";
  return marked(
    true,
    "an acknowledged alert is stored on 1 machine only. A standby that takes its place may lack it: set synchronous_standby_names.",
  );
}

function networkPart(
  status: Status,
  { network, round, health, fills, waiting, nodes }: NetworkStatus,
): string {
  const { nowMs } = status;
  const since = (at: Date) => lengthText(nowMs - at.getTime());
  const roundAge = round?.doneAt == null ? null : nowMs - round.doneAt.getTime();
  const rows: readonly (readonly [string, string])[] = [
    [
      "Last full reconciliation",
      roundAge === null
        ? marked(true, "None yet")
        : marked(
            roundAge > HEALTH_LIMITS_MS.reconcile,
            `${lengthText(roundAge)} ago, ${round?.agents ?? 0} agents`,
          ),
    ],
    [
      "Failed rounds since",
      round?.failingSince == null
        ? "0"
        : marked(true, `${round.failed} for ${since(round.failingSince)}: ${round.reason ?? ""}`),
    ],
    [
      "Orders without an outcome",
      health?.unsettledSince == null
        ? "0"
        : marked(
            nowMs - health.unsettledSince.getTime() > HEALTH_LIMITS_MS.unsettled,
            `${health.unsettled}, the first for ${since(health.unsettledSince)}`,
          ),
    ],
    [
      "Orders that wait for their turn",
      waiting === null
        ? "0"
        : `${waiting.count}, p50 ${seconds(waiting.p50Ms)}, p95 ${seconds(waiting.p95Ms)} so far`,
    ],
    [
      "Alert to fill, last day",
      fills === null
        ? "No fill"
        : `p50 ${seconds(fills.p50Ms)}, p95 ${seconds(fills.p95Ms)} of ${fills.fills} fills`,
    ],
    [
      "Agents that wait for alerts and heard none for a day",
      marked((health?.silent ?? 0) > 0, String(health?.silent ?? 0)),
    ],
    ...(nodes.length > 0 && nodes.every(({ trouble }) => trouble !== null)
      ? [["Chain", marked(true, "No node answers: nothing is traded or shown here")] as const]
      : []),
    ...nodes.map(
      ({ name, trouble, isUsed }) =>
        [
          name,
          trouble === null
            ? isUsed
              ? "In use"
              : "No trouble seen"
            : marked(
                true,
                `${trouble.kind.replaceAll("_", " ")} for ${lengthText(nowMs - trouble.sinceMs)}`,
              ),
        ] as const,
    ),
  ];
  const cells = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${value}</td></tr>`,
  );
  return `<section><h2>${escapeHtml(network)}</h2><div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(network)}"><table>${cells.join("")}</table></div></section>`;
}

const processRows = ({ processes, nowMs }: Status) =>
  processes.map(({ worker, at }) => {
    const age = nowMs - at.getTime();
    return [
      escapeHtml(worker.slice(0, 8)),
      marked(age > SILENT_PROCESS_MS, `${lengthText(age)} ago`),
    ];
  });

const feedRows = ({ feeds, nowMs }: Status) =>
  feeds.map(({ feed, sinceMs, text }) => [
    escapeHtml(feed),
    lengthText(nowMs - sinceMs),
    escapeHtml(text),
  ]);

const lookedText = ({ outside: { at }, nowMs }: Status): string =>
  at === null ? "not looked at yet" : `last checked ${lengthText(nowMs - at.getTime())} ago`;

const outsideRows = ({ outside: { findings }, nowMs }: Status) =>
  findings
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((each) => [
      escapeHtml(each.name),
      marked(rankOf(each) === 0, each.state),
      lengthText(nowMs - each.sinceMs),
      escapeHtml(each.text),
    ]);

const failingRows = ({ failing, nowMs }: Status) =>
  failing.map(({ agentId, network, failingSince, reason }) => [
    `<code>${escapeHtml(agentId)}</code>`,
    escapeHtml(network),
    lengthText(nowMs - failingSince.getTime()),
    escapeHtml(reason ?? ""),
  ]);

/** `rows` are HTML. */
function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) return `<section><h2>${title}</h2><p>${empty}</p></section>`;
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join("");
  const lines = rows.map((cells) => `<tr>${cells.map((each) => `<td>${each}</td>`).join("")}</tr>`);
  return `<section><h2>${title}</h2><div class="wide" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}</tr></thead><tbody>${lines.join("")}</tbody></table></div></section>`;
}

const marked = (isWrong: boolean, text: string): string =>
  isWrong ? `<strong>Wrong: ${escapeHtml(text)}</strong>` : escapeHtml(text);

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Serves the operator's page at `/status`; others are told that there is none, as with `/metrics`. */
export function registerStatus(
  app: FastifyInstance,
  deps: StatusDeps & { readonly token: string | undefined; readonly publicUrl: URL },
): void {
  app.get("/status", async (request, reply) => {
    if (!isOperator(request, deps.token, deps.publicUrl)) throw new AppError("not_found");
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", PLAIN_PAGE_POLICY)
      .header("cache-control", "no-store")
      .send(statusPage(await readStatus(deps)));
  });
}
