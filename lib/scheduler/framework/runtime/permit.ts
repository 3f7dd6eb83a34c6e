import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { errorStatus, isRejected, messageOf, newStatus, type Status, withPlugin } from '../status.ts';
import type { ExtensionPoints, With } from './extension-points.ts';
import type { Placed } from './reserve.ts';

/** The longest wait in milliseconds that a plugin can request. */
const MAX_TIMEOUT = 15 * 60 * 1000;

/** The result of the Permit plugins. */
export interface Permitted {
  /** `Wait`, a refusal or an error. */
  readonly status?: Status;
  /** The time-out in milliseconds of each waiting plugin. */
  readonly waits: ReadonlyMap<string, number>;
}

/** The first refusal ends the run. The waits of several plugins run in parallel. */
export function runPermitPlugins(plugins: ExtensionPoints['permit'], placed: Placed): Permitted {
  const waits = new Map<string, number>();
  for (const plugin of plugins) {
    const { status, timeout = 0 } = permit(plugin, placed);
    if (status === undefined) continue;
    if (status.code === 'Wait') waits.set(plugin.name, Math.min(timeout, MAX_TIMEOUT));
    else
      return {
        status: isRejected(status) ? withPlugin(status, plugin.name) : fault(plugin.name, status),
        waits: new Map(),
      };
  }
  if (waits.size === 0) return { waits };
  return { status: newStatus('Wait', 'one or more plugins asked to wait and no plugin rejected pod'), waits };
}

function permit(plugin: With<'permit'>, { state, pod, nodeName }: Placed): { status?: Status; timeout?: number } {
  try {
    return plugin.permit(state, pod, nodeName);
  } catch (error) {
    return { status: errorStatus(messageOfError(error)) };
  }
}

const fault = (plugin: string, status: Status): Status =>
  errorStatus(`running Permit plugin ${quote(plugin)}: ${messageOf(status)}`, plugin);
