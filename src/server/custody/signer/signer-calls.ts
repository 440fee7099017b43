import type { Address, Blockhash } from "@solana/kit";
import * as z from "zod/mini";
import { agentId } from "../../../contract/fields.ts";
import { isAddress } from "../../../solana/encoding/address-codec.ts";
import { TRANSACTION_SIZE_LIMIT, V1_TRANSACTION_SIZE_LIMIT } from "../../../solana/transaction.ts";
import { SIGNING_PURPOSES } from "../../../venues/order-signing.ts";
import type { SigningRefusal, SigningRoom } from "../account/trading-key-signer.ts";
import type { AskedNodes } from "../../pacing/asked-nodes.ts";

const address = z.custom<Address>(isAddress);
const bytesUpTo = (most: number) =>
  z.instanceof(Uint8Array).check(z.refine((value) => value.length <= most, "is too long"));
const u64 = z.bigint().check(z.gte(0n), z.lt(2n ** 64n));

const lifetime = z.strictObject({
  blockhash: z.custom<Blockhash>(isAddress),
  slot: u64,
  lastValidBlockHeight: u64,
});

const instruction = z.strictObject({
  programAddress: address,
  accounts: z
    .array(
      z.strictObject({
        address,
        role: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
      }),
    )
    .check(z.maxLength(64)),
  data: bytesUpTo(TRANSACTION_SIZE_LIMIT),
});

/** All calls the process with the trading keys accepts; anything else is refused. */
export const signerCall = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("payers") }),
  z.strictObject({ kind: z.literal("of"), agentId }),
  z.strictObject({ kind: z.literal("tradingKeyAt"), agentId, address }),
  z.strictObject({ kind: z.literal("isTradingKey"), agentId, address }),
  z.strictObject({ kind: z.literal("custodyOf"), agentId, createKey: address }),
  z.strictObject({
    kind: z.literal("coSign"),
    agentId,
    transaction: bytesUpTo(V1_TRANSACTION_SIZE_LIMIT),
  }),
  z.strictObject({
    kind: z.literal("sign"),
    agentId,
    purpose: z.enum(SIGNING_PURPOSES),
    isUrgent: z.boolean(),
    instructions: z.array(instruction).check(z.minLength(1), z.maxLength(16)),
    lifetime,
    tables: z.array(address).check(z.maxLength(8)),
  }),
]);

export type SignerCall = z.infer<typeof signerCall>;

/** A call with the number that its answer repeats. */
export const signerRequest = z.strictObject({
  id: z.int().check(z.gte(0)),
  call: signerCall,
});

export type SignerRequest = z.infer<typeof signerRequest>;

/** An answer, that to an order with what was asked of nodes meanwhile; of an error only its kind crosses the channel. */
export type SignerAnswer = { readonly asked?: AskedNodes } & SignerOutcome;

type SignerOutcome =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number;
      readonly error: {
        readonly kind: SigningRefusal | "unavailable" | "failed";
        readonly message: string;
      } & SigningRoom;
    };
