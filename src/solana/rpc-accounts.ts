import type { NodeRpc } from "./node-rpc.ts";
import { type Address, getBase64Decoder, getBase64Encoder } from "@solana/kit";
import type { Account, Chain } from "./chain.ts";
import { isU64, requireAnswer } from "./check-answer.ts";
import { isAddress } from "./parse-address.ts";
import { ask, isRefusedQuestion } from "./rpc-ask.ts";

/** Largest number of accounts a node returns per request. */
const ACCOUNTS_PER_REQUEST = 100;

const toWire = getBase64Decoder();
const fromWire = getBase64Encoder();

interface RpcAccount {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly executable: boolean;
  readonly data: readonly [string, string];
  readonly space: bigint;
}

function readAccount(address: Address, account: RpcAccount | null): Account | null {
  if (account === null) return null;
  const { lamports, owner, executable, space } = account;
  requireAnswer(isU64(lamports), "a balance");
  requireAnswer(isAddress(owner), "an owner");
  requireAnswer(account.data[1] === "base64", "an account's encoding");
  const data = Uint8Array.from(fromWire.encode(account.data[0]));
  requireAnswer(BigInt(data.length) === BigInt(space), "an account of another length");
  return { address, lamports, owner, data, executable };
}

/** Returns the account calls of a node, at commitment `confirmed`; an impossible answer counts as no answer. */
export function rpcAccounts(
  rpc: NodeRpc,
): Pick<Chain, "accounts" | "accountsOf" | "minimumBalance"> {
  return {
    async accounts(addresses, options = {}) {
      const found: (Account | null)[] = [];
      let slot: bigint | undefined;
      for (let from = 0; from < Math.max(1, addresses.length); from += ACCOUNTS_PER_REQUEST) {
        const part = addresses.slice(from, from + ACCOUNTS_PER_REQUEST);
        const answer = await ask(() =>
          rpc
            .getMultipleAccounts(part, {
              encoding: "base64",
              commitment: "confirmed",
              ...(options.minContextSlot === undefined
                ? {}
                : { minContextSlot: options.minContextSlot }),
            })
            .send(),
        );
        const seen = answer.context.slot;
        requireAnswer(isU64(seen) && seen >= (options.minContextSlot ?? 0n), "its slot");
        requireAnswer(answer.value.length === part.length, "a number of accounts");
        slot = slot === undefined || seen < slot ? seen : slot;
        found.push(...answer.value.map((account, at) => readAccount(part[at] as Address, account)));
      }
      return { slot: slot ?? 0n, accounts: found };
    },

    async accountsOf(program, { offset, bytes }) {
      const answer = await ask(() =>
        rpc
          .getProgramAccounts(program, {
            encoding: "base64",
            commitment: "confirmed",
            filters: [
              {
                memcmp: {
                  offset: BigInt(offset),
                  bytes: toWire.decode(bytes) as never,
                  encoding: "base64",
                },
              },
            ],
          })
          .send(),
      ).catch((error: unknown) => {
        if (isRefusedQuestion(error)) return null;
        throw error;
      });
      if (answer === null) return null;
      return answer.flatMap(({ pubkey, account }) => {
        const found = readAccount(pubkey, account);
        requireAnswer(found?.owner === program, "an account of the program");
        const held = found.data.subarray(offset, offset + bytes.length);
        requireAnswer(
          held.length === bytes.length && held.every((byte, at) => byte === bytes[at]),
          "an account that was asked for",
        );
        return [found];
      });
    },

    minimumBalance: (size) => ask(() => rpc.getMinimumBalanceForRentExemption(BigInt(size)).send()),
  };
}
