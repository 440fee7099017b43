import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly to: string;
  readonly text: string;
}

/** A mail server that keeps what it is given, over real SMTP. */
export interface MailServer {
  /** As `SMTP_URL` names it. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/** Starts a mail server; addresses that begin with "nobody" are unknown to it. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith("nobody")
        ? done(Object.assign(new Error("no such user"), { responseCode: 550 }))
        : done(),
    async onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString("utf8");
      mails.push(...envelope.rcptTo.map(({ address }) => ({ to: address, text })));
      done();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
