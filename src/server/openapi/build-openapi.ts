import * as z from "zod/mini";
import { ERRORS } from "../../contract/errors.ts";
import { type Route, type Schema, CONFIRMATION_HEADER } from "../../contract/route.ts";
import { ROUTES, type RouteName } from "../../contract/routes.ts";
import { EXAMPLES, type Example } from "./examples.ts";
import fieldWords from "./field-words.json" with { type: "json" };
import { createSchemaNames, schemaOf, type SchemaNames } from "./name-schemas.ts";

interface Description {
  /** Heading of the route. */
  readonly tag: string;
  readonly summary: string;
  /** Notes for callers beyond the schemas. */
  readonly description?: string;
}

/** Returns the descriptions of one heading's routes: a summary, or a summary and a description. */
function under<const N extends RouteName>(
  tag: string,
  calls: Readonly<Record<N, string | readonly [string, string]>>,
): Record<N, Description> {
  const entries = Object.entries(calls) as [N, string | readonly [string, string]][];
  return Object.fromEntries(
    entries.map(([name, words]) => [
      name,
      typeof words === "string"
        ? { tag, summary: words }
        : { tag, summary: words[0], description: words[1] },
    ]),
  ) as Record<N, Description>;
}

/** Purpose of every route; a route without an entry does not compile. */
const DESCRIPTIONS: Readonly<Record<RouteName, Description>> = {
  ...under("Signing in", {
    createNonce: ["Begin to sign in", "Answers the text that the wallet signs."],
    createToken: [
      "Sign in",
      "Answers a session token of ten minutes and sets the refresh cookie that scripts cannot read.",
    ],
    refreshToken: ["Renew the session token", "Goes by the refresh cookie."],
    logout: "End this session",
    listSessions: "List the wallet's sessions",
    signOutEverywhere: "End all sessions of the wallet",
  }),
  ...under("Chats", {
    addChat: "Create a chat",
    listChats: "List the wallet's chats with their agents",
    deleteChat: "Delete a chat",
    renameChat: "Rename a chat",
    addMessage: ["Add a message", "The client makes the id; the same id again changes nothing."],
    listMessages: "List a chat's messages, a page at a time",
    deleteMessage: "Delete a message",
    searchMessages: "Find messages of the wallet's chats by their text",
  }),
  ...under("Alerts and rules", {
    createAlert: "Add an alert, from outside or with a condition",
    listAlerts: "List an agent's alerts",
    updateAlert: "Change an alert",
    deleteAlert: "Delete an alert",
    createRule: "Add a rule",
    listRules: "List an agent's rules",
    updateRule: "Change a rule",
    deleteRule: "Delete a rule",
    listRulesByAlert: "List the rules that count an alert",
  }),
  ...under("Agents", {
    createCompleteAgent: "Create an agent with its alerts and rules",
    updateCompleteAgent: "Save an agent with its alerts and rules",
    saveAgent: "Save an agent's settings",
    getAgentByChat: "Get the agent of a chat",
    getAgentHealth: "Get an agent's health",
    renameAgent: "Rename an agent",
    deleteAgent: ["Delete an agent", "Its vault has to be empty on chain first."],
    savePrompts: "Save the texts that hypotheses are written with",
    setHypothesisStatus: "Turn hypotheses on or off",
    setTradingStatus: [
      "Turn auto-trade on or off",
      "Turning off closes what is open first where the agent is set so, and is never refused for a limit.",
    ],
    closePosition: [
      "Close the position",
      "Closes it at the market and tries until it is closed; auto-trade stays on.",
    ],
    endExits: ["Stop closing", "Ends exits that are being tried; the position stays open."],
    setOwnerLimits: "Set the owner's limits",
    resumeAgent: "Resume an agent that a limit has paused",
    getReadiness: [
      "Get what was recorded of an agent's readiness for real money",
      "With the owner's bar; the page adds what a simulation says.",
    ],
    setReadinessBar: "Set the bar before real money, for all agents",
    goLive: [
      "Make an agent with real money from one with play money",
      "It is off and has no money. Below the bar the owner's wallet signs what is missing.",
    ],
    listSignals: "List the signals an agent received and what they did",
    listPastAlerts: "List received alerts of a time, for a simulation",
    listChanges: "List the changes made to an agent",
    listOwnerFacts: [
      "List the texts that an agent's owner signed",
      "Newest first. Market, slippage, limits and the custody's addresses are in `parts.pinned`; anybody can check the signature over `text`.",
    ],
    listDecisions: "List decisions: why a trade happened or did not",
    sumDecisions: "Sum decisions by alert and rule",
  }),
  ...under("Webhook", {
    getWebhook: ["Reveal an agent's webhook token and alert text", "The wallet signs for it."],
    getWebhookState: "Get an agent's webhook address and alert text without its token",
    rotateWebhook: "Replace the webhook's token",
    sendTestAlert: "Fire an alert as a test, which counts and trades; the owner's wallet signs",
    previewAlert: "Tell what an alert's text would do, and do nothing",
    receiveWebhook: [
      "Receive an alert",
      "For charting platforms. 202 is answered after the alert is stored and counted. The same alert again is acknowledged with 200 and changes nothing. A query is ignored.",
    ],
  }),
  ...under("Custody", {
    getCustody: "Get what an agent's vault holds",
    getCustodyAccess: "Get who has which power over the vault",
    getDeletion: "Get how far a deletion is",
    prepareTransaction: [
      "Prepare the next transaction of a set-up, deposit, withdrawal or deletion",
      "Answers `done` when the chain shows nothing left to sign.",
    ],
    renewTransaction: "Prepare the same transaction with a new blockhash",
    reportSent: "Report that the wallet has sent a transaction",
    submitSigned: "Hand over a signed transaction to be sent",
    getTransaction: "Get what became of a transaction",
    getBalances: "Get the wallet's balances",
    getFirstSteps: "Get what the wallet has done once",
    useFaucet: "Take practice money",
    sendPracticeTransaction: "Send a transaction to the practice chain",
  }),
  ...under("Trades and figures", {
    listTradeLog: "List the trade log of a chat, 200 entries at a time",
    listInbox: "List the newest trades and failed orders of all agents, 50 of them",
    countTradeLog: "Count the entries of a trade log",
    exportTradeLog: "Download a trade log",
    getTradeDetails: "Get the details of a trade",
    getPosition: "Get an agent's open position",
    listUserPositions: "List the open positions of all agents",
    getUserActivity: "List what an agent's account did at the exchange",
    getPerformance: "Get an agent's performance",
    getPortfolio: "Get the wallet's portfolio",
    listAgentLedger: "List the booked entries of an agent",
    listWalletLedger: "List the booked entries of all agents",
    listAgentTrades: [
      "List the trades of an agent",
      "Oldest first, as they are booked from the chain.",
    ],
    listWalletTrades: [
      "List the trades of all agents",
      "Oldest first, as they are booked from the chain.",
    ],
    listAgentEquity: "List points of an agent's worth",
    listWalletEquity: "List points of all agents' worth",
    exportAgent: "Download trades, ledger or worth of an agent",
    exportWallet: "Download trades, ledger or worth of all agents",
    createHypothesis: "Save a hypothesis of a trade",
    listHypotheses: "List the hypotheses of a chat, 50 at a time",
    getUnexplained: "Get the oldest trade without a hypothesis, and how many there are",
  }),
  ...under("Read tokens and notices", {
    listReadTokens: "List read tokens",
    createReadToken: ["Create a read token", "It is answered here and never again."],
    revokeReadToken: "Revoke a read token",
    askConnection: [
      "Check what an assistant asks for",
      "For the page on which an owner lets an assistant in that signs in by OAuth 2.1. Answers whom the owner would let in.",
    ],
    approveConnection: [
      "Let an assistant in",
      "Answers the address to send the owner back to, with a code that the assistant exchanges for tokens at `/oauth/token`.",
    ],
    listProposals: "List what assistants propose",
    createProposal: [
      "Propose an agent or a change",
      "Nothing holds before the owner's wallet signed it.",
    ],
    approveProposal: ["Approve a proposal", "Does exactly what the digest covers, once."],
    declineProposal: "Decline a proposal",
    getNotices: "Get places of notices, quiet hours and what was sent",
    addNoticeChannel: "Add a place of notices",
    confirmNoticeChannel: [
      "Confirm an e-mail address",
      "Takes the code that was sent there; until then nothing else is.",
    ],
    sendNoticeCode: "Send the code to an e-mail address again",
    changeNoticeChannel: "Change which events go to a place",
    removeNoticeChannel: "Remove a place of notices",
    testNoticeChannel: "Send a test notice",
    setQuietHours: "Set quiet hours",
  }),
  ...under("Market data", {
    listCandles: "List the newest candles",
    getCandleHistory: ["Get candles of the past", "Gaps are named, never filled."],
    getTradingCosts: "Get what trading a market costs",
    countTriedVariants: [
      "Count variants tried in simulations of a market",
      "Answers how many the wallet ever tried there, for judging a simulated result. A variant is counted once.",
    ],
  }),
  ...under("The server", {
    streamEvents: [
      "Follow what becomes stale, and live prices",
      "Server-sent events: `stale` names what to ask for again and carries no data; `prices` has the newest live prices of a network, as in what the deployment offers.",
    ],
    getAgentFileSchema: "Get the JSON Schema of agent files",
    getOpenApi: "Get this description",
    getDeployment: "Get what this deployment offers",
    readDocumentation: "Read a page of the documentation",
    getHealth: "Ask whether alerts can be stored and anybody trades",
    headHealth: "Ask whether the server answers",
  }),
};

type Json = Readonly<Record<string, unknown>>;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns an OpenAPI 3.1 document of every route; `address` is the server's public URL. */
export function buildOpenApi(address: string): Json {
  const names = createSchemaNames(fieldWords);
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][]) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(name, route, names);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Wheelhouse",
      version: "1",
      description:
        "Amounts are exact decimal text, times ISO 8601 in UTC. Unknown fields are refused. An object of somebody else and one that does not exist answer alike.",
    },
    servers: [{ url: address }],
    paths,
    components: { schemas: { Error: ERROR, ...names.schemas }, securitySchemes: SECURITY },
  };
}

/** Response of every refusal. */
const ERROR: Json = {
  type: "object",
  required: ["message", "code", "requestId"],
  additionalProperties: false,
  properties: {
    message: { type: "string", description: "For people." },
    code: { type: "string", enum: Object.keys(ERRORS), description: "For programs." },
    requestId: { type: "string", description: "Id of the call in the server's log." },
    title: { type: "string", description: "Heading for people." },
    fields: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "What is wrong with which field.",
    },
    confirm: {
      type: "object",
      required: ["nonce", "message"],
      additionalProperties: false,
      properties: {
        nonce: { type: "string", description: "Text that is used once." },
        message: { type: "string", description: "Text that the wallet signs." },
      },
      description: "What the owner's wallet signs before the call is made again.",
    },
  },
};

const SECURITY: Json = {
  session: {
    type: "http",
    scheme: "bearer",
    description: "The token of a session, as `createToken` answers it.",
  },
  readToken: {
    type: "http",
    scheme: "bearer",
    description: "A read token of the owner's, `whr_…`.",
  },
};

function operation(name: RouteName, route: Route, names: SchemaNames): Json {
  const { tag, summary, description } = DESCRIPTIONS[name];
  const example = EXAMPLES[name];
  const parameters = [
    ...parametersOf(name, "path", route.params, example?.params, names),
    ...parametersOf(name, "query", route.query, example?.query, names),
    ...(route.bearer === "free" ? [] : [CONFIRMATION]),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [description, accessOf(route), bearerOf(route)]
      .filter((part) => part !== undefined)
      .join(" "),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            // One with a default may be left out
            required: !z.safeParse(route.body, undefined).success,
            content: {
              "application/json": content(
                names.named(schemaOf(route.body, "input"), `${capital(name)}Request`),
                example?.body,
              ),
            },
          },
        }),
    responses: {
      [route.status]: success(name, route, example, names),
      ...(route.otherStatus === undefined
        ? {}
        : { [route.otherStatus]: success(name, route, undefined, names) }),
      default: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

const CONFIRMATION: Json = {
  name: CONFIRMATION_HEADER,
  in: "header",
  required: false,
  schema: { type: "string" },
  description:
    "Nonce and signature of the owner's wallet with a space between; needed where the call answered `confirmation_needed`.",
};

function parametersOf(
  call: RouteName,
  place: "path" | "query",
  schema: Schema | undefined,
  example: Json | undefined,
  names: SchemaNames,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    description: names.wordsOf(call, name),
    schema: names.named(field, capital(call) + capital(name)),
    ...(example?.[name] === undefined ? {} : { example: example[name] }),
  }));
}

function success(
  name: RouteName,
  route: Route,
  example: Example | undefined,
  names: SchemaNames,
): Json {
  const other = OTHER_ANSWERS[name];
  if (other !== undefined) return other;
  if (route.response === undefined || route.method === "HEAD") return { description: "Done" };
  const schema = names.named(schemaOf(route.response, "output"), `${capital(name)}Response`);
  return {
    description: "Answered",
    content: { "application/json": content(schema, example?.response) },
  };
}

/** A file of rows: JSON has no columns of its own, each row has the table's. */
const FILE_ROWS: Json = {
  type: "array",
  description: "The file's rows, oldest first.",
  items: {
    type: "object",
    additionalProperties: { type: ["string", "number", "boolean", "null"] },
  },
};

/** Responses that are not JSON. */
const OTHER_ANSWERS: Partial<Record<RouteName, Json>> = {
  streamEvents: {
    description: "Server-sent events: what became stale, and live prices",
    content: { "text/event-stream": { schema: { type: "string" } } },
  },
  exportAgent: file(),
  exportWallet: file(),
  exportTradeLog: file(),
};

function file(): Json {
  const schema = { type: "string" };
  return {
    description: "A file, sent while it is made",
    content: { "text/csv": { schema }, "application/json": { schema: FILE_ROWS } },
  };
}

const content = (schema: Json, example: unknown): Json => ({
  schema,
  ...(example === undefined ? {} : { example }),
});

function securityOf(route: Route): readonly Json[] {
  if (route.access.kind === "public") return [];
  return [{ session: [] }, ...(route.readToken === true ? [{ readToken: [] }] : [])];
}

/** Returns what a bearer token alone may do. */
function bearerOf({ access, bearer, because }: Route): string | undefined {
  if (access.kind === "public") return undefined;
  if (bearer === "free") return `A bearer token is enough. ${because ?? ""}`;
  return "Where the call changes or reveals what matters, the owner's wallet signs exactly that.";
}

function accessOf({ access }: Route): string | undefined {
  if (access.kind !== "owner") return undefined;
  return access.of === "wallet"
    ? "Only for the session's own wallet."
    : "Only for the owner of the object that is named.";
}
