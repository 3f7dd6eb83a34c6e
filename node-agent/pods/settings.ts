import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import type { KubeletConfiguration } from '#lib/node/kubelet/apis/config/types.ts';
import type { MachineInfo } from '#lib/node/kubelet/cadvisor.ts';
import type { CgroupManager } from '#lib/node/kubelet/cm/cgroup/cgroup-manager.ts';
import type { ConfigSettings } from '#lib/node/kubelet/kuberuntime/config-settings.ts';

const HUGE_PAGES = '/sys/kernel/mm/hugepages';
const APPARMOR = '/sys/kernel/security/apparmor';
const APPARMOR_ENABLED = '/sys/module/apparmor/parameters/enabled';
const SELINUX = '/sys/fs/selinux/enforce';

/** Whether the kernel of this machine enforces AppArmor profiles. */
export const hasAppArmor = (): boolean =>
  existsSync(APPARMOR) && existsSync(APPARMOR_ENABLED) && readFileSync(APPARMOR_ENABLED, 'utf8').startsWith('Y');

/** The sizes of huge pages in the kernel's cgroup notation: `2MB`. */
export function hugePageSizes(): string[] {
  const names = existsSync(HUGE_PAGES) ? readdirSync(HUGE_PAGES) : [];
  return names.flatMap((name) => {
    const kilobytes = Number(/^hugepages-(\d+)kB$/.exec(name)?.[1] ?? 0);
    if (kilobytes === 0) return [];
    if (kilobytes >= 1024 * 1024) return [`${kilobytes / 1024 / 1024}GB`];
    return [kilobytes >= 1024 ? `${kilobytes / 1024}MB` : `${kilobytes}KB`];
  });
}

/** The settings of sandboxes and containers on this machine. */
export const configSettings = (
  { podLogsDir, seccompDefault, cpuCFSQuota, cpuCFSQuotaPeriod, singleProcessOOMKill }: KubeletConfiguration,
  rootDir: string,
  machine: MachineInfo,
  cgroups: CgroupManager,
): ConfigSettings => ({
  podLogsRoot: podLogsDir,
  seccompProfileRoot: `${rootDir}/seccomp`,
  seccompDefault,
  cpuCFSQuota,
  cpuCFSQuotaPeriod: cpuCFSQuotaPeriod * 1000,
  memoryCapacity: machine.memoryCapacity,
  swapCapacity: machine.swapCapacity,
  memorySwapBehavior: 'NoSwap',
  swapControllerAvailable: cgroups.version === 2 && existsSync('/sys/fs/cgroup/memory.swap.max'),
  cgroupV2: cgroups.version === 2,
  singleProcessOOMKill: singleProcessOOMKill ?? cgroups.version === 1,
  hugePageSizes: cgroups.hugePageSizes(),
  selinuxEnabled: existsSync(SELINUX),
  thermalThrottlePaths: globSync('/sys/devices/system/cpu/cpu*/thermal_throttle').toSorted(),
  hasExclusiveCPUs: () => false,
});
