import { createStore } from "zustand/vanilla";

export interface WalletQuestion {
  readonly kind: "connect" | "message" | "transaction";
  readonly address: string;
  /** Text to sign, shown in full. */
  readonly message?: string;
}

interface Approvals {
  readonly request: WalletQuestion | null;
  readonly answer: (isApproved: boolean) => void;
}

/** What the practice wallet is asking the user right now; the page shows it as the wallet's own window. */
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

/** Resolves when the user approves. Rejects with 4001 on refusal and -32002 while another request is open. */
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
