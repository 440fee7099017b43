import type { ComponentProps } from "react";
import { Button } from "../ui/button.tsx";
import { type Action, labelOf } from "./action.ts";
import { useActionContext } from "./action-context.ts";

/** Button that performs an action, with its icon and label; its own `onClick` runs first. */
export function ActionButton({
  action,
  onClick,
  ...button
}: Omit<ComponentProps<typeof Button>, "children"> & { readonly action: Action }) {
  const context = useActionContext();
  return (
    <Button
      {...button}
      onClick={(event) => {
        onClick?.(event);
        action.perform(context);
      }}
    >
      {action.icon && <action.icon aria-hidden />}
      {action.short ?? labelOf(action, context)}
    </Button>
  );
}
