import { connect, type Socket } from "node:net";
import {
  createFrameReader,
  encodeFrame,
  type SignerSocket,
  type WelcomeMessage,
  type WordMessage,
} from "./frames.ts";
import type { SignerAnswer, SignerRequest } from "./signer-calls.ts";

/** Pause before the next try to connect, in milliseconds; doubles up to a limit. */
const FIRST_WAIT_MS = 25;
const MAX_WAIT_MS = 1_000;

/** What a channel tells of itself. */
export interface SignerListener {
  /** The signer answers. */
  up(): void;
  /** The signer is away: what it was asked gets no answer. */
  down(): void;
  answer(message: SignerAnswer): void;
  /** The signer is there and wants another word. */
  refused?(): void;
}

/** One end of a channel to the process that holds the keys. */
export interface SignerPort {
  /** Sends a call; does nothing while the signer is away. */
  send(message: SignerRequest): void;
  /** Called once, before anything is sent. */
  listen(listener: SignerListener): void;
  close(): void;
}

/** Connects to a socket of the signer, again and again while it is away. */
export function openSignerChannel({ path, word }: Omit<SignerSocket, "caller">): SignerPort {
  let current: Socket | null = null;
  let isUp = false;
  let waitMs = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const begin = (listener: SignerListener): void => {
    const socket = connect(path);
    const reader = createFrameReader();
    current = socket;
    const hear = (message: unknown): void => {
      if (isUp) return listener.answer(message as SignerAnswer);
      if (!(message as WelcomeMessage).welcome) return listener.refused?.();
      isUp = true;
      waitMs = FIRST_WAIT_MS;
      listener.up();
    };
    socket.on("connect", () => socket.write(encodeFrame({ word } satisfies WordMessage)));
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const message of reader.read(chunk)) hear(message);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    // Whatever it was, the connection ends
    socket.on("error", () => {});
    socket.on("close", () => {
      current = null;
      if (isUp) listener.down();
      isUp = false;
      if (isClosed) return;
      timer = setTimeout(() => begin(listener), waitMs);
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    });
  };

  return {
    send(message) {
      if (isUp) current?.write(encodeFrame(message));
    },
    listen: begin,
    close() {
      isClosed = true;
      clearTimeout(timer);
      current?.destroy();
    },
  };
}
