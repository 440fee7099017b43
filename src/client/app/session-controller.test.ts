import { QueryClient } from "@tanstack/react-query";
import { createStore } from "zustand/vanilla";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentIdOf } from "../../../test/ids.ts";
import { act, renderHook } from "@testing-library/react";
import { chatIdOf } from "../../../test/ids.ts";
import { ROUTES } from "../../contract/routes.ts";
import { parseOwner } from "../../domain/ids.ts";
import { authorizedFetch, call, replaceFetch } from "../lib/api.ts";
import { session } from "../lib/session.ts";
import { toasts } from "../lib/toast.ts";
import { storedToken, storedWallet, storedWalletDisplay } from "../lib/stored.ts";
import { WalletError } from "../wallet/wallet-error.ts";
import type { WalletSession } from "../wallet/wallet-session.ts";
import type { WalletEvent, WalletState } from "../wallet/wallet-state.ts";
import { openAgentDialog, useDialogs } from "../lib/dialogs.ts";
import {
  AFTER_CONNECT_MS,
  createSessionController,
  RECONNECT_MS,
  START_UP_MS,
} from "./session-controller.ts";
import { requestPath } from "../../../test/request-path.ts";
import { CONFIRMATION_HEADER } from "../../contract/route.ts";

const ADDRESS = parseOwner("A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo");
const OTHER = parseOwner("2QBkrpZwN5NyGbMJPKUyBEsfCkwnZgNGAcTUBh6xG5Y5");
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const buildToken = (sub: string, exp: number) => `h.${btoa(JSON.stringify({ sub, exp }))}.s`;

/** A wallet session whose answers the test decides. */
function buildWallet() {
  const store = createStore<WalletState>(() => ({
    status: "disconnected",
    available: ["practice"],
    type: null,
    address: "",
  }));
  const listeners = new Set<(event: WalletEvent) => void>();
  const asked: string[] = [];
  let sign: () => Promise<Uint8Array> = () => Promise.resolve(new Uint8Array(64).fill(3));
  const emit = (event: WalletEvent) => listeners.forEach((listener) => listener(event));
  const connect = (silently: boolean) => {
    asked.push(silently ? "connect silently" : "connect");
    store.setState({ status: "connected", type: "practice", address: ADDRESS });
    emit({ kind: "connected", type: "practice", address: ADDRESS, silently });
    return Promise.resolve(ADDRESS);
  };
  const never = () => Promise.reject(new Error("not asked for in this test"));
  const wallet: WalletSession = {
    store,
    start: () => () => {},
    connect: () => connect(false),
    connectSilently: () => connect(true),
    disconnect() {
      asked.push("disconnect");
      store.setState({ status: "disconnected", type: null, address: "" });
      return Promise.resolve();
    },
    async signMessage(text) {
      asked.push("sign");
      const signedMessage = new TextEncoder().encode(text);
      return { wallet: "Practice wallet", signature: await sign(), signedMessage };
    },
    transactionVersions: () => [],
    signTransaction: never,
    signAndSendTransaction: never,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { wallet, asked, emit, refuse: (error: unknown) => (sign = () => Promise.reject(error)) };
}

let requests: string[] = [];
let answers: Record<string, () => Response> = {};
let stop = () => {};

function setUp() {
  const built = buildWallet();
  const queryClient = new QueryClient();
  const controller = createSessionController(built.wallet, queryClient);
  stop = controller.start();
  return { ...built, controller, queryClient };
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  session.setState({ status: "signed-out", address: "" });
  requests = [];
  answers = {
    "/api/auth/nonce": () =>
      Response.json({
        message: "sign me",
        nonce: "n".repeat(32),
        expiresAt: "2026-11-21T00:00:00Z",
      }),
    "/api/auth/token": () => Response.json({ token: buildToken(ADDRESS, inSeconds(600)) }),
    "/api/auth/logout": () => new Response(null, { status: 204 }),
    "/api/auth/refresh": () => Response.json({}, { status: 401 }),
  };
  replaceFetch((input) => {
    const path = requestPath(input);
    requests.push(path);
    const answer = answers[path];
    if (!answer) throw new TypeError(`unexpected call ${path}`);
    return Promise.resolve().then(answer);
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe("at start", () => {
  it("reconnects silently after both delays and resumes the session", async () => {
    storedWallet.write({ walletType: "practice", walletAddress: ADDRESS });
    storedToken.write(buildToken(ADDRESS, inSeconds(600)));
    const { asked } = setUp();
    expect(session.getState().status).toBe("restoring");
    await vi.advanceTimersByTimeAsync(START_UP_MS + RECONNECT_MS - 1);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(["connect silently"]);
    expect(session.getState()).toEqual({ status: "signed-in", address: ADDRESS });
    expect(requests).toEqual([]);
  });

  it("renews an expired token through the cookie, without a prompt", async () => {
    storedWallet.write({ walletType: "practice", walletAddress: ADDRESS });
    storedToken.write(buildToken(ADDRESS, inSeconds(-5)));
    answers["/api/auth/refresh"] = () =>
      Response.json({ token: buildToken(ADDRESS, inSeconds(600)) });
    const { asked } = setUp();
    await vi.advanceTimersByTimeAsync(START_UP_MS + RECONNECT_MS);
    expect(session.getState().status).toBe("signed-in");
    expect(requests).toEqual(["/api/auth/refresh"]);
    expect(asked).not.toContain("sign");
  });

  it("does not resume the session of another wallet", async () => {
    storedWallet.write({ walletType: "practice", walletAddress: ADDRESS });
    storedToken.write(buildToken(OTHER, inSeconds(600)));
    setUp();
    await vi.advanceTimersByTimeAsync(START_UP_MS + RECONNECT_MS);
    expect(session.getState()).toEqual({ status: "signed-out", address: "" });
  });
});

describe("connecting and signing in", () => {
  it("asks the wallet once per click", async () => {
    const { controller, asked } = setUp();
    await controller.connect("practice");
    await vi.advanceTimersByTimeAsync(AFTER_CONNECT_MS);
    expect(asked).toEqual(["connect"]);
    expect(storedWallet.read()).toEqual({ walletType: "practice", walletAddress: ADDRESS });
    expect(storedWalletDisplay.read()).toBe("A77y...WqFo");
    await expect(controller.signIn()).resolves.toBe(true);
    expect(asked).toEqual(["connect", "sign"]);
    expect(session.getState()).toEqual({ status: "signed-in", address: ADDRESS });
  });

  it("signs in with the click that connects, a second later", async () => {
    const { controller, asked } = setUp();
    const connecting = controller.connectAndSignIn("practice");
    await vi.advanceTimersByTimeAsync(AFTER_CONNECT_MS - 1);
    expect(asked).toEqual(["connect"]);
    await vi.advanceTimersByTimeAsync(1);
    await connecting;
    expect(asked).toEqual(["connect", "sign"]);
    expect(session.getState()).toEqual({ status: "signed-in", address: ADDRESS });
  });

  it("does not ask for a signature where the browser has a session", async () => {
    storedToken.write(buildToken(ADDRESS, inSeconds(600)));
    const { controller, asked } = setUp();
    const connecting = controller.connectAndSignIn("practice");
    await vi.advanceTimersByTimeAsync(AFTER_CONNECT_MS);
    await connecting;
    expect(asked).toEqual(["connect"]);
    expect(session.getState()).toEqual({ status: "signed-in", address: ADDRESS });
  });

  it("never retries a refusal", async () => {
    const { controller, asked, refuse } = setUp();
    refuse(new WalletError("sign-message", "Practice wallet", { code: 4001 }));
    await controller.connect("practice");
    await expect(controller.signIn()).resolves.toBe(false);
    expect(asked.filter((request) => request === "sign")).toHaveLength(1);
    expect(toasts.getState().at(-1)).toMatchObject({
      title: "Message not signed",
      message: "You refused the request in Practice wallet. Nothing was sent.",
      stays: false,
    });
    expect(session.getState().status).toBe("signed-out");
  });

  it("offers a transaction where the wallet signs no message, and signs in with it", async () => {
    const { controller, asked, refuse, wallet } = setUp();
    refuse(new WalletError("sign-message", "Practice wallet", new Error("not supported")));
    await controller.connect("practice");
    await expect(controller.signIn()).resolves.toBe(false);
    const toast = toasts.getState().at(-1);
    expect(toast).toMatchObject({
      title: "Message not signed",
      message:
        "Practice wallet could not sign the message. A hardware wallet needs a Solana app that signs messages.",
    });
    wallet.signTransaction = (bytes, network, as) => {
      asked.push(`sign a transaction of ${network} as ${as}`);
      return Promise.resolve(bytes);
    };
    toast?.actions?.[0]?.run();
    await vi.waitFor(() => expect(session.getState().status).toBe("signed-in"));
    expect(asked.at(-1)).toBe(`sign a transaction of mainnet as ${ADDRESS}`);
  });

  it("retries a lost answer three times, a second apart, and asks the wallet once", async () => {
    const { controller, asked } = setUp();
    await controller.connect("practice");
    let lost = 2;
    const answer = answers["/api/auth/token"];
    answers["/api/auth/token"] = () => {
      if (lost-- > 0) throw new TypeError("network");
      return answer?.() ?? new Response();
    };
    const signingIn = controller.signIn();
    await vi.advanceTimersByTimeAsync(1999);
    expect(session.getState().status).toBe("signing-in");
    await vi.advanceTimersByTimeAsync(1);
    await expect(signingIn).resolves.toBe(true);
    expect(requests.filter((path) => path.endsWith("/token"))).toHaveLength(3);
    expect(asked.filter((request) => request === "sign")).toHaveLength(1);
  });
});

describe("a change that the server wants confirmed", () => {
  it("is signed by the wallet, which is reconnected first if necessary", async () => {
    const { controller, asked, wallet } = setUp();
    await controller.connect("practice");
    await controller.signIn();
    wallet.store.setState({ status: "disconnected" });
    let proof: string | null = null;
    replaceFetch(async (_input, init) => {
      proof = new Headers(init?.headers).get(CONFIRMATION_HEADER);
      return proof === null
        ? Response.json(
            { code: "confirmation_needed", confirm: { nonce: "n1", message: "sign me" } },
            { status: 403 },
          )
        : new Response(null, { status: 204 });
    });
    await call(ROUTES.deleteAgent, { params: { agentId: agentIdOf("a") } });
    expect(asked.slice(-2)).toEqual(["connect silently", "sign"]);
    expect(proof).toMatch(/^n1 [1-9A-HJ-NP-Za-km-z]{80,88}$/);
  });
});

describe("the end of a session", () => {
  async function signIn() {
    const built = setUp();
    await built.controller.connect("practice");
    await built.controller.signIn();
    built.queryClient.setQueryData([ADDRESS, "chats"], []);
    requests = [];
    return built;
  }

  it("disconnects, logs out and forgets all data of the wallet, in that order", async () => {
    const { controller, asked, queryClient } = await signIn();
    await controller.disconnect();
    expect(asked.at(-1)).toBe("disconnect");
    expect(requests).toEqual(["/api/auth/logout"]);
    expect([storedToken.read(), storedWallet.read(), storedWalletDisplay.read()]).toEqual([
      null,
      null,
      null,
    ]);
    expect(queryClient.getQueryData([ADDRESS, "chats"])).toBeUndefined();
    expect(session.getState()).toEqual({ status: "signed-out", address: "" });
  });

  it("leaves the agent's form open when the session expired, and closes it when the wallet disconnects", async () => {
    const { controller, queryClient } = await signIn();
    const open = renderHook(useDialogs);
    act(() => openAgentDialog({ chatId: chatIdOf("c") }));
    answers["/api/auth/refresh"] = () => new Response("{}", { status: 401 });
    answers["/api/deployment"] = () => new Response("{}", { status: 401 });
    await act(async () => {
      await expect(authorizedFetch("/api/deployment")).rejects.toThrow("Authentication failed");
    });
    expect(session.getState()).toEqual({ status: "signed-out", address: "" });
    expect(queryClient.getQueryData([ADDRESS, "chats"])).toBeUndefined();
    expect(open.result.current.open.kind).toBe("agent");
    await act(async () => {
      await controller.connect("practice");
      await expect(controller.signIn()).resolves.toBe(true);
    });
    expect(open.result.current.open.kind).toBe("agent");
    await act(() => controller.disconnect());
    expect(open.result.current.open.kind).toBe("none");
  });

  it("happens when the wallet drops the connection", async () => {
    const { wallet, emit } = await signIn();
    wallet.store.setState({ status: "disconnected", type: null, address: "" });
    emit({ kind: "dropped", type: "practice" });
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toEqual(["/api/auth/logout"]);
    expect(session.getState().address).toBe("");
    expect(storedToken.read()).toBeNull();
  });

  it("happens when the wallet switches accounts, without mixing their data", async () => {
    const { wallet, emit, queryClient } = await signIn();
    wallet.store.setState({ address: OTHER });
    emit({ kind: "account-changed", type: "practice", address: OTHER });
    await vi.advanceTimersByTimeAsync(500);
    expect(queryClient.getQueryData([ADDRESS, "chats"])).toBeUndefined();
    expect(session.getState()).toEqual({ status: "signed-out", address: "" });
    expect(storedWallet.read()).toEqual({ walletType: "practice", walletAddress: OTHER });
  });
});
