import { ConnectButton, SignInButton } from "../features/account/connect-button.tsx";
import { useActionContext } from "../actions/action-context.ts";

/** Button to connect a wallet, or to sign in with the connected one. */
export function ConnectAction({ isConnected }: { readonly isConnected: boolean }) {
  const { controller } = useActionContext();
  return isConnected ? (
    <SignInButton onSignIn={() => void controller.signIn()} />
  ) : (
    <ConnectButton onConnect={(type) => void controller.connectAndSignIn(type)} />
  );
}
