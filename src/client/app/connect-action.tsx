import { SignInButton } from "../features/sign-in/sign-in-button.tsx";
import { ConnectButton } from "../features/wallet-menu/connect-button.tsx";
import { useController } from "./app-context.ts";
import { openDialog } from "../lib/dialogs.ts";

/** Button to connect a wallet, or to sign in with the connected one. */
export function ConnectAction({ isConnected }: { readonly isConnected: boolean }) {
  const controller = useController();
  if (isConnected) return <SignInButton onSignIn={() => void controller.signIn()} />;
  return (
    <ConnectButton
      onConnect={(type) => void controller.connect(type)}
      onPhantomMissing={() => openDialog({ kind: "wallet-required" })}
    />
  );
}
