import { type Action, isSignedIn } from "./action.ts";

export const signIn: Action = {
  label: "Sign in",
  group: "Actions",
  when: (context) => context.wallet.status === "connected" && !isSignedIn(context),
  perform: ({ controller }) => void controller.signIn(),
};
