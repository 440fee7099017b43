import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { CallOf, ResponseOf } from "../../contract/route.ts";
import {
  addNoticeChannel,
  changeNoticeChannel,
  confirmNoticeChannel,
  getNotices,
  removeNoticeChannel,
  sendNoticeCode,
  setQuietHours as setQuietHoursRoute,
  testNoticeChannel,
} from "../../contract/notices.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type Notices = ResponseOf<typeof getNotices>;
export type NoticeChannel = Notices["channels"][number];
export type SentNotice = Notices["history"][number];
export type NewChannel = CallOf<typeof addNoticeChannel>["body"];
export type QuietHours = NonNullable<Notices["quietHours"]>;

/** Poll interval while a message is pending, in milliseconds. */
const WAITING_MS = 3_000;

/** Notification channels, settings and sent messages of the wallet. */
export const noticesQuery = (address: SignedInWallet) =>
  queryOptions({
    queryKey: keysOf(address).notices,
    queryFn: () => call(getNotices),
    enabled: address !== "",
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
    add: useMutation({
      mutationFn: (body: NewChannel) => call(addNoticeChannel, { body }),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ id, events }: Pick<NoticeChannel, "id" | "events">) =>
        call(changeNoticeChannel, { params: { channelId: id }, body: { events } }),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (channelId: string) => call(removeNoticeChannel, { params: { channelId } }),
      onSettled,
    }),
    sendCode: useMutation({
      mutationFn: (channelId: string) => call(sendNoticeCode, { params: { channelId } }),
      onSettled,
    }),
    confirm: useMutation({
      mutationFn: ({ id, code }: { readonly id: string; readonly code: string }) =>
        call(confirmNoticeChannel, { params: { channelId: id }, body: { code } }),
      onSettled,
    }),
    test: useMutation({
      mutationFn: (channelId: string) => call(testNoticeChannel, { params: { channelId } }),
      onSettled,
    }),
    setQuietHours: useMutation({
      mutationFn: (quietHours: QuietHours | null) =>
        call(setQuietHoursRoute, { body: quietHours === null ? {} : { quietHours } }),
      onSettled,
    }),
  };
}
