import { type Address, isSignerRole, isWritableRole } from "@solana/kit";
import { addressBytes } from "../../solana/encoding/address-codec.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { u64Bytes } from "../runtime/bytes.ts";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import { concatBytes, deriveAddress, utf8 } from "../../solana/encoding/pda.ts";
import type { AccountMeta, InstructionContext } from "../runtime/program.ts";

export interface NewAccount {
  readonly payer: Address;
  readonly address: Address;
  readonly space: number;
  readonly owner: Address;
  readonly seeds: readonly Uint8Array[];
  /** True when the program transfers, allocates and assigns in separate steps even where one step would do. */
  readonly inSteps?: boolean;
}

/**
 * Creates a derived account through the System program as programs do: in one step or, when the address already has
 * lamports, by topping up, allocating and assigning.
 */
export function createDerivedAccount(context: InstructionContext, account: NewAccount): void {
  const { payer, address, space, owner, seeds, inSteps = false } = account;
  const from: AccountMeta = { address: payer, isSigner: true, isWritable: true };
  const to: AccountMeta = { address, isSigner: true, isWritable: true };
  const minimum = context.minimumBalance(space);
  const held = context.read(address).lamports;
  const call = (accounts: AccountMeta[], parts: Uint8Array[]) =>
    context.invoke({ programId: SYSTEM_PROGRAM, accounts, data: concatBytes(parts) }, [seeds]);
  const kind = (value: number) => Uint8Array.of(value, 0, 0, 0);

  if (held === 0n && !inSteps) {
    const size = u64Bytes(BigInt(space));
    call([from, to], [kind(0), u64Bytes(minimum), size, addressBytes(owner)]);
    return;
  }
  if (held < minimum) call([from, { ...to, isSigner: false }], [kind(2), u64Bytes(minimum - held)]);
  call([to], [kind(8), u64Bytes(BigInt(space))]);
  call([to], [kind(1), addressBytes(owner)]);
}

/** A derived address and the seeds that sign for it, its bump among them. */
export interface Derivation {
  readonly address: Address;
  readonly bump: number;
  readonly seeds: readonly Uint8Array[];
}

/** Derives an address of a program. */
export function derive(programId: Address, seeds: readonly (Uint8Array | string)[]): Derivation {
  const { address, bump } = deriveAddress(programId, seeds);
  const parts = seeds.map((seed) => (typeof seed === "string" ? utf8(seed) : seed));
  return { address, bump, seeds: [...parts, Uint8Array.of(bump)] };
}

/** Calls another program with an instruction as clients build it; `seeds` sign for a derived address. */
export function call(
  context: InstructionContext,
  { programAddress, accounts, data }: FullInstruction,
  seeds?: readonly Uint8Array[],
): void {
  const metas = accounts.map(({ address, role }) => ({
    address,
    isSigner: isSignerRole(role),
    isWritable: isWritableRole(role),
  }));
  const signed = seeds === undefined ? [] : [seeds];
  context.invoke({ programId: programAddress, accounts: metas, data }, signed);
}

/** Closes an account of the running program: its lamports go to the collector, its data and owner are removed. */
export function closeProgramAccount(
  context: InstructionContext,
  address: Address,
  collector: Address,
): void {
  context.moveLamports(address, collector, context.read(address).lamports);
  context.writeData(address, new Uint8Array(0));
  context.assign(address, SYSTEM_PROGRAM);
}
