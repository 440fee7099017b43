import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Chain } from "../src/solana/chain.ts";
import { createRpcAnswers, type Params, type RpcBackend, RpcFailure } from "./rpc-answers.ts";

/** Fault of a node for one request. */
export type RpcFault =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "hang" }
  | { readonly kind: "drop-answer" }
  | { readonly kind: "slow"; readonly ms: number }
  /** Answers every request with this text. */
  | { readonly kind: "text"; readonly text: string };

/** Behaviour of a node until another is set. */
export interface RpcBehaviour {
  /** Decides what happens to a request; undefined answers it. Throws `RpcFailure` to answer with an error. */
  before?(method: string, params: Params): RpcFault | undefined;
  /** Changes what is answered. */
  after?(method: string, result: unknown, params: Params): unknown;
}

export interface RpcServer {
  readonly url: string;
  /** Method names in the order they arrived. */
  readonly calls: string[];
  /** Queues faults, one per coming request. */
  fail(...faults: RpcFault[]): void;
  behave(behaviour: RpcBehaviour | null): void;
  close(): Promise<void>;
}

function toJson(value: unknown): string {
  // JSON has no bigint; nodes write plain integers
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? `#bigint:${part}` : part,
  ).replaceAll(/"#bigint:(-?\d+)"/g, "$1");
}

function failure(error: unknown) {
  if (error instanceof RpcFailure) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  return { code: -32_603, message: String(error) };
}

/** Serves a chain as a JSON-RPC node over HTTP, with faults on demand. */
export async function startRpcServer(served: Chain | RpcBackend): Promise<RpcServer> {
  const answer = createRpcAnswers("chain" in served ? served : { chain: served });
  const faults: RpcFault[] = [];
  const calls: string[] = [];
  let behaviour: RpcBehaviour | null = null;

  const resultOf = async (method: string, params: Params): Promise<unknown> => {
    const result = await answer(method, params);
    return behaviour?.after === undefined ? result : behaviour.after(method, result, params);
  };

  const faultOf = (method: string, params: Params): RpcFault | undefined | RpcFailure => {
    try {
      return faults.shift() ?? behaviour?.before?.(method, params);
    } catch (error) {
      if (error instanceof RpcFailure) return error;
      throw error;
    }
  };

  const respond = async (text: string, response: ServerResponse) => {
    const {
      id,
      method,
      params = [],
    } = JSON.parse(text) as {
      id: unknown;
      method: string;
      params?: Params;
    };
    calls.push(method);
    const json = (body: string) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    const fault = faultOf(method, params);
    if (fault instanceof RpcFailure) {
      json(toJson({ jsonrpc: "2.0", id, error: failure(fault) }));
      return;
    }
    if (fault?.kind === "status") {
      response.writeHead(fault.status).end();
      return;
    }
    if (fault?.kind === "hang") return;
    if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === "text") {
      json(fault.text);
      return;
    }
    const body = await resultOf(method, params).then(
      (result) => ({ jsonrpc: "2.0", id, result }),
      (error: unknown) => ({ jsonrpc: "2.0", id, error: failure(error) }),
    );
    if (fault?.kind === "drop-answer") response.destroy();
    else json(toJson(body));
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void respond(Buffer.concat(chunks).toString("utf8"), response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    fail: (...next) => void faults.push(...next),
    behave(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
