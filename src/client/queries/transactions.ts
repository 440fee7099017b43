import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { CallOf } from "../../contract/route.ts";
import {
  getTransaction,
  prepareTransaction as prepareTransactionRoute,
  renewTransaction as renewTransactionRoute,
  reportSent as reportSentRoute,
  submitSigned as submitSignedRoute,
} from "../../contract/tx.ts";
import type { followedTransaction, preparedTransaction } from "../../contract/tx.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type PreparedTransaction = z.infer<typeof preparedTransaction>;
export type FollowedTransaction = z.infer<typeof followedTransaction>;

/** Poll interval of an open transaction, in milliseconds. */
export const TRANSACTION_POLL_MS = 1000;

/** Prepares the next transaction of an intent; the answer tells when none is left to sign. */
export const prepareTransaction = (body: CallOf<typeof prepareTransactionRoute>["body"]) =>
  call(prepareTransactionRoute, { body });

/** Renews the blockhash of an unsigned transaction. */
export const renewTransaction = (id: string) => call(renewTransactionRoute, { params: { id } });

/** Reports the signature of a transaction that the wallet sent. */
export const reportSent = (id: string, signature: string) =>
  call(reportSentRoute, { params: { id }, body: { signature } });

/** Submits a signed transaction for sending, base64. */
export const submitSigned = (id: string, transaction: string) =>
  call(submitSignedRoute, { params: { id }, body: { transaction } });

/** Polls one transaction until it is confirmed, failed, expired or abandoned. */
export const transactionQuery = (address: SignedInWallet, id: string) =>
  queryOptions({
    ...read(keysOf(address).transaction(id), getTransaction, id && { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === "prepared" || state.data.state === "sent"
        ? TRANSACTION_POLL_MS
        : false,
  });
