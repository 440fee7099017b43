import type { Transporter } from "nodemailer";
import * as z from "zod/mini";
import { NotDelivered, type SendNotice } from "../channel.ts";

export const emailTarget = z.strictObject({ address: z.string() });

/** The operator's mail server. */
export interface MailSettings {
  /** As smtp://user:password@host:port or smtps://… */
  readonly smtpUrl: string;
  readonly from: string;
  /** How long each step of talking to the server may take. */
  readonly timeoutMs: number;
}

/** SMTP replies from 500 on are permanent failures. */
const FIRST_FINAL_CODE = 500;

/** Opens the way to the mail server; its package is loaded only where mails are sent. */
async function openTransport({ smtpUrl, timeoutMs }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Signs in to the mail server, and sends nothing; returns what is wrong with it, or null. */
export async function findMailFault(settings: MailSettings): Promise<string | null> {
  try {
    await (await openTransport(settings)).verify();
    return null;
  } catch (error) {
    const { code = "no answer" } = error as { readonly code?: string };
    return code === "EAUTH" ? "refuses its user or password" : `is not reached (${code})`;
  }
}

/** Sends notices as mails through the operator's server. */
export function createEmailSender(settings: MailSettings): SendNotice {
  let opened: Promise<Transporter> | undefined;
  return async (target, { id, title, body, url }) => {
    const { address } = emailTarget.parse(JSON.parse(target));
    try {
      opened ??= openTransport(settings);
      await (
        await opened
      ).sendMail({
        from: settings.from,
        to: { name: "", address },
        subject: title,
        text: `${body}\n\n${url}\n`,
        messageId: `<notice-${id}@wheelhouse.invalid>`,
      });
    } catch (error) {
      const { responseCode } = error as { readonly responseCode?: number };
      throw new NotDelivered(
        responseCode === undefined
          ? "The mail server could not be reached."
          : `The mail server answered ${responseCode}.`,
        { isFinal: responseCode !== undefined && responseCode >= FIRST_FINAL_CODE },
      );
    }
  };
}
