import { createContext } from "react";

/** Id of the chat on screen, for what an answer in it looks up by itself. */
export const ShownChat = createContext("");
