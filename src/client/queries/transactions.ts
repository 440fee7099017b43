import { getTransaction } from "../../contract/tx.ts";
import { useRead } from "./read.ts";

/** Poll interval of an open transaction, in milliseconds. */
export const TRANSACTION_POLL_MS = 1000;

/** Polls one transaction until it is confirmed, failed, expired or abandoned. */
export const useTransaction = (id: string) =>
  useRead(
    getTransaction,
    { params: { id } },
    {
      refetchInterval: ({ state }) =>
        state.data === undefined || state.data.state === "prepared" || state.data.state === "sent"
          ? TRANSACTION_POLL_MS
          : false,
    },
  );
