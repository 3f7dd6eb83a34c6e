import { quote } from '#lib/machinery/go.ts';
import {
  errorStatus,
  isRejected,
  messageOf,
  type Outcome,
  outcomeOf,
  outcomeOfWrite,
  SKIP,
  type Status,
  withPlugin,
} from '../status.ts';
import type { ExtensionPoints } from './extension-points.ts';
import type { Placed } from './reserve.ts';

/** The PreBind plugins that have work to do. */
export interface PreFlight {
  readonly plugins: ExtensionPoints['preBind'];
  /** Whether binding may take long enough to nominate the node beforehand. */
  readonly announces: boolean;
  readonly status?: Status;
}

/** Finds the PreBind plugins that have work to do for the pod. */
export function runPreBindPreFlights(plugins: ExtensionPoints['preBind'], { state, pod, nodeName }: Placed): PreFlight {
  const working: ExtensionPoints['preBind'][number][] = [];
  let announces = false;
  for (const plugin of plugins) {
    const status = outcomeOf(() => plugin.preBindPreFlight?.(state, pod, nodeName));
    if (status?.code === 'Skip') continue;
    if (status !== undefined)
      return { plugins: working, announces, status: failed('PreBindPreFlight', plugin.name, status) };
    announces ||= plugin.preBindPreFlight !== undefined;
    working.push(plugin);
  }
  return { plugins: working, announces };
}

/** Runs PreBind plugins. The first error ends the binding. */
export async function runPreBindPlugins(
  plugins: ExtensionPoints['preBind'],
  { state, pod, nodeName }: Placed,
): Promise<Outcome> {
  for (const plugin of plugins) {
    const status = await outcomeOfWrite(() => plugin.preBind(state, pod, nodeName));
    if (status !== undefined) return failed('PreBind', plugin.name, status);
  }
  return undefined;
}

/** Binds with the first plugin that does not skip. */
export async function runBindPlugins(
  plugins: ExtensionPoints['bind'],
  { state, pod, nodeName }: Placed,
): Promise<Outcome> {
  for (const plugin of plugins) {
    const status = await outcomeOfWrite(() => plugin.bind(state, pod, nodeName));
    if (status?.code === 'Skip') continue;
    return status === undefined ? undefined : failed('Bind', plugin.name, status);
  }
  return SKIP;
}

/** Runs PostBind plugins, which cannot fail. */
export function runPostBindPlugins(plugins: ExtensionPoints['postBind'], { state, pod, nodeName }: Placed): void {
  for (const plugin of plugins) plugin.postBind(state, pod, nodeName);
}

const failed = (step: string, plugin: string, status: Status): Status =>
  isRejected(status)
    ? withPlugin(status, plugin)
    : errorStatus(`running ${step} plugin ${quote(plugin)}: ${messageOf(status)}`, plugin);
