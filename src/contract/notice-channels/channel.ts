import * as z from "zod/mini";
import { NOTICE_KINDS } from "../../domain/notice.ts";

/** The events a channel tells its owner of. */
export const noticeEvents = z.array(z.enum(NOTICE_KINDS)).check(
  z.maxLength(NOTICE_KINDS.length),
  z.refine((kinds) => new Set(kinds).size === kinds.length, { error: "Each event once." }),
);

export const httpsAddress = z
  .url({ protocol: /^https$/, error: "The address must begin with https://." })
  .check(z.maxLength(1_000));

/** Part of every runtime, but typed only together with the browser's or Node's own facilities. */
declare const URL: new (text: string) => { readonly host: string };

/** Returns the host of an address that `httpsAddress` took, in its ASCII form. */
export const hostOf = (address: string): string => new URL(address).host;

/** One field of the page's form. */
export interface ChannelField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  /** Error text for a value the contract refuses. */
  readonly wrong: string;
}

/** What wire and page have to know of one way to tell an owner. Its sender is in `server/notices/channels/`. */
export interface Channel<Kind extends string, Shape extends z.core.$ZodShape, Body> {
  readonly kind: Kind;
  /** Name on the page. */
  readonly title: string;
  readonly icon: "bell" | "send" | "mail" | "webhook";
  /** Fields of the call that adds the channel, beside `kind` and `events`. */
  readonly shape: Shape;
  /** The page's form; null where the browser itself knows what is sent. */
  readonly form: readonly ChannelField[] | null;
  /** True where the server makes a secret that signs its calls. */
  readonly hasSecret?: true;
  /** Returns the displayed part of a target: enough to distinguish channels, too little to send to it. */
  labelOf(body: Body): string;
  /** Names the target unabridged, so that the person who signs can check it. */
  placeOf(body: Body): string;
  /** Returns what is stored to send to; absent: all fields of the shape. */
  targetOf?(body: Body): object;
  /** Returns the address a code is sent to before anything else is; absent where none is needed. */
  codeTo?(body: Body): string;
}

interface Added<Kind> {
  kind: Kind;
  events: z.infer<typeof noticeEvents>;
}

/** Returns a channel with the body of the call that adds it. */
export function defineChannel<const Kind extends string, const Shape extends z.core.$ZodShape>(
  channel: Channel<Kind, Shape, Added<Kind> & z.infer<z.ZodMiniObject<Shape>>>,
) {
  const { kind, shape } = channel;
  const body = z.strictObject({ kind: z.literal(kind), ...shape, events: noticeEvents });
  return { ...channel, body };
}
