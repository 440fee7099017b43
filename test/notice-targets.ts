import { createECDH, createHmac, createDecipheriv, hkdfSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An HTTP server that receives an owner's notices. */
export interface NoticeTarget {
  readonly url: string;
  readonly received: Received[];
  /** Answers to the next requests, in order, then 200; `hang` never answers. */
  readonly answers: (
    | { status: number; headers?: Record<string, string>; body?: unknown }
    | "hang"
  )[];
  /** Closes every connection, so that hanging requests fail. */
  breakOff(): void;
  close(): Promise<void>;
}

export async function startNoticeTarget(): Promise<NoticeTarget> {
  const received: Received[] = [];
  const answers: NoticeTarget["answers"] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(parts),
    });
    const answer = answers.shift() ?? { status: 200 };
    if (answer === "hang") return;
    response.writeHead(answer.status, answer.headers);
    response.end(JSON.stringify(answer.body ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answers,
    breakOff: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Receives and decrypts web push as RFC 8291 says; written from the RFC, independent of our sender. */
export function createPushBrowser() {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = createHmac("sha256", "auth").digest().subarray(0, 16);
  return {
    p256dh: pair.getPublicKey().toString("base64url"),
    auth: auth.toString("base64url"),
    decrypt(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const idLength = body[20] ?? 0;
      const senderKey = body.subarray(21, 21 + idLength);
      const cipherText = body.subarray(21 + idLength);
      const keyInfo = Buffer.concat([
        Buffer.from("WebPush: info\0"),
        pair.getPublicKey(),
        senderKey,
      ]);
      const derive = (key: Uint8Array, by: Uint8Array, info: Uint8Array, length: number) =>
        Buffer.from(hkdfSync("sha256", key, by, info, length));
      const ikm = derive(pair.computeSecret(senderKey), auth, keyInfo, 32);
      const key = derive(ikm, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
      const nonce = derive(ikm, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce);
      decipher.setAuthTag(cipherText.subarray(-16));
      const text = Buffer.concat([decipher.update(cipherText.subarray(0, -16)), decipher.final()]);
      return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString("utf8"));
    },
  };
}
