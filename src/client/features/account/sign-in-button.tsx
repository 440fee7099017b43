import { ShieldCheck } from "lucide-react";
import { useSessionStatus } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";

/** Button that signs in with one wallet request. */
export function SignInButton({ onSignIn }: { readonly onSignIn: () => void }) {
  const status = useSessionStatus();
  const isBusy = status === "signing-in" || status === "restoring";
  return (
    <Button tone="primary" busy={isBusy} onClick={onSignIn}>
      {!isBusy && <ShieldCheck aria-hidden />}
      {status === "signing-in" ? "Approve in your wallet…" : "Sign in"}
    </Button>
  );
}
