import type { KubeletConfiguration } from './apis/config/types.ts';

/** The facts about a machine that may prevent it from running pods. */
export interface MachineState {
  /** Whether the machine has swap space on a disk. */
  readonly swap: boolean;
  /** The version of the machine's cgroups. */
  readonly cgroups: 1 | 2;
}

/** The reason why the agent cannot start on a machine with this configuration, or undefined if it can. The texts are upstream's. */
export function machineFault(
  { failSwapOn, failCgroupV1 }: Pick<KubeletConfiguration, 'failSwapOn' | 'failCgroupV1'>,
  { swap, cgroups }: MachineState,
): string | undefined {
  if (failSwapOn && swap)
    return 'running with swap on is not supported, please disable swap or set --fail-swap-on flag to false';
  if (failCgroupV1 && cgroups === 1)
    return 'kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release';
  return undefined;
}
