import { Droplets } from "lucide-react";
import type { BuiltInNetwork } from "../../domain/network.ts";
import { useFaucet } from "../../contract/practice.ts";
import { useChange } from "../queries/read.ts";
import { Button } from "../ui/button.tsx";
import { useOwner } from "../lib/session.ts";

/** Amounts one faucet request gives, in whole units. */
const FAUCET_GIFT = { sol: "10", usdc: "10000" } as const;

interface FaucetButtonProps {
  readonly network: BuiltInNetwork;
  readonly tone?: "primary" | "secondary";
  readonly wide?: boolean;
  readonly onDone?: () => void;
}

/** Button that credits play SOL and USDC to the signed-in wallet. */
export function FaucetButton(props: FaucetButtonProps) {
  const { network, tone = "secondary", wide = false, onDone } = props;
  const address = useOwner();
  const name = network === "paper" ? "Paper" : "Practice";
  const faucet = useChange(useFaucet, {
    toast: {
      title: `${name} money received`,
      message: `10 SOL and 10,000 USDC of ${network} money are in your wallet.`,
    },
    onDone,
  });
  return (
    <Button
      tone={tone}
      wide={wide}
      busy={faucet.isPending}
      disabled={address === ""}
      onClick={() => faucet.mutate({ body: { ...FAUCET_GIFT, network } })}
    >
      {!faucet.isPending && <Droplets aria-hidden />}
      Get {network} money
    </Button>
  );
}
