import type { Custody } from "../src/contract/custody.ts";
import type { AgentId } from "../src/domain/ids.ts";
import { wallet } from "../src/client/wallet/wallet.ts";

/** Prepare request of an approval. */
interface PrepareRequest {
  readonly intent: string;
  readonly agentId: AgentId;
  readonly amount?: string;
  readonly market?: string;
}

/** Fake approval server that prepares nothing until told; then no transaction is left to sign. */
export interface ApprovalAnswers {
  /** All requested approvals in order. */
  readonly asked: readonly PrepareRequest[];
  /** The answer to a request about an approval; null for any other request. */
  answer(path: string, init?: RequestInit): Promise<Response> | null;
  /** Marks the last requested approval as done on chain. */
  land(): void;
}

/** Answers approval requests of one agent, so that tests can observe and complete them. */
export function answerApprovals(agentId: AgentId, custody: Partial<Custody> = {}): ApprovalAnswers {
  const asked: PrepareRequest[] = [];
  let land: () => void = () => {};
  const known: Custody = {
    multisig: null,
    steps: [],
    vaultLamports: null,
    ownerLamports: null,
    ownerQuote: "1000",
    quoteSymbol: "USDC",
    unrecoverableLamports: "0",
    openTransactionId: null,
    ...custody,
  };
  return {
    asked,
    answer(path, init) {
      if (path === `/api/agents/${agentId}/custody`) {
        return Promise.resolve(Response.json(known));
      }
      if (path !== "/api/tx/prepare") return null;
      asked.push(JSON.parse(init?.body as string) as PrepareRequest);
      return new Promise((resolve) => {
        land = () => resolve(Response.json({ done: true }));
      });
    },
    land: () => land(),
  };
}

/** Connects the page's wallet; null disconnects it. */
export function connectPageWallet(address: string | null): void {
  wallet.store.setState(
    address === null
      ? { status: "disconnected", type: null, address: "", available: [] }
      : { status: "connected", type: "practice", address, available: ["practice"] },
  );
}
