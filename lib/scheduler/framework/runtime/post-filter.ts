import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeToStatus, PostFilterResult } from '../interface.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, isRejected, messageOf, newStatus, type Status, withPlugin } from '../status.ts';
import type { ExtensionPoints, With } from './extension-points.ts';

/** The result of the PostFilter plugins. */
export interface PostFiltered {
  readonly result?: PostFilterResult;
  readonly status?: Status;
}

/** Runs PostFilter plugins until one succeeds, fails, or returns that preemption cannot help: upstream's RunPostFilterPlugins. */
export async function runPostFilterPlugins(
  plugins: ExtensionPoints['postFilter'],
  state: CycleState,
  pod: PodInfo,
  filtered: NodeToStatus,
): Promise<PostFiltered> {
  const reasons: string[] = [];
  let last: PostFilterResult | undefined;
  for (const plugin of plugins) {
    const { result, status } = await postFilter(plugin, state, pod, filtered);
    if (status === undefined) return result === undefined ? {} : { result };
    const rejection = withPlugin(status, plugin.name);
    if (status.code === 'UnschedulableAndUnresolvable') return { ...defined({ result }), status: rejection };
    if (!isRejected(status)) return { status: errorStatus(messageOf(status), plugin.name) };
    last = result ?? last;
    reasons.push(...status.reasons);
  }
  return {
    ...defined({ result: last }),
    status: withPlugin(newStatus('Unschedulable', ...reasons), plugins[0]?.name ?? ''),
  };
}

async function postFilter(
  plugin: With<'postFilter'>,
  state: CycleState,
  pod: PodInfo,
  filtered: NodeToStatus,
): Promise<PostFiltered> {
  try {
    return await plugin.postFilter(state, pod, filtered);
  } catch (error) {
    return { status: errorStatus(messageOfError(error)) };
  }
}
