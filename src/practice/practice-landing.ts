import { type PracticeMachine, answered, parse } from "./practice-machine.ts";
import type { Address, Signature } from "@solana/kit";
import { type TransactionError, TransactionRefusedError } from "../solana/chain.ts";
import type { TransactionErrorName } from "../solana/transaction-errors.ts";
import type { CommitState } from "./commit-queue.ts";
import { type Grant, faucetTransaction } from "./faucet.ts";
import { outcomeOf } from "./runtime/execute-transaction.ts";
import type { WireTransaction } from "./runtime/wire-transaction.ts";

type Landing =
  | { readonly kind: "landed"; readonly signature: Signature }
  | {
      readonly kind: "refused";
      readonly error: TransactionError;
      readonly logs: readonly string[];
    };

function refuse(name: TransactionErrorName): Landing {
  return { kind: "refused", error: { kind: "transaction", name }, logs: [] };
}

/** Lands transactions sequentially; every refusal throws `TransactionRefusedError`. */
export interface Landings {
  admit(wire: WireTransaction): Promise<Signature>;
  /** Gives practice money in a transaction signed by the faucet. */
  give(owner: Address, grant: Grant): Promise<Signature>;
}

/** `landsFailures`: failing transactions land and pay their fee instead of being refused. */
export function createLandings(machine: PracticeMachine, landsFailures: boolean): Landings {
  const { ledger, slots, queue, execute } = machine;
  const land = (state: CommitState, wire: WireTransaction): Landing => {
    const { signature } = wire;
    if (state.hasLanded(signature)) return { kind: "landed", signature };
    if (!slots.isRecent(wire.blockhash, slots.now().slot)) return refuse("BlockhashNotFound");
    const { time, execution } = execute(wire, state.account);
    const { error, logs, touched } = execution;
    if (error !== null && (!execution.charged || !landsFailures)) {
      return { kind: "refused", error, logs };
    }
    state.land(execution.changes, { outcome: outcomeOf(wire, execution, time), touched });
    return { kind: "landed", signature };
  };

  const admit = async (wire: WireTransaction): Promise<Signature> => {
    const landing = await answered(queue.submit((state) => land(state, wire)));
    if (landing.kind === "landed") return landing.signature;
    if (landing.error.name === "BlockhashNotFound") {
      const [known] = await answered(ledger.outcomes([wire.signature]));
      if (known !== undefined) return wire.signature;
    }
    throw new TransactionRefusedError(landing.error, landing.logs);
  };

  const give = async (owner: Address, grant: Grant): Promise<Signature> => {
    const landing = await answered(
      queue.submit((state) => {
        const blockhash = slots.blockhash(slots.now().slot);
        for (let attempt = 0; ; attempt += 1) {
          const wire = parse(faucetTransaction(owner, grant, blockhash, attempt));
          if (!state.hasLanded(wire.signature)) return land(state, wire);
        }
      }),
    );
    if (landing.kind === "landed") return landing.signature;
    throw new TransactionRefusedError(landing.error, landing.logs);
  };

  return { admit, give };
}
