import type { BuiltInNetwork } from "../../domain/network.ts";
import { createStore } from "zustand/vanilla";

export interface WalletQuestion {
  readonly kind: "message" | "transaction";
  readonly address: string;
  /** Full text to sign. */
  readonly message?: string;
  /** Network of a transaction. */
  readonly network?: BuiltInNetwork;
}

interface Approvals {
  readonly request: WalletQuestion | null;
  readonly answer: (isApproved: boolean) => void;
}

/** Pending request of the practice wallet; the page shows it in the wallet's own window. */
export const practiceApprovals = createStore<Approvals>(() => ({
  request: null,
  answer: () => {},
}));

class PracticeWalletError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Requests the user's approval. Rejects with 4001 on refusal and with -32002 while another request is open. */
export function askForApproval(request: WalletQuestion): Promise<void> {
  if (practiceApprovals.getState().request) {
    return Promise.reject(new PracticeWalletError(-32002, "A request is already open."));
  }
  return new Promise((resolve, reject) => {
    practiceApprovals.setState({
      request,
      answer: (isApproved) => {
        practiceApprovals.setState({ request: null, answer: () => {} });
        if (isApproved) resolve();
        else reject(new PracticeWalletError(4001, "User rejected the request."));
      },
    });
  });
}
