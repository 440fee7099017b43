import type { Address, Signature } from "@solana/kit";
import { type Chain, ChainUnavailableError, type SignatureStatus } from "../src/solana/chain.ts";
import { handling, type Link, linkChain, withinGroups } from "../src/solana/chain-links.ts";
import { signatureOf } from "../src/solana/signing.ts";

/**
 * Fault of one `send`.
 *
 * `refuse`: nothing is sent, and the caller gets a node-unavailable error. `drop`: the caller gets a signature that
 * never lands. `lose-answer`: it lands, and the caller gets a node-unavailable error. `fork`: it is reported confirmed,
 * then disappears with the abandoned fork. `delay`: it lands when `release` is called.
 */
export type SendFault = "refuse" | "drop" | "lose-answer" | "fork" | "delay";

/** Returns the fault of each send, by its number from 0; undefined for none. */
export type FaultScript = (sendNumber: number) => SendFault | undefined;

/** A chain with fault injection for tests and drills. */
export interface FaultyChain extends Chain {
  /** Sets the script for all further sends; their numbers start again at 0. */
  script(next: FaultScript): void;
  /** Makes every call fail until switched off. */
  setDown(isDown: boolean): void;
  /**
   * Freezes reads at the present state, as on a node that fell behind; `false` ends it.
   *
   * A confirmed answer for a slot has everything that landed in it: let the present slot end before anything lands.
   */
  setStale(addresses: readonly Address[] | false): Promise<void>;
  /** Sends the delayed transactions, oldest first. */
  release(): Promise<void>;
  /** Ends all forks: their transactions disappear from the history. */
  resolveForks(): void;
}

/** Returns a script that injects the given faults in order, one per send. */
export function inOrder(...faults: readonly (SendFault | undefined)[]): FaultScript {
  return (sendNumber) => faults[sendNumber];
}

/** Returns a script that injects faults into a percentage of all sends, drawn from a seed. */
export function seeded(seed: number, percent: number, faults: readonly SendFault[]): FaultScript {
  return (sendNumber) => {
    let drawn = Math.imul(seed ^ (sendNumber + 1), 0x9e37_79b1) >>> 0;
    drawn = Math.imul(drawn ^ (drawn >>> 15), 0x85eb_ca6b) >>> 0;
    drawn = (drawn ^ (drawn >>> 13)) >>> 0;
    return drawn % 100 < percent ? faults[(drawn >>> 8) % faults.length] : undefined;
  };
}

/** Returns a chain with fault injection; without faults it behaves like the wrapped chain. */
export function withFaults(chain: Chain): FaultyChain {
  let script: FaultScript = () => undefined;
  let sends = 0;
  let isDown = false;
  let stale: ReadonlyMap<Address, Awaited<ReturnType<Chain["accounts"]>>> | undefined;
  const delayed: Uint8Array[] = [];
  const forked = new Map<Signature, SignatureStatus>();

  const away: Link = (next) => async (call) => {
    if (isDown) throw new ChainUnavailableError("The node does not answer");
    return next(call);
  };

  const forkedStatus = async (): Promise<SignatureStatus> => ({
    slot: (await chain.progress("confirmed")).slot,
    commitment: "confirmed",
    error: null,
  });

  const sendWith = async (
    fault: SendFault | undefined,
    transaction: Uint8Array,
  ): Promise<Signature> => {
    switch (fault) {
      case undefined:
        return chain.send(transaction);
      case "refuse":
        throw new ChainUnavailableError("The node does not answer");
      case "drop":
        return signatureOf(transaction);
      case "lose-answer":
        await chain.send(transaction);
        throw new ChainUnavailableError("The node's answer was lost");
      case "fork": {
        const signature = signatureOf(transaction);
        forked.set(signature, await forkedStatus());
        return signature;
      }
      case "delay":
        delayed.push(transaction);
        return signatureOf(transaction);
    }
  };

  const faults = handling({
    async accounts(call, next) {
      const [addresses, options] = call.input;
      const fresh = await next(call);
      if (stale === undefined) return fresh;
      const old = addresses.map((address) => stale?.get(address));
      const slot = old.find((answer) => answer !== undefined)?.slot ?? fresh.slot;
      if (options?.minContextSlot !== undefined && slot < options.minContextSlot) {
        throw new ChainUnavailableError("The node has not seen that slot");
      }
      const accounts = fresh.accounts.map((account, index) => {
        const answer = old[index];
        return answer === undefined ? account : (answer.accounts[0] ?? null);
      });
      return { slot, accounts };
    },
    async send({ input: [transaction] }) {
      const fault = script(sends);
      sends += 1;
      return sendWith(fault, transaction);
    },
    async signatureStatuses(call, next) {
      const [signatures] = call.input;
      const answer = await next(call);
      const statuses = answer.statuses.map(
        (status, index) => status ?? forked.get(signatures[index] ?? ("" as Signature)) ?? null,
      );
      return { slot: answer.slot, statuses };
    },
  });

  return {
    ...linkChain(chain, withinGroups(away), withinGroups(faults)),
    script(next) {
      script = next;
      sends = 0;
    },
    setDown(next) {
      isDown = next;
    },
    async setStale(addresses) {
      if (addresses === false) {
        stale = undefined;
        return;
      }
      const entries = addresses.map(
        async (address) => [address, await chain.accounts([address])] as const,
      );
      stale = new Map(await Promise.all(entries));
    },
    async release() {
      for (const transaction of delayed.splice(0)) await chain.send(transaction);
    },
    resolveForks: () => forked.clear(),
  };
}
