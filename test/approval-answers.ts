import type { Custody } from "../src/client/queries/custody.ts";
import { wallet } from "../src/client/wallet/wallet.ts";

/** What an owner was asked to approve, as the server was asked to prepare it. */
interface AskedOfServer {
  readonly intent: string;
  readonly agentId: string;
  readonly amount?: string;
  readonly market?: string;
}

/** A server that prepares nothing before it is told to; by then nothing is left to sign. */
export interface ApprovalAnswers {
  /** Every approval that was asked for, in order. */
  readonly asked: readonly AskedOfServer[];
  /** The answer to a request about an approval; null for any other request. */
  answer(path: string, init?: RequestInit): Promise<Response> | null;
  /** Has what was asked for last be done on chain. */
  land(): void;
}

/** Answers what approvals of one agent ask for, so that tests see them asked and have them land. */
export function answerApprovals(agentId: string, custody: Partial<Custody> = {}): ApprovalAnswers {
  const asked: AskedOfServer[] = [];
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
      asked.push(JSON.parse(init?.body as string) as AskedOfServer);
      return new Promise((resolve) => {
        land = () => resolve(Response.json({ done: true }));
      });
    },
    land: () => land(),
  };
}

/** Connects the page's wallet, or takes it away. */
export function connectPageWallet(address: string | null): void {
  wallet.store.setState(
    address === null
      ? { status: "disconnected", type: null, address: "", available: [] }
      : { status: "connected", type: "practice", address, available: ["practice"] },
  );
}
