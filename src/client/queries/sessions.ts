import { listSessions, signOutEverywhere } from "../../contract/auth.ts";
import { keysOf } from "./keys.ts";
import { read, useChange } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** The wallet's open sessions. */
export const sessionsQuery = (address: SignedInWallet) =>
  read(keysOf(address).sessions, listSessions, {});

export const useSignOutEverywhere = () => useChange(signOutEverywhere);
