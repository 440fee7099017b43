import { type ClientRequest, get } from "node:http";
import { createTestWallet } from "../../test/wallet.ts";
import { withDatabase } from "../bench-database.ts";
import { fixed, median } from "../figures.ts";
import { type MeasureRow, scaled } from "./row.ts";
import { pause, SHARED, startBare, startProduct } from "./servers.ts";

/** Most streams of one wallet. */
const TABS = 10;
const ROUNDS = 10;
const SETTLE_SECONDS = 3;

/** The open tabs of one wallet. */
interface Listener {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the change its tabs are told of. */
  change(): Promise<unknown>;
}

/** A wallet that signs in from an address of its own, as the proxy says. */
async function signIn(port: number, index: number): Promise<Listener> {
  const wallet = createTestWallet();
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const from = { "x-forwarded-for": `10.0.${index >> 8}.${index & 255}` };
  const walletAddress = wallet.address;
  const { message = "", nonce } = await post("/api/auth/nonce", { walletAddress }, from);
  const proof = { walletAddress, nonce, signature: wallet.sign(message) };
  const { token } = await post("/api/auth/token", proof, from);
  const headers = { ...from, authorization: `Bearer ${token}` };
  return {
    path: "/api/events",
    headers,
    change: () => post("/api/chats/add-chat", { walletAddress }, headers),
  };
}

/** Opens a stream and resolves when it has begun; `told` is called for each chunk that carries a notice. */
function openTab(
  port: number,
  { path, headers }: Listener,
  told: () => void,
): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const tab = get({ agent: false, host: "127.0.0.1", port, path, headers }, (answer) => {
      if (answer.statusCode !== 200)
        reject(new Error(`A stream was answered ${answer.statusCode}`));
      answer.on("data", (chunk: Buffer) => {
        if (chunk.includes("event: stale")) told();
        else resolve(tab);
      });
      answer.on("error", () => {});
    });
    tab.on("error", reject);
  });
}

/** Returns what the clients of one server cost, and how long they wait to be told. */
async function measureSide(port: number, listeners: readonly Listener[], memoryMiB: () => number) {
  const before = memoryMiB();
  const tabs: ClientRequest[] = [];
  let waiting = new Set<number>();
  let done = () => {};
  for (const listener of listeners) {
    const first = tabs.length;
    const open = Array.from({ length: TABS }, (_, tab) =>
      openTab(port, listener, () => {
        if (waiting.delete(first + tab) && waiting.size === 0) done();
      }),
    );
    tabs.push(...(await Promise.all(open)));
  }
  await pause(SETTLE_SECONDS);
  const kibPerClient = ((memoryMiB() - before) * 1_024) / tabs.length;
  const toTell = async (from: number, to: number) => {
    const told = new Promise<void>((resolve) => (done = resolve));
    waiting = new Set(Array.from({ length: (to - from) * TABS }, (_, tab) => from * TABS + tab));
    const startedAt = performance.now();
    const changes = listeners.slice(from, to).map((listener) => listener.change());
    await told;
    const ms = performance.now() - startedAt;
    await Promise.all(changes);
    return ms;
  };
  const [one, all]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = round % listeners.length;
    one.push(await toTell(at, at + 1));
    all.push(await toTell(0, listeners.length));
  }
  for (const tab of tabs) tab.destroy();
  return { kibPerClient, oneMs: median(one), allMs: median(all) };
}

/** From a change until every client that is to be told of it has been, beside a bare server that inserts and tells. */
export const push =
  (fullClients: number): MeasureRow =>
  async (options, add) => {
    const wallets = Math.max(1, Math.round(scaled(fullClients, options) / TABS));
    const clients = wallets * TABS;
    await withDatabase(async (url) => {
      const product = await startProduct(url, 1, { TRUSTED_PROXIES: "127.0.0.1" });
      const bare = await startBare(url);
      const [port = 0, barePort = 0] = [product.ports[0], bare.ports[0]];
      const listeners: Listener[] = [];
      while (listeners.length < wallets) listeners.push(await signIn(port, listeners.length));
      const plain = listeners.map((_, index): Listener => {
        const path = `/${index}`;
        const address = `http://127.0.0.1:${barePort}${path}`;
        return { path, headers: {}, change: () => fetch(address, { method: "POST", body: "{}" }) };
      });
      const theirs = await measureSide(barePort, plain, bare.memoryMiB);
      const ours = await measureSide(port, listeners, product.memoryMiB);
      const line = (what: string, of: "oneMs" | "allMs" | "kibPerClient") =>
        add({
          measured: `${clients} push clients: ${what}`,
          connections: `${clients}`,
          product: fixed(ours[of], 1),
          bare: fixed(theirs[of], 1),
          ratio: `${fixed(ours[of] / theirs[of])}x`,
        });
      line(`a change until its ${TABS} clients are told, ms`, "oneMs");
      line(`${wallets} changes at once until all are told, ms`, "allMs");
      line("memory of a client, KiB", "kibPerClient");
      await bare.stop();
      await product.stop();
    }, SHARED);
  };
