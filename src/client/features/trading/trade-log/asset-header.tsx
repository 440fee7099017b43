import { assetName } from "../../../../venues/profiles.ts";

/** Header with the agent's asset; without an agent the default asset. */
export function AssetHeader({ asset = "SOL" }: { readonly asset?: string | undefined }) {
  const name = assetName(asset);
  return (
    <div className="flex items-center gap-2">
      <span
        aria-hidden
        className="inline-flex size-7 items-center justify-center rounded-full bg-accent-soft text-2xs font-semibold text-accent-text"
      >
        {name.charAt(0)}
      </span>
      <h2 className="text-base font-semibold">
        {name}
        {name !== asset && <span className="font-normal text-muted"> {asset}</span>}
      </h2>
    </div>
  );
}
