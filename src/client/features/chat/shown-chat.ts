import { createContext } from "react";

/** Id of the shown chat, for components inside its answers. */
export const ShownChat = createContext("");
