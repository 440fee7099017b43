import { type Action, isSignedIn } from "./action.ts";

export const newChat: Action = {
  label: "New chat",
  group: "Actions",
  when: isSignedIn,
  perform: (context) => context.startChat(),
};
