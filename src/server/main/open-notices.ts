import type { Clock } from "../../domain/clock.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../../contract/notice-channels/list.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { NoticeRouteDeps } from "../routes/notices.ts";
import type { ServerConfig } from "../config.ts";
import type { Db } from "../store/postgres/db.ts";
import { createConfirmAddress, createAddressCodes } from "../notices/confirm-address.ts";
import type { SendNotice } from "../notices/channel.ts";
import { createEmailSender } from "../notices/channels/email.ts";
import { createPushSender, createVapid } from "../notices/channels/push.ts";
import { createTelegramSender } from "../notices/channels/telegram.ts";
import { createWebhookSender } from "../notices/channels/webhook.ts";
import { createDispatcher, type Dispatcher } from "../notices/dispatcher.ts";
import { createPostOutside, type PostOutside } from "../notices/post-outside.ts";
import { createTargetCipher, type NoticeKeys } from "../notices/encrypt-target.ts";

export const TELEGRAM_URL = "https://api.telegram.org";
const MAIL_TIMEOUT_MS = 15_000;

interface NoticeOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly publicUrl: URL;
  readonly noticeKeys: NoticeKeys;
  readonly mail: { readonly smtpUrl: string; readonly from: string } | undefined;
  readonly onFailure: (error: unknown) => void;
  /** For tests: replaces calls to owners' targets and the address of Telegram. */
  readonly post?: PostOutside;
  readonly telegramUrl?: string;
  readonly mailTimeoutMs?: number;
}

/** Returns the settings notices need. */
export const noticeSettings = ({
  config,
  noticeKeys,
}: {
  readonly config: ServerConfig;
  readonly noticeKeys: NoticeKeys;
}) => ({
  noticeKeys,
  mail: config.mail,
});

/** Creates the senders, the dispatcher and the dependencies of the routes. */
export function openNotices(options: NoticeOptions): {
  readonly dispatcher: Dispatcher;
  readonly routes: NoticeRouteDeps;
} {
  const { db, clock, random, publicUrl, mail, onFailure } = options;
  const { post = createPostOutside(), telegramUrl = TELEGRAM_URL } = options;
  const seal = createTargetCipher(options.noticeKeys.targets, random);
  const codes = createAddressCodes(options.noticeKeys.codes);
  // RFC 8292 requires a contact of the sender: its mail address, or the page when no mail is configured
  const contact = mail === undefined ? publicUrl.origin : `mailto:${bareAddress(mail.from)}`;
  const vapid = createVapid(options.noticeKeys.push, contact);
  const senders: Record<ChannelKind, SendNotice | undefined> = {
    push: createPushSender({ post, vapid, clock, random }),
    telegram: createTelegramSender(post, telegramUrl),
    webhook: createWebhookSender(post, clock),
    email:
      mail && createEmailSender({ ...mail, timeoutMs: options.mailTimeoutMs ?? MAIL_TIMEOUT_MS }),
  };
  const offered = CHANNEL_KINDS.filter((kind) => senders[kind] !== undefined);
  return {
    dispatcher: createDispatcher({ db, clock, publicUrl, seal, codes, senders, onFailure }),
    routes: {
      db,
      clock,
      random,
      seal,
      confirmAddress: createConfirmAddress({ db, clock, seal, codes }),
      offered,
      pushKey: vapid.publicKey,
    },
  };
}

/** Returns the address in "Name <address>". */
const bareAddress = (from: string): string => /<([^>]+)>/.exec(from)?.[1] ?? from;
