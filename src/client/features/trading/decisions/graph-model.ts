import { PLAN_ACT_WORDS } from "../../../../domain/plan/plan.ts";
import type { Decision } from "../../../../contract/decisions.ts";
import { displayDecimal, groupThousands, shortenAddress } from "../../../lib/format.ts";
import { signalText } from "../../../lib/signal-text.ts";
import {
  checkFigure,
  checkLabel,
  outcomeSentence,
  outcomeWords,
  type Tone,
} from "./decision-words.ts";
import { assetOf } from "../../../../venues/profiles.ts";

/** Kind of a node, which determines its details. */
export type NodeKind =
  | "alert"
  | "owner"
  | "rule"
  | "account"
  | "checks"
  | "order"
  | "sent"
  | "fill"
  | "outcome";

export interface GraphNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** Label above the headline. */
  readonly label: string;
  readonly headline: string;
  readonly lines: readonly string[];
  readonly tone: Tone;
  /** Counter state, drawn as filled and open marks. */
  readonly counter?: { readonly count: number; readonly requiredCount: number };
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly tone: Tone;
}

/** Stages in order, each with its nodes in order. */
export interface DecisionGraph {
  readonly layers: readonly (readonly GraphNode[])[];
  readonly edges: readonly GraphEdge[];
}

/** Returns the graph of a decision from recorded steps only, in chronological order. */
export function graphOf(decision: Decision): DecisionGraph {
  const layers = [
    causeNodes(decision),
    ruleNodes(decision),
    accountNodes(decision),
    orderNodes(decision),
    endNodes(decision),
  ].filter((nodes) => nodes.length > 0);
  return { layers, edges: edgesOf(layers, outcomeWords(decision).tone) };
}

function causeNodes(decision: Decision): GraphNode[] {
  const { alerts, alert, askedBy } = decision;
  if (askedBy === "owner") {
    const line = "With the wallet, or by turning Auto-Trade off";
    return [node("owner", "owner", "Asked by", "You", [line])];
  }
  if (askedBy === "plan") {
    const lines = decision.plan === undefined ? [] : [PLAN_ACT_WORDS[decision.plan]];
    return [node("rule", "plan", "Asked by", "The plan", lines)];
  }
  const names = [...new Set(alerts.map(({ alertName }) => alertName))];
  const counted = names.map((name) => {
    const own = alerts.filter(({ alertName }) => alertName === name);
    const last = own.at(-1);
    const counter = { count: own.length, requiredCount: last?.requiredCount ?? own.length };
    const times = own.length === 1 ? "Came once" : `Came ${own.length} times`;
    const lines = [times, originText(last?.origin)];
    return { ...node("alert", `alert-${name}`, "Alert", name, lines), counter };
  });
  if (counted.length > 0) return counted;
  if (alert === undefined) return [];
  return [node("alert", "alert", "Alert", alert.alertName, [originText(alert.origin)])];
}

const originText = (origin: "webhook" | "condition" | undefined): string =>
  origin === "condition" ? "Built-in condition" : "Webhook";

function ruleNodes({ rules, ruleId, kind, signal }: Decision): GraphNode[] {
  const shown = kind === "order" ? rules.filter((rule) => rule.ruleId === ruleId) : rules;
  const words = {
    counted: "counting",
    full: "waits for others",
    fired: "complete",
    reset: "reset",
  };
  const nodes = shown.map((rule): GraphNode => {
    const lines = rule.counters.map(
      ({ alertName, count, requiredCount }) =>
        `${count}/${requiredCount} ${alertName ?? "deleted alert"}`,
    );
    const tone = rule.kind === "fired" ? "up" : rule.kind === "reset" ? "warn" : "neutral";
    const label = `Rule ${words[rule.kind]}`;
    return { ...node("rule", `rule-${rule.ruleId}`, label, signalText(rule.action), lines), tone };
  });
  if (nodes.length > 0 || kind !== "order" || ruleId === undefined) return nodes;
  return [node("rule", `rule-${ruleId}`, "Rule complete", signalText(signal), [])];
}

function accountNodes({ account, checks, price, market }: Decision): GraphNode[] {
  const nodes: GraphNode[] = [];
  if (account !== undefined) {
    const held = account.positions.map(
      ({ side, size, market: of }) =>
        `${side === "long" ? "Long" : "Short"} ${groupThousands(size)} ${tradedAsset(of)}`,
    );
    const lines = [
      held[0] ?? "No position",
      ...(price === undefined ? [] : [`Price $${displayDecimal(price, 2)}`]),
    ];
    nodes.push(
      node("account", "account", "Account", `$${displayDecimal(account.free, 2)} free`, lines),
    );
  }
  if (checks.length > 0) nodes.push(checksNode(checks, tradedAsset(market)));
  return nodes;
}

function checksNode(checks: Decision["checks"], asset: string): GraphNode {
  const failed = checks.find(({ hasPassed }) => !hasPassed);
  const passed = checks.filter(({ hasPassed }) => hasPassed).length;
  if (failed === undefined) {
    const headline = passed === 1 ? "1 check passed" : `All ${passed} passed`;
    return {
      ...node("checks", "checks", "Checks", headline, ["Every limit was kept"]),
      tone: "up",
    };
  }
  const figure = checkFigure(failed.figure, failed.unit, asset);
  const limit = checkFigure(failed.limit, failed.unit, asset);
  const line =
    failed.figure === undefined
      ? passed === 1
        ? "1 other passed"
        : `${passed} others passed`
      : failed.limit === undefined
        ? figure
        : `${figure} of ${limit}`;
  return {
    ...node("checks", "checks", "Check failed", checkLabel(failed.name), [line]),
    tone: "down",
  };
}

function orderNodes({ order, sent, market }: Decision): GraphNode[] {
  const nodes: GraphNode[] = [];
  const asset = tradedAsset(market);
  if (order !== undefined) {
    const isBuy = order.side === "long";
    const headline = `${isBuy ? "Buy" : "Sell"} ${groupThousands(order.sentSize ?? order.size)} ${asset}`;
    const limit =
      order.worstPrice === undefined
        ? "No bytes were made"
        : `${isBuy ? "At most" : "At least"} $${displayDecimal(order.worstPrice, 2)}`;
    const share = order.reduceOnly ? "Closes all of it" : `${order.percentage}% of the money`;
    nodes.push(node("order", "order", "Order", headline, [limit, share]));
  }
  if (sent !== undefined) {
    nodes.push(
      node("sent", "sent", "Sent", shortenAddress(sent.signature), [`${sent.bytes} bytes, signed`]),
    );
  }
  return nodes;
}

function endNodes(decision: Decision): GraphNode[] {
  const { outcome, kind, market } = decision;
  const { text, tone } = outcomeWords(decision);
  const nodes: GraphNode[] = [];
  if (outcome.price !== undefined && outcome.size !== undefined) {
    const headline = `${groupThousands(outcome.size)} ${tradedAsset(market)}`;
    const lines = [
      `At $${displayDecimal(outcome.price, 2)}`,
      `Fee $${displayDecimal(outcome.fee ?? "0", 4)}`,
    ];
    nodes.push({ ...node("fill", "fill", "Fill", headline, lines), tone: "up" });
  }
  const earned = outcome.pnl;
  if (earned !== undefined) {
    const isLoss = earned.startsWith("-");
    const lines = [isLoss ? "Lost, fees counted" : "Earned, fees counted"];
    const headline = `${isLoss ? "−" : "+"}$${displayDecimal(earned, 2).replace("−", "")}`;
    const end = node("outcome", "outcome", text, headline, lines);
    return [...nodes, { ...end, tone: isLoss ? "down" : "up" }];
  }
  const sentence =
    kind === "order" && outcome.reason === undefined ? "" : outcomeSentence(decision);
  const label = kind === "alert" ? "Came of it" : "Outcome";
  const headline = kind === "alert" && tone === "neutral" ? "No order" : text;
  const lines = sentence === "" ? openLines(decision) : [sentence];
  return [...nodes, { ...node("outcome", "outcome", label, headline, lines), tone }];
}

function openLines({ outcome, order }: Decision): string[] {
  if (outcome.state !== "filled") return [];
  return [order?.reduceOnly === true ? "Position closed" : "Position open"];
}

/** Returns the asset of a market; empty for a decision without one. */
export const tradedAsset = (market = ""): string => assetOf(market);

const node = (
  kind: NodeKind,
  id: string,
  label: string,
  headline: string,
  lines: readonly string[],
): GraphNode => ({ id, kind, label, headline, lines, tone: "neutral" });

/** Returns the edges: from each node to the next stage's; after the rules also within a stage, top to bottom. */
function edgesOf(layers: DecisionGraph["layers"], end: Tone): GraphEdge[] {
  const chained = (nodes: readonly GraphNode[]) =>
    nodes.every(({ kind }) => kind !== "alert" && kind !== "rule");
  return layers.flatMap((nodes, index): GraphEdge[] => {
    const next = layers[index + 1] ?? [];
    const tone = index === layers.length - 2 ? end : "neutral";
    const heads = chained(next) ? next.slice(0, 1) : next;
    const tails = chained(nodes) ? nodes.slice(-1) : nodes;
    const within = chained(nodes)
      ? nodes
          .slice(1)
          .map((to, at) => ({ from: nodes[at]?.id ?? "", to: to.id, tone: "neutral" as const }))
      : [];
    const across = tails.flatMap((from) => heads.map((to) => ({ from: from.id, to: to.id, tone })));
    return [...within, ...across];
  });
}
