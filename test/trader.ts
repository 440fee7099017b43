import { randomBytes } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import type { ErrorBody } from "../src/contract/errors.ts";
import type { PositionSummary } from "../src/contract/trade.ts";
import type { AgentId, ChatId } from "../src/domain/ids.ts";
import type { Network } from "../src/domain/network.ts";
import type { AnsweredAlert } from "./judge/actions.ts";
import { encodeBase58 } from "../src/domain/base58.ts";
import { keypairFromSeed } from "../src/solana/encoding/keys.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { CONFIRMATION_HEADER } from "../src/contract/route.ts";

interface Webhook {
  readonly url: string;
  readonly token: string;
  readonly alertText: string;
}

interface LogEntry {
  readonly status: "success" | "pending" | "failed";
  readonly webhookSignal: string;
  readonly size: string;
  readonly signature?: string;
  /** What of the position's plan asked for it. */
  readonly plan?: string;
}

/** A user with a wallet who uses a running product over HTTP alone. */
export interface Trader {
  readonly address: string;
  /** Private key in hex, as the page's practice wallet keeps it. */
  readonly secret: string;
  /** Bearer token of the session. */
  readonly token: string;
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** The same call with the same session at another server. */
  callAt<T = unknown>(server: string, method: string, path: string, body?: unknown): Promise<T>;
  takePracticeMoney(sol: string, usdc: string): Promise<void>;
  /** Approves every transaction of an intent. */
  approve(agentId: AgentId, intent: string, amount?: string): Promise<void>;
  /** Creates an agent that opens a long on alert `enter` and closes it on alert `exit`; with a deposit of 500. */
  createAgent(name: string, changes?: AgentChanges): Promise<FundedAgent>;
}

/** Settings of a funded agent that differ from the default. */
interface AgentChanges {
  readonly network?: Network;
  readonly rules?: readonly AgentRule[];
  /** Percent below the average entry at which the position is closed. */
  readonly stopPercent?: number | undefined;
}

/** An action and how often each of its alerts has to fire for it. */
export interface AgentRule {
  readonly action: string;
  readonly conditions: readonly { readonly alertName: string; readonly requiredCount: number }[];
}

/** Returns a rule that one firing of an alert completes. */
export const onAlert = (alertName: string, action: string): AgentRule => ({
  action,
  conditions: [{ alertName, requiredCount: 1 }],
});

/** Returns when an alert fired, to the second: one of the same name and second is a duplicate. */
export const secondsAgo = (seconds: number): string =>
  `${new Date(Date.now() - seconds * 1_000).toISOString().slice(0, 19)}Z`;

const USUAL_RULES = [onAlert("enter", "OPEN_LONG"), onAlert("exit", "CLOSE_LONG")];

/** Returns the alerts that rules name, each once. */
export const alertNamesOf = (rules: readonly AgentRule[]): readonly string[] => [
  ...new Set(rules.flatMap(({ conditions }) => conditions.map(({ alertName }) => alertName))),
];

/** An agent with custody and a deposit, ready for alerts. */
export interface FundedAgent {
  readonly botId: AgentId;
  readonly chatId: ChatId;
  readonly webhook: Webhook;
  /** Body of one alert as the charting platform would send it. */
  alertBody(alertName: string, timestamp: string): string;
  /** Sends an alert that fired now, or at the timestamp. */
  fire(alertName: string, timestamp?: string): Promise<{ status: number; body: unknown }>;
  /** Every alert that was answered, for the judge. */
  readonly answered: readonly AnsweredAlert[];
  log(): Promise<readonly LogEntry[]>;
  /** Status of each line of the log. */
  statuses(): Promise<readonly LogEntry["status"][]>;
  position(): Promise<{
    readonly position: string;
    readonly available: boolean;
    readonly plan?: PositionSummary["plan"];
  }>;
}

type Prepared =
  | { readonly done: true }
  | {
      readonly done: false;
      readonly prepared: { readonly id: string; readonly transaction: string };
    };

/** First and longest pause between two polls of a transaction, in milliseconds; each is longer than the one before. */
const SETTLE_POLL_MS = 50;
const SLOWEST_POLL_MS = 500;
const SETTLE_POLLS = 300;

const DELIVERIES = 20;
const REDELIVERY_PAUSE_MS = 250;

/** Delivers one alert as the charting platform does: again after a 5xx answer, which a busy server gives in time. */
export async function deliver(
  address: string,
  body: string,
): Promise<{ status: number; body: unknown }> {
  for (let left = DELIVERIES - 1; ; left -= 1) {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const read: unknown = await answer.json();
    if (answer.status < 500 || left === 0) return { status: answer.status, body: read };
    await new Promise((resolve) => setTimeout(resolve, REDELIVERY_PAUSE_MS));
  }
}

/**
 * Opens a session at the product as a new wallet, or as the one of a seed of 32 bytes; `waits` sends a call again that came
 * too soon after others, when the server says so.
 */
export async function createTrader(
  url: string,
  seed: Uint8Array = randomBytes(32),
  { waits = false } = {},
): Promise<Trader> {
  const keypair = keypairFromSeed(seed);
  const { address } = keypair;
  let token = "";

  const sign = (text: string) => encodeBase58(ed25519.sign(new TextEncoder().encode(text), seed));

  const send = (address: string, method: string, body: unknown, proof?: string) =>
    fetch(address, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(proof === undefined ? {} : { [CONFIRMATION_HEADER]: proof }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });

  const request: typeof send = async (...call) => {
    for (;;) {
      const answer = await send(...call);
      if (!waits || answer.status !== 429) return answer;
      const pauseMs = Number(answer.headers.get("retry-after") ?? "1") * 1_000;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };

  /** Confirms what the server wants confirmed, as a person does in the wallet. */
  async function callAt<T>(
    server: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    let answer = await request(server + path, method, body);
    let text = await answer.text();
    const { confirm } = (text === "" ? {} : JSON.parse(text)) as Partial<ErrorBody>;
    if (answer.status === 403 && confirm !== undefined) {
      const proof = `${confirm.nonce} ${sign(confirm.message)}`;
      answer = await request(server + path, method, body, proof);
      text = await answer.text();
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === "" ? null : JSON.parse(text)) as T;
  }

  const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    callAt<T>(url, method, path, body);

  const challenge = await call<{ message: string; nonce: string }>("POST", "/api/auth/nonce", {
    walletAddress: address,
  });
  const session = await call<{ token: string }>("POST", "/api/auth/token", {
    walletAddress: address,
    nonce: challenge.nonce,
    signature: sign(challenge.message),
  });
  token = session.token;

  /** Approves every transaction of an intent, as a person who clicks through the steps does. */
  async function approve(agentId: AgentId, intent: string, amount?: string): Promise<void> {
    for (;;) {
      const next = await prepare({ intent, agentId, ...(amount === undefined ? {} : { amount }) });
      if (next.done) return;
      const { id, transaction } = next.prepared;
      const signed = signTransaction(Uint8Array.from(Buffer.from(transaction, "base64")), keypair);
      await call("POST", `/api/tx/${id}/signed`, {
        transaction: Buffer.from(signed).toString("base64"),
      });
      const hasNext = await settled(id);
      if (!hasNext) return;
    }
  }

  /** Prepares again while an order has to wait for the exchange, as the page does. */
  async function prepare(body: unknown): Promise<Prepared> {
    for (;;) {
      try {
        return await call<Prepared>("POST", "/api/tx/prepare", body);
      } catch (error) {
        if (!String(error).includes('"order_waiting"')) throw error;
        await new Promise((resolve) => setTimeout(resolve, SLOWEST_POLL_MS));
      }
    }
  }

  async function settled(id: string): Promise<boolean> {
    for (let polls = 0; polls < SETTLE_POLLS; polls += 1) {
      const { state, reason, hasNext } = await call<{
        state: string;
        reason?: string;
        hasNext: boolean;
      }>("GET", `/api/tx/${id}`);
      if (state === "confirmed") return hasNext;
      if (state !== "sent") throw new Error(`Transaction ${state}: ${reason ?? ""}`);
      const pauseMs = Math.min(SLOWEST_POLL_MS, SETTLE_POLL_MS * (1 + polls));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    throw new Error("The transaction did not settle.");
  }

  return {
    address,
    secret: Buffer.from(seed).toString("hex"),
    token,
    call,
    callAt,
    takePracticeMoney: async (sol, usdc) => {
      await call("POST", "/api/practice/faucet", { sol, usdc });
    },
    approve,
    async createAgent(name, { network = "practice", rules = USUAL_RULES, stopPercent } = {}) {
      const { agent } = await call<{ agent: { botId: AgentId; chatId: ChatId } }>(
        "POST",
        "/api/agents/create-complete-agent",
        {
          agent: {
            agentName: name,
            assetPair: "SOL-PERP",
            interval: "1h",
            venue: "drift",
            network,
            slippageTolerance: "0.5",
            ...(stopPercent !== undefined && { plan: { stop: { at: { percent: stopPercent } } } }),
          },
          alerts: alertNamesOf(rules).map((alertName) => ({ name: alertName })),
          rules,
        },
      );
      const { botId, chatId } = agent;
      await approve(botId, "set-up");
      await approve(botId, "deposit", "500");
      const webhook = await call<Webhook>("GET", `/api/agents/${botId}/webhook`);
      const alertBody = (alertName: string, timestamp: string) =>
        webhook.alertText.replace("{{alertName}}", alertName).replace("{{timenow}}", timestamp);
      const answered: AnsweredAlert[] = [];
      const log = () =>
        call<readonly LogEntry[]>("GET", `/api/logs/get-all-by-chat-id?chatId=${chatId}`);
      return {
        botId,
        chatId,
        webhook,
        alertBody,
        answered,
        async fire(alertName, timestamp = secondsAgo(0)) {
          const answer = await deliver(webhook.url, alertBody(alertName, timestamp));
          const { eventId } = answer.body as { readonly eventId?: string };
          const eventIds = eventId === undefined ? [] : [eventId];
          const firedAtMs = Date.parse(timestamp);
          answered.push({ agentId: botId, alertName, firedAtMs, eventIds });
          return answer;
        },
        log,
        statuses: async () => (await log()).map(({ status }) => status),
        position: async () => {
          const { response } = await call<{
            response: { position: string; available: boolean; plan?: PositionSummary["plan"] };
          }>("GET", `/api/trade/get-drift-position?agentId=${botId}`);
          return response;
        },
      };
    },
  };
}
