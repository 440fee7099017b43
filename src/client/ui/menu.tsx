import { Menu as Base } from "@base-ui/react/menu";
import { clsx } from "clsx";
import type { ComponentProps, ReactElement, ReactNode } from "react";

interface MenuProps {
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
}

export function Menu({ trigger, children, align = "end" }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-40">
          <Base.Popup className="fade min-w-44 rounded-m border border-line bg-surface p-1 shadow-pop outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps extends Omit<ComponentProps<typeof Base.Item>, "className"> {
  readonly tone?: "danger";
}

export function MenuItem({ tone, ...rest }: MenuItemProps) {
  return (
    <Base.Item
      {...rest}
      className={clsx(
        "flex min-h-7 cursor-default items-center gap-2 rounded-s px-2 text-sm outline-none data-disabled:text-faint data-highlighted:bg-hover [&_svg]:size-4",
        tone === "danger" && "text-down",
      )}
    />
  );
}
