import { Droplets } from "lucide-react";
import { toastDone, toastError } from "../lib/toast.ts";
import { useFaucet } from "../../contract/practice.ts";
import { useChange } from "../queries/read.ts";
import { Button } from "../ui/button.tsx";
import { useOwner } from "../lib/session.ts";

/** Amounts one faucet request gives, in whole units. */
const FAUCET_GIFT = { sol: "10", usdc: "10000" } as const;

interface FaucetButtonProps {
  readonly tone?: "primary" | "secondary";
  readonly wide?: boolean;
  readonly onDone?: () => void;
}

/** Button that credits practice SOL and USDC to the signed-in wallet. */
export function FaucetButton({ tone = "secondary", wide = false, onDone }: FaucetButtonProps) {
  const address = useOwner();
  const faucet = useChange(useFaucet);
  return (
    <Button
      tone={tone}
      wide={wide}
      busy={faucet.isPending}
      disabled={address === ""}
      onClick={() =>
        faucet.mutate(
          { body: FAUCET_GIFT },
          {
            onSuccess() {
              toastDone({
                title: "Practice money received",
                message: "10 SOL and 10,000 USDC of practice money are in your wallet.",
              });
              onDone?.();
            },
            onError: toastError,
          },
        )
      }
    >
      {!faucet.isPending && <Droplets aria-hidden />}
      Get practice money
    </Button>
  );
}
