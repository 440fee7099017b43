import { LogOut } from "lucide-react";
import type { Action } from "./action.ts";

export const disconnect: Action = {
  label: "Disconnect Wallet",
  icon: LogOut,
  group: "Actions",
  when: ({ wallet }) => wallet.status === "connected",
  perform: ({ controller }) => void controller.disconnect(),
};
