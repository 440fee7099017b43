import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import {
  addNoticeChannel,
  changeNoticeChannel,
  confirmNoticeChannel,
  getNotices,
  removeNoticeChannel,
  sendNoticeCode,
  setQuietHours,
  testNoticeChannel,
} from "../../contract/notices.ts";
import { keysOf } from "./keys.ts";
import { read, useChange } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type Notices = ResponseOf<typeof getNotices>;
export type NoticeChannel = Notices["channels"][number];
export type SentNotice = Notices["history"][number];
export type QuietHours = NonNullable<Notices["quietHours"]>;

/** Poll interval while a message is pending, in milliseconds. */
const WAITING_MS = 3_000;

/** Notification channels, settings and sent messages of the wallet. */
export const noticesQuery = (address: SignedInWallet) =>
  queryOptions({
    ...read(keysOf(address).notices, getNotices, {}),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.history.some((notice) => notice.state === "waiting") === true
        ? WAITING_MS
        : false,
  });

export type NoticeChanges = ReturnType<typeof useNoticeChanges>;

/** Returns the mutations of notification settings; each refetches them. */
export function useNoticeChanges(address: SignedInWallet) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: keysOf(address).notices });
  return {
    add: useChange(addNoticeChannel, { onSettled }),
    change: useChange(changeNoticeChannel, { onSettled }),
    remove: useChange(removeNoticeChannel, { onSettled }),
    sendCode: useChange(sendNoticeCode, { onSettled }),
    confirm: useChange(confirmNoticeChannel, { onSettled }),
    test: useChange(testNoticeChannel, { onSettled }),
    setQuietHours: useChange(setQuietHours, { onSettled }),
  };
}
