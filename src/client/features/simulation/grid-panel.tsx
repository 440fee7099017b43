import { useRef, useState } from "react";
import { type GridParameter, gridParameters, spreadValues } from "../../../strategy/grid.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import type { SimulationRequest, TriedCell } from "../../workers/messages.ts";
import { type GridResult, runGrid } from "../../workers/run-grid.ts";
import { HeatMap } from "./heat-map.tsx";

/** Maximum values per parameter; two parameters give 400 variants, the grid's maximum. */
const VALUES = 20;

interface GridPanelProps {
  readonly request: SimulationRequest;
  /** Called with the variants tried, which lower the result's significance. */
  readonly onTried: (cells: readonly TriedCell[]) => void;
}

type GridState =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly done: number; readonly of: number }
  | { readonly kind: "done"; readonly grid: GridResult }
  | { readonly kind: "failed"; readonly message: string };

/** Panel that varies parameters of the agent's conditions and shows the results. */
export function GridPanel({ request, onTried }: GridPanelProps) {
  const parameters = gridParameters(request.agent);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    parameters.slice(0, 2).map(({ id }) => id),
  );
  const [state, setState] = useState<GridState>({ kind: "none" });
  const running = useRef<AbortController | null>(null);
  if (request.firings.kind === "recorded" || parameters.length === 0) {
    return (
      <Card className="text-xs text-muted">
        A grid varies numbers of built-in conditions; these firings come from elsewhere and have
        none.
      </Card>
    );
  }
  const axes = chosen.flatMap((id) => {
    const parameter = parameters.find((each) => each.id === id);
    return parameter === undefined ? [] : [{ parameter, values: spreadValues(parameter, VALUES) }];
  });
  const run = async () => {
    const control = new AbortController();
    running.current = control;
    setState({
      kind: "running",
      done: 0,
      of: axes.reduce((all, { values }) => all * values.length, 1),
    });
    try {
      const grid = await runGrid(request, axes, {
        signal: control.signal,
        onProgress: (done, of) => setState({ kind: "running", done, of }),
      });
      setState({ kind: "done", grid });
      onTried(grid.cells);
    } catch (error) {
      const message = error instanceof Error ? error.message : "The grid could not be run";
      setState(control.signal.aborted ? { kind: "none" } : { kind: "failed", message });
    }
  };
  return (
    <Card aria-labelledby="simulation-grid" className="flex flex-col gap-3">
      <h3 id="simulation-grid" className="text-sm font-medium">
        Other numbers
      </h3>
      <p className="text-xs text-muted">
        A result that holds only for one choice of numbers is luck. Variants run on the first 70% of
        the history; the rest is kept for the best of them. Every variant tried here counts against
        the result above.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        {[0, 1].map((at) => (
          <AxisField
            key={at}
            label={at === 0 ? "Down" : "Across"}
            parameters={parameters.filter(({ id }) => id !== chosen[1 - at])}
            value={chosen[at] ?? ""}
            onChange={(id) =>
              setChosen(at === 0 ? [id, ...chosen.slice(1)] : [chosen[0] ?? "", id])
            }
          />
        ))}
        {state.kind === "running" ? (
          <Button onClick={() => running.current?.abort()}>Cancel</Button>
        ) : (
          <Button onClick={() => void run()}>
            Run {axes.reduce((all, { values }) => all * values.length, 1)} variants
          </Button>
        )}
      </div>
      {state.kind === "running" && (
        <progress
          aria-label="Variants run"
          value={state.done}
          max={state.of}
          className="h-1.5 w-full accent-accent"
        />
      )}
      {state.kind === "failed" && (
        <p role="alert" className="text-xs text-down">
          {state.message}
        </p>
      )}
      {state.kind === "done" && <HeatMap grid={state.grid} />}
    </Card>
  );
}

function AxisField(props: {
  readonly label: string;
  readonly parameters: readonly GridParameter[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const { label, parameters, value, onChange } = props;
  if (parameters.length === 0) return null;
  return (
    <Field label={label} className="w-52">
      <Select
        value={value}
        onValueChange={onChange}
        groups={[
          { options: parameters.map(({ id, label: name }) => ({ value: id, label: name })) },
        ]}
      />
    </Field>
  );
}
