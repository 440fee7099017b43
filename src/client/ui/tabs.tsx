import { Tabs as Base } from "@base-ui/react/tabs";
import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** Tabs are composed as Tabs > TabList > Tab, with one TabPanel per tab; nothing but tabs goes inside a TabList. */
export function Tabs({
  className,
  ...rest
}: Omit<ComponentProps<typeof Base.Root>, "className"> & { className?: string }) {
  return <Base.Root {...rest} className={clsx("flex min-h-0 min-w-0 flex-col", className)} />;
}

export function TabList({
  className,
  ...rest
}: Omit<ComponentProps<typeof Base.List>, "className"> & { className?: string }) {
  return <Base.List {...rest} className={clsx("relative flex items-center gap-0.5", className)} />;
}

export function Tab({
  className,
  ...rest
}: Omit<ComponentProps<typeof Base.Tab>, "className"> & { className?: string }) {
  return (
    <Base.Tab
      {...rest}
      className={clsx(
        "tint relative inline-flex h-7 shrink-0 items-center gap-1.5 rounded-m px-2.5 text-xs font-medium whitespace-nowrap text-muted hover:bg-hover hover:text-ink data-active:bg-hover data-active:text-ink",
        className,
      )}
    />
  );
}

export function TabPanel({
  className,
  ...rest
}: Omit<ComponentProps<typeof Base.Panel>, "className"> & { className?: string }) {
  return (
    <Base.Panel {...rest} className={clsx("min-h-0 min-w-0 outline-offset-[-2px]", className)} />
  );
}
