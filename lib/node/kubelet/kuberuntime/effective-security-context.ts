import type { Container, Pod, SecurityContext } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';

/** The security context of a container, with the pod's values for missing fields (upstream: DetermineEffectiveSecurityContext). */
export function effectiveSecurityContext(
  { spec }: Pod,
  { securityContext: own }: Pick<Container, 'securityContext'>,
): SecurityContext {
  const { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot } = spec.securityContext ?? {};
  return { ...defined({ seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot }), ...own };
}

const MASKED_PATHS = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
];
const READONLY_PATHS = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

const isUnmasked = (procMount: string | undefined): boolean => procMount === 'Unmasked';

/** The paths that are hidden from a container. `thermalThrottle` are those of the machine's CPUs. */
export const maskedPaths = (procMount: string | undefined, thermalThrottle: readonly string[]): string[] =>
  isUnmasked(procMount) ? [] : [...MASKED_PATHS, ...thermalThrottle];

/** The paths that are read-only in a container. */
export const readonlyPaths = (procMount: string | undefined): string[] =>
  isUnmasked(procMount) ? [] : [...READONLY_PATHS];
