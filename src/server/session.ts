import type { OwnerAddress } from "../domain/ids.ts";
/** The signed-in wallet a call is made for. */
export interface Session {
  readonly id: string;
  readonly wallet: OwnerAddress;
}
