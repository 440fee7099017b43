import type { AgentId } from "../../../domain/ids.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import { useResumeAgent } from "../../queries/agents.ts";
import { Button } from "../../ui/button.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

interface ResumeButtonProps {
  readonly address: SignedInWallet;
  readonly agentId: AgentId;
}

/** Button that resumes an agent paused by an owner's limit; the wallet confirms. */
export function ResumeButton({ address, agentId }: ResumeButtonProps) {
  const resume = useResumeAgent(address);
  return (
    <Button
      size="small"
      className="self-start"
      busy={resume.isPending}
      onClick={() =>
        resume.mutate(agentId, {
          onSuccess: () => toastDone({ title: "Resumed" }),
          onError: toastError,
        })
      }
    >
      Resume
    </Button>
  );
}
