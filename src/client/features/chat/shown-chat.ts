import { createContext } from "react";
import type { ChatId } from "../../../domain/ids.ts";

/** Id of the shown chat, for components inside its answers. */
export const ShownChat = createContext<ChatId | "">("");
