import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeBase58 } from "../src/domain/base58.ts";
import { createPracticeChain } from "../src/practice/practice-chain.ts";
import { practiceKeyPair } from "../src/practice/sign-transaction.ts";
import { ensureSharedTable } from "../src/server/custody/shared-table.ts";
import { getText, postJson } from "../src/server/main/http-client.ts";
import { sharedOf } from "../src/server/main/look-at-chain.ts";
import { openCluster } from "../src/server/main/open-networks.ts";
import { addressBytes } from "../src/solana/encoding/address-codec.ts";
import { SQUADS_PROGRAM } from "../src/solana/programs/squads.ts";
import { GENESIS_HASHES } from "../src/solana/rpc-network.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";
import { JUPITER_PROGRAM } from "../src/venues/jupiter/instance.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { startPriceServer } from "./price-server.ts";
import { startRpcServer, type RpcServer } from "./rpc-server.ts";

/** What a host does in place of its answer: a status, a web page, something of another form, or nothing. */
export type HostFault = number | "page" | "other form" | "hangs" | "gone";

const CLOCK_SYSVAR = "SysvarC1ock11111111111111111111111111111111";

/** Slot at which every played program was changed last, and the size of what stands before its code. */
const CHANGED_AT = 250_000_000n;
const CODE_AT = 45;

const dataOf = (program: string) => encodeBase58(addressBytes(program as never).toReversed());

/** The account of an upgradeable program, and of its code, as the loader keeps them. */
function programAccounts(program: string, code: Uint8Array, slot = CHANGED_AT) {
  const head = Buffer.alloc(36);
  head.writeUInt32LE(2);
  addressBytes(dataOf(program) as never).forEach((byte, at) => (head[4 + at] = byte));
  const held = Buffer.concat([Buffer.alloc(CODE_AT), code, Buffer.alloc(64)]);
  held.writeUInt32LE(3);
  held.writeBigUInt64LE(slot, 4);
  return [
    [program, head],
    [dataOf(program), held],
  ] as const;
}

/** Everything outside of a server on mainnet and paper, played on this machine over real HTTP. */
export async function playOutside() {
  const clock = { now: () => Date.now() };
  const prices = await startPriceServer(clock);
  const payer = practiceKeyPair("fee payer of the doctor");
  // It began an hour ago, so that its slots are past
  let agoMs = 3_600_000;
  const chain = await createPracticeChain({
    ledger: createMemoryLedger(),
    clock: { now: () => clock.now() - agoMs },
    prices: {
      label: "test",
      quote: () => ({ price: 150_000_000n, confidence: 0n, publishedAtMs: clock.now() }),
    },
  });
  agoMs = 0;
  await chain.fund(payer.address, { lamports: 5_000_000_000n, quoteUnits: 0n });

  const accounts = new Map<string, Uint8Array>();
  const squads = process.env["SQUADS_SO"];
  const deploy = (program: string, code: Uint8Array, slot?: bigint) => {
    for (const [address, data] of programAccounts(program, code, slot)) accounts.set(address, data);
  };
  deploy(SQUADS_PROGRAM, squads === undefined ? Buffer.from("Squads") : readFileSync(squads));
  deploy(DRIFT_V2_INSTANCE.programId, Buffer.from("the exchange's code"));
  deploy(JUPITER_PROGRAM, Buffer.from("the router's code"));

  /** Makes a node one of mainnet, so many milliseconds behind. */
  const behave = (node: RpcServer, behindMs = 0) =>
    node.behave({
      before(method, params) {
        if (method !== "getAccountInfo") return undefined;
        const [address, { dataSlice }] = params as [string, { dataSlice?: { length: number } }];
        const time = Buffer.alloc(40);
        time.writeBigUInt64LE(CHANGED_AT + 9n, 0);
        time.writeBigInt64LE(BigInt(Math.floor((Date.now() - behindMs) / 1_000)), 32);
        const data = address === CLOCK_SYSVAR ? time : accounts.get(address);
        const bytes = data && Buffer.from(data).subarray(0, dataSlice?.length);
        const value = bytes && { data: [bytes.toString("base64"), "base64"] };
        const result = { context: { slot: 1 }, value: value ?? null };
        return { kind: "text", text: JSON.stringify({ jsonrpc: "2.0", id: 1, result }) };
      },
      after: (method, result) => (method === "getGenesisHash" ? GENESIS_HASHES.mainnet : result),
    });
  const nodes = [await startRpcServer(chain), await startRpcServer(chain)] as const;
  for (const node of nodes) behave(node);

  const faults = new Map<string, HostFault>();
  const build = readFileSync(join(import.meta.dirname, "recorded/jupiter-build.json"), "utf8");
  const server = createServer((request, response) => {
    const [, host = "", ...path] = (request.url ?? "").split("/");
    const fault = faults.get(host);
    if (fault === "hangs") return;
    if (fault === "gone") return void response.destroy();
    if (fault === "page") return void response.end("<!doctype html><title>Blocked</title>");
    if (fault === "other form") return void response.end('{"prices":"elsewhere"}');
    if (fault !== undefined) return void response.writeHead(fault).end("{}");
    if (host === "api.telegram.org") {
      return void response.writeHead(404).end('{"ok":false,"error_code":404}');
    }
    if (path[0] === "swap") return void response.end(build);
    fetch(`${prices.origin}/${path.join("/")}`).then(
      async (answer) => response.writeHead(answer.status).end(await answer.text()),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const config = {
    networks: ["paper", "mainnet"] as const,
    priceSources: [
      { name: "pyth", key: "a key of Pyth" },
      { name: "binance" },
      { name: "bybit" },
      { name: "coinbase" },
      { name: "kraken" },
      { name: "jupiter", key: "a key of Jupiter" },
    ] as const,
    rpcUrls: { devnet: [], mainnet: nodes.map(({ url }) => url) },
    rpcRequestsPerSecond: 1_000,
    lookupTables: { devnet: undefined, mainnet: undefined as string | undefined },
    priorityFee: { percentile: 75, capMicroLamports: 100_000n },
    swapApiKey: "a key of Jupiter",
    dataDir: import.meta.dirname,
    mail: undefined,
  };
  const open = () => openCluster("mainnet", { config, clock });
  const shared = await sharedOf(await open(), (venue) => {
    throw new Error(`${venue} tells no addresses`);
  });
  const { table } = await ensureSharedTable(
    { chain, sleep: (ms) => sleep(ms), priorityFee: config.priorityFee },
    payer,
    undefined,
    shared,
  );
  config.lookupTables.mainnet = table;
  return {
    config,
    clock,
    payer,
    faults,
    nodes,
    chain,
    open,
    deploy,
    behave,
    get: (url: string, headers: Readonly<Record<string, string>>, timeoutMs: number) =>
      getText(url.replace("https:/", origin), headers, timeoutMs),
    post: postJson,
    async close() {
      for (const node of nodes) await node.close();
      server.closeAllConnections();
      server.close();
      await prices.close();
    },
  };
}

export type PlayedOutside = Awaited<ReturnType<typeof playOutside>>;
