import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An HTTP answer as read from the socket. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** A connection that sends raw bytes from a chosen loopback address. */
export interface RawConnection {
  readonly socket: Socket;
  /** Answers in the order they came. */
  readonly answers: readonly RawAnswer[];
  /** Resolves after this many answers, or when the connection has ended. */
  answered(count: number): Promise<readonly RawAnswer[]>;
  /** Resolves once the server ended or reset the connection. */
  readonly over: Promise<void>;
}

/**
 * Opens a connection to a server on this machine; `from` is its source address, such as 127.0.0.9. Answers to HEAD have no
 * body, whatever their Content-Length. A connection that goes on stays half open when the server ends its side.
 */
export async function openRaw(
  url: string,
  from = "127.0.0.1",
  { isHead = false, goesOn = false } = {},
): Promise<RawConnection> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    localAddress: from,
    noDelay: true,
    allowHalfOpen: goesOn,
  });
  const answers: RawAnswer[] = [];
  let unread: Buffer = Buffer.alloc(0);
  let wake = () => {};
  socket.on("data", (bytes: Buffer) => {
    unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
    for (let size = take(unread, answers, isHead); size > 0; size = take(unread, answers, isHead)) {
      unread = unread.subarray(size);
    }
    wake();
  });
  // A reset is an end too
  socket.on("error", () => {});
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    socket.once("close", () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  await Promise.race([once(socket, "connect"), over]);
  return {
    socket,
    answers,
    over,
    async answered(count) {
      while (answers.length < count && !isOver) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return answers.slice(0, count);
    },
  };
}

/** Reads one complete answer; returns its size in bytes, or 0 when it is incomplete. */
function take(bytes: Buffer, answers: RawAnswer[], isHead: boolean): number {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return 0;
  const head = bytes.toString("latin1", 0, end);
  const length = isHead ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const whole = end + 4 + length;
  if (bytes.length < whole) return 0;
  answers.push({
    status: Number(head.slice(9, 12)),
    head,
    text: bytes.toString("utf8", end + 4, whole),
  });
  return whole;
}
